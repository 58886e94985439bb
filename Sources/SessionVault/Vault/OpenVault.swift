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

  var headerFile: VaultHeaderFile
  let storage: any VaultStorage
  var sealer: RecordSealer
  /// The sealer of the previous master key, during a rekey only.
  var previous: RecordSealer?
  /// The records, by file name under the current master key.
  var entries: [String: Entry] = [:]
  /// Files of a newer format, with the format. They are never changed.
  var newer: [String: UInt32] = [:]
  /// Files that could not be read when the vault was opened.
  var unread: Set<String> = []
  /// Files that were listed when the vault was opened, and have not been read yet. Each is read
  /// before anything else happens to it.
  var unindexed: Set<String> = []
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

  var memoryLockError: Int32? { sealer.lockError ?? headerFile.memoryLockError ?? previous?.lockError }

  var names: [String] {
    mutating get {
      // A file that is refused has no known name, as a damaged one.
      try? index()
      return entries.values.filter { $0.durable > 0 }.map(\.name).sorted()
    }
  }

  mutating func save(_ content: [UInt8], as name: String) throws(VaultError) {
    try Self.check(name, content)
    let file = sealer.file(for: name)
    try index(file)
    let place = place(of: name)
    if newer[place] != nil { throw tooNew(place) }
    if unread.contains(place) { try setAside(place, "it could not be read and was written again") }
    // Otherwise the write would hide the damage, and it would never be reported.
    if uncompared.contains(place) { compare(place) }
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
    try index(sealer.file(for: name))
    let place = place(of: name)
    if newer[place] != nil { throw tooNew(place) }
    let reading: DoubledFile.Reading<OpenedRecord>
    do {
      reading = try read(place)
    } catch {
      switch error {
      case .missing: throw absent(name)
      case .unreadable(let error): throw error
      case .content(let fault): throw try handleFault(fault, place)
      }
    }
    if reading.isFromSecond { uncompared.insert(place) }
    if unread.remove(place) != nil { addRecord(reading.content, place) }
    return reading.content.record.content
  }

  /// Passes the content to `decode`, and wipes it afterwards. A record that `decode` refuses is handled
  /// as a file with this fault.
  mutating func load<Value>(
    _ name: String, as decode: ([UInt8]) throws(FormatFault) -> Value
  ) throws(VaultError) -> Value {
    var content = try load(name)
    defer { Sodium.wipe(&content) }
    do {
      return try decode(content)
    } catch {
      throw try handleFault(error, place(of: name))
    }
  }

  mutating func delete(_ name: String) throws(VaultError) {
    try Self.check(name, [])
    let file = sealer.file(for: name)
    try index(file)
    let place = place(of: name)
    if newer[place] != nil { throw tooNew(place) }
    if entries[file] != nil { return try delete(file: file) }
    try storage.remove(place)
    unread.remove(place)
  }

  mutating func readRecords(
    _ isWanted: (String) -> Bool, later: [String], _ body: (String, [UInt8]) throws(FormatFault) -> Void
  ) throws(VaultError) {
    let indexed = entries.values.filter { $0.durable > 0 && isWanted($0.name) }.map(\.name)
    for name in indexed {
      try? load(name, as: { (content) throws(FormatFault) in try body(name, content) })
    }
    var files: Set<String> = []
    sealer.whileReading { files = Set(later.map { sealer.file(for: $0) }) }
    try index(except: files) { (record) throws(FormatFault) in
      if isWanted(record.name) { try body(record.name, record.content) }
    }
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

  /// Returns the file in which the record is, or would be.
  private func place(of name: String) -> String {
    let present = sealer.file(for: name)
    guard let old = previous?.file(for: name) else { return present }
    guard let entry = entries[present] else { return unread.contains(old) || newer[old] != nil ? old : present }
    return entry.isResealed ? present : old
  }

  private static func check(_ name: String, _ content: [UInt8]) throws(VaultError) {
    guard (1...VaultFormat.maxNameLength).contains(name.utf8.count) else {
      throw VaultError(.invalidName, "a record name must have 1 to \(VaultFormat.maxNameLength) bytes")
    }
    guard content.count <= VaultFormat.maxContentSize else {
      throw VaultError(.tooLarge, "a record can have at most \(VaultFormat.maxContentSize) bytes")
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

  /// Notes the record files that exist when the vault is opened.
  mutating func list(_ names: [String]) {
    let names = headerFile.hasSecondCopies ? names.map(DoubledFile.name) : names
    unindexed = Set(names.filter(VaultFormat.isRecord))
    if headerFile.hasSecondCopies { uncompared = unindexed.union([VaultFormat.headerFile]) }
  }

  /// True if records can be read one at a time, after the vault was opened. A rekey must know all
  /// records to tell the old file of a record from its only one, and a migration copies them all.
  var mayIndexLater: Bool { previous == nil && headerFile.version >= VaultFormat.headerVersion }

  /// Reads the files that were not read yet, except `later`, and calls `body` with each record. A
  /// file that cannot be used, or that `body` refuses, is noted and does not affect the others; an
  /// unsafe or inaccessible file makes the call throw when all others were read.
  mutating func index(
    except later: Set<String> = [], _ body: (Record) throws(FormatFault) -> Void = { _ in }
  ) throws(VaultError) {
    var old: [(file: String, record: Record)] = []
    var refusal: VaultError?
    let sealer = sealer
    sealer.whileReading {
      for file in unindexed.subtracting(later).sorted() {
        do throws(VaultError) {
          if let record = try index(file, body) { old.append((file, record)) }
        } catch {
          refusal = refusal ?? error
        }
      }
    }
    for (file, record) in old { indexOld(file, record) }
    if let refusal { throw refusal }
  }

  /// Reads one file if it was not read yet. Returns the record if it is sealed under the previous
  /// master key.
  @discardableResult
  mutating func index(
    _ file: String, _ body: (Record) throws(FormatFault) -> Void = { _ in }
  ) throws(VaultError) -> Record? {
    guard unindexed.contains(file) else { return nil }
    let found = try indexed(file)
    unindexed.remove(file)
    guard var found else { return nil }
    var fault: FormatFault?
    do { try body(found.record) } catch { fault = error }
    Sodium.wipe(&found.record.content)
    if let fault {
      _ = try handleFault(fault, file)
      return nil
    }
    if found.isOld { return found.record }
    entries[file] = entry(for: found.record, of: file)
    return nil
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
        throw .damaged("it was replaced by another copy while the vault was locked")
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
    throw .damaged("it was replaced by another copy while the vault was open")
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
    // These files were never read. The generations that an earlier lock remembered still hold;
    // without them, any generation is possible.
    for file in unindexed { generations[file] = remembered.map { $0[file] } ?? 0...UInt64.max }
    for file in unread { generations[file] = 0...UInt64.max }
    for file in newer.keys { generations[file] = 0...UInt64.max }
    return RecordSnapshot(generations: generations, damaged: damaged)
  }
}
