public import FoundationEssentials

/// The result of a refresh request for the session. Closed: a caller handles every case.
///
/// Invariant: only `fatal` ends a session, and only the codes of `FatalReason` are fatal.
public enum RefreshOutcome: Sendable {
  /// The server rotated the refresh token. The new token must be stored before anything else.
  case refreshed(Session)
  /// The session has ended; this refresh token will never work again.
  case fatal(FatalReason, AuthError)
  /// A network or server failure. Keep the session and retry with the same token, not before
  /// `retryAfter`. Whether the server committed a rotation is unknown.
  case transient(AuthError, retryAfter: Duration?)
  /// A gateway refused the request, or the response is unknown. Keep the session, report the error,
  /// retry slowly.
  case misconfigured(AuthError)
  /// The user is banned; a ban may be lifted. Keep the session, report the error, retry rarely.
  case banned(AuthError)
  /// The project does not continue the session now, and may later: a newer session of the user
  /// (`newerSignIn`) or a hook of the project (`hookRefused`) is in the way. The refresh token is not
  /// used up. Keep the session, report the error, retry slowly.
  case refused(AuthError)
  /// The project is paused (status 540). Keep the session, report the error, retry very slowly.
  case paused(AuthError)
}

/// The reason why the server ended a session.
public enum FatalReason: Sendable, Hashable, CaseIterable {
  /// A sign-out, a password change or a second factor elsewhere, or the user was deleted.
  case tokenNotFound
  /// The server detected reuse of a rotated token and revoked the whole token family.
  case tokenAlreadyUsed
  case sessionNotFound
  /// The project's time limit for sessions has passed.
  case timebox
  /// The project's limit for sessions that are not refreshed has passed.
  case inactivity
  /// The project's limit for sessions without the second factor has passed.
  case lowAssurance
  /// The session has expired, for a reason that this version does not know.
  case sessionExpired
  case userNotFound
  /// The server does not recognise the token as its own.
  case tokenInvalid

  /// GoTrue's error code for the reason.
  public var serverCode: String {
    switch self {
    case .tokenNotFound: "refresh_token_not_found"
    case .tokenAlreadyUsed: "refresh_token_already_used"
    case .sessionNotFound: "session_not_found"
    case .timebox, .inactivity, .lowAssurance, .sessionExpired: "session_expired"
    case .userNotFound: "user_not_found"
    case .tokenInvalid: "validation_failed"
    }
  }

  /// Returns the reason for a code of GoTrue, nil for a code that ends no session. The five causes of
  /// `session_expired` differ only in the message.
  fileprivate static func named(_ code: String, message: String?) -> FatalReason? {
    code == "session_expired" ? expired(message) : allCases.first { $0.serverCode == code }
  }

  /// Nil if the message names a newer session of the user, which does not end this one.
  static func expired(_ message: String?) -> FatalReason? {
    guard let message else { return .sessionExpired }
    if message.contains(Refusal.newerSignIn) { return nil }
    if message.contains("(Inactivity)") { return .inactivity }
    if message.contains("(Low AAL") { return .lowAssurance }
    return message.hasSuffix("Session Expired") ? .timebox : .sessionExpired
  }

  /// True if a newer token in storage may explain the error. Check storage before ending the
  /// session.
  public var mayMeanNewerInStorage: Bool {
    self == .tokenAlreadyUsed || self == .tokenInvalid
  }
}

/// Classifies the response to `POST /token?grant_type=refresh_token`. The only place that decides
/// what such a response means for the session.
///
/// Invariant: only the codes of `FatalReason` with status 400 are fatal, and `invalid_grant` of
/// servers before v2.164 with one of four known descriptions. `session_expired` is not fatal if a
/// newer session of the user caused it. Every other response keeps the session, such as a hook's
/// refusal, a gateway's page, a redirect, or a code that a later server adds. The status takes
/// precedence over the body.
/// - Parameter now: the reference time for a `Retry-After` date if the response has no `Date`
///   header.
public func classifyRefresh(
  status: Int, headers: [(name: String, value: String)], body: [UInt8], now: Date = Date()
) -> RefreshOutcome {
  let answer = APIResponse(status: status, headers: headers, body: body)
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
  if refusal.isHookRefusal || (refusal.status == 400 && refusal.isNewerSignIn) { return .refused(error) }
  if [400, 403].contains(refusal.status), refusal.isBan { return .banned(error.with(.userBanned)) }
  if refusal.isHook { return .transient(error, retryAfter: error.retryAfter) }
  return .misconfigured(error)
}

/// After an unreadable success, it is unknown whether the server rotated the token, so the same
/// token is retried.
private func classifySuccess(_ answer: APIResponse) -> RefreshOutcome {
  do {
    return .refreshed(try answer.session())
  } catch {
    return .transient(error, retryAfter: nil)
  }
}

extension Refusal {
  fileprivate var fatalReason: FatalReason? {
    if isOAuth { return serverCode == "invalid_grant" ? grantReason : nil }
    return serverCode.flatMap { FatalReason.named($0, message: serverMessage) }
  }

  /// Before v2.164, only the description distinguished the cases (`Invalid Refresh Token: Already
  /// Used`).
  private var grantReason: FatalReason? {
    guard let serverMessage else { return nil }
    if serverMessage.contains("Session Expired") { return .expired(serverMessage) }
    let reasons: [(String, FatalReason)] = [
      ("Already Used", .tokenAlreadyUsed), ("Not Found", .tokenNotFound), ("No Valid Session Found", .sessionNotFound),
    ]
    return reasons.first { serverMessage.contains($0.0) }?.1
  }

  fileprivate var isBan: Bool {
    serverCode == "user_banned"
      || (isOAuth && serverCode == "invalid_grant" && serverMessage?.contains("User Banned") == true)
  }

  /// True if a hook of the project failed (`hook_timeout` and others), with any 4xx status.
  fileprivate var isHook: Bool { serverCode?.hasPrefix("hook_") == true }
}

extension AuthError {
  /// Returns this error with the specific code that the old error shape does not carry.
  fileprivate func with(_ code: Code) -> AuthError {
    AuthError(
      code, RefusalMessages.message(for: code, reasons: []), status: status, serverCode: serverCode,
      serverMessage: serverMessage, retryAfter: retryAfter)
  }
}
