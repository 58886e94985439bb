import AgentProtocol
import SessionEngine
import SystemSupport

/// The hand-outs that are still counted: one for each process, account and token (PR-3). An entry is written at the first
/// one; the count after that stands in the seal, and in a second entry when nothing came for a while. So a tool that asks
/// every second for an hour costs two entries, and loses a second's count in a crash.
struct HandOutLedger: Codable, Sendable, Equatable {
  /// Counted at a time; the oldest makes room. With their paths they fit a record of the vault.
  static let most = 256
  /// Seconds without a hand-out after which the last count is written.
  static let patience: Int64 = 600

  struct Open: Codable, Sendable, Equatable {
    var number: UInt64
    var process: String
    var facts: AuditFacts
    /// The count that the log has.
    var written: UInt64
  }

  private(set) var open: [Open] = []
  private var last: UInt64 = 0

  /// Takes in what was handed out, and gives the entries that are to be written.
  mutating func take(_ key: HandOutTable.Key, _ noted: HandOutTable.Noted, _ caller: Caller?) -> [AuditFacts] {
    let process = caller?.start.map { "\(key.connection.pid) \($0)" } ?? "connection \(key.connection.id)"
    let token = TokenFingerprint.text(key.token)
    let index = open.firstIndex {
      $0.process == process && $0.facts.account == key.account && $0.facts.token == token
        && $0.facts.way == key.way.rawValue
    }
    if let index {
      open[index].facts.count = (open[index].facts.count ?? 0) &+ noted.count
      open[index].facts.last = noted.last
      return []
    }
    last &+= 1
    var facts = AuditFacts(.handOut, at: noted.last)
    (facts.handOut, facts.account, facts.token, facts.way) = (last, key.account, token, key.way.rawValue)
    (facts.count, facts.first, facts.last) = (noted.count, noted.first, noted.last)
    facts.pid = key.connection.pid > 0 ? key.connection.pid : nil
    (facts.executable, facts.unit) = (caller?.executable, caller?.unit)
    open.append(Open(number: last, process: process, facts: facts, written: noted.count))
    return [facts] + (open.count > Self.most ? close(oldest: open.count - Self.most) : [])
  }

  /// Ends the counting of those that were quiet for `patience`; the entries that this makes.
  mutating func closeIdle(now: Timestamp) -> [AuditFacts] {
    close { now.unixSeconds - ($0.facts.last?.unixSeconds ?? 0) >= Self.patience }
  }

  /// Ends the counting of all.
  mutating func closeAll() -> [AuditFacts] { close { _ in true } }

  private mutating func close(oldest count: Int) -> [AuditFacts] {
    let oldest = Set(
      open.sorted { ($0.facts.last ?? $0.facts.at) < ($1.facts.last ?? $1.facts.at) }.prefix(count).map(\.number))
    return close { oldest.contains($0.number) }
  }

  /// One whose count the log has already needs no other entry.
  private mutating func close(_ which: (Open) -> Bool) -> [AuditFacts] {
    let closed = open.filter(which)
    open.removeAll(where: which)
    return closed.filter { $0.facts.count != $0.written }.map { open in
      var facts = open.facts
      facts.at = facts.last ?? facts.at
      return facts
    }
  }
}
