/// The header of an open vault and its file. Invariant: `expected` holds every content that the file may have if nobody
/// else wrote it: one after a write that succeeded, more after writes that failed, since the renaming may have
/// happened.
struct VaultHeaderFile {
  /// What this program holds to be true.
  private(set) var header: VaultHeader
  /// The version of what was read; `VaultFormat.headerVersion` after the first write.
  private(set) var version: UInt32
  /// Sealed bytes; they tell no more than the file.
  private(set) var expected: [[UInt8]]
  private var key: SecretBytes
  /// The last generation that was tried; kept while the vault is locked.
  private(set) var tried: UInt64

  /// A header that was read as `bytes`; nil if it does not fit the master key.
  init?(_ sealed: SealedHeader, _ bytes: [UInt8], master: SecretBytes, tried: UInt64) throws(VaultError) {
    key = try Sodium.subkey(.header, of: master)
    guard let header = try sealed.open(with: key) else { return nil }
    self.header = header
    version = sealed.version
    expected = [bytes]
    self.tried = max(tried, header.generation)
  }

  /// The first header of a new vault, written at once.
  init(new header: VaultHeader, master: SecretBytes, in storage: any VaultStorage) throws(VaultError) {
    self.header = header
    key = try Sodium.subkey(.header, of: master)
    version = VaultFormat.headerVersion
    tried = header.generation
    expected = [header.sealed(under: key)]
    try storage.write(expected[0], to: VaultFormat.headerFile)
  }

  var memoryLocked: Bool { key.isLocked }

  var hasSecondCopies: Bool { version >= VaultFormat.firstDoubledVersion }

  /// Writes a header with `change` made and the next generation; under the header key of `master`, if there is a new
  /// one. On an error what is held stays as it was, and the disk has the old or the new header, whole. When it returns,
  /// no older header is left, neither as a second copy nor set aside: it would open with a key that was removed.
  mutating func commit(
    to storage: any VaultStorage, master: SecretBytes? = nil, _ change: (inout VaultHeader) -> Void
  ) throws(VaultError) {
    try requireOurs(in: storage)
    try Self.removeSetAside(from: storage)
    let nextKey = if let master { try Sodium.subkey(.header, of: master) } else { key }
    var next = header
    change(&next)
    tried += 1
    next.generation = tried
    let bytes = next.sealed(under: nextKey)
    expected.append(bytes)
    try storage.write(bytes, to: VaultFormat.headerFile)
    (header, key, version, expected) = (next, nextKey, VaultFormat.headerVersion, [bytes])
  }

  /// Refuses a header that somebody else put there while the vault was held, such as one from an older copy, in which a
  /// removed key still opens.
  func requireOurs(in storage: any VaultStorage) throws(VaultError) {
    try Self.require(expected, in: storage)
  }

  /// The same of a vault that is locked.
  static func require(_ expected: [[UInt8]], in storage: any VaultStorage) throws(VaultError) {
    guard try expected.contains(read(storage).bytes) else {
      throw VaultError(
        .damaged,
        "\(storage.place)/\(VaultFormat.headerFile) was exchanged while the vault was in use: restart the agent to use the new one, or put the old one back"
      )
    }
  }

  /// The header by its check sum alone: whether a key fits says nothing about which copy counts.
  static func read(_ storage: any VaultStorage) throws(VaultError) -> DoubledFile.Reading<SealedHeader> {
    do {
      return try DoubledFile.read(VaultFormat.headerFile, in: storage, trustsVersion: true) {
        (bytes) throws(FormatFault) in try SealedHeader(bytes)
      }
    } catch {
      switch error {
      case .missing:
        throw VaultError(
          .damaged, "\(storage.place) lost both copies of its file `header`: restore one from a backup")
      case .unreadable(let error): throw error
      case .content(let fault): throw self.error(fault, storage)
      }
    }
  }

  /// Makes both copies of the header one of `expected`, whichever counts. Nothing is changed where somebody exchanged it.
  static func restore(_ expected: [[UInt8]], in storage: any VaultStorage) -> [RestoredCopy] {
    guard !DoubledFile.isWhole(VaultFormat.headerFile, in: storage), let bytes = try? read(storage).bytes,
      expected.contains(bytes)
    else { return [] }
    return DoubledFile.restore(VaultFormat.headerFile, from: bytes, in: storage) { (bytes) throws(FormatFault) in
      _ = try SealedHeader(bytes)
    }
  }

  private static func removeSetAside(from storage: any VaultStorage) throws(VaultError) {
    for file in try storage.list() where file.hasPrefix(VaultFormat.headerFile) && VaultFormat.isSetAside(file) {
      try storage.remove(file)
    }
  }

  static func error(_ fault: FormatFault, _ storage: any VaultStorage) -> VaultError {
    let file = storage.place + "/" + VaultFormat.headerFile
    switch fault {
    case .newer(let version):
      return VaultError(.formatTooNew, "\(file) has format \(version): update ritual-agent; nothing was changed")
    case .damaged(let words):
      return VaultError(.damaged, "\(file) is damaged in both copies (\(words)): restore it from a backup")
    }
  }
}
