import AgentProtocol
package import SupabaseAuth
import SystemSupport

/// The timing of refreshes: every constant of the refresh engine, with its reason (docs/refresh.md
/// has them in one table). Pure; randomness is a parameter.
package struct RefreshPolicy: Sendable {
  /// Returns a number in 0..<1, for jitter.
  let random: @Sendable () -> Double

  /// - Parameter random: Returns a number in 0..<1, for jitter.
  package init(random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) { self.random = random }

  /// A refresh that ended this recently serves all callers that force one: programs that
  /// fail together ask together.
  static let freshness: Duration = .seconds(5)

  /// Maximum time that a caller waits.
  static let maxWait: Duration = .seconds(15)

  /// Maximum interval between recomputations of the loop, which bounds the time until a clock jump
  /// or a suspend is noticed.
  static let tick: Duration = .seconds(30)

  /// Number of quick attempts while callers wait. After them the account is `degraded`.
  package static let maxQuickAttempts = 3

  /// Maximum first pause between quick attempts; it doubles. With full jitter, pauses of up to 0.25
  /// and 0.5 s put the third attempt within 2 s on a healthy network.
  static let quickPause: Duration = .milliseconds(250)

  /// Maximum pause after the quick attempts, with full jitter: an outage of a minute is over before
  /// the token of an hour, which is refreshed 5 minutes ahead, ends.
  static let maxEarlyPause: Duration = .seconds(120)

  /// The range of all later pauses. After an outage each account is refreshed by the next attempt
  /// that was already scheduled, so the load on the server that has just returned grows with the
  /// number of attempts that an account makes in an hour. Pauses that start short and double cause
  /// several times the usual load. With these pauses, the busiest second after an outage of an hour
  /// has less than twice the mean of the following hour, in which all accounts are refreshed
  /// (`Benchmarks/fleet`, docs/refresh.md); with shorter ones it has more.
  static let minLatePause: Duration = .seconds(1200)
  static let maxLatePause: Duration = .seconds(3000)

  /// Pause after a 429 without `Retry-After`. The server allows 150 requests in 5 minutes, so half
  /// a minute frees 15.
  static let limitedPause: Duration = .seconds(30)

  /// Minimum time between two attempts that callers cause after a failure, for each account and
  /// however many callers there are.
  static let spacing: Duration = .seconds(1)

  /// Minimum time from a failed attempt to one caused by a network change or a wake-up. Bounds the
  /// attempts on a network that flaps every second.
  package static let changeSpacing: Duration = .seconds(2)

  /// Maximum burst of refreshes that callers can force on one account while its token is valid, and
  /// the time after which one more is allowed. A program that always gets 401, or asks for more
  /// lifetime than the server grants, must not use up the shared budget.
  static let forcedBurst = 20.0
  static let forcedPause: Duration = .seconds(30)

  /// First pause before a failed write is retried. It doubles up to 32 s.
  static let writePause: Duration = .seconds(1)

  /// How much earlier than `expires_in` a token can expire, because `exp` counts whole seconds (RFC
  /// 7519, section 4.1.4).
  static let wholeSecond: Duration = .seconds(1)

  /// Remaining part of the minimum lifetime after `exp` has cut off its second: the duration of a
  /// request to the server.
  static let minUsableTime: Duration = .milliseconds(500)

  /// The default minimum lifetime for callers: 60 s, or a tenth of the token's lifetime if that is
  /// less. For lifetimes of seconds, at least the second that `exp` may have cut off plus one
  /// request.
  package static func defaultMinLifetime(of life: Duration) -> Duration {
    min(.seconds(60), max(life / 10, min(wholeSecond + minUsableTime, life * 3 / 8)))
  }

  /// How long before its expiry a token is refreshed while programs still get it (advisory): five
  /// minutes, or a twenty-fourth of a long lifetime, which covers a server outage of that length.
  ///
  /// For lifetimes of seconds it is a quarter, and at least half a second more than the default
  /// minimum (mandatory), so that a program that asks for no more never waits.
  static func lead(of life: Duration) -> Duration {
    let ofSeconds = min(life / 2, max(life / 4, wholeSecond + minUsableTime + .milliseconds(500)))
    return min(ofSeconds, max(.seconds(300), life / 24))
  }

  /// How long after its receipt a token of this lifetime is refreshed. The jitter, up to a quarter
  /// of the lead and always earlier, spreads accounts that signed in together.
  package func refreshDelay(life: Duration) -> Duration {
    let lead = Self.lead(of: life)
    return life - lead - lead / 4 * random()
  }

  /// Minimum time between two planned refreshes of a token whose life the server shortens. Such a
  /// life can end with each refresh a little earlier: a project's limit for sessions without the
  /// second factor grants what is left of it, 3 s, then 2 s. Callers still get a token at once.
  static let shortenedSpacing: Duration = .seconds(30)

  /// Lengthens a pause that the server asked for by up to a fifth.
  func spread(_ pause: Duration) -> Duration { pause * (1 + random() / 5) }
}

