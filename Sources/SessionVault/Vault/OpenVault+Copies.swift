/// The second copies (VA-9): compared and made again in the background, and made for the first time by a migration.
extension OpenVault {
  /// Compares the copies of one file; false if none is left.
  mutating func compareNext() -> Bool {
    guard let file = uncompared.first else { return false }
    compare(file)
    return true
  }

  /// Compares the copies of a file, and makes what is missing, damaged or different again from the copy that counts.
  mutating func compare(_ file: String) {
    uncompared.remove(file)
    if file == VaultFormat.headerFile {
      restored += VaultHeaderFile.restore(headerFile.expected, in: storage)
      return
    }
    guard !newer.contains(file), !DoubledFile.isWhole(file, in: storage), var reading = try? read(file) else { return }
    Sodium.wipe(&reading.content.record.content)
    restored += DoubledFile.restore(file, from: reading.bytes, in: storage) { [self] (bytes) throws(FormatFault) in
      var found = try openEither(bytes, file)
      Sodium.wipe(&found.record.content)
    }
  }

  /// Makes second copies of all records, then writes the header of the present version, which says that they exist: from
  /// then on an older program refuses the vault instead of leaving them out of date.
  mutating func migrate() throws(VaultError) {
    let names = try storage.list()
    let records = names.filter(VaultFormat.isRecord)
    for copy in names where DoubledFile.isSecond(copy) && VaultFormat.isRecord(DoubledFile.name(of: copy)) {
      if !records.contains(DoubledFile.name(of: copy)) { try storage.remove(copy) }
    }
    for file in records { try makeSecond(of: file) }
    try headerFile.commit(to: storage) { _ in }
    wasMigrated = true
  }

  /// A record that cannot be read has no second copy: one that is there already could be out of date.
  private func makeSecond(of file: String) throws(VaultError) {
    let second = DoubledFile.second(of: file)
    guard let bytes = try? storage.read(file) else { return try storage.remove(second) }
    if (try? storage.read(second)) != bytes { try storage.restore(bytes, to: second) }
  }
}
