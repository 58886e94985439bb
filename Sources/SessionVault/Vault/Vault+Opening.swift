import Synchronization

/// Attaching, creating, unlocking and locking a vault.
extension Vault {
  /// Opens the vault in `storage`, or creates a new one if there is none. Equivalent to `attach`,
  /// then `create` or `unlock`.
  ///
  /// - Throws: `.damaged` if the header is missing but records exist, `.keyMissing` if the key file
  ///   is missing (neither is replaced), `.wrongKey`, `.formatTooNew`, `.inUse`, `.unsafe`, and
  ///   system errors.
  public static func open(storage: any VaultStorage, key: KeySource) throws(VaultError) -> Vault {
    let vault = try attach(storage: storage)
    do {
      if vault.condition.lockState == .missing { try vault.create(with: key) } else { try vault.unlock(with: [key]) }
    } catch {
      vault.close()
      throw error
    }
    return vault
  }

  /// Acquires the vault in `storage` for this process, with the checks of `FileRules`, and reads what can
  /// be read without a key; changes nothing. Afterwards the vault is locked, or `.missing`.
  /// `machineIDFile` (machine-id(5)) is for tests.
  ///
  /// - Throws: `.inUse`, `.unsafe`, `.damaged` (also for records without a header),
  ///   `.formatTooNew`, and system errors.
  public static func attach(
    storage: any VaultStorage, machineIDFile: String = "/etc/machine-id"
  ) throws(VaultError) -> Vault {
    try attach(storage, MachineID(file: machineIDFile), .argon2id)
  }

  static func attach(
    _ storage: any VaultStorage, _ machine: MachineID, _ derivation: PassphraseDerivation
  ) throws(VaultError) -> Vault {
    try Sodium.start()
    try storage.acquire()
    do {
      return Vault(storage, machine, derivation, try start(storage))
    } catch {
      storage.release()
      throw error
    }
  }

  private static func start(_ storage: any VaultStorage) throws(VaultError) -> State {
    let hasHeader = DoubledFile.copies(of: VaultFormat.headerFile).contains { copy in
      do throws(VaultError) {
        _ = try storage.read(copy)
        return true
      } catch {
        return error.code != .notFound
      }
    }
    if hasHeader { return .locked(try LockedVault(storage)) }
    // A new header would have a new master key, which could never open those records.
    guard try !storage.list().contains(where: { VaultFormat.isRecord(DoubledFile.name(of: $0)) }) else {
      throw VaultError(
        .damaged, "\(storage.place) has records but no header: restore the file `header`, or move the directory away")
    }
    return .missing
  }

  /// Creates a new vault with one key slot and opens it. Throws `.wrongState` if a vault exists.
  /// Blocks while the cost of a passphrase is measured and the passphrase is derived.
  public func create(with key: KeySource) throws(VaultError) {
    guard condition.lockState == .missing else { throw Self.thereIsOne }
    let wrapping = try key.existingOrNew().newWrappingKey(by: derivation)
    try state.withLock { (state) throws(VaultError) in
      guard case .missing = state else { throw Self.thereIsOne }
      let vaultID = Sodium.random(VaultFormat.identifierLength)
      let master = try SecretBytes.random(count: Sodium.keyLength)
      let header = VaultHeader(
        vaultID: vaultID, generation: 1, machine: MachineTag(machine, vaultID: vaultID),
        slots: [KeySlot.wrapping(master, with: wrapping, vaultID: vaultID)])
      let file = try VaultHeaderFile(new: header, master: master, in: storage)
      state = .open(try OpenVault(storage: storage, headerFile: file, master: master, memory: nil))
    }
  }

  private static let thereIsOne = VaultError(.wrongState, "a vault already exists: unlock it")

  /// Opens the vault with the first of `sources` that opens a slot, and returns that slot. A
  /// missing source does not stop the others. On an open vault this only tries the keys. Upgrades
  /// an older format and continues an unfinished rekey; if the disk does not allow this now, the
  /// next unlock retries.
  ///
  /// With `readsRecords: false` each record is read when it is first needed, so that
  /// `readRecords` can open every record and pass on its content at once; `damaged` is complete
  /// only then. An older format and an unfinished rekey need all records and read them in any case.
  ///
  /// A wrong passphrase costs one derivation for each passphrase slot, with half a second and up to
  /// 256 MiB each if this program created them: allow one caller at a time. The derivations run
  /// outside the vault's lock.
  ///
  /// - Throws: `.wrongKey`, `.keyMissing`, `.costRefused`, `.damaged`, `.changedMeanwhile`,
  ///   `.wrongState` if there is no vault, and system errors.
  @discardableResult
  public func unlock(with sources: [KeySource], readsRecords: Bool = true) throws(VaultError) -> KeySlotInfo {
    try unlockProving(with: sources, readsRecords: readsRecords).slot
  }

  /// Opens the vault as `unlock` does, and also returns the key that opened the slot, for a later
  /// `unlock` with `.proven`.
  ///
  /// - Throws: The errors of `unlock`.
  public func unlockProving(
    with sources: [KeySource], readsRecords: Bool = true
  ) throws(VaultError) -> (slot: KeySlotInfo, key: ProvenKey) {
    let proof = try unlocked(by: sources, readsRecords: readsRecords)
    return (KeySlotInfo(proof.slot), ProvenKey(proof))
  }