/// A refresh to send: what the engine needs, and what decides whether the response still applies.
struct RefreshAttempt: Sendable {
  let account: String
  let project: Project
  let token: RefreshToken
  /// The ID of the session that is refreshed.
  let session: String?
  let revision: Revision
  let reason: RefreshReason
  let begun: BootTime
}

/// Work that the engine performs outside the `Accounts` actor.
enum EngineWork: Sendable {
  case refresh(RefreshAttempt)
  case store(account: String)
  /// Retry every failed write, because the machine is about to sleep.
  case storeAll
  /// Check in the background whether the server still knows a restored session.
  case check(CheckRequest)
  case verify(VerificationAttempt)
}

/// A queued check of a restored session. Contains no token: a request that is pending while the
/// vault is locked would keep it in memory.
struct CheckRequest: Sendable {
  let account: String
  let project: String
  let revision: Revision
}

/// A restored session to be checked at the server.
struct SessionCheck: Sendable {
  let account: String
  let project: Project
  let token: BearerToken
  let revision: Revision
  let asked: BootTime
}

/// The answer to `ritualctl why`: sentences about one account, most important first.
struct RefreshExplanation {
  let account: Account
  let status: AccountStatus
  let clock: any AgentClock

  var sentences: [String] {
    switch status.state {
    case .unauthenticated: ["Not signed in: there is nothing to refresh."]
    case .signInNeeded: status.endSentences
    case .misconfigured:
      [
        "The session's project URL, \(status.origin ?? "the issuer"), is no longer in the configuration. "
          + "The session is kept, and nothing is sent."
      ]
    default:
      [token, unsaved, account.verificationDoubt(clock), failures, next, limit, skew].compactMap { $0 }
    }
  }

  private var token: String {
    guard let session = account.session, let received = account.received else {
      return "The token's age is unknown (the clock was set back during a reboot)."
    }
    let left = clock.now.duration(to: received.advanced(by: session.life)).components.seconds
    return left > 0
      ? "The access token expires in \(durationText(left)) (lifetime \(durationText(Int64(session.expiresIn))))."
      : "The access token expired \(durationText(Int64(clamping: left.magnitude))) ago."
  }

  private var unsaved: String? {
    guard account.unsaved != nil else { return nil }
    return "A new session could not be saved and is only in memory. No refresh starts until it is saved."
  }

  private var failures: String? {
    guard account.failures > 0, let error = account.lastError else { return nil }
    let detail = error.data.detail.map { " (\($0))" } ?? ""
    // The message has the project's words.
    if account.refusal != nil { return error.message }
    let attempts = account.failures == 1 ? "1 attempt" : "\(account.failures) attempts in a row"
    return "\(attempts) failed; last error: \(Self.cause(error.kind))\(detail)."
  }

