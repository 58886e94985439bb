import AgentProtocol
import SessionEngine
import Synchronization
import SystemSupport

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
