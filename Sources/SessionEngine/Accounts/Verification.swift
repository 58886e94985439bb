import AgentProtocol
import ServiceLifecycle
import SupabaseAuth
import SystemSupport

/// The limits of verifications, each with its reason.
enum VerificationPolicy {
  /// Verifications of one account at once, and the time after which one more is allowed. The server
  /// allows 15 challenges and 15 verifications a minute for each IP address, and one call can make
  /// `maxSends` of each.
  static let burst = 5.0
  static let pause: Duration = .seconds(12)

  /// The shortest remaining life of an access token with which a verification starts: with the old
  /// token, a verification whose answer is lost can be repeated with a new code.
  static let minTokenLife: Duration = .seconds(120)

  /// How often one code is sent at most, each time with a new challenge.
  static let maxSends = 3

  /// How long a code is sent again after a lost answer: a TOTP step (RFC 6238, section 5.2).
  static let codeLife: Duration = .seconds(30)

  /// Maximum time that a caller waits: three verifications of 12 s, and the refresh before them.
  static let maxWait: Duration = .seconds(60)

  /// How long the server knows a challenge (`challenge_expiry_duration`, 300 s and never less).
  static let challengeLife: Duration = .seconds(300)

  /// How long before the end of the access token a standing marker allows the old refresh token again:
  /// one tick of the loop more than the default minimum lifetime, so that the refresh ends before
  /// callers need it; half the life of a short token.
  static func lastChance(of life: Duration) -> Duration {
    min(RefreshPolicy.defaultMinLifetime(of: life) + RefreshPolicy.tick, life / 2)
  }

  /// Time between two events about a second factor that a program needs, for each account.
  static let noticePause: Duration = .seconds(600)
}

/// A verification that the engine performs for an account.
struct RunningVerification: Sendable, Equatable {
  let id: Revision
  /// True if a verification of unknown outcome was sent, by this one or an earlier one.
  var isInDoubt: Bool
}

/// A verification of a second factor: what the engine needs, and what decides whether the response
/// still applies. Exists in memory only, because of the code.
struct VerificationAttempt: Sendable {
  let id: Revision
  let account: String
  let project: Project
  let token: BearerToken
  /// The ID of the session that is raised.
  let session: String?
  let factor: AccountFactor
  let code: FactorCode
  /// Its count among the attempts of the user.
  let counted: AttemptLimits.Attempt
  let handedIn: BootTime
  /// The challenge by which the project sent a code to a phone. An authenticator app's is made for
  /// each verification.
  var phoneChallenge: String?
  var sends = 0
  /// When the code was last sent.
  var asked: BootTime

  var isPhone: Bool { factor.type == AccountFactor.phone }

  /// True once the caller has left, because the machine slept during the challenge: the code is old,
  /// and the access token may be about to end.
  func isStale(_ now: BootTime) -> Bool { handedIn.duration(to: now) >= VerificationPolicy.maxWait }
}

/// A code that was sent to a phone factor. Known until a restart, a lock or its end.
struct PhoneChallenge: Sendable {
  let id: String
  let factor: String
  let userID: String
  let ends: BootTime
}

/// The meaning of the response to a verification.
enum VerificationOutcome: Sendable {
  case verified(Session)
  /// The server may have rotated the tokens. The old access token remains the one to verify with.
  case unknown(AuthError)
  /// The server has refused this verification, so it changed nothing.
  case refused(AuthError)
  /// The server has refused, and the session has ended.
  case sessionGone(AuthError)

  init(_ result: Result<Session, AuthError>) {
    switch result {
    case .success(let session): self = .verified(session)
    case .failure(let error) where Self.goneCodes.contains(error.serverCode ?? ""): self = .sessionGone(error)
    case .failure(let error): self = error.isDefiniteRefusal ? .refused(error) : .unknown(error)
    }
  }

  /// A rejecting hook deletes all sessions of the user.
  private static let goneCodes: Set<String> = ["mfa_verification_rejected", "session_not_found", "user_not_found"]
}

extension AuthError {
  /// True if the server has certainly not acted. A challenge that was used already has the same code
  /// as another IP address, and then the first verification did succeed.
  fileprivate var isDefiniteRefusal: Bool {
    guard let status else { return [.invalidRequest, .insecure, .invalidEndpoint].contains(code) }
    return (400..<500).contains(status) && ![408, 409].contains(status) && serverCode != "mfa_ip_address_mismatch"
  }

  /// True if the agent itself ended the request.
  var isOwnEnd: Bool { [.cancelled, .shutDown].contains(code) }
}

extension AccountFactor {
  static let totp = "totp"
  static let phone = "phone"

  init(_ factor: Factor) {
    self.init(
      id: factor.id, type: factor.type, name: factor.name, status: factor.isVerified ? Self.verified : "unverified")
  }

  static let verified = "verified"

  /// True if the agent can verify this type.
  var isSupported: Bool { [Self.totp, Self.phone].contains(type) }
}

