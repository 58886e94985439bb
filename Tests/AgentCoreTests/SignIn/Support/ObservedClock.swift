import AgentProtocol
import Synchronization
import SystemSupport
import TestKit

/// A manual clock that records the deadlines of sleeps, so that a test advances it only once a
/// sleep has begun.
final class ObservedClock: AgentClock {
  private let base = ManualClock()
  private let deadlines = Mutex<[BootTime]>([])
  private let lateness = Mutex(Duration.zero)

  var now: BootTime { base.now }
  var wallSeconds: Int64 { base.wallSeconds }
  var bootID: String { base.bootID }

  func sleep(until deadline: BootTime) async throws {
    deadlines.withLock { $0.append(deadline) }
    try await base.sleep(until: deadline.advanced(by: lateness.withLock { $0 }))
  }

  /// Makes later sleeps end too late by `duration`, as after a suspend.
  func oversleep(by duration: Duration) { lateness.withLock { $0 = duration } }

  func advance(by duration: Duration) { base.advance(by: duration) }

  /// Advances by `duration` once a sleep until exactly that time has begun.
  func advanceToSleeper(in duration: Duration) async throws {
    let deadline = now.advanced(by: duration)
    try await eventually("a sleep of \(duration)") { self.deadlines.withLock { $0.contains(deadline) } }
    base.advance(by: duration)
  }
}
