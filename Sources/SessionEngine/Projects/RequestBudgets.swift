import Synchronization
package import SystemSupport

/// Rate limits for each origin's token endpoint. Supabase allows 150 requests in 5 minutes from one
/// IP address, 30 at once, and rejects all others. Safe from any thread; nothing waits here.
package final class RequestBudgets: Sendable {
  package enum Priority: Sendable {
    /// A caller waits for the response.
    case caller
    /// No caller waits. Such requests can be delayed and leave a reserve for callers.
    case background
  }

  /// Maximum burst. A fifth of the server's 30 is left to sign-ins and to other machines behind the
  /// same IP address.
  static let burst = 24.0
  /// Requests per second in the long run: 120 in 5 minutes, four fifths of the server's 150, for
  /// the same reason.
  static let rate = 0.4
  /// The part of the burst that background requests leave, so that a caller is served at once after
  /// a resume.
  static let reserve = 6.0
  /// Average time between two background requests. Spreads refreshes that become due together, at a
  /// start or a resume.
  static let spacing: Duration = .milliseconds(250)

  private struct Budget {
    var bucket: TokenBucket
    var nextBackground: BootTime
  }

  private let budgets = Mutex<[String: Budget]>([:])
  private let random: @Sendable () -> Double

  /// - Parameter random: Returns a number in 0..<1, for jitter.
  package init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) { self.random = random }

  /// Takes one request to `origin` from the budget.
  ///
  /// - Returns: Nil if the request may be sent, else when to ask again.
  package func take(_ origin: String, _ priority: Priority, now: BootTime) -> BootTime? {
    budgets.withLock { budgets in
      var budget = budgets[origin] ?? Self.full(now)
      defer { budgets[origin] = budget }
      guard priority == .background else { return budget.bucket.take(now: now) }
      guard budget.nextBackground <= now else { return budget.nextBackground }
      if let later = budget.bucket.take(reserve: Self.reserve, now: now) { return later }
      budget.nextBackground = now.advanced(by: Self.spacing * (0.5 + random()))
      return nil
    }
  }

  /// Counts a request that is sent regardless of the budget: a sign-in, for which the user waits.
  func spend(_ origin: String, now: BootTime) {
    budgets.withLock { $0[origin, default: Self.full(now)].bucket.spend(now: now) }
  }

  /// Empties the budget after the server rejected a request (429). Only budget that accrues from
  /// now on may be spent.
  func empty(_ origin: String, now: BootTime) {
    budgets.withLock { $0[origin, default: Self.full(now)].bucket.empty(now: now) }
  }

  private static func full(_ now: BootTime) -> Budget {
    Budget(bucket: TokenBucket(capacity: burst, perSecond: rate, now: now), nextBackground: now)
  }
}
