/// An open vault: the keys, and the map of records to files. `Vault` holds it under its lock.
///
/// Invariant: every record that this vault has read or written is known with the range of
/// generations that the disk may hold: one value after a successful write, more after failed
/// writes, because the rename may have happened. Any other generation on the disk was written by
/// another program, for example by restoring an older copy, and is rejected.
struct OpenVault {
  struct Entry {
    let name: String
    /// The last generation known to be durable; 0 if there is none.
    var durable: UInt64
    /// The last generation that a write attempted.
    var tried: UInt64
    /// During a rekey, the file under the previous master key, as long as it exists.
    var oldFile: String?
    /// True if the record is sealed under the current master key.
    var isResealed = true
  }

  /// A file and the sealer that holds its keys.
  struct Place {
    let file: String
    let sealer: RecordSealer
  }

  var headerFile: VaultHeaderFile
  let storage: any VaultStorage
  var sealer: RecordSealer
  /// The sealer of the previous master key, during a rekey only.
  var previous: RecordSealer?
  /// The records, by file name under the current master key.
  var entries: [String: Entry] = [:]
  /// Files of a newer format, which are never changed.
  var newer: Set<String> = []
  /// Files that could not be read when the vault was opened.
  var unread: Set<String> = []
  var damaged: [DamagedRecord]
  /// Files whose two copies were not compared since the vault was opened.
  var uncompared: Set<String> = []
  var restored: [RestoredCopy] = []
  /// True if this opening created the second copies, so that a missing second key file is not
  /// damage.
  var wasMigrated = false
  /// The generations known before the vault was locked; nil on the first opening.
  let remembered: [String: ClosedRange<UInt64>]?

  init(
    storage: any VaultStorage, headerFile: VaultHeaderFile, master: SecretBytes, memory: RecordSnapshot?
  ) throws(VaultError) {
    self.storage = storage
    self.headerFile = headerFile
    let vaultID = headerFile.header.vaultID
    sealer = try RecordSealer(vaultID: vaultID, master: master)
    if let old = headerFile.header.previousMaster { previous = try RecordSealer(vaultID: vaultID, master: old) }
    damaged = memory?.damaged ?? []
    remembered = memory?.generations
  }

  var memoryLocked: Bool { sealer.isLocked && headerFile.memoryLocked && previous?.isLocked ?? true }

  var names: [String] { entries.values.filter { $0.durable > 0 }.map(\.name).sorted() }

  mutating func save(_ content: [UInt8], as name: String) throws(VaultError) {
    try Self.check(name, content)
    let file = sealer.file(for: name)
    let place = place(of: name)
    if newer.contains(place.file) { throw tooNew(place.file) }
    if unread.contains(place.file) { try setAside(place.file, "it could not be read, and was saved anew") }
    // Otherwise the write would hide the damage, and it would never be reported.
    if uncompared.contains(place.file) { compare(place.file) }
    let before = entries[file]
    let next = (before?.tried ?? 0) + 1
    entries[file, default: Entry(name: name, durable: 0, tried: 0)].tried = next
    let record = Record(name: name, generation: next, content: content)
    try storage.write(sealer.seal(record, for: file), to: file)
    entries[file]?.durable = next
    entries[file]?.isResealed = true
    // The record is durable. An old file that cannot be removed now only delays the end of the
    // rekey.
    try? removeOldFile(of: file)
  }

  mutating func load(_ name: String) throws(VaultError) -> [UInt8] {
    try Self.check(name, [])
    let place = place(of: name)
    if newer.contains(place.file) { throw tooNew(place.file) }
    let reading: DoubledFile.Reading<OpenedRecord>
    do {
      reading = try read(place.file)
    } catch {
      switch error {
      case .missing: throw absent(name)
      case .unreadable(let error): throw error
      case .content(let fault): throw try handleFault(fault, place.file)
      }
    }
    if reading.isFromSecond { uncompared.insert(place.file) }
    if unread.remove(place.file) != nil { addRecord(reading.content, place.file) }
    return reading.content.record.content
  }

  mutating func delete(_ name: String) throws(VaultError) {
    try Self.check(name, [])
    let place = place(of: name)
    if newer.contains(place.file) { throw tooNew(place.file) }
    let file = sealer.file(for: name)
    if entries[file] != nil { return try delete(file: file) }
    try storage.remove(place.file)
    unread.remove(place.file)
  }

  mutating func update(_ name: String, _ change: (inout [UInt8]?) throws -> Void) throws {
    var content: [UInt8]?
    do {
      content = try load(name)
    } catch {
      guard error.code == .notFound else { throw error }
    }
    let wasThere = content != nil
    try change(&content)
    if let content {
      try save(content, as: name)
    } else if wasThere {
      try delete(name)
    }
  }

