import AgentProtocol
import SessionVault
import SystemSupport

/// Writes the log's files and the anchor. Every call blocks on the disk. After an error, the writer
/// is unchanged or has advanced by complete entries.
struct AuditWriter {
  /// Maximum size of a file, in bytes. A check reads a file whole.
  static let fileLimit = 1 << 20
  /// Maximum number of files: 1 GiB in all, in case programs never stop requesting tokens.
  static let maxFiles = 1000

  let path: String
  let vault: Vault
  let key: ChainKey
  private(set) var folder: PrivateDirectory
  var anchor: AuditAnchor
  /// The anchor as the vault has it.
  private var saved: AuditAnchor?
  /// The size of the last file, in bytes.
  private var size = 0

  // MARK: - Opening

  /// Finds the end of the log after a stop or a crash, and continues the chain there. Data that does
  /// not fit is left for the check, and the chain continues in a new file: the log never prevents a
  /// start.
  ///
  /// - Returns: The writer, and entries that describe what was found.
  static func open(_ path: String, _ vault: Vault, now: Timestamp) throws -> (AuditWriter, [AuditFacts]) {
    let folder = try PrivateDirectory(path)
    if let (anchor, key) = try chain(of: vault) {
      var writer = AuditWriter(path: path, vault: vault, key: key, folder: folder, anchor: anchor)
      let facts = try writer.resume(now)
      return (writer, facts)
    }
    // An anchor belongs to one key, also after a crash between the two.
    try vault.delete(AuditAnchor.record)
    var bytes = (0..<ChainKey.length).map { _ in UInt8.random(in: 0...255) }
    try vault.save(bytes, as: AuditAnchor.keyRecord)
    var writer = AuditWriter(
      path: path, vault: vault, key: try ChainKey(taking: &bytes), folder: folder, anchor: AuditAnchor())
    let isFirst = try folder.names().isEmpty
    try writer.beginFile(
      now: now, detail: isFirst ? nil : "the vault has no record of the earlier files: they cannot be verified")
    return (writer, [])
  }

  static func key(of vault: Vault) throws(VaultError) -> ChainKey {
    try vault.load(AuditAnchor.keyRecord, as: AuditAnchor.decodedKey)
  }

  /// The anchor and its key; nil if the vault does not have both, or has them damaged.
  private static func chain(of vault: Vault) throws(VaultError) -> (AuditAnchor, ChainKey)? {
    do throws(VaultError) {
      return (try vault.load(AuditAnchor.record, as: AuditAnchor.decoded), try key(of: vault))
    } catch  where [.notFound, .damaged].contains(error.code) {
      return nil
    }
  }

  /// Follows the last file from the anchored entry to its end, and truncates an incomplete last line.
  /// A file that does not fit the anchor is left, and the chain continues in a new file.
  private mutating func resume(_ now: Timestamp) throws -> [AuditFacts] {
    let anchored = anchor.sequence
    var (torn, fault, needsFile) = (0, String?.none, true)
    if let file = anchor.files.last {
      let bytes = (try? folder.read(file.name, upTo: AuditFileCheck.readLimit)) ?? []
      let found = AuditFileCheck(anchor, file: anchor.files.count - 1, key).run(bytes)
      if anchored < file.first, found.lines.isEmpty {
        // The anchor lists a file before it exists, so a crash left it without an entry.
        anchor.files.removeLast()
        if found.leftOut == 0 { try folder.remove(file.name) }
        torn = found.torn
      } else if found.findings.isEmpty {
        for line in found.lines where line.sequence > anchored { anchor.follow(line) }
        (torn, size, needsFile) = (found.torn, bytes.count - found.torn, false)
        if torn > 0 { try folder.cut(file.name, to: size) }
      } else {
        fault = "the previous file was modified"
      }
    }
    // The anchor keeps its counts until their entries are written.
    var facts = anchor.counts.finalEntries
    if !anchor.isClosed || anchor.sequence > anchored || torn > 0 {
      var interrupted = AuditFacts(.interrupted, at: now)
      interrupted.detail =
        "the agent was not shut down properly after entry \(anchor.sequence)"
        + (torn > 0 ? "; \(torn) \(torn == 1 ? "byte" : "bytes") of an incomplete entry removed" : "")
      facts.append(interrupted)
      anchor.interruptions = (anchor.interruptions + [anchor.sequence]).suffix(AuditAnchor.maxInterruptions)
    }
    anchor.isClosed = false
    if needsFile { try beginFile(now: now, detail: fault) }
    return facts
  }

