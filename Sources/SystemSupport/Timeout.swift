/// The time limit passed before the work was done.
public struct TimeLimitExceeded: Error {
  public init() {}
}

/// Runs `work` and cancels it at `deadline`. Returns once the work has ended, so the work must heed cancellation.
///
/// - Throws: what the work throws; `TimeLimitExceeded`; `CancellationError` when the caller was cancelled before the end of
///   the work.
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

/// Runs `work` and cancels it when `limit` has passed on `clock`.
public func withTimeout<Value: Sendable>(
  _ limit: Duration, _ clock: any AgentClock = SystemClock(), _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withTimeout(clock.deadline(after: limit), work)
}
