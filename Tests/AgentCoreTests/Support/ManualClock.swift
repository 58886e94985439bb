import AgentProtocol
import Synchronization
import SystemSupport

/// A clock that only a test advances. Time since boot and wall time advance together, except in
/// `jumpWall` and `reboot`.
final class ManualClock: AgentClock {
  private struct Sleeper {
    let deadline: BootTime
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = BootTime(nanoseconds: 1_000_000_000_000)
    var wall = Int64(1_795_228_102)
    var bootID = "boot-1"
    var sleepers: [UInt64: Sleeper] = [:]
    var last: UInt64 = 0
  }

  private let state = Mutex(State())

  var now: BootTime { state.withLock { $0.now } }
  var wallSeconds: Int64 { state.withLock { $0.wall } }
  var bootID: String { state.withLock { $0.bootID } }

  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      state.wall += duration.components.seconds
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// Whether a task sleeps until exactly `moment`.
  func isAwaited(at moment: BootTime) -> Bool {
    state.withLock { $0.sleepers.values.contains { $0.deadline == moment } }
  }

  /// Moves the wall clock alone, forward or back.
  func jumpWall(by seconds: Int64) {
    state.withLock { $0.wall += seconds }
  }

  /// Reboots the machine after it was off for `duration`.
  func reboot(after duration: Duration) {
    state.withLock { state in
      state.now = BootTime(nanoseconds: 5_000_000_000)
      state.wall += duration.components.seconds
      state.bootID += "+"
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
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
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
