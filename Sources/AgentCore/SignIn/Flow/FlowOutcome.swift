import AgentProtocol
import Synchronization
import SystemSupport

/// How a flow ends: settled once, awaited by any number. Safe from any thread.
final class FlowOutcome: Sendable {
  typealias Value = Result<SignInResult, AgentError>

  private struct State {
    var value: Value?
    var waiters: [UInt64: CheckedContinuation<Value, Never>] = [:]
    var last: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Nil while the flow runs.
  var settled: Value? { state.withLock { $0.value } }

  /// The first call counts.
  func settle(_ value: Value) {
    let waiters = state.withLock { state in
      guard state.value == nil else { return [CheckedContinuation<Value, Never>]() }
      state.value = value
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  /// Returns when the flow has ended; `cancelled` at once when the waiting task is cancelled.
  func wait() async -> Value {
    let id = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now: Value? = state.withLock { state in
          if let value = state.value { return value }
          if Task.isCancelled { return .failure(AgentError(.cancelled)) }
          state.waiters[id] = continuation
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.resume(returning: .failure(AgentError(.cancelled)))
    }
  }
}
