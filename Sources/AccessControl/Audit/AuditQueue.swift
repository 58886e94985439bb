import AgentProtocol
import SessionEngine
import Synchronization
import SystemSupport

/// The kinds of entries, and how a dropped one is called in the log. Each has room of its own, so that
/// no flood of one kind removes another.
enum AuditRoom: String, CaseIterable {
  case issuedTokens = "issued tokens and requests"
  case signIns = "sign-ins and sign-outs"
  /// Entries that any program can cause at any rate.
  case programs = "grants and policy decisions"
  case rest = "other entries"

  init(_ event: AuditEvent) {
    switch event {
    case .tokenIssued, .egressUsed: self = .issuedTokens
    case .signedIn, .signedOut, .sessionEnded: self = .signIns
    case .grantMade, .grantEnded, .denied, .approvalAsked, .approvalAnswered, .approvalRevoked: self = .programs
    default: self = .rest
    }
  }

  init(_ series: IssuedTokens.Series) {
    if case .event(let event, _, _) = series { self.init(event) } else { self = .issuedTokens }
  }
}

/// Entries that are still to be written, and the counts that are still growing: for up to a second,
/// or longer while the vault is locked or the disk is full. Safe from any thread.
///
/// Bounded. Entries that do not fit are dropped and counted, and the count is an entry.
final class AuditQueue: Sendable {
  /// Maximum number of entries in each room, some hundred kilobytes. Far more than occur in a second
  /// or while a vault is locked. Counts by process wait in the table instead.
  static let bound = 1024

  private struct State {
    var waiting: [AuditFacts] = []
    var lost: [AuditRoom: UInt64] = [:]
    var ledger = IssuedTokenLedger()

    mutating func append(_ facts: AuditFacts) {
      let room = AuditRoom(facts.event)
      // Counted only if it matters: the queue is short as a rule.
      let isFull = waiting.count >= bound && waiting.count { $0.handOut == nil && AuditRoom($0.event) == room } >= bound
      if isFull { lost[room, default: 0] &+= 1 } else { waiting.append(facts) }
    }

    /// Makes the dropped entries an entry for each kind, unless such entries are waiting already.
    mutating func appendLost(_ now: Timestamp) {
      guard !lost.isEmpty, !waiting.contains(where: { $0.event == .entriesLost }) else { return }
      for room in AuditRoom.allCases {
        guard let count = lost.removeValue(forKey: room) else { continue }
        var facts = AuditFacts(.entriesLost, at: now)
        (facts.count, facts.detail) = (count, room.rawValue)
        waiting.append(facts)
      }
    }
  }

  let changed: WakeSignal
  private let table: IssuedTokens
  private let clock: any AgentClock
  private let state = Mutex(State())

  init(_ table: IssuedTokens, clock: any AgentClock, changed: WakeSignal) {
    (self.table, self.clock, self.changed) = (table, clock, changed)
  }

  /// Appends the facts. Sets their time to now if they have none.
  func record(_ facts: AuditFacts) {
    var facts = facts
    if facts.at.unixSeconds == 0 { facts.at = clock.wall }
    state.withLock { $0.append(facts) }
    changed.signal()
  }

  /// Returns all pending entries, in order, and the counts after them. The entries stay pending until
  /// `written`.
  ///
  /// - Parameter closing: True to close all counts, false to close those that have ended.
  func pending(closing: Bool? = nil) -> (entries: [AuditFacts], counts: [IssuedTokenCount]) {
    collect()
    // /proc is not read under the lock.
    let processes = closing == false ? state.withLock { $0.ledger.processes } : []
    let ended = processes.filter { Caller.startTime(of: $0.pid) != $0.start }
    return state.withLock { state in
      if let closing {
        state.waiting += closing ? state.ledger.closeAll() : state.ledger.close(now: clock.wall, ended: ended)
      }
      state.appendLost(clock.wall)
      return (state.waiting, state.ledger.open)
    }
  }

  /// Counts what the table has, unless so much is waiting that the table has to keep it.
  private func collect() {
    guard state.withLock({ $0.waiting.count { $0.handOut != nil } }) < Self.bound else { return }
    let (noted, lost) = table.take()
    state.withLock { $0.lost.merge(lost, uniquingKeysWith: &+) }
    for (noted, caller) in noted { state.withLock { $0.waiting += $0.ledger.count(noted, caller) } }
    state.withLock { $0.waiting += $0.ledger.trim() }
  }

  var open: [AuditFacts] { state.withLock { $0.ledger.open.map(\.entry) } }

  /// Removes the first `count` entries, which are now on disk.
  func written(_ count: Int) { state.withLock { $0.waiting.removeFirst(count) } }
}
