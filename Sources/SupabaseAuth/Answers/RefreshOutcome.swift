public import FoundationEssentials

/// What the answer to a refresh means for the session. Closed: a caller handles every case.
///
/// Invariant: only `fatal` ends a session, and only the codes listed in `classifyRefresh` are fatal.
public enum RefreshOutcome: Sendable {
  /// The refresh token was rotated: store the new one before anything else.
  case refreshed(Session)
  /// The session is over; this refresh token will never work again.
  case fatal(FatalReason, AuthError)
  /// Trouble of the network or the server. Keep the session, try the same token again, not before `retryAfter`.
  /// Whether the server committed a rotation is unknown.
  case transient(AuthError, retryAfter: Duration?)
  /// Something between here and GoTrue refused, or nothing we know answered: keep the session, tell, try slowly.
  case misconfigured(AuthError)
  /// The user is banned, which may be lifted: keep the session, tell, try rarely.
  case banned(AuthError)
  /// The project is paused (540): keep the session, tell, try very slowly.
  case paused(AuthError)
}

/// Why the server ended a session.
public enum FatalReason: String, Sendable, Hashable, CaseIterable {
  /// Signed out elsewhere, password changed, user or session deleted.
  case tokenNotFound = "refresh_token_not_found"
  /// Reuse of a rotated token was detected; the whole family is revoked.
  case tokenAlreadyUsed = "refresh_token_already_used"
  /// The session of the token is gone.
  case sessionNotFound = "session_not_found"
  /// The project's time limit for sessions passed.
  case sessionExpired = "session_expired"
  /// The server does not recognise the token as one of its own.
  case tokenInvalid = "validation_failed"

  /// True where a newer token in storage may be the explanation: look there before the session is given up.
  public var mayMeanNewerInStorage: Bool {
    self == .tokenAlreadyUsed || self == .tokenInvalid
  }

  /// The reason in a few words, for status and events.
  public var words: String {
    switch self {
    case .tokenNotFound: "ended elsewhere"
    case .tokenAlreadyUsed: "revoked, its refresh token was used twice"
    case .sessionNotFound: "session deleted"
    case .sessionExpired: "session time limit reached"
    case .tokenInvalid: "refresh token not known to this server"
    }
  }
}

/// What an answer to `POST /token?grant_type=refresh_token` means for the session. The one place that decides it.
///
/// Invariant: fatal are the codes of `FatalReason` with status 400, and `invalid_grant` of servers before v2.164 with one
/// of four known descriptions, nothing else. Every other answer keeps the session: a gateway's page, a redirect, a code
/// that a later server invents. The status is looked at before the body.
/// - Parameter now: used for a `Retry-After` that is a date, if the answer has no `Date`.
public func classifyRefresh(
  status: Int, headers: [(name: String, value: String)], body: [UInt8], now: Date = Date()
) -> RefreshOutcome {
  let answer = Answer(status: status, headers: headers, body: body)
  if answer.isSuccess { return classifySuccess(answer) }
  let refusal = Refusal(answer, now: now)
  let error = refusal.error
  switch status {
  case 540: return .paused(error)
  case 408, 409, 429, 500...599: return .transient(error, retryAfter: error.retryAfter)
  case 400...499: return classifyClientError(refusal, error)
  default: return .misconfigured(error)
  }
}

private func classifyClientError(_ refusal: Refusal, _ error: AuthError) -> RefreshOutcome {
  if refusal.status == 400, let reason = refusal.fatalReason { return .fatal(reason, error) }
  if [400, 403].contains(refusal.status), refusal.isBan { return .banned(error.with(.userBanned)) }
  if refusal.isHook { return .transient(error, retryAfter: error.retryAfter) }
  return .misconfigured(error)
}

/// A success that cannot be read leaves open whether the server rotated: the same token is tried again.
private func classifySuccess(_ answer: Answer) -> RefreshOutcome {
  do {
    return .refreshed(try answer.session())
  } catch {
    return .transient(error, retryAfter: nil)
  }
}

extension Refusal {
  fileprivate var fatalReason: FatalReason? {
    if isOAuth { return serverCode == "invalid_grant" ? grantReason : nil }
    return serverCode.flatMap(FatalReason.init(rawValue:))
  }

  /// Before v2.164 the description alone told the cases apart (`Invalid Refresh Token: Already Used`).
  private var grantReason: FatalReason? {
    guard let serverMessage else { return nil }
    let reasons: [(String, FatalReason)] = [
      ("Already Used", .tokenAlreadyUsed), ("Not Found", .tokenNotFound), ("Session Expired", .sessionExpired),
      ("No Valid Session Found", .sessionNotFound),
    ]
    return reasons.first { serverMessage.contains($0.0) }?.1
  }

  fileprivate var isBan: Bool {
    serverCode == "user_banned"
      || (isOAuth && serverCode == "invalid_grant" && serverMessage?.contains("User Banned") == true)
  }

  /// A hook of the project failed (`hook_timeout` and others), at whatever 4xx.
  fileprivate var isHook: Bool { serverCode?.hasPrefix("hook_") == true }
}

extension AuthError {
  /// The same error under the code that the old shape hides.
  fileprivate func with(_ code: Code) -> AuthError {
    AuthError(
      code, RefusalWords.message(for: code, reasons: []), status: status, serverCode: serverCode,
      serverMessage: serverMessage, retryAfter: retryAfter)
  }
}