extension FactorCode {
  /// The code that a person typed: 6 to 10 digits, with any spaces.
  ///
  /// - Throws: `invalidParams` if it cannot be a code. Nothing is sent.
  init(entered text: String) throws(AgentError) {
    let digits = String(text.filter { !$0.isWhitespace }).outOfLine
    guard (6...10).contains(digits.utf8.count), digits.allSatisfy({ ("0"..."9").contains($0) }) else {
      throw AgentError(.invalidParams, "A code of a second factor has 6 to 10 digits.")
    }
    self.init(digits)
  }
}

/// Sends the verification of a second factor for the engine, and again after a lost answer. Makes no
/// decisions; `Accounts` does.
struct VerificationRun {
  let accounts: Accounts

  func perform(_ attempt: VerificationAttempt) async {
    var attempt = attempt
    repeat {
      let challenge = await challenge(for: attempt)
      guard let challenge = await accounts.prepare(attempt, challenge) else { return }
      attempt.sends += 1
      attempt.asked = accounts.clock.now
      let result = await send(attempt, challenge)
      guard await accounts.finish(attempt, result, isStopping: Task.isShuttingDownGracefully || Task.isCancelled) else {
        return
      }
    } while true
  }

  private func challenge(for attempt: VerificationAttempt) async -> Result<String, AuthError> {
    if let known = attempt.phoneChallenge { return .success(known) }
    return await accounts.requests.result { () throws(AuthError) in
      try await attempt.project.server.challenge(attempt.factor.id, isPhone: false, attempt.token).id
    }
  }

  private func send(_ attempt: VerificationAttempt, _ challenge: String) async -> Result<Session, AuthError> {
    await accounts.requests.result { () throws(AuthError) in
      try await attempt.project.server.verify(
        attempt.factor.id, challenge: challenge, code: attempt.code, attempt.token)
    }
  }
}

/// The texts about verifications of second factors.
enum VerificationMessages {
  static func command(_ account: String) -> String { "ritualctl mfa verify --account \(account)" }

  /// The error of an account whose last verification has an unknown outcome.
  static func inDoubt(_ account: String) -> AgentError {
    var error = AgentError(
      .serviceUnavailable, "The outcome of a second factor's verification is unknown. A new code is needed.",
      hint: command(account), account: account)
    error.data.retryable = false
    return error
  }

  /// The error of a verification whose answer was lost, of the kind of the failure.
  static func lost(_ error: AgentError, _ account: String) -> AgentError {
    var lost = AgentError(
      error.kind,
      "The answer to the verification was lost, so its outcome is unknown. Enter a new code.", hint: command(account),
      account: account)
    // The same code does not help.
    lost.data.retryable = false
    lost.data.detail = error.data.detail
    return lost
  }

  /// The error for a caller that needs a refresh, which a standing marker forbids.
  static func held(_ account: String) -> AgentError {
    AgentError(
      .mfaNeeded,
      "The session cannot be refreshed while the outcome of a second factor's verification is unknown. A new code is "
        + "needed.", hint: command(account), account: account)
  }

  /// Adds to a refusal that an earlier verification still has no known outcome.
  static func stillInDoubt(_ refusal: AgentError, _ account: String) -> AgentError {
    var error = refusal
    error.message += " The outcome of an earlier verification is unknown, so a new code is needed."
    error.data.hint = command(account)
    error.data.retryable = false
    return error
  }

  /// Why the server ended a session. The server also finds reuse of a refresh token if the answer to a
  /// verification, which had a newer one, was lost.
  static func end(_ reason: FatalReason, _ session: StoredSession) -> String {
    guard reason == .tokenAlreadyUsed, session.verification != nil else { return reason.shortDescription }
    return "the answer to a second factor's verification was lost"
  }
}

extension Account {
  /// The sentence of `ritualctl why` about a verification of unknown outcome; nil if there is none.
  func verificationDoubt(_ clock: any AgentClock) -> String? {
    guard isInDoubt, let marker else { return nil }
    let doubt =
      "The outcome of a second factor's verification at \(marker.at) is unknown. A new code settles it: "
      + "\(VerificationMessages.command(name))."
    guard let until = heldUntil, clock.now < until else { return doubt }
    let time = durationText(max(0, clock.now.duration(to: until).components.seconds))
    return doubt + " Nothing is refreshed until then. In \(time), shortly before the access token ends, the session is "
      + "refreshed as a last resort, which can end it."
  }
}

extension StoredSession {
  /// The access token's level.
  var level: String { assurance == AccountAssurance.aal2 ? AccountAssurance.aal2 : AccountAssurance.aal1 }

  /// This session without a marker that was made for another access token.
  var withoutForeignMarker: StoredSession {
    guard let verification, verification.token != fingerprint else { return self }
    var session = self
    session.verification = nil
    return session
  }

  /// Identifies the access token in a marker.
  var fingerprint: String { TokenFingerprint.text(TokenFingerprint.short(accessToken)) }

  /// From when on a standing marker allows a refresh. Nil if the token's age is unknown: it counts as
  /// expired.
  func lastChance(received: BootTime?) -> BootTime? {
    received?.advanced(by: life - VerificationPolicy.lastChance(of: life))
  }
}
