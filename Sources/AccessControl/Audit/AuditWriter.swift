import AgentProtocol
import ServiceLifecycle
import SessionEngine
import SessionVault
import Synchronization
package import SystemSupport

/// Entries pending to be written: for up to a second, or longer while the vault is locked or the
/// disk is full.
///
/// Bounded. Entries beyond the bound are dropped and counted, and the count is logged as an entry.
/// Safe from any thread.
final class AuditQueue: Sendable {
  /// Maximum number of entries, some hundred kilobytes. Far more than occur in a second or while a
  /// vault is locked.
  static let bound = 1024

  private struct State {
    var waiting: [AuditFacts] = []
    var lost: UInt64 = 0
  }

  let changed: WakeSignal
  private let clock: any AgentClock
  private let state = Mutex(State())

  init(clock: any AgentClock, changed: WakeSignal) {
    self.clock = clock
    self.changed = changed
  }

  /// Appends the facts. Sets their time to now if they have none.
  func record(_ facts: AuditFacts) {
    var facts = facts
    if facts.at.unixSeconds == 0 { facts.at = clock.wall }
    state.withLock { state in
      if state.waiting.count < Self.bound { state.waiting.append(facts) } else { state.lost += 1 }
    }
    changed.signal()
  }

  /// All pending entries, in order. They stay pending until `written`.
  var waiting: [AuditFacts] {
    state.withLock { state in
      if state.lost > 0, state.waiting.count < Self.bound {
        var facts = AuditFacts(.entriesLost, at: clock.wall)
        facts.count = state.lost
        state.waiting.append(facts)
        state.lost = 0
      }
      return state.waiting
    }
  }

  /// Removes the first `count` entries, which are now on disk.
  func written(_ count: Int) { state.withLock { $0.waiting.removeFirst(count) } }
}

/// Writes the log's files and seals the chain's state. Every call blocks on the disk. After an
/// error, the writer is unchanged or has advanced by complete entries.
struct AuditWriter {
  /// Maximum size of a file, in bytes. A check reads a file whole.
  static let fileLimit = 1 << 20
  /// Maximum number of files: 1 GiB in all, in case programs never stop requesting tokens.
  static let maxFiles = 1000

  let path: String
  let vault: Vault
  private(set) var folder: PrivateDirectory
  var seal: AuditSeal
  /// The size of the last file, in bytes.
  private(set) var size: Int

  init(path: String, folder: PrivateDirectory, vault: Vault, seal: AuditSeal, size: Int) {
    (self.path, self.folder, self.vault, self.seal, self.size) = (path, folder, vault, seal, size)
  }

  /// Starts a new chain in a new file. `detail` gives the reason if an earlier chain existed.
  init(newIn path: String, _ folder: PrivateDirectory, _ vault: Vault, now: Timestamp, detail: String?) throws {
    // Sixteen random bytes make the name of each chain unique.
    let key = try vault.firstChainKey((0..<16).map { _ in UInt8.random(in: 0...255) })
    let seal = AuditSeal(chain: AuditChain(sequence: 0, mac: AuditChain.noMAC, key: key), files: [])
    self.init(path: path, folder: folder, vault: vault, seal: seal, size: 0)
    try beginFile(now: now, detail: detail)
  }

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
    seal.files.last.map { now.unixSeconds - $0.begun.unixSeconds >= span } ?? true
  }

  /// Writes as many entries as fit into the last file. They are durable on return.
  ///
  /// - Returns: The number of entries written.
  private mutating func writePart(_ facts: ArraySlice<AuditFacts>) throws -> Int {
    var (chain, bytes, count) = (seal.chain, [UInt8](), 0)
    for facts in facts {
      guard size + bytes.count + AuditLine.maxLength <= Self.fileLimit else { break }
      bytes += try chain.append(facts)
      count += 1
    }
    guard let file = seal.files.last else { return 0 }
    try folder.append(bytes, to: file.name, at: size)
    seal.chain = chain
    size += bytes.count
    return count
  }

  /// Ends the last file and starts the next one, which records the last MAC.
  ///
  /// The seal lists the file before the file exists: after a crash, a file that the seal does not
  /// list would count as another program's.
  mutating func beginFile(now: Timestamp, detail: String?) throws {
    var next = seal
    next.endLastFile(now)
    let number = try freeNumber(after: seal.files.last?.number ?? 0)
    let file = AuditSeal.File(
      number: number, first: next.chain.sequence + 1, previous: next.chain.mac, begun: now)
    try vault.save(next.chain.key.withBytes { Array($0) }, as: file.keyRecord)
    next.files.append(file)
    try vault.save(try next.encoded(), as: AuditSeal.record)
    let line = try next.chain.append(.fileBegun(after: file.previous, at: now, detail: detail))
    try folder.append(line, to: file.name, at: 0)
    seal = next
    size = line.count
  }

  /// Returns the first unused file number after `last`. Files of other programs can neither
  /// determine nor block the number.
  private mutating func freeNumber(after last: Int) throws -> Int {
    let taken = Set(try names().compactMap(AuditSeal.File.number))
    // One candidate more than there are names, so one is unused.
    let candidates = last + 1...last + 1 + taken.count
    guard let free = candidates.first(where: { !taken.contains($0) }), free <= AuditSeal.File.maxNumber else {
      throw VaultError(.tooLarge, "no free file number in \(path)")
    }
    return free
  }

  /// Recreates the directory if it was removed.
  private mutating func names() throws -> [String] {
    folder = try PrivateDirectory(path)
    return try folder.names()
  }

  /// Seals the current state. Until then, entries cut off from the end go unnoticed.
  func save() throws { try vault.save(try seal.encoded(), as: AuditSeal.record) }

  /// Drops files that ended before `oldest` from the seal, then removes them, so that a check does
  /// not report them as missing. Also drops the oldest files beyond `maxFiles`.
  mutating func removeFiles(endedBefore oldest: Timestamp) throws {
    let surplus = max(0, seal.files.count - Self.maxFiles)
    let old = seal.files.dropLast().enumerated().prefix { index, file in
      index < surplus || file.ended.map { $0 < oldest } ?? false
    }.map(\.element)
    guard !old.isEmpty else { return }
    seal.files.removeFirst(old.count)
    try save()
    for file in old {
      try folder.remove(file.name)
      try vault.delete(file.keyRecord)
    }
  }
}

extension AuditSeal {
  mutating func endLastFile(_ now: Timestamp) {
    guard let index = files.indices.last else { return }
    files[index].last = chain.sequence
    files[index].lastMAC = chain.mac
    files[index].ended = now
  }
}

extension AuditFacts {
  static func fileBegun(after mac: [UInt8], at: Timestamp, detail: String?) -> AuditFacts {
    var facts = AuditFacts(.fileBegun, at: at)
    facts.previous = mac.hexadecimal
    facts.detail = detail
    return facts
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
