import Synchronization
import SystemSupport

/// What each origin's token endpoint is asked for at most: Supabase takes 150 requests in 5 minutes from one address,
/// 30 at once, and refuses the rest, whoever sends them. Safe from any thread; nothing waits here.
package final class RequestBudgets: Sendable {
  enum Priority: Sendable {
    /// Somebody waits for the answer.
    case caller
    /// Nobody does: it can be put off, and leaves some for callers.
    case background
  }

  /// Requests at once: of the server's 30 a fifth is left to sign-ins and to other machines behind the same address.
  static let burst = 24.0
  /// Requests a second in the long run: 120 in 5 minutes, four fifths of the server's 150, for the same reason.
  static let rate = 0.4
  /// What background requests leave of the burst: a caller who comes at a resume is served at once.
  static let reserve = 6.0
  /// The usual pause between two background requests: what came due together (a start, a resume) is spread.
  static let spacing: Duration = .milliseconds(250)

  private struct Budget {
    var bucket: TokenBucket
    var nextBackground: BootTime
  }

  private let budgets = Mutex<[String: Budget]>([:])
  private let random: @Sendable () -> Double

  /// - Parameter random: a number in 0..<1, for the spread.
  package init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) { self.random = random }

  /// Takes one request to `origin`.
  ///
  /// - Returns: nil if it may be sent, else when to ask again.
  func take(_ origin: String, _ priority: Priority, now: BootTime) -> BootTime? {
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

  /// Counts a request that is sent whatever the budget says: a sign-in, for which a person waits.
  func spend(_ origin: String, now: BootTime) {
    budgets.withLock { $0[origin, default: Self.full(now)].bucket.spend(now: now) }
  }

  /// The server said that it was too much (429): only what comes in from now on may be spent.
  func empty(_ origin: String, now: BootTime) {
    budgets.withLock { $0[origin, default: Self.full(now)].bucket.empty(now: now) }
  }

  private static func full(_ now: BootTime) -> Budget {
    Budget(bucket: TokenBucket(capacity: burst, perSecond: rate, now: now), nextBackground: now)
  }
}