  // MARK: - Writing

  /// Writes entries. `written` counts those written, even if an error is thrown.
  mutating func write(_ facts: [AuditFacts], now: Timestamp, span: Int64, written: inout Int) throws {
    while written < facts.count {
      if isFull || isOld(now, span) { try beginFile(now: now, detail: nil) }
      do {
        written += try writePart(facts[written...])
      } catch let error as VaultError where [.damaged, .notFound, .unsafe].contains(error.code) {
        // Another program changed or removed the file. It is left for the check, and the chain
        // continues in a new file.
        try beginFile(now: now, detail: "the previous file was modified or removed while the agent was running")
      }
    }
  }

  private var isFull: Bool { size + AuditLine.maxLength > Self.fileLimit }

  private func isOld(_ now: Timestamp, _ span: Int64) -> Bool {
    anchor.files.last.map { now.unixSeconds - $0.begun.unixSeconds >= span } ?? true
  }

  /// Writes as many entries as fit into the last file. They are durable on return.
  ///
  /// - Returns: The number of entries written.
  private mutating func writePart(_ facts: ArraySlice<AuditFacts>) throws -> Int {
    guard let file = anchor.files.last else { return 0 }
    var (next, bytes, count) = (anchor, [UInt8](), 0)
    for facts in facts {
      guard size + bytes.count + AuditLine.maxLength <= Self.fileLimit else { break }
      bytes += try next.append(facts, key)
      count += 1
    }
    try folder.append(bytes, to: file.name, at: size)
    anchor = next
    size += bytes.count
    return count
  }

  /// Starts the next file, whose first entry records the last MAC. It gets the first unused number, so
  /// that a file of another program cannot block it.
  private mutating func beginFile(now: Timestamp, detail: String?) throws {
    // Creates the directory again if it was removed.
    folder = try PrivateDirectory(path)
    let names = Set(try folder.names())
    var number = (anchor.files.last?.number ?? 0) + 1
    while names.contains(AuditFile.name(number)) { number += 1 }
    let file = AuditFile(number: number, first: anchor.sequence + 1, previous: anchor.mac, begun: now)
    var next = anchor
    next.files.append(file)
    try save(next)
    var facts = AuditFacts(.fileBegun, at: now)
    (facts.previous, facts.detail) = (file.previous, detail)
    let line = try next.append(facts, key)
    do {
      try folder.append(line, to: file.name, at: 0)
    } catch {
      // The next attempt has to find the number free. If that fails as well, it takes another number.
      try? folder.remove(file.name)
      throw error
    }
    (anchor, size) = (next, line.count)
  }

  /// Saves the anchor. Until then, entries cut off from the end go unnoticed.
  mutating func save() throws { try save(anchor) }

  private mutating func save(_ anchor: AuditAnchor) throws {
    guard anchor != saved else { return }
    try vault.save(Array(try WireCoding.encode(anchor)), as: AuditAnchor.record)
    saved = anchor
  }

  /// Removes files that ended before `oldest`, and the oldest beyond `maxFiles`. A crash before the
  /// anchor is saved leaves it with files that are gone, until the first write after the start calls
  /// this again.
  mutating func removeFiles(endedBefore oldest: Timestamp) throws {
    while anchor.files.count > 1, anchor.files.count > Self.maxFiles || anchor.files[1].begun < oldest {
      try folder.remove(anchor.files[0].name)
      anchor.files.removeFirst()
    }
  }
}
