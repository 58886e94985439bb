/// The header of an open vault and its file. Invariant: `expected` holds every content that the
/// file may have unless another program wrote it: one after a successful write, more after failed
/// writes, because the rename may have happened.
struct VaultHeaderFile {
  private(set) var header: VaultHeader
  /// The version that was read; `VaultFormat.headerVersion` after the first write.
  private(set) var version: UInt32
  /// Sealed bytes, which reveal no more than the file.
  private(set) var expected: [[UInt8]]
  private var key: SecretBytes
  /// The last generation that a write attempted; kept while the vault is locked.
  private(set) var tried: UInt64

  /// Opens a header that was read as `bytes`; nil if the header does not match the master key.
  init?(_ sealed: SealedHeader, _ bytes: [UInt8], master: SecretBytes, tried: UInt64) throws(VaultError) {
    key = try Sodium.subkey(.header, of: master)
    guard let header = try sealed.open(with: key) else { return nil }
    self.header = header
    version = sealed.version
    expected = [bytes]
    self.tried = max(tried, header.generation)
  }

  /// Creates the first header of a new vault and writes it immediately.
  init(new header: VaultHeader, master: SecretBytes, in storage: any VaultStorage) throws(VaultError) {
    self.header = header
    key = try Sodium.subkey(.header, of: master)
    version = VaultFormat.headerVersion
    tried = header.generation
    expected = [header.sealed(under: key)]
    try storage.write(expected[0], to: VaultFormat.headerFile)
  }

  var memoryLockError: Int32? { key.lockError }

  var hasSecondCopies: Bool { version >= VaultFormat.firstDoubledVersion }

  /// Applies `change`, and writes the header with the next generation, under the header key of
  /// `master` if a new one is given. After an error the header in memory is unchanged, and the disk
  /// has the old or the new header, intact. On return no older header is left, neither as a second
  /// copy nor set aside: an older header would open with a key that was removed.
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

  /// Throws if another program replaced the header while the vault was in use, for example by an
  /// older copy in which a removed key is still valid.
  func requireOurs(in storage: any VaultStorage) throws(VaultError) {
    try Self.require(expected, in: storage)
  }

  /// Returns the header on the disk. Throws if it is not one of `expected`.
  @discardableResult
  static func require(
    _ expected: [[UInt8]], in storage: any VaultStorage
  ) throws(VaultError) -> DoubledFile.Reading<SealedHeader> {
    let reading = try read(storage)
    guard expected.contains(reading.bytes) else {
      throw VaultError(
        .damaged,
        "\(storage.place)/\(VaultFormat.headerFile) was replaced while the vault was in use: "
          + "restart the agent to use the new file, or restore the old one"
      )
    }
    return reading
  }

  /// Reads the header, checked by its checksum only: whether a key fits does not decide which copy
  /// is used.
  static func read(_ storage: any VaultStorage) throws(VaultError) -> DoubledFile.Reading<SealedHeader> {
    do {
      return try DoubledFile.read(VaultFormat.headerFile, in: storage, trustsVersion: true) {
        (bytes) throws(FormatFault) in try SealedHeader(bytes)
      }
    } catch {
      switch error {
      case .missing:
        throw VaultError(
          .damaged, "both copies of the file `header` in \(storage.place) are missing: restore one from a backup")
      case .unreadable(let error): throw error
      case .content(let fault): throw self.error(fault, storage)
      }
    }
  }

  /// Makes both copies of the header identical to the copy in use, if that is one of `expected`.
  /// Changes nothing if another program replaced the header.
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
