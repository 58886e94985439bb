import AgentProtocol
import Synchronization
import SystemSupport
import TestKit

/// A clock that only a test advances. Time since boot and wall time advance together, except in
/// `jumpWall` and `reboot`. Timers that are due fire in the order of their deadlines.
final class ManualClock: AgentClock {
  private struct Sleeper {
    let deadline: BootTime
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = BootTime(nanoseconds: 1_000_000_000_000)
    /// The wall clock's value at boot, in nanoseconds since 1970.
    var wallAtBoot = (ManualClock.began - 1000) * 1_000_000_000
    /// The true time since the clock began, in nanoseconds. No clock of the machine shows it.
    var elapsed = Int64(0)
    var lateness = Duration.zero
    var boots = 1
    var sleepers: [UInt64: Sleeper] = [:]
    var last: UInt64 = 0
  }

  /// The time at which the clock begins, in seconds since 1970.
  static let began = Int64(1_795_228_102)

  private let state = Mutex(State())

  var now: BootTime { state.withLock { $0.now } }
  var wallSeconds: Int64 { state.withLock { ($0.wallAtBoot + $0.now.nanoseconds) / 1_000_000_000 } }
  var bootID: String { state.withLock { "boot-\($0.boots)" } }
  /// Nanoseconds since the clock began: the time base of a simulated server.
  var elapsed: Int64 { state.withLock { $0.elapsed } }

  /// The earliest deadline of all sleepers.
  var nextDeadline: BootTime? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

  /// Whether a task sleeps until exactly `moment`.
  func isAwaited(at moment: BootTime) -> Bool {
    state.withLock { $0.sleepers.values.contains { $0.deadline == moment } }
  }

  func advance(by duration: Duration) { pass { $0.advanced(by: duration) } }

  /// Lets time pass until `moment`, unless it has passed.
  func pass(until moment: BootTime) { pass { max($0, moment) } }

  private func pass(_ next: (BootTime) -> BootTime) {
    let due = state.withLock { state in
      let moment = next(state.now)
      state.elapsed += moment.nanoseconds - state.now.nanoseconds
      state.now = moment
      let due = state.sleepers.filter { $0.value.deadline <= moment }
        .sorted { ($0.value.deadline.nanoseconds, $0.key) < ($1.value.deadline.nanoseconds, $1.key) }
      for (id, _) in due { state.sleepers[id] = nil }
      return due.map(\.value.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Advances by `duration` once a task sleeps until exactly that time.
  func advanceToSleeper(in duration: Duration) async throws {
    try await eventually("a sleep of \(duration)") { isAwaited(at: now.advanced(by: duration)) }
    advance(by: duration)
  }

  /// Makes later sleeps end too late by `duration`, as after a suspend.
  func oversleep(by duration: Duration) { state.withLock { $0.lateness = duration } }

  /// Moves the wall clock alone, forward or back.
  func jumpWall(by duration: Duration) { state.withLock { $0.wallAtBoot += duration.nanoseconds } }

  /// Reboots the machine after it was off for `duration`. No task may be sleeping.
  func reboot(after duration: Duration) {
    state.withLock { state in
      let booted = BootTime(nanoseconds: 5_000_000_000)
      state.wallAtBoot += state.now.nanoseconds + duration.nanoseconds - booted.nanoseconds
      state.elapsed += duration.nanoseconds
      state.now = booted
      state.boots += 1
    }
  }

  func sleep(until deadline: BootTime) async throws {
    let id = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let resumeNow = state.withLock { state in
          if state.now >= deadline || Task.isCancelled { return true }
          state.sleepers[id] = Sleeper(
            deadline: deadline.advanced(by: state.lateness), continuation: continuation)
          return false
        }
        if resumeNow { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
    try Task.checkCancellation()
  }
}

extension Duration {
  var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
