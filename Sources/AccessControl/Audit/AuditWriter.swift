import AgentProtocol
import ServiceLifecycle
import SessionVault
package import SystemSupport

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

  private init(_ path: String, _ folder: PrivateDirectory, _ vault: Vault, _ key: ChainKey, _ anchor: AuditAnchor) {
    (self.path, self.folder, self.vault, self.key, self.anchor) = (path, folder, vault, key, anchor)
  }

  // MARK: - Opening

  /// Finds the end of the log after a stop or a crash, and continues the chain there. Data that does
  /// not fit is left for the check, and the chain continues in a new file: the log never prevents a
  /// start.
  ///
  /// - Returns: The writer, and entries that describe what was found.
  static func open(_ path: String, _ vault: Vault, now: Timestamp) throws -> (AuditWriter, [AuditFacts]) {
    let folder = try PrivateDirectory(path)
    let found = Result { () throws(VaultError) in
      (try vault.load(AuditAnchor.record, as: AuditAnchor.decoded), try key(of: vault))
    }
    switch found {
    case .success(let (anchor, key)):
      var writer = AuditWriter(path, folder, vault, key, anchor)
      let facts = try writer.resume(now)
      return (writer, facts)
    case .failure(let error) where error.code == .notFound:
      let isFirst = try folder.names().compactMap(AuditFile.number).isEmpty
      let detail = isFirst ? nil : "the vault has no record of the earlier files: they cannot be verified"
      return (try begin(path, folder, vault, now, detail), [])
    case .failure(let error) where error.code == .damaged:
      let detail = "the vault's record of the earlier files was damaged: they cannot be verified"
      return (try begin(path, folder, vault, now, detail), [])
    case .failure(let error): throw error
    }
  }

  static func key(of vault: Vault) throws(VaultError) -> ChainKey {
    try vault.load(AuditAnchor.keyRecord, as: AuditAnchor.decodedKey)
  }

  /// Starts a new chain in a new file. `detail` gives the reason if there was an earlier chain.
  private static func begin(
    _ path: String, _ folder: PrivateDirectory, _ vault: Vault, _ now: Timestamp, _ detail: String?
  ) throws -> AuditWriter {
    // An anchor belongs to one key, also after a crash between the two.
    try vault.delete(AuditAnchor.record)
    var bytes = (0..<ChainKey.length).map { _ in UInt8.random(in: 0...255) }
    try vault.save(bytes, as: AuditAnchor.keyRecord)
    var writer = AuditWriter(path, folder, vault, try ChainKey(taking: &bytes), AuditAnchor())
    try writer.beginFile(now: now, detail: detail)
    return writer
  }

  private mutating func resume(_ now: Timestamp) throws -> [AuditFacts] {
    let anchored = anchor.sequence
    let end = try followLastFile()
    // The ledger keeps what it has until the entries that close it are written.
    var ledger = anchor.ledger
    var facts = ledger.closeAll()
    if !anchor.isClosed || anchor.sequence > anchored || end.torn > 0 {
      var interrupted = AuditFacts(.interrupted, at: now)
      interrupted.detail =
        "the agent was not shut down properly after entry \(anchor.sequence)"
        + (end.torn > 0 ? "; \(end.torn) \(end.torn == 1 ? "byte" : "bytes") of an incomplete entry removed" : "")
      facts.append(interrupted)
      anchor.interruptions = (anchor.interruptions + [anchor.sequence]).suffix(AuditAnchor.maxInterruptions)
    }
    anchor.isClosed = false
    if end.needsFile { try beginFile(now: now, detail: end.fault) }
    return facts
  }

  /// Where the log ends.
  private struct End {
    /// The bytes of an incomplete last entry, which were removed.
    var torn = 0
    /// Whether the chain continues in a new file.
    var needsFile = false
    /// Why, if something is wrong with the last file.
    var fault: String?

    static let modified = End(needsFile: true, fault: "the previous file was modified")
  }

  /// Follows the last file from the anchored entry to its end, and truncates an incomplete last line.
  private mutating func followLastFile() throws -> End {
    guard let file = anchor.files.last else { return End(needsFile: true) }
    // The anchor lists a file before it exists, so a crash may have left it without an entry.
    let isStarted = anchor.sequence >= file.first
    let bytes = (try? folder.read(file.name, upTo: AuditFileCheck.readLimit)) ?? []
    let (lines, torn) = AuditLine.split(bytes)
    if !isStarted, lines.isEmpty {
      anchor.files.removeLast()
      try folder.remove(file.name)
      return End(torn: torn, needsFile: true)
    }
    let parsed = lines.map { AuditLine($0) }
    let last = parsed.firstIndex { $0?.sequence == anchor.sequence && $0?.mac == anchor.mac }
    guard let start = isStarted ? last.map({ $0 + 1 }) : 0 else { return .modified }
    for line in parsed[start...] {
      guard let line, anchor.follow(line, key) else { return .modified }
    }
    size = bytes.count - torn
    if torn > 0 { try folder.cut(file.name, to: size) }
    return End(torn: torn)
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

  /// Starts the next file, whose first entry records the last MAC.
  private mutating func beginFile(now: Timestamp, detail: String?) throws {
    let file = AuditFile(
      number: try freeNumber(after: anchor.files.last?.number ?? 0), first: anchor.sequence + 1, previous: anchor.mac,
      begun: now)
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

  /// Returns the first unused file number after `last`. Files of other programs can neither
  /// determine nor block the number.
  private mutating func freeNumber(after last: Int) throws -> Int {
    // Creates the directory again if it was removed.
    folder = try PrivateDirectory(path)
    let taken = Set(try folder.names().compactMap(AuditFile.number))
    // One candidate more than there are names, so one is unused.
    let candidates = last + 1...last + 1 + taken.count
    guard let free = candidates.first(where: { !taken.contains($0) }), free <= AuditFile.maxNumber else {
      throw VaultError(.tooLarge, "no free file number in \(path)")
    }
    return free
  }

  /// Saves the anchor. Until then, entries cut off from the end go unnoticed.
  mutating func save() throws { try save(anchor) }

  private mutating func save(_ anchor: AuditAnchor) throws {
    guard anchor != saved else { return }
    try vault.save(Array(try WireCoding.encode(anchor)), as: AuditAnchor.record)
    saved = anchor
  }

  /// Removes files that ended before `oldest`, and the oldest beyond `maxFiles`. The anchor first
  /// names them as expired, so that after a crash a check does not report them as missing or unknown.
  mutating func removeFiles(endedBefore oldest: Timestamp) throws {
    let surplus = max(0, anchor.files.count - Self.maxFiles)
    let ends = anchor.files.dropFirst().map(\.begun)
    let old = zip(anchor.files, ends).enumerated().prefix { $0.offset < surplus || $0.element.1 < oldest }.count
    anchor.expired += anchor.files.prefix(old).map(\.number)
    anchor.files.removeFirst(old)
    guard !anchor.expired.isEmpty else { return }
    try save()
    for number in anchor.expired { try folder.remove(AuditFile.name(number)) }
    anchor.expired = []
  }
}

/// Writes the audit log: at once after a change, then at most once a second.
package struct AuditFlusher: Service {
  /// Maximum time between flushes, so that idle counts are written and old files removed.
  private static let longest = Duration.seconds(60)
  /// Delay before the next attempt after a failed write.
  private static let retry = Duration.seconds(5)

  private let log: AuditLog
  private let clock: any AgentClock

  package init(_ log: AuditLog, clock: any AgentClock) {
    self.log = log
    self.clock = clock
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await clock.sleep(until: clock.now.advanced(by: Self.longest), or: log.records.audit.changed)
        if Task.isCancelled { return }
        let isWritten = await log.flush()
        await log.checkNewestOnce()
        try? await clock.sleep(for: isWritten ? .seconds(1) : Self.retry)
      }
    }
  }
}
