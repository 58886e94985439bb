/// What an open vault finds when it is opened, and what it remembers when it is locked.
extension OpenVault {
  struct Found {
    var record: Record
    /// Under the previous master key.
    let isOld: Bool
  }

  /// Takes the files that are there when the vault is opened. What cannot be used is noted, and the others go on; what
  /// is unsafe stops it all.
  mutating func index(_ names: [String]) throws(VaultError) {
    let names = headerFile.hasSecondCopies ? Set(names.map(DoubledFile.name)) : Set(names)
    let files = names.filter(VaultFormat.isRecord).sorted()
    if headerFile.hasSecondCopies { uncompared = Set(files + [VaultFormat.headerFile]) }
    var old: [(file: String, record: Record)] = []
    for file in files {
      guard var found = try indexed(file) else { continue }
      Sodium.wipe(&found.record.content)
      if found.isOld {
        old.append((file, found.record))
      } else {
        entries[file] = entry(for: found.record, of: file)
      }
    }
    for (file, record) in old { indexOld(file, record) }
  }

  /// A record that a rekey has not come to yet, or whose old file it had no time to remove.
  private mutating func indexOld(_ file: String, _ record: Record) {
    let present = sealer.file(for: record.name)
    if entries[present] == nil {
      entries[present] = entry(for: record, of: file)
      entries[present]?.isResealed = false
    }
    entries[present]?.oldFile = file
  }

  private func entry(for record: Record, of file: String) -> Entry {
    // Of one that could not be read while the vault was locked nothing is known.
    let known = remembered?[file]?.upperBound ?? 0
    let tried = max(record.generation, known == .max ? 0 : known)
    return Entry(name: record.name, durable: record.generation, tried: tried)
  }

  private mutating func indexed(_ file: String) throws(VaultError) -> Found? {
    do {
      return try DoubledFile.read(file, in: storage, hasSecond: headerFile.hasSecondCopies) {
        (bytes) throws(FormatFault) in
        let found = try openEither(bytes, file)
        if isKnown(found.record, file) { return found }
        throw .damaged("another copy of it was put in its place while the vault was locked")
      }.content
    } catch {
      switch error {
      case .missing: return nil
      case .content(let fault): _ = try note(fault, file)
      case .unreadable(let error):
        guard error.code == .io else { throw error }
        unread.insert(file)
        report(DamagedRecord(file: file, reason: "it cannot be read: \(error)", setAsideAs: nil))
      }
    }
    return nil
  }

  /// A record that this vault has read or written, or that it could not read before.
  func read(_ file: String) throws(DoubledFile.Fault) -> DoubledFile.Reading<Found> {
    try DoubledFile.read(file, in: storage, hasSecond: headerFile.hasSecondCopies) { (bytes) throws(FormatFault) in
      try openOurs(bytes, file)
    }
  }

  func openOurs(_ bytes: [UInt8], _ file: String) throws(FormatFault) -> Found {
    let found = try openEither(bytes, file)
    if isOurs(found, file) { return found }
    throw .damaged("another copy of it was put in its place while the vault was open")
  }

  /// Under the present master key, or the previous one while a rekey is under way.
  func openEither(_ bytes: [UInt8], _ file: String) throws(FormatFault) -> Found {
    do {
      return Found(record: try sealer.open(bytes, from: file), isOld: false)
    } catch {
      guard let previous, case .damaged = error, let record = try? previous.open(bytes, from: file) else { throw error }
      return Found(record: record, isOld: true)
    }
  }

  private func isKnown(_ record: Record, _ file: String) -> Bool {
    guard let remembered else { return true }
    return remembered[file]?.contains(record.generation) == true
  }

  /// What has to be known of the files while the vault is locked.
  var memory: RecordMemory {
    var generations: [String: ClosedRange<UInt64>] = [:]
    for (file, entry) in entries {
      let range = entry.durable...entry.tried
      generations[file] = range
      if let old = entry.oldFile { generations[old] = 0...entry.tried }
    }
    // Never read, hence never known.
    for file in unread { generations[file] = 0...UInt64.max }
    return RecordMemory(generations: generations, damaged: damaged)
  }
}
