import AgentProtocol
import SystemSupport

/// The callers who wait for a refresh: any number for one account, all of whom get its result (TK-3). To resume those of
/// one account costs as much as they are; nothing costs as much as all of them but the passing of a deadline.
struct RefreshWaiters {
  typealias Outcome = Result<Void, AgentError>

  private struct Waiter {
    let deadline: BootTime
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private var waiting: [String: [UInt64: Waiter]] = [:]
  private var last: UInt64 = 0
  /// Not after the earliest deadline of all; who was resumed may leave it too early, which costs one look.
  private(set) var nextDeadline: BootTime?

  mutating func nextID() -> UInt64 {
    last += 1
    return last
  }

  /// - Returns: whether the next deadline came forward.
  mutating func add(
    _ id: UInt64, account: String, deadline: BootTime, _ continuation: CheckedContinuation<Outcome, Never>
  ) -> Bool {
    waiting[account, default: [:]][id] = Waiter(deadline: deadline, continuation: continuation)
    if let next = nextDeadline, next <= deadline { return false }
    nextDeadline = deadline
    return true
  }

  /// How many wait.
  var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

  func isAwaited(_ account: String) -> Bool { waiting[account] != nil }

  mutating func resume(_ account: String, _ outcome: Outcome) {
    let resumed = waiting.removeValue(forKey: account) ?? [:]
    if waiting.isEmpty { nextDeadline = nil }
    for waiter in resumed.values { waiter.continuation.resume(returning: outcome) }
  }

  mutating func resumeAll(_ outcome: Outcome) {
    for account in waiting.keys { resume(account, outcome) }
  }

  /// Those who waited long enough are told so.
  mutating func expire(now: BootTime) {
    guard let next = nextDeadline, next <= now else { return }
    for account in waiting.keys { expire(account, now) }
    nextDeadline = waiting.values.flatMap { $0.values.map(\.deadline) }.min()
  }

  private mutating func expire(_ account: String, _ now: BootTime) {
    let late = waiting[account]?.filter { $0.value.deadline <= now } ?? [:]
    for (id, waiter) in late {
      remove(id, account)
      waiter.continuation.resume(returning: .failure(AgentError(.timedOut, account: account)))
    }
  }

  /// The caller went away.
  mutating func cancel(_ id: UInt64, account: String) {
    guard let waiter = waiting[account]?[id] else { return }
    remove(id, account)
    waiter.continuation.resume(returning: .failure(AgentError(.cancelled)))
  }

  private mutating func remove(_ id: UInt64, _ account: String) {
    waiting[account]?[id] = nil
    if waiting[account]?.isEmpty == true { waiting[account] = nil }
  }
}
