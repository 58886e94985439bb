import AgentProtocol
import SessionEngine
import Synchronization
import SystemSupport

/// Entries that are still to be written, and the counts that are still growing: for up to a second,
/// or longer while the vault is locked or the disk is full. Safe from any thread.
///
/// Bounded. Each kind of entry has room of its own, so that no flood of one kind removes another. What
/// does not fit is dropped and counted, and the count is an entry.
final class AuditQueue: Sendable {
  /// The kinds of entries, and how a dropped one is called in the log.
  private enum Room: String, CaseIterable {
    case handOuts = "issued tokens and requests"
    case signIns = "sign-ins and sign-outs"
    /// Entries that any program can cause at any rate.
    case programs = "grants and policy decisions"
    case rest = "other entries"

    init(_ event: AuditEvent) {
      switch event {
      case .tokenIssued, .egressUsed: self = .handOuts
      case .signedIn, .signedOut, .sessionEnded: self = .signIns
      case .grantMade, .grantEnded, .denied, .approvalAsked, .approvalAnswered, .approvalRevoked: self = .programs
      default: self = .rest
      }
    }
  }

  /// Maximum number of entries of each kind, some hundred kilobytes. Far more than occur in a second
  /// or while a vault is locked.
  static let bound = 1024

  private struct State {
    var waiting: [AuditFacts] = []
    var counts: [Room: Int] = [:]
    var lost: [Room: UInt64] = [:]
    var ledger = HandOutLedger()
    /// Begins anywhere, so that the numbers of two runs of the agent differ. JSON readers take whole
    /// numbers of 53 bits.
    var number = UInt64.random(in: 1...1 << 52)

    mutating func append(_ facts: AuditFacts) {
      let room = Room(facts.event)
      if counts[room, default: 0] < AuditQueue.bound {
        counts[room, default: 0] += 1
        waiting.append(facts)
      } else {
        lost[room, default: 0] &+= 1
      }
    }

    /// Makes the dropped entries an entry for each kind.
    mutating func appendLost(_ now: Timestamp) {
      for room in Room.allCases {
        guard let count = lost.removeValue(forKey: room) else { continue }
        if let index = waiting.firstIndex(where: { $0.event == .entriesLost && $0.detail == room.rawValue }) {
          waiting[index].count = (waiting[index].count ?? 0) &+ count
        } else {
          var facts = AuditFacts(.entriesLost, at: now)
          (facts.count, facts.detail) = (count, room.rawValue)
          waiting.append(facts)
        }
      }
    }
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
    state.withLock { $0.append(facts) }
    changed.signal()
  }

  /// Counts what a process did.
  func count(_ counted: Counted) {
    state.withLock { state in
      state.number += 1
      for facts in state.ledger.count(counted, number: state.number) { state.append(facts) }
    }
    changed.signal()
  }

  /// Counts something that happens once, as long as the process does not repeat it.
  ///
  /// - Parameter kind: distinguishes what is counted of the same event and account.
  func count(
    _ facts: AuditFacts, kind: String = "", by connection: HandOutTable.Connection, _ caller: Caller
  ) {
    count(Counted(once: facts, at: clock.wall, kind: kind, connection, caller))
  }

  /// Counts issued tokens and requests that were dropped before they came here.
  func lose(_ count: UInt64) { if count > 0 { state.withLock { $0.lost[.handOuts, default: 0] &+= count } } }

  /// Appends the entries of the series that have ended, or of all series.
  func close(now: Timestamp, all: Bool) {
    // /proc is not read under the lock, for which event loops wait.
    let processes = all ? [] : state.withLock { $0.ledger.processes }
    let ended = processes.filter { Caller.startTime(of: $0.pid) != $0.start }
    state.withLock { state in
      let entries = all ? state.ledger.closeAll() : state.ledger.closeEnded(now: now, ended: ended)
      for facts in entries { state.append(facts) }
    }
  }

  /// All pending entries, in order, and the counts after them. The entries stay pending until
  /// `written`.
  var pending: (entries: [AuditFacts], ledger: HandOutLedger) {
    state.withLock { state in
      state.appendLost(clock.wall)
      return (state.waiting, state.ledger)
    }
  }

  /// The series that are still counted.
  var open: [AuditFacts] { state.withLock { $0.ledger.open } }

  /// Removes the first `count` entries, which are now on disk.
  func written(_ count: Int) {
    state.withLock { state in
      for facts in state.waiting.prefix(count) where facts.event != .entriesLost {
        state.counts[Room(facts.event), default: 0] -= 1
      }
      state.waiting.removeFirst(count)
    }
  }
}