  private func unlocked(by sources: [KeySource], readsRecords: Bool) throws(VaultError) -> KeyProof {
    guard let header = try lockedHeader() else { return try openProver().first(of: sources) }
    let proof = try prover(header.content.slots, header.content.vaultID).first(of: sources)
    try state.withLock { (state) throws(VaultError) in
      guard case .locked(let locked) = state else { throw Self.changed }
      guard try locked.read(storage).bytes == header.bytes else { throw Self.changed }
      var vault = try locked.opened(by: proof, header, in: storage, readsRecords: readsRecords)
      if vault.headerFile.version < VaultFormat.headerVersion { try? vault.migrate() }
      state = .open(vault)
    }
    try? finishRekey()
    return proof
  }

  /// Wipes the keys, the names and all other decrypted data, and keeps the storage acquired, so
  /// that no other process can take it. The expected content of the files is remembered, so that a
  /// file replaced while the vault is locked is detected. No effect if the vault is not open. Waits
  /// for a running call.
  public func lock() {
    state.withLock { state in
      guard case .open(let vault) = state else { return }
      state = .locked(LockedVault(locking: vault))
    }
  }

  /// Returns the header of a locked vault from the disk, after checking that it is an expected one;
  /// nil if the vault is open.
  private func lockedHeader() throws(VaultError) -> DoubledFile.Reading<SealedHeader>? {
    try state.withLock { (state) throws(VaultError) in
      switch state {
      case .locked(let locked): return try locked.read(storage)
      case .open: return nil
      case .missing, .closed: throw state.notOpen
      }
    }
  }

  /// Returns a prover for the slots of the open vault: those in memory, which may differ from the
  /// disk after a failed write.
  func openProver() throws(VaultError) -> KeyProver {
    let header = try whileOpen { (vault) throws(VaultError) in
      try vault.headerFile.requireOurs(in: storage)
      return (slots: vault.headerFile.header.slots, vaultID: vault.headerFile.header.vaultID)
    }
    return prover(header.slots, header.vaultID)
  }

  private func prover(_ slots: [KeySlot], _ vaultID: [UInt8]) -> KeyProver {
    KeyProver(slots: slots, vaultID: vaultID, derivation: interruptibleDerivation(), place: storage.place)
  }

  static let changed = VaultError(.changedMeanwhile, "the vault's keys were changed at the same time: try again")
}

/// A vault without keys: its visible header, and what is remembered to detect files that were
/// replaced while it is locked.
struct LockedVault {
  /// The header as it was read; trusted only if `isAuthenticated`.
  let view: HeaderView
  /// Every content that the header file may have.
  private let expected: [[UInt8]]
  /// The last header generation that a write attempted.
  private let tried: UInt64
  /// What is known from the time the vault was open; nil if it was not opened since it was
  /// attached.
  let recordSnapshot: RecordSnapshot?
  /// True if the two copies of the header were compared since the vault was attached, or since it
  /// was last opened.
  private var isHeaderCompared = false
  private(set) var restored: [RestoredCopy] = []

  /// True if the header was authenticated with the master key since the vault was attached.
  var isAuthenticated: Bool { recordSnapshot != nil }

  /// The state of a vault that was just attached.
  init(_ storage: any VaultStorage) throws(VaultError) {
    let header = try VaultHeaderFile.read(storage)
    view = HeaderView(header.content)
    expected = [header.bytes]
    tried = view.generation
    recordSnapshot = nil
  }

  /// The state after locking. No key and no record name is kept.
  init(locking open: OpenVault) {
    view = HeaderView(open.headerFile)
    expected = open.headerFile.expected
    tried = open.headerFile.tried
    recordSnapshot = open.recordSnapshot
    restored = open.restored
    isHeaderCompared = !open.uncompared.contains(VaultFormat.headerFile)
  }

  /// Reads the header to open from the disk. Throws if another program replaced it.
  func read(_ storage: any VaultStorage) throws(VaultError) -> DoubledFile.Reading<SealedHeader> {
    try VaultHeaderFile.require(expected, in: storage)
  }

  /// Compares the copies of the header, which needs no key. Returns false if this was already done.
  mutating func restoreHeader(in storage: any VaultStorage) -> Bool {
    guard !isHeaderCompared, view.version >= VaultFormat.firstDoubledVersion else { return false }
    isHeaderCompared = true
    restored += VaultHeaderFile.restore(expected, in: storage)
    return true
  }

  /// Opens the vault with the header that the proof belongs to, and reads every record unless
  /// `readsRecords` is false and they may be read later.
  func opened(
    by proof: KeyProof, _ header: DoubledFile.Reading<SealedHeader>, in storage: any VaultStorage, readsRecords: Bool
  ) throws(VaultError) -> OpenVault {
    guard let file = try VaultHeaderFile(header.content, header.bytes, master: proof.master, tried: tried) else {
      throw VaultHeaderFile.error(.damaged("its seal does not match"), storage)
    }
    var vault = try OpenVault(storage: storage, headerFile: file, master: proof.master, memory: recordSnapshot)
    vault.restored = restored
    vault.list(try storage.list())
    if readsRecords || !vault.mayIndexLater { try vault.index() }
    return vault
  }
}

/// The part of a header that is visible without a key.
struct HeaderView {
  let version: UInt32
  let generation: UInt64
  let vaultID: [UInt8]
  let slots: [KeySlot]
  /// The machine tag; nil if it is sealed (version 1).
  let machine: MachineTag?

  init(_ sealed: SealedHeader) {
    version = sealed.version
    generation = sealed.generation
    vaultID = sealed.vaultID
    slots = sealed.slots
    machine = sealed.machine
  }

  init(_ file: VaultHeaderFile) {
    version = file.version
    generation = file.header.generation
    vaultID = file.header.vaultID
    slots = file.header.slots
    machine = file.header.machine
  }
}

/// The records of a locked vault, without their names.
struct RecordSnapshot {
  /// The range of generations that each file may have.
  let generations: [String: ClosedRange<UInt64>]
  let damaged: [DamagedRecord]
}
