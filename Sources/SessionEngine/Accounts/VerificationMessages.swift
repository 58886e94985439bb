import AgentProtocol
import SupabaseAuth
import SystemSupport

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
    return doubt + " Nothing is refreshed until then; in \(time), shortly before the access token ends, a refresh is "
      + "the last way, which can end the session."
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
