import Synchronization

/// Requests that carry tokens, so that a lock can cut off those that are not answered in time: afterwards no token is in
/// memory (VA-4). Safe from any thread.
final class RequestsUnderWay: Sendable {
  private struct State {
    var last: UInt64 = 0
    var cancels: [UInt64: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Runs `body` in a task that `cutOff`, or the cancellation of the caller, cancels.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await body() }
    let id = state.withLock { state in
      state.last += 1
      state.cancels[state.last] = { task.cancel() }
      return state.last
    }
    defer { state.withLock { $0.cancels[id] = nil } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  func cutOff() {
    for cancel in state.withLock({ $0.cancels }).values { cancel() }
  }
}
