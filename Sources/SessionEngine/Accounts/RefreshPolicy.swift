import AgentProtocol
import SupabaseAuth
import SystemSupport

/// When tokens are refreshed: every number of the refresh engine, with its reason (docs/refresh.md has them in one
/// table). Pure; randomness is handed in.
package struct RefreshPolicy: Sendable {
  /// A number in 0..<1, for jitter.
  var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// A refresh that ended so recently serves all who ask to force one (TK-4): tools that fail together ask together.
  static let freshness: Duration = .seconds(5)

  /// A caller waits so long at most (TK-4).
  static let longestWait: Duration = .seconds(15)

  /// The loop recomputes at least so often: a clock that jumped or slept is noticed by then.
  static let tick: Duration = .seconds(30)

  /// Tries that follow each other quickly while callers wait (TK-5); after them the account is `degraded`.
  static let quickTries = 3

  /// The first pause between quick tries doubles: with full jitter, two pauses of 0.25 and 0.5 s at most leave the
  /// third try within 2 s on a healthy network (TK-5).
  static let quickPause: Duration = .milliseconds(250)

  /// The first slow pause; it doubles up to `longestPause`.
  static let slowPause: Duration = .seconds(4)

  /// The cap of the backoff: a server that was away for hours is found back within a quarter of an hour.
  static let longestPause: Duration = .seconds(900)

  /// The pause after a 429 without `Retry-After`: the server's budget is 150 in 5 minutes, so half a minute frees 15.
  static let limitedPause: Duration = .seconds(30)

  /// The pause after an answer that no waiting mends (a wrong key or address, a banned user); whoever mends it asks
  /// for a token anyway, and that tries at once.
  static let hopelessPause: Duration = .seconds(300)

  /// A paused project (540) is woken by its owner, within minutes at the earliest.
  static let pausedPause: Duration = .seconds(900)

  /// Callers cannot cause two tries of one account closer than this after a failure, however many they are.
  static let spacing: Duration = .seconds(1)

  /// The least time from a failed try to one that a change of the network or a wake-up causes: a network that comes and
  /// goes each second causes no more than this.
  static let changeSpacing: Duration = .seconds(2)

  /// Refreshes that callers can force on one account at once while its token is good, and the time after which they
  /// have one more: a tool that gets 401 for ever, or asks for more life than there is, must not empty the budget of all.
  static let forcedBurst = 20.0
  static let forcedPause: Duration = .seconds(30)

  /// The first pause before a failed write is tried again; it doubles up to half a minute.
  static let writePause: Duration = .seconds(1)

  /// By so much a token can end before its `expires_in` has passed: `exp` counts whole seconds (RFC 7519, section 4.1.4).
  static let wholeSecond: Duration = .seconds(1)

  /// What remains of the least life when `exp` has cut off its second: a request to the server takes that long.
  static let leastUse: Duration = .milliseconds(500)

  /// The least life that a caller gets by default: 60 s, or a tenth of the token's life if that is less; of a life of
  /// seconds not less than what `exp` may have cut off and one use.
  static func usualMinimumLife(of life: Duration) -> Duration {
    min(.seconds(60), max(life / 10, min(wholeSecond + leastUse, life * 3 / 8)))
  }

  /// How long before its end a token is refreshed while tools still get it (advisory): five minutes, or a twenty-fourth
  /// of a long life, so that a server's outage of that length is not felt; of a life of seconds a quarter, and half a
  /// second more than the usual minimum (mandatory) at least, so a tool that asks for no more never waits.
  static func lead(of life: Duration) -> Duration {
    let ofSeconds = min(life / 2, max(life / 4, wholeSecond + leastUse + .milliseconds(500)))
    return min(ofSeconds, max(.seconds(300), life / 24))
  }

  /// How long after its receipt a token of this life is refreshed. The jitter (a quarter of the lead, always earlier)
  /// spreads accounts that signed in together.
  func refreshDelay(life: Duration) -> Duration {
    let lead = Self.lead(of: life)
    return life - lead - lead / 4 * random()
  }

  /// A slow pause, spread by a fifth.
  func spread(_ pause: Duration) -> Duration { pause * (1 + random() / 5) }
}

// MARK: - After a failure

/// How long to wait after a failed try, and what that means.
struct RetryPause: Sendable, Equatable {
  enum Kind: Sendable {
    /// One of the quick tries, for which callers wait.
    case quick
    /// The exponential backoff after them; a caller who asks causes a try at once.
    case backoff
    /// An answer that no short waiting mends; a caller who asks causes a try at once.
    case slow
    /// The server asked for it, or would refuse anyway: nobody can have a try sooner.
    case enforced
  }

  let length: Duration
  let kind: Kind
}

extension RefreshPolicy {
  /// The pause after a failed try, the `step`th of the present backoff (1 for the first).
  func pause(after failure: RefreshFailure, step: Int) -> RetryPause {
    if let asked = failure.retryAfter { return RetryPause(length: spread(asked), kind: .enforced) }
    return switch failure.kind {
    case .transient where failure.error.code == .rateLimited:
      RetryPause(length: spread(Self.limitedPause), kind: .enforced)
    case .transient: backoff(step)
    case .misconfigured, .banned: RetryPause(length: spread(Self.hopelessPause), kind: .slow)
    case .paused: RetryPause(length: spread(Self.pausedPause), kind: .slow)
    }
  }

