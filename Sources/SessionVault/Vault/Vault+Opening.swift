import Synchronization

/// How a vault is taken, made, unlocked and locked.
extension Vault {
  /// Opens the vault in `storage`, or makes a new one where there is none. A header that is gone while records are
  /// there is `.damaged`, a key file that is gone is `.keyMissing`: neither is replaced. Other errors: `.wrongKey`,
  /// `.formatTooNew`, `.inUse`, `.unsafe` and those of the system. The same as `attach`, then `make` or `unlock`.
  public static func open(storage: any VaultStorage, key: KeySource) throws(VaultError) -> Vault {
    let vault = try attach(storage: storage)
    do {
      if vault.condition.door == .missing { try vault.make(with: key) } else { try vault.unlock(with: [key]) }
    } catch {
      vault.close()
      throw error
    }
    return vault
  }

  /// Takes the vault in `storage` for this process, with the checks of VA-6, and reads what can be read without a key;
  /// changes nothing. It is locked then, or `.missing`. `machineIDFile` is for tests: machine-id(5).
  ///
  /// - Throws: `.inUse`, `.unsafe`, `.damaged` (also records without a header), `.formatTooNew`, and the system's.
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
    let files = try storage.list()
    if files.contains(where: { DoubledFile.name(of: $0) == VaultFormat.headerFile }) {
      return .locked(try LockedVault(storage))
    }
    // A new header would make a new master key, and nothing could open those records again.
    guard !files.contains(where: { VaultFormat.isRecord(DoubledFile.name(of: $0)) }) else {
      throw VaultError(
        .damaged, "\(storage.place) has records but no header: restore its file `header`, or move the folder away")
    }
    return .missing
  }

  /// Makes a new vault with one key slot and opens it; `.wrongState` if there is one. Blocks while a passphrase is
  /// measured and derived.
  public func make(with key: KeySource) throws(VaultError) {
    guard condition.door == .missing else { throw Self.thereIsOne }
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

  private static let thereIsOne = VaultError(.wrongState, "there is a vault already: unlock it")

  /// Opens the vault with the first of `sources` that opens a slot, and says which slot that was. A source that is
  /// missing does not stop the others. On a vault that is open already this only tries the keys. An older format is
  /// brought up to date, and a rekey that was cut off goes on; where the disk does not let that happen now, it happens
  /// the next time.
  ///
  /// A wrong passphrase costs one derivation for each passphrase slot, of half a second and up to 256 MiB each if this
  /// program made them: one caller at a time. Nobody waits for it at the vault's lock.
  ///
  /// - Throws: `.wrongKey`, `.keyMissing`, `.costRefused`, `.damaged`, `.changedMeanwhile`, `.wrongState` where there
  ///   is no vault, and the system's.
  @discardableResult
  public func unlock(with sources: [KeySource]) throws(VaultError) -> KeySlotInfo {
    try unlockProving(with: sources).slot
  }

  /// The same, and the key that opened that slot, for a later `unlock` with `.proven`.
  ///
  /// - Throws: as `unlock`.
  public func unlockProving(with sources: [KeySource]) throws(VaultError) -> (slot: KeySlotInfo, key: ProvenKey) {
    let proof = try unlocked(by: sources)
    return (KeySlotInfo(proof.slot), ProvenKey(proof))
  }

  private func unlocked(by sources: [KeySource]) throws(VaultError) -> KeyProof {
    guard let header = try lockedHeader() else { return try openProver().first(of: sources) }
    let proof = try prover(header.content.slots, header.content.vaultID).first(of: sources)
    try state.withLock { (state) throws(VaultError) in
      guard case .locked(let locked) = state else { throw Self.changed }
      guard try locked.read(storage).bytes == header.bytes else { throw Self.changed }
      var vault = try locked.opened(by: proof, header, in: storage)
      if vault.headerFile.version < VaultFormat.headerVersion { try? vault.migrate() }
      state = .open(vault)
    }
    try? finishRekey()
    return proof
  }

  /// Wipes the keys, and the names and all else that was opened, and keeps the storage: no other process can take it.
  /// What the files may hold is remembered, so that a file exchanged meanwhile is noticed. No effect where the vault is
  /// not open. Waits for a call that is at work.
  public func lock() {
    state.withLock { state in
      guard case .open(let vault) = state else { return }
      state = .locked(LockedVault(locking: vault))
    }
  }

  /// Of a locked vault the header as it is on the disk, checked to be the one that this vault knows; nil if the vault
  /// is open.
  private func lockedHeader() throws(VaultError) -> DoubledFile.Reading<SealedHeader>? {
    try state.withLock { (state) throws(VaultError) in
      switch state {
      case .locked(let locked): return try locked.read(storage)
      case .open: return nil
      case .missing, .closed: throw state.notOpen
      }
    }
  }

  /// Tries keys on the slots of the open vault: on those that it holds to be true, which the disk may not have after a
  /// write that failed.
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

/// A vault without keys: what can be seen of it, and what has to be remembered so that nothing can be exchanged behind
/// its back.
struct LockedVault {
  /// The header as it was read; believed only if `isAuthenticated`.
  let view: HeaderView
  /// Every content that the header's file may have.
  private let expected: [[UInt8]]
  /// The last generation of a header that was tried.
  private let tried: UInt64
  /// What was open before; nil if the vault was not opened since it was attached.
  let memory: RecordMemory?
  /// Whether the two copies of the header were compared since the vault was attached.
  private var isHeaderCompared = false
  private(set) var restored: [RestoredCopy] = []

  /// Whether the header was held against the master key since the vault was attached.
  var isAuthenticated: Bool { memory != nil }

  /// As attached.
  init(_ storage: any VaultStorage) throws(VaultError) {
    let header = try VaultHeaderFile.read(storage)
    view = HeaderView(header.content)
    expected = [header.bytes]
    tried = view.generation
    memory = nil
  }

  /// As locked: of the keys and the names nothing stays.
  init(locking open: OpenVault) {
    view = HeaderView(open.headerFile)
    expected = open.headerFile.expected
    tried = open.headerFile.tried
    memory = open.memory
    restored = open.restored
    isHeaderCompared = true
  }

  /// The header as it is on the disk, which is to be opened; refused if somebody exchanged it.
  func read(_ storage: any VaultStorage) throws(VaultError) -> DoubledFile.Reading<SealedHeader> {
    try VaultHeaderFile.require(expected, in: storage)
    return try VaultHeaderFile.read(storage)
  }

  /// Compares the copies of the header, which needs no key; false if that was done before.
  mutating func restoreHeader(in storage: any VaultStorage) -> Bool {
    guard !isHeaderCompared, view.version >= VaultFormat.firstDoubledVersion else { return false }
    isHeaderCompared = true
    restored += VaultHeaderFile.restore(expected, in: storage)
    return true
  }

  /// The vault with the header that the proof belongs to, every record looked at.
  func opened(
    by proof: KeyProof, _ header: DoubledFile.Reading<SealedHeader>, in storage: any VaultStorage
  ) throws(VaultError) -> OpenVault {
    guard let file = try VaultHeaderFile(header.content, header.bytes, master: proof.master, tried: tried) else {
      throw VaultHeaderFile.error(.damaged("its seal does not fit"), storage)
    }
    var vault = try OpenVault(storage: storage, headerFile: file, master: proof.master, memory: memory)
    vault.restored = restored
    try vault.index(storage.list())
    return vault
  }
}

/// What can be seen of a header without a key.
struct HeaderView {
  let version: UInt32
  let generation: UInt64
  let vaultID: [UInt8]
  let slots: [KeySlot]
  /// nil where it is sealed (version 1).
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

/// What a vault knows of its records without their names: kept while it is locked.
struct RecordMemory {
  /// For each file the generations that it may have.
  let generations: [String: ClosedRange<UInt64>]
  let damaged: [DamagedRecord]
}
