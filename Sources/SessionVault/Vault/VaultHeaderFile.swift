/// The header of an open vault and its file. Invariant: `expected` holds every content that the file may have if nobody
/// else wrote it: one after a write that succeeded, more after writes that failed, since the renaming may have
/// happened.
struct VaultHeaderFile {
  /// What this program holds to be true.
  private(set) var header: VaultHeader
  /// The version of what was read; 2 after the first write.
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

  /// Writes a header with `change` made and the next generation; under the header key of `master`, if there is a new
  /// one. On an error what is held stays as it was, and the disk has the old or the new header, whole.
  mutating func commit(
    to storage: any VaultStorage, master: SecretBytes? = nil, _ change: (inout VaultHeader) -> Void
  ) throws(VaultError) {
    try requireOurs(in: storage)
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
    guard try expected.contains(read(storage)) else {
      throw VaultError(
        .damaged,
        "\(storage.place)/\(VaultFormat.headerFile) was exchanged while the vault was in use: restart the agent to use the new one, or put the old one back"
      )
    }
  }

  /// The bytes of the header.
  static func read(_ storage: any VaultStorage) throws(VaultError) -> [UInt8] {
    do {
      return try storage.read(VaultFormat.headerFile)
    } catch {
      guard error.code == .notFound else { throw error }
      throw VaultError(.damaged, "\(storage.place) lost its file `header`: restore it from a backup", cause: error)
    }
  }

  /// The parsed header, or what is wrong with it.
  static func parse(_ bytes: [UInt8], _ storage: any VaultStorage) throws(VaultError) -> SealedHeader {
    do { return try SealedHeader(bytes) } catch { throw self.error(error, storage) }
  }

  static func error(_ fault: FormatFault, _ storage: any VaultStorage) -> VaultError {
    let file = storage.place + "/" + VaultFormat.headerFile
    switch fault {
    case .newer(let version):
      return VaultError(.formatTooNew, "\(file) has format \(version): update ritual-agent; nothing was changed")
    case .damaged(let words):
      return VaultError(.damaged, "\(file) is damaged (\(words)): restore it from a backup")
    }
  }
}
