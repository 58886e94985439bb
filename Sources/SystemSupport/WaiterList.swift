import Synchronization

/// Why a wait ended without a value.
public enum WaitFailure: Error, Sendable, Equatable {
  case timedOut
  /// The waiting task was cancelled.
  case cancelled
  /// The list was shut down, before the wait or during it.
  case shutDown
}

/// Tasks that wait for a value. Each waiter is resumed exactly once: by the value, its deadline,
/// its task's cancellation or the shutdown of the list, whichever comes first. After `shutDown` a
/// new waiter fails immediately.
///
/// Waiters can be grouped by a key. Thread-safe. An actor that checks its state and then calls
/// `wait` cannot miss a value in between: `wait` stays on the caller's actor until the waiter is
/// registered.
public final class WaiterList<Value: Sendable>: Sendable {
  public typealias Outcome = Result<Value, WaitFailure>

  private struct Waiter {
    let continuation: CheckedContinuation<Outcome, Never>
    var timer: Task<Void, Never>?
  }

  private struct State {
    var waiters: [String: [UInt64: Waiter]] = [:]
    var isShutDown = false
    var lastID: UInt64 = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// Waits for the next value that is given to `key`.
  ///
  /// - Parameters:
  ///   - present: Called once the waiter is registered. Returns a value that is already available, which
  ///     ends the wait. It must not call the list.
  /// - Throws: `WaitFailure`.
  public func wait(
    for key: String = "", until deadline: Deadline? = nil, isolation: isolated (any Actor)? = #isolation,
    unless present: () -> Value? = { nil }
  ) async throws(WaitFailure) -> Value {
    let id = nextID()
    return try await withTaskCancellationHandler {
      // A closure is isolated to the caller's actor only if it captures it.
      _ = isolation
      return await withCheckedContinuation { continuation in
        guard register(id, key, continuation) else { return }
        if let value = present() {
          finish(id, key, .success(value))
        } else if Task.isCancelled {
          // The task may have been cancelled before the waiter was registered.
          finish(id, key, .failure(.cancelled))
        } else if let deadline {
          startTimer(id, key, deadline)
        }
      }
    } onCancel: {
      finish(id, key, .failure(.cancelled))
    }.get()
  }

  /// Resumes the waiters of `key` with `value`, in the order of their calls.
  public func resume(_ key: String = "", returning value: Value) {
    end(state.withLock { $0.waiters.removeValue(forKey: key) ?? [:] }, .success(value))
  }

  /// Resumes every waiter with `value`.
  public func resumeAll(returning value: Value) {
    for waiters in takeAll(shutDown: false) { end(waiters, .success(value)) }
  }

  /// Ends every current and future wait with `WaitFailure.shutDown`.
  public func shutDown() {
    for waiters in takeAll(shutDown: true) { end(waiters, .failure(.shutDown)) }
  }

  public var isEmpty: Bool { state.withLock { $0.waiters.isEmpty } }

  /// The number of waiters.
  public var count: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

  public func hasWaiters(_ key: String = "") -> Bool { state.withLock { $0.waiters[key] != nil } }

  // MARK: - One waiter

  private func nextID() -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Returns false, after resuming the continuation, if the list is shut down.
  private func register(_ id: UInt64, _ key: String, _ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
    let isRegistered = state.withLock { state in
      guard !state.isShutDown else { return false }
      state.waiters[key, default: [:]][id] = Waiter(continuation: continuation)
      return true
    }
    if !isRegistered { continuation.resume(returning: .failure(.shutDown)) }
    return isRegistered
  }

  private func startTimer(_ id: UInt64, _ key: String, _ deadline: Deadline) {
    let timer = Task { [weak self] in
      guard (try? await deadline.clock.sleep(until: deadline.moment)) != nil else { return }
      self?.finish(id, key, .failure(.timedOut))
    }
    let isWaiting = state.withLock { state in
      guard state.waiters[key]?[id] != nil else { return false }
      state.waiters[key]?[id]?.timer = timer
      return true
    }
    if !isWaiting { timer.cancel() }
  }

  private func finish(_ id: UInt64, _ key: String, _ outcome: Outcome) {
    let waiter = state.withLock { state -> Waiter? in
      guard let waiter = state.waiters[key]?.removeValue(forKey: id) else { return nil }
      if state.waiters[key]?.isEmpty == true { state.waiters[key] = nil }
      return waiter
    }
    waiter?.timer?.cancel()
    waiter?.continuation.resume(returning: outcome)
  }

  // MARK: - Several waiters

  private func takeAll(shutDown: Bool) -> [[UInt64: Waiter]] {
    state.withLock { state in
      if shutDown { state.isShutDown = true }
      defer { state.waiters = [:] }
      return state.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private func end(_ waiters: [UInt64: Waiter], _ outcome: Outcome) {
    for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) {
      waiter.timer?.cancel()
      waiter.continuation.resume(returning: outcome)
    }
  }
}

extension WaiterList where Value == Void {
  public func resume(_ key: String = "") { resume(key, returning: ()) }
  public func resumeAll() { resumeAll(returning: ()) }
}

/// A value that is set once and awaited by any number of tasks. Thread-safe.
public final class SettledValue<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let waiters = WaiterList<Value>()

  public init() {}

  /// The value; nil until it is set.
  public var settled: Value? { value.withLock { $0 } }

  /// Sets the value. Only the first call has an effect.
  public func settle(_ new: Value) {
    let isFirst = value.withLock { value in
      guard value == nil else { return false }
      value = new
      return true
    }
    if isFirst { waiters.resumeAll(returning: new) }
  }

  /// Returns the value once it is set.
  ///
  /// - Throws: `WaitFailure`.
  public func wait(until deadline: Deadline? = nil) async throws(WaitFailure) -> Value {
    try await waiters.wait(until: deadline) { settled }
  }
}

/// The timeout expired before the work was done.
public struct TimeLimitExceeded: Error {
  public init() {}
}

/// Runs `work` and cancels it at `deadline`. Returns only when the work has ended, so the work must
/// respond to cancellation.
///
/// - Throws: The errors of the work; `TimeLimitExceeded`; `CancellationError` if the caller was
///   cancelled before the work ended.
public func withTimeout<Value: Sendable>(
  _ deadline: Deadline, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await work() }
    group.addTask {
      try await deadline.clock.sleep(until: deadline.moment)
      return nil
    }
    guard let value = try await group.next() ?? nil else { throw TimeLimitExceeded() }
    return value
  }
}

/// Runs `work` and cancels it after `limit` on `clock`.
public func withTimeout<Value: Sendable>(
  _ limit: Duration, _ clock: any AgentClock = SystemClock(), _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withTimeout(clock.deadline(after: limit), work)
}

/// Wakes a task that sleeps until a deadline which another task can bring forward. A signal sent
/// while no task waits is kept; several kept signals count as one. Thread-safe.
public final class WakeSignal: Sendable {
  private let isSignalled = Mutex(false)
  private let waiters = WaiterList<Void>()

  public init() {}

  public func signal() {
    isSignalled.withLock { $0 = true }
    waiters.resumeAll()
  }

  /// Returns at the next signal, at the deadline, or when the task is cancelled.
  public func wait(until deadline: Deadline? = nil) async {
    try? await waiters.wait(until: deadline) { isSignalled.withLock { $0 } ? () : nil }
    isSignalled.withLock { $0 = false }
  }
}

extension AgentClock {
  /// Sleeps until `deadline`, `signal` or cancellation, whichever comes first.
  public func sleep(until deadline: BootTime, or signal: WakeSignal) async {
    await signal.wait(until: Deadline(moment: deadline, clock: self))
  }
}