  private var next: String? {
    if let flight = account.flight { return "A refresh is in progress (\(flight.reason.rawValue))." }
    guard let at = account.nextAttempt, account.unsaved == nil, !account.isHeld(clock.now) else { return nil }
    let seconds = max(0, clock.now.duration(to: at).components.seconds)
    let time = durationText(seconds)
    if account.queuedReason != nil { return "Queued: the project's refresh rate limit is reached." }
    guard account.failures > 0 else { return "Next refresh in \(time)\(lead)." }
    return switch account.pause?.kind {
    case .enforced: "Next attempt in \(time), as requested by the server. No earlier attempt is possible."
    case .slow:
      "Next attempt in \(time), because a quick retry is unlikely to succeed. A request starts one immediately."
    default: "Next attempt in \(time). A request starts one immediately."
    }
  }

  /// When the project is expected to end the session.
  private var limit: String? {
    guard let end = status.session?.endsAt else { return nil }
    let left = max(0, end.unixSeconds - clock.wall.unixSeconds)
    guard status.session?.isEstimate == true else {
      return "The session ends in \(durationText(left)) (session_limit in the configuration)."
    }
    let words = "The session ends in about \(durationText(left)), as an earlier session of this project did."
    guard account.session?.needsSecondFactor == true else { return words }
    return words + " The second factor may keep it: \(VerificationMessages.command(account.name))."
  }

  /// How long before its expiry the token is refreshed.
  private var lead: String {
    guard let session = account.session else { return "" }
    let lead = RefreshPolicy.lead(of: session.life)
    return " (about \(durationText(Int64(lead.seconds.rounded()))) before expiry)"
  }

  private static func cause(_ kind: ErrorKind) -> String {
    switch kind {
    case .offline: "server unreachable"
    case .serviceUnavailable: "server error"
    case .rateLimited: "rate limited by the server"
    case .timedOut: "timed out"
    default: kind.rawValue
    }
  }

  private var skew: String? {
    guard let skew = account.clockSkew(clock), abs(skew) > 30 else { return nil }
    return
      "The server's clock is \(abs(skew)) s \(skew > 0 ? "ahead of" : "behind") this machine's. Refreshes are not "
      + "affected."
  }
}

/// The pause after a failed attempt, and what it allows.
package struct RetryPause: Sendable, Equatable {
  package enum Kind: Sendable {
    /// Between quick attempts, for which callers wait.
    case quick
    /// After the quick attempts. A caller's request retries at once.
    case backoff
    /// After an error that a short wait does not fix: a wrong key or URL, a banned user, a refusal of
    /// the project, a paused project. A caller's request retries at once.
    case slow
    /// The server asked for the pause, or would refuse anyway. No request can shorten it.
    case enforced
  }

  package let length: Duration
  package let kind: Kind
}

extension RefreshPolicy {
  /// Returns the pause after a failed attempt. `step` counts the current backoff from 1.
  package func pause(after failure: RefreshFailure, step: Int) -> RetryPause {
    if let asked = failure.retryAfter { return RetryPause(length: spread(asked), kind: .enforced) }
    return switch failure.kind {
    case .transient where failure.error.code == .rateLimited:
      RetryPause(length: spread(Self.limitedPause), kind: .enforced)
    case .transient: backoff(step)
    // A gateway can answer every agent with the same error, so these pauses are as long.
    case .misconfigured, .banned, .refused, .paused: RetryPause(length: latePause, kind: .slow)
    }
  }

  /// Exponential with full jitter while callers wait, then one early attempt, then late ones.
  private func backoff(_ step: Int) -> RetryPause {
    if step < Self.maxQuickAttempts {
      return RetryPause(length: Self.quickPause * (1 << max(0, step - 1)) * random(), kind: .quick)
    }
    let isEarly = step == Self.maxQuickAttempts
    return RetryPause(length: isEarly ? Self.maxEarlyPause * random() : latePause, kind: .backoff)
  }

  private var latePause: Duration { Self.minLatePause + (Self.maxLatePause - Self.minLatePause) * random() }
}

/// A failed attempt that leaves the session in place.
package struct RefreshFailure: Sendable {
  package enum Kind: Sendable, CaseIterable { case transient, misconfigured, banned, refused, paused }

  let kind: Kind
  let error: AuthError
  let retryAfter: Duration?

  package init(kind: Kind, error: AuthError, retryAfter: Duration? = nil) {
    (self.kind, self.error, self.retryAfter) = (kind, error, retryAfter)
  }
}
