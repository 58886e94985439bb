import Synchronization

/// Requests in flight that carry secrets, so that a lock or a shutdown can cancel those that are
/// not answered in time. Thread-safe.
public final class CancellableRequests: Sendable {
  private struct State {
    var lastID: UInt64 = 0
    var tasks: [UInt64: @Sendable () -> Void] = [:]
    var isSuspended = false
    var isShutDown = false
  }

  private let state = Mutex(State())
  private let ended = WaiterList<Void>()

  public init() {}

  /// Runs `body` in a separate task, which `cancelAll`, `suspend`, `shutDown` and the cancellation
  /// of the caller cancel. Between `suspend` and `resume`, and after `shutDown`, the task is
  /// cancelled from the start.
  public func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    let (id, task) = begin(body)
    defer { end(id) }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Runs a throwing `body` as `run` does, and returns what it returns or throws.
  public func result<Value: Sendable, Failure: Error>(
    of body: @escaping @Sendable () async throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    await run {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
  }

  /// Cancels every request in flight.
  public func cancelAll() {
    for cancel in state.withLock({ Array($0.tasks.values) }) { cancel() }
  }

  /// Cancels every request in flight, and every request that starts before `resume`.
  public func suspend() {
    state.withLock { $0.isSuspended = true }
    cancelAll()
  }

  public func resume() { state.withLock { $0.isSuspended = false } }

  /// Returns when no request is in flight, or at the deadline.
  public func waitUntilIdle(until deadline: Deadline) async {
    try? await ended.wait(until: deadline) { state.withLock { $0.tasks.isEmpty } ? () : nil }
  }

  /// Cancels every current and future request.
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
      if state.isShutDown || state.isSuspended { task.cancel() }
      return (state.lastID, task)
    }
  }

  private func end(_ id: UInt64) {
    let isLast = state.withLock { state in
      state.tasks[id] = nil
      return state.tasks.isEmpty
    }
    if isLast { ended.resumeAll() }
  }
}
