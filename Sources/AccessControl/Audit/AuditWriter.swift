import AgentProtocol
import ServiceLifecycle
import SessionEngine
import SessionVault
import Synchronization
package import SystemSupport

/// Entries that wait to be written: until the next second, or longer while the vault is locked or the disk is full.
/// Bounded; what does not fit is counted, and the count is written. Safe from any thread.
final class AuditQueue: Sendable {
  /// Far more than comes in a second or while a vault is locked; some hundred kilobytes.
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

  /// Puts the facts at the end, with the time of now where they have none.
  func record(_ facts: AuditFacts) {
    var facts = facts
    if facts.at.unixSeconds == 0 { facts.at = clock.wall }
    state.withLock { state in
      if state.waiting.count < Self.bound { state.waiting.append(facts) } else { state.lost += 1 }
    }
    changed.signal()
  }

  /// All that waits, in order; it goes on waiting until `written`.
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

  /// The first `count` are on the disk.
  func written(_ count: Int) { state.withLock { $0.waiting.removeFirst(count) } }
}

/// Writes the log's files and seals where they stand. Every call blocks on the disk, and after an error the writer is as it
/// was, or some whole entries further.
struct AuditWriter {
  /// A file is ended before it grows past this: one is read whole to check it.
  static let fileLimit = 1 << 20
  /// 1 GiB: a bound for a machine whose tools never stop asking.
  static let mostFiles = 1000

  let path: String
  let vault: Vault
  private(set) var folder: PrivateFolder
  var seal: AuditSeal
  /// Bytes of the last file.
  private(set) var size: Int

  init(path: String, folder: PrivateFolder, vault: Vault, seal: AuditSeal, size: Int) {
    (self.path, self.folder, self.vault, self.seal, self.size) = (path, folder, vault, seal, size)
  }

  /// A new chain, in a new file; `detail` says why, where there was one before.
  init(newIn path: String, _ folder: PrivateFolder, _ vault: Vault, now: Timestamp, detail: String?) throws {
    // 16 bytes: no two chains have the same name.
    let key = try vault.firstChainKey((0..<16).map { _ in UInt8.random(in: 0...255) })
    let seal = AuditSeal(chain: AuditChain(sequence: 0, mac: AuditChain.noMAC, key: key), files: [])
    self.init(path: path, folder: folder, vault: vault, seal: seal, size: 0)
    try beginFile(now: now, detail: detail)
  }

  /// Writes entries; `written` is counted up, also where an error ends it.
  mutating func write(_ facts: [AuditFacts], now: Timestamp, span: Int64, written: inout Int) throws {
    while written < facts.count {
      if isFull || isOld(now, span) { try beginFile(now: now, detail: nil) }
      do {
        written += try writePart(facts[written...])
      } catch let error as VaultError where [.damaged, .notFound, .unsafe].contains(error.code) {
        // Somebody else was at the file: it is left for the check, and the chain goes on in another one.
        try beginFile(now: now, detail: "the file before it was changed or removed while the agent ran")
      }
    }
  }

  private var isFull: Bool { size + AuditLine.longest > Self.fileLimit }

  private func isOld(_ now: Timestamp, _ span: Int64) -> Bool {
    seal.files.last.map { now.unixSeconds - $0.begun.unixSeconds >= span } ?? true
  }

  /// As many entries as the last file takes, durable when it returns.
  private mutating func writePart(_ facts: ArraySlice<AuditFacts>) throws -> Int {
    var (chain, bytes, count) = (seal.chain, [UInt8](), 0)
    for facts in facts {
      guard size + bytes.count + AuditLine.longest <= Self.fileLimit else { break }
      bytes += try chain.append(facts)
      count += 1
    }
    guard let file = seal.files.last else { return 0 }
    try folder.append(bytes, to: file.name, at: size)
    seal.chain = chain
    size += bytes.count
    return count
  }

  /// Ends the last file and begins another, which names the last MAC.
  mutating func beginFile(now: Timestamp, detail: String?) throws {
    var next = seal
    next.endLastFile(now)
    let number = try freeNumber(after: seal.files.last?.number ?? 0)
    let file = AuditSeal.File(
      number: number, first: next.chain.sequence + 1, previous: next.chain.mac, begun: now)
    try vault.save(next.chain.key.withBytes { Array($0) }, as: file.keyRecord)
    next.files.append(file)
    let line = try next.chain.append(.fileBegun(after: file.previous, at: now, detail: detail))
    try folder.append(line, to: file.name, at: 0)
    seal = next
    size = line.count
  }

  /// The first number behind `last` that no file has: other programs' files neither choose it nor stand in its way.
  private mutating func freeNumber(after last: Int) throws -> Int {
    let taken = Set(try names().compactMap(AuditSeal.File.number))
    // One more than there are names: some number is free.
    let candidates = last + 1...last + 1 + taken.count
    guard let free = candidates.first(where: { !taken.contains($0) }), free <= AuditSeal.File.greatestNumber else {
      throw VaultError(.tooLarge, "no number is left for a file in \(path)")
    }
    return free
  }

  /// The folder may have been removed: it is made again.
  private mutating func names() throws -> [String] {
    folder = try PrivateFolder(path)
    return try folder.names()
  }

  /// Seals what was written. Until then it is not missed when somebody cuts it off.
  func save() throws { try vault.save(try seal.encoded(), as: AuditSeal.record) }

  /// Forgets files that ended before `oldest`, and then removes them: a check never misses one that was removed here.
  mutating func removeFiles(endedBefore oldest: Timestamp) throws {
    let surplus = max(0, seal.files.count - Self.mostFiles)
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

/// Writes the audit log: at once when something happened, and then at most once a second.
package struct AuditFlusher: Service {
  /// Also without news: hand-outs that ended are written, and old files removed.
  private static let longest = Duration.seconds(60)
  /// Until the next try where the disk is full.
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
