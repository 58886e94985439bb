/// The limit passed before the work was done.
struct TimeLimitPassed: Error {}

/// Does `work`, and cancels it when `limit` has passed.
///
/// The HTTP client's own deadline ends with the head of the answer: a body that drips would outlive it.
func within<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await work() }
    group.addTask {
      // Real time, not the injected clock: it bounds what a real network does.
      try await Task.sleep(for: limit)
      return nil
    }
    guard let value = try await group.next() ?? nil else { throw TimeLimitPassed() }
    return value
  }
}
