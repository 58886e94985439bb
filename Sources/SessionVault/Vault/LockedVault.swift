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
