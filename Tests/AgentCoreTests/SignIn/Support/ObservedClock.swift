import AgentProtocol
import Synchronization
import SystemSupport
import TestKit

/// A manual clock that tells which deadlines somebody sleeps for, so that a test moves it only when that has begun.
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

  /// From now on sleepers wake that much too late, as after a suspend.
  func oversleep(by duration: Duration) { lateness.withLock { $0 = duration } }

  func advance(by duration: Duration) { base.advance(by: duration) }

  /// Moves on by `duration` once somebody sleeps until exactly then.
  func advanceToSleeper(in duration: Duration) async throws {
    let deadline = now.advanced(by: duration)
    try await eventually("a sleep of \(duration)") { self.deadlines.withLock { $0.contains(deadline) } }
    base.advance(by: duration)
  }
}
