/// How a storage becomes an open vault: the header and the key, or a new vault where there is nothing at all.
enum VaultOpening {
  /// The storage is acquired already.
  static func open(_ storage: any VaultStorage, _ source: KeySource) throws(VaultError) -> OpenVault {
    let files = try storage.list()
    guard files.contains(VaultFormat.headerFile) else {
      return try create(storage, source, besides: files)
    }
    let bytes = try storage.read(VaultFormat.headerFile)
    let sealed: SealedHeader
    do { sealed = try SealedHeader(bytes) } catch { throw headerError(error, storage) }
    let (header, master) = try unlock(sealed, source.existing(), storage)
    var vault = try OpenVault(storage: storage, header: header, master: master)
    for file in files.sorted() where VaultFormat.isRecord(file) { try vault.index(file) }
    return vault
  }

  private static func create(
    _ storage: any VaultStorage, _ source: KeySource, besides files: [String]
  ) throws(VaultError) -> OpenVault {
    // A new header would make a new master key, and nothing could open those records again.
    guard !files.contains(where: VaultFormat.isRecord) else {
      throw VaultError(
        .damaged, "\(storage.place) has records but no header: restore its file `header`, or move the folder away")
    }
    let key = try source.existingOrNew()
    let vaultID = Sodium.random(VaultFormat.identifierLength)
    let master = try SecretBytes.random(count: Sodium.keyLength)
    let slot = try KeySlot.wrapping(master, under: key, vaultID: vaultID)
    let header = VaultHeader(vaultID: vaultID, generation: 1, slots: [slot], machine: .ofThisMachine)
    try storage.write(header.sealed(under: master), to: VaultFormat.headerFile)
    return try OpenVault(storage: storage, header: header, master: master)
  }

  private static func unlock(
    _ sealed: SealedHeader, _ key: SecretBytes, _ storage: any VaultStorage
  ) throws(VaultError) -> (VaultHeader, SecretBytes) {
    for slot in sealed.slots {
      guard let master = try slot.unwrap(with: key, vaultID: sealed.vaultID) else { continue }
      guard let header = try sealed.open(with: master) else {
        throw headerError(.damaged("its seal does not fit"), storage)
      }
      return (header, master)
    }
    throw VaultError(.wrongKey, "this key file belongs to another vault than \(storage.place): restore the right one")
  }

  private static func headerError(_ fault: FormatFault, _ storage: any VaultStorage) -> VaultError {
    let file = storage.place + "/" + VaultFormat.headerFile
    switch fault {
    case .newer(let version):
      return VaultError(.formatTooNew, "\(file) has format \(version): update ritual-agent; nothing was changed")
    case .damaged(let words):
      return VaultError(.damaged, "\(file) is damaged (\(words)): restore it from a backup")
    }
  }
}
