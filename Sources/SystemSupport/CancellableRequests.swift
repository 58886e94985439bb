import Synchronization

/// Requests in flight that carry secrets, so that a lock or a stop can end those that are not answered in time. Safe from
/// any thread.
public final class CancellableRequests: Sendable {
  private struct State {
    var lastID: UInt64 = 0
    var tasks: [UInt64: @Sendable () -> Void] = [:]
    var isShutDown = false
  }

  private let state = Mutex(State())

  public init() {}

  /// Runs `body` in a task of its own, which `cancelAll`, `shutDown` and the cancellation of the caller cancel. After
  /// `shutDown` the task is cancelled from its beginning.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    let (id, task) = begin(body)
    defer { state.withLock { $0.tasks[id] = nil } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Cancels every request that is in flight.
  public func cancelAll() {
    for cancel in state.withLock({ Array($0.tasks.values) }) { cancel() }
  }

  /// Cancels every request, present and future.
  public func shutDown() {
    state.withLock { $0.isShutDown = true }
    cancelAll()
  }

  public var count: Int { state.withLock { $0.tasks.count } }

  private func begin<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value
  ) -> (id: UInt64, task: Task<Value, Never>) {
    state.withLock { state in
      let task = Task { await body() }
      state.lastID += 1
      state.tasks[state.lastID] = { task.cancel() }
      if state.isShutDown { task.cancel() }
      return (state.lastID, task)
    }
  }
}