  /// Exponential with full jitter while callers wait, then with half.
  private func backoff(_ step: Int) -> RetryPause {
    if step < Self.quickTries {
      return RetryPause(length: Self.quickPause * (1 << max(0, step - 1)) * random(), kind: .quick)
    }
    // 4 s doubled 8 times passes the cap of 900 s.
    let doubled = Self.slowPause * (1 << min(8, step - Self.quickTries))
    return RetryPause(length: min(Self.longestPause, doubled) * (0.5 + random() / 2), kind: .backoff)
  }
}

/// A try that failed and leaves the session in place.
struct RefreshFailure: Sendable {
  enum Kind: Sendable { case transient, misconfigured, banned, paused }

  let kind: Kind
  let error: AuthError
  var retryAfter: Duration?
}

/// One refresh that is to be sent: what the engine needs, and what decides afterwards whether its answer still counts.
struct RefreshAttempt: Sendable {
  let account: String
  let project: Project
  let token: RefreshToken
  let generation: UInt64
  let reason: RefreshReason
  let begun: BootTime
  /// How often the vault had been locked: an answer from before a lock says nothing about what was read after it.
  var locks: UInt64 = 0
}

/// What the engine is asked to do, outside of the actor that owns the accounts.
enum EngineWork: Sendable {
  case refresh(RefreshAttempt)
  /// A write that failed is to be tried again.
  case store(account: String)
  /// Whether the server still knows a restored session is to be asked, in the background (SE-3).
  case check(CheckRequest)
}

/// That the server is to be asked about a restored session, when its turn comes. Without the token: one that waits here while
/// the vault is locked would stay in memory.
struct CheckRequest: Sendable {
  let account: String
  let project: String
  let generation: UInt64
}

/// A restored session that the server is asked about.
struct SessionCheck: Sendable {
  let account: String
  let project: Project
  let token: BearerToken
  let generation: UInt64
}

/// The answer to "why": sentences about one account, most important first.
struct RefreshExplanation {
  private let account: Account
  private let status: AccountStatus
  private let clock: any AgentClock

  init(_ account: Account, _ status: AccountStatus, _ clock: any AgentClock) {
    self.account = account
    self.status = status
    self.clock = clock
  }

  var sentences: [String] {
    switch status.state {
    case .unauthenticated: ["Nobody is signed in; there is nothing to refresh."]
    case .signInNeeded:
      ["The server ended the session (\(status.ended?.reason ?? "unknown")); only a new sign-in helps."]
    case .misconfigured:
      ["The configuration does not name \(status.origin ?? "the issuer") any more: nothing is sent, nothing is lost."]
    default: [token, unsaved, failures, next, skew].compactMap { $0 }
    }
  }

  private var token: String {
    guard let session = account.session, let received = session.received.bootTime(on: clock) else {
      return "The token's age is not known (the clock went backwards over a reboot)."
    }
    let left = clock.now.duration(to: received.advanced(by: session.life)).components.seconds
    return left > 0
      ? "The access token lives \(left) s more, of \(session.expiresIn) s."
      : "The access token ended \(-left) s ago."
  }

  private var unsaved: String? {
    guard account.unsaved != nil else { return nil }
    return "A new session is in memory and could not be written; until it is, no refresh starts."
  }

  private var failures: String? {
    guard account.failures > 0, let error = account.lastError else { return nil }
    let detail = error.data.detail.map { " (\($0))" } ?? ""
    return "\(account.failures) tries failed in a row, the last one with \(error.kind.rawValue)\(detail)."
  }

  private var next: String? {
    if let flight = account.flight { return "A refresh is on its way (\(flight.reason.rawValue))." }
    guard let at = account.nextTry, account.unsaved == nil else { return nil }
    let seconds = max(0, clock.now.duration(to: at).components.seconds)
    if account.wanted != nil { return "It waits for its turn: the server takes so many refreshes and no more." }
    guard account.failures > 0 else { return "It is refreshed ahead of its end\(lead), in \(seconds) s." }
    return switch account.pause?.kind {
    case .enforced: "The next try is in \(seconds) s; the server asked for that pause, so nobody can have it sooner."
    case .slow: "The next try is in \(seconds) s, for waiting does not mend that; a caller who asks causes one at once."
    default: "The next try is in \(seconds) s; a caller who asks causes one at once."
    }
  }

  /// How long before its end a token of this life is refreshed.
  private var lead: String {
    guard let session = account.session else { return "" }
    let lead = RefreshPolicy.lead(of: session.life)
    return " (\(Int(lead.seconds.rounded())) s or a little more)"
  }

  private var skew: String? {
    guard let skew = account.clockSkew(clock), abs(skew) > 30 else { return nil }
    return
      "The server's clock is \(abs(skew)) s \(skew > 0 ? "ahead of" : "behind") this machine's; nothing depends on it."
  }
}
