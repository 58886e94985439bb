import AgentProtocol

/// The callers who wait for a refresh: any number for one account, all of whom get its result (TK-3).
struct RefreshWaiters {
  typealias Outcome = Result<Void, AgentError>

  private struct Waiter {
    let account: String
    let deadline: BootTime
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private var waiting: [UInt64: Waiter] = [:]
  private var last: UInt64 = 0

  mutating func nextID() -> UInt64 {
    last += 1
    return last
  }

  mutating func add(
    _ id: UInt64, account: String, deadline: BootTime, _ continuation: CheckedContinuation<Outcome, Never>
  ) {
    waiting[id] = Waiter(account: account, deadline: deadline, continuation: continuation)
  }

  func isAwaited(_ account: String) -> Bool { waiting.values.contains { $0.account == account } }

  var nextDeadline: BootTime? { waiting.values.map(\.deadline).min() }

  mutating func resume(_ account: String, _ outcome: Outcome) {
    resume(outcome) { $0.account == account }
  }

  mutating func resumeAll(_ outcome: Outcome) { resume(outcome) { _ in true } }

  /// Those who waited long enough are told so.
  mutating func expire(now: BootTime) {
    resume(.failure(AgentError(.timedOut))) { $0.deadline <= now }
  }

  /// The caller went away.
  mutating func cancel(_ id: UInt64) {
    waiting.removeValue(forKey: id)?.continuation.resume(returning: .failure(AgentError(.cancelled)))
  }

  private mutating func resume(_ outcome: Outcome, where matches: (Waiter) -> Bool) {
    for (id, waiter) in waiting where matches(waiter) {
      waiting[id] = nil
      waiter.continuation.resume(returning: outcome)
    }
  }
}