  /// Removes the old file first: after a crash in between, the old file would count as a record not
  /// yet resealed.
  private mutating func delete(file: String) throws(VaultError) {
    try removeOldFile(of: file)
    try storage.remove(file)
    entries[file] = nil
    unread.remove(file)
  }

  mutating func removeOldFile(of file: String) throws(VaultError) {
    guard let old = entries[file]?.oldFile else { return }
    try storage.remove(old)
    entries[file]?.oldFile = nil
  }

  /// Returns where the record is, or would be.
  private func place(of name: String) -> Place {
    let file = sealer.file(for: name)
    let present = Place(file: file, sealer: sealer)
    guard let previous else { return present }
    let old = Place(file: previous.file(for: name), sealer: previous)
    guard let entry = entries[file] else {
      return unread.contains(old.file) || newer.contains(old.file) ? old : present
    }
    return entry.isResealed ? present : old
  }

  private static func check(_ name: String, _ content: [UInt8]) throws(VaultError) {
    guard (1...VaultFormat.maxNameLength).contains(name.utf8.count) else {
      throw VaultError(.invalidName, "a record's name has 1 to \(VaultFormat.maxNameLength) bytes")
    }
    guard content.count <= VaultFormat.maxContentSize else {
      throw VaultError(.tooLarge, "a record holds at most \(VaultFormat.maxContentSize) bytes")
    }
  }
}

/// Reading the files on opening, and what is remembered on locking.
extension OpenVault {
  struct OpenedRecord {
    var record: Record
    /// True if the record is sealed under the previous master key.
    let isOld: Bool
  }

  /// Reads the files that exist when the vault is opened. A file that cannot be used is noted and
  /// does not affect the others; an unsafe or inaccessible file makes the call throw.
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

  /// Adds a record that an unfinished rekey has not resealed, or whose old file it has not removed.
  private mutating func indexOld(_ file: String, _ record: Record) {
    let present = sealer.file(for: record.name)
    if entries[present] == nil {
      entries[present] = entry(for: record, of: file)
      entries[present]?.isResealed = false
    }
    entries[present]?.oldFile = file
  }

  private func entry(for record: Record, of file: String) -> Entry {
    // The generation of a record that could not be read before the vault was locked is unknown.
    let known = remembered?[file]?.upperBound ?? 0
    let tried = max(record.generation, known == .max ? 0 : known)
    return Entry(name: record.name, durable: record.generation, tried: tried)
  }

  private mutating func indexed(_ file: String) throws(VaultError) -> OpenedRecord? {
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
      case .content(let fault): _ = try handleFault(fault, file)
      case .unreadable(let error):
        guard error.code == .io else { throw error }
        unread.insert(file)
        report(DamagedRecord(file: file, reason: "it cannot be read: \(error)", setAsideAs: nil))
      }
    }
    return nil
  }

  /// Reads a record that this vault has read or written, or that it could not read before.
  func read(_ file: String) throws(DoubledFile.Fault) -> DoubledFile.Reading<OpenedRecord> {
    try DoubledFile.read(file, in: storage, hasSecond: headerFile.hasSecondCopies) { (bytes) throws(FormatFault) in
      try openOurs(bytes, file)
    }
  }

  func openOurs(_ bytes: [UInt8], _ file: String) throws(FormatFault) -> OpenedRecord {
    let found = try openEither(bytes, file)
    if isOurs(found, file) { return found }
    throw .damaged("another copy of it was put in its place while the vault was open")
  }

  /// Opens a record under the current master key, or, during a rekey, under the previous one.
  func openEither(_ bytes: [UInt8], _ file: String) throws(FormatFault) -> OpenedRecord {
    do {
      return OpenedRecord(record: try sealer.open(bytes, from: file), isOld: false)
    } catch {
      guard let previous, case .damaged = error, let record = try? previous.open(bytes, from: file) else { throw error }
      return OpenedRecord(record: record, isOld: true)
    }
  }

  private func isKnown(_ record: Record, _ file: String) -> Bool {
    guard let remembered else { return true }
    return remembered[file]?.contains(record.generation) == true
  }

  /// The facts about its files that the vault keeps while it is locked.
  var recordSnapshot: RecordSnapshot {
    var generations: [String: ClosedRange<UInt64>] = [:]
    for (file, entry) in entries {
      let range = entry.durable...entry.tried
      generations[file] = range
      if let old = entry.oldFile { generations[old] = 0...entry.tried }
    }
    // These files were never read, so any generation is possible.
    for file in unread { generations[file] = 0...UInt64.max }
    return RecordSnapshot(generations: generations, damaged: damaged)
  }
}
