/// An open vault: keys, and which record is in which file. `Vault` holds it under its lock.
///
/// Invariant: every record that this vault has read or written is known with the range of generations that the disk may hold. One value
/// after a write that succeeded; two after one that failed, since the renaming may have happened. Anything else on the disk was put
/// there by somebody else, such as an older copy, and is not taken for ours.
struct OpenVault {
  private struct Entry {
    let name: String
    /// The last generation that is known to be durable; 0 if none is.
    var durable: UInt64
    /// The last one that was tried.
    var tried: UInt64
  }

  let header: VaultHeader
  private let storage: any VaultStorage
  private let sealer: RecordSealer
  private var entries: [String: Entry] = [:]
  /// Files of a newer format: never touched.
  private var newer: Set<String> = []
  /// Files that could not be read when the vault was opened.
  private var unread: Set<String> = []
  private(set) var damaged: [DamagedRecord] = []

  init(storage: any VaultStorage, header: VaultHeader, master: SecretBytes) throws(VaultError) {
    self.storage = storage
    self.header = header
    sealer = try RecordSealer(vaultID: header.vaultID, master: master)
  }

  var isLocked: Bool { sealer.isLocked }

  var names: [String] { entries.values.filter { $0.durable > 0 }.map(\.name).sorted() }

  /// Takes a file that was there when the vault was opened. What cannot be used is noted, and the others go on; what is unsafe stops it all.
  mutating func index(_ file: String) throws(VaultError) {
    do {
      var record = try open(try storage.read(file), from: file)
      Sodium.wipe(&record.content)
      entries[file] = Entry(name: record.name, durable: record.generation, tried: record.generation)
    } catch {
      switch error.code {
      case .damaged, .formatTooNew: return
      case .tooLarge: _ = try setAside(file, "it is larger than any record")
      case .io:
        unread.insert(file)
        damaged.append(DamagedRecord(file: file, reason: "it cannot be read: \(error)", setAsideAs: nil))
      default: throw error
      }
    }
  }

  mutating func save(_ content: [UInt8], as name: String) throws(VaultError) {
    try Self.check(name, content)
    let file = sealer.file(for: name)
    if newer.contains(file) { throw tooNew(file) }
    if unread.contains(file) { try setAside(file, "it could not be read, and was saved anew") }
    let before = entries[file]
    let next = (before?.tried ?? 0) + 1
    entries[file] = Entry(name: name, durable: before?.durable ?? 0, tried: next)
    let record = Record(name: name, generation: next, content: content)
    try storage.write(sealer.seal(record, for: file), to: file)
    entries[file]?.durable = next
  }

  mutating func load(_ name: String) throws(VaultError) -> [UInt8] {
    try Self.check(name, [])
    let file = sealer.file(for: name)
    if newer.contains(file) { throw tooNew(file) }
    let bytes: [UInt8]
    do {
      bytes = try storage.read(file)
    } catch {
      throw error.code == .notFound ? absent(file) : error
    }
    let record = try open(bytes, from: file)
    try requireKnown(record, file)
    return record.content
  }

  mutating func delete(_ name: String) throws(VaultError) {
    try Self.check(name, [])
    let file = sealer.file(for: name)
    if newer.contains(file) { throw tooNew(file) }
    try delete(file: file)
  }

  /// Every record that this vault knows; goes on after an error, and throws the first one at the end.
  mutating func deleteAll() throws(VaultError) {
    var first: VaultError?
    for file in entries.keys.sorted() {
      do { try delete(file: file) } catch { first = first ?? error }
    }
    if let first { throw first }
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

  private mutating func delete(file: String) throws(VaultError) {
    try storage.remove(file)
    entries[file] = nil
    unread.remove(file)
  }

  /// Opens the bytes of `file`, or notes what is wrong with it and sets it aside.
  private mutating func open(_ bytes: [UInt8], from file: String) throws(VaultError) -> Record {
    do {
      return try sealer.open(bytes, from: file)
    } catch {
      switch error {
      case .damaged(let reason): throw try setAside(file, reason)
      case .newer(let version):
        newer.insert(file)
        let reason = "it has format \(version), newer than this program; it was left untouched"
        damaged.append(DamagedRecord(file: file, reason: reason, setAsideAs: nil))
        throw tooNew(file)
      }
    }
  }

  private mutating func requireKnown(_ record: Record, _ file: String) throws(VaultError) {
    guard !unread.contains(file) else {
      unread.remove(file)
      entries[file] = Entry(name: record.name, durable: record.generation, tried: record.generation)
      return
    }
    guard let entry = entries[file], (entry.durable...entry.tried).contains(record.generation) else {
      throw try setAside(file, "another copy of it was put in its place while the vault was open")
    }
  }

  @discardableResult
  private mutating func setAside(_ file: String, _ reason: String) throws(VaultError) -> VaultError {
    let name = try storage.setAside(file)
    damaged.append(DamagedRecord(file: file, reason: reason, setAsideAs: name))
    entries[file] = nil
    unread.remove(file)
    return VaultError(.damaged, "\(storage.place)/\(file) is damaged (\(reason)); it was kept as \(name)")
  }

  private func absent(_ file: String) -> VaultError {
    guard let report = damaged.last(where: { $0.file == file }), let name = report.setAsideAs, entries[file] == nil
    else {
      return VaultError(.notFound, "there is no such record")
    }
    return VaultError(.damaged, "\(storage.place)/\(file) was damaged (\(report.reason)); it was kept as \(name)")
  }

  private func tooNew(_ file: String) -> VaultError {
    VaultError(.formatTooNew, "\(storage.place)/\(file) was written by a newer ritual-agent: update this one")
  }

  private static func check(_ name: String, _ content: [UInt8]) throws(VaultError) {
    guard (1...VaultFormat.longestName).contains(name.utf8.count) else {
      throw VaultError(.invalidName, "a record's name has 1 to \(VaultFormat.longestName) bytes")
    }
    guard content.count <= VaultFormat.largestContent else {
      throw VaultError(.tooLarge, "a record holds at most \(VaultFormat.largestContent) bytes")
    }
  }
}
