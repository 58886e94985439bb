import FoundationEssentials

/// The body of an error response, in any of GoTrue's shapes: new (`code` is a string, `message`),
/// old (`code` is a number, `error_code`, `msg`), OAuth (`error`, `error_description`), or a
/// Postgres exception (`code` is a SQLSTATE). A gateway's body has no code.
struct ErrorBody: Decodable {
  let code: String?
  let message: String?
  /// `weak_password.reasons`.
  let reasons: [String]
  /// True for the shape of RFC 6749, section 5.2.
  let isOAuth: Bool

  private enum CodingKeys: String, CodingKey {
    case code, error, message, msg
    case errorCode = "error_code"
    case errorDescription = "error_description"
    case weakPassword = "weak_password"
  }

  private struct WeakPassword: Decodable {
    let reasons: [Lenient<String>]
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let named = container.text(.code) ?? container.text(.errorCode)
    let oauth = container.text(.error)
    code = named ?? oauth
    isOAuth = named == nil && oauth != nil
    message =
      container.text(.msg) ?? container.text(.message) ?? container.text(.errorDescription) ?? container.text(.error)
    reasons = container.lenient(WeakPassword.self, .weakPassword)?.reasons.compactMap(\.value) ?? []
  }
}

/// A decoded error response. The status takes precedence; the body counts only where it can be
/// trusted.
struct Refusal {
  let status: Int
  /// The server's own code, from the body, else from the `x-sb-error-code` header.
  let serverCode: String?
  let serverMessage: String?
  let reasons: [String]
  let isOAuth: Bool
  let retryAfter: Duration?
  /// True if the body is a page for a browser, which no Supabase server sends.
  private let isPage: Bool

  /// The maximum length of a server message, in characters.
  private static let maxMessageLength = 200

  init(_ answer: APIResponse, now: Date) {
    status = answer.status
    let body = answer.json(ErrorBody.self)
    serverCode = (body?.code ?? answer.header("x-sb-error-code"))?.asServerCode
    serverMessage = body?.message.map { String($0.prefix(Self.maxMessageLength)) }
    reasons = body?.reasons ?? []
    isOAuth = body?.isOAuth ?? false
    isPage = answer.header("content-type")?.lowercased().hasPrefix("text/html") ?? false
    retryAfter = answer.retryAfter(now: now) ?? Self.pause(serverCode, serverMessage)
  }

  /// Returns the pause between two codes for one address. The server states it only in its text: "… you can only
  /// request this after 59 seconds." The number may be 0.
  private static func pause(_ code: String?, _ message: String?) -> Duration? {
    guard ["over_email_send_rate_limit", "over_sms_send_rate_limit"].contains(code), let message,
      let start = message.firstRange(of: "after ")?.upperBound
    else { return nil }
    let rest = message[start...]
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard rest[digits.endIndex...].hasPrefix(" second"), let seconds = Int(digits) else { return nil }
    return .seconds(min(max(seconds, 1), 86_400))
  }

  var error: AuthError {
    let code = errorCode
    return AuthError(
      code, RefusalMessages.message(for: code, reasons: reasons), status: status, serverCode: serverCode,
      serverMessage: serverMessage, retryAfter: retryAfter)
  }

  /// A status that decides on its own comes first: the body of a 5xx is not reliable enough to
  /// branch on.
  private var errorCode: AuthError.Code {
    switch status {
    case 300...399: .gatewayRefused
    case 408: .timeout
    case 413: .tooLarge
    case 429: .rateLimited
    case 540: .projectPaused
    case 500...599: .serverUnavailable
    default: serverCode.map(named) ?? unnamed
    }
  }

  private func named(_ serverCode: String) -> AuthError.Code {
    if isNewerSignIn { return .newerSignIn }
    // With 401 the token was rejected; with 403 the user is anonymous, and the token is good.
    if serverCode == "no_authorization", status == 403 { return .server(serverCode) }
    return RefusalMessages.codes[serverCode] ?? .server(serverCode)
  }

  /// The part of the message that distinguishes this cause of `session_expired`.
  static let newerSignIn = "Revoked by Newer Login"

  /// True if the project allows one session for each user and a newer one exists. Before v2.164, the
  /// code was `invalid_grant`.
  var isNewerSignIn: Bool {
    ["session_expired", "invalid_grant"].contains(serverCode) && serverMessage?.contains(Self.newerSignIn) == true
  }

  /// True if a hook of the project refused the request; the status is the hook's own.
  var isHookRefusal: Bool { serverCode == "unknown" }

  /// True if the project has disabled the kind of key that was sent. The platform's gateway has no code for it.
  private var isOfLegacyKey: Bool { serverMessage?.hasPrefix("Legacy API keys are disabled") == true }

  private var unnamed: AuthError.Code {
    switch status {
    case 401, 403: isPage ? .gateRefused : isOfLegacyKey ? .legacyKeyDisabled : .gatewayRefused
    case 404, 405: .notFound
    case 409: .conflict
    default: .unexpected
    }
  }
}

/// The mapping of GoTrue's codes to `AuthError.Code`, and the message for each code.
enum RefusalMessages {
  static let codes: [String: AuthError.Code] = [
    "bad_code_verifier": .badCodeVerifier,
    "anonymous_provider_disabled": .anonymousDisabled,
    "bad_jwt": .badJWT,
    "captcha_failed": .captchaRequired,
    "conflict": .conflict,
    "email_address_invalid": .invalidEmail,
    "email_address_not_authorized": .emailNotAuthorized,
    "email_conflict_identity_not_deletable": .emailConflict,
    "email_exists": .userExists,
    "email_not_confirmed": .emailNotConfirmed,
    "email_provider_disabled": .providerDisabled,
    "flow_state_expired": .flowStateExpired,
    "flow_state_not_found": .flowStateNotFound,
    "identity_already_exists": .identityAlreadyExists,
    "identity_not_found": .identityNotFound,
    "insufficient_aal": .insufficientAssurance,
    "invalid nonce": .idTokenRefused,
    "invalid request": .idTokenRefused,
    "invalid_credentials": .invalidCredentials,
    "manual_linking_disabled": .manualLinkingDisabled,
    "no_authorization": .badJWT,
    "over_email_send_rate_limit": .rateLimited,
    "otp_disabled": .otpDisabled,
    "otp_expired": .codeRefused,
    "over_request_rate_limit": .rateLimited,
    "over_sms_send_rate_limit": .rateLimited,
    "phone_exists": .userExists,
    "phone_not_confirmed": .emailNotConfirmed,
    "phone_provider_disabled": .providerDisabled,
    "provider_disabled": .providerDisabled,
    "provider_email_needs_verification": .providerEmailUnverified,
    "saml_provider_disabled": .ssoDisabled,
    "refresh_token_already_used": .refreshTokenAlreadyUsed,
    "refresh_token_not_found": .refreshTokenNotFound,
    "same_password": .samePassword,
    "session_expired": .sessionExpired,
    "session_not_found": .sessionNotFound,
    "signup_disabled": .signupDisabled,
    "single_identity_not_deletable": .lastIdentity,
    "sms_send_failed": .messageNotSent,
    "sso_provider_disabled": .ssoDisabled,
    "sso_provider_not_found": .ssoNotFound,
    "unknown": .hookRefused,
    "user_already_exists": .userExists,
    "user_banned": .userBanned,
    "user_not_found": .userNotFound,
    "user_sso_managed": .ssoManaged,
    "validation_failed": .validationFailed,
    "weak_password": .weakPassword,
  ]

  static func message(for code: AuthError.Code, reasons: [String]) -> String {
    if code == .weakPassword { return weakPassword(reasons) }
    return messages[code] ?? "the server rejected the request"
  }

  private static let messages: [AuthError.Code: String] = [
    .anonymousDisabled: "the project has disabled anonymous users",
    .badCodeVerifier: "the PKCE code verifier does not match; start the sign-in again",
    .badJWT: "the access token was rejected; refresh it",
    .captchaRequired: "the project requires a CAPTCHA, which cannot be shown here",
    .codeRefused: "the code or link is wrong, was already used, or has expired; request a new one",
    .conflict: "another request for this session is running; try again",
    .emailConflict: "unlinking would leave an email address that belongs to another user",
    .emailNotAuthorized: "the project does not send email to this address",
    .emailNotConfirmed: "the email address is not confirmed; open the link in the email first",
    .flowStateExpired: "the sign-in timed out; start it again",
    .flowStateNotFound: "the sign-in is unknown or already completed; start it again",
    .gateRefused: "a gate in front of the server refused the request; see headers_file in the configuration",
    .gatewayRefused: "a gateway rejected the request; check the project URL and anon key",
    .hookRefused: "a hook of the project refused the request; contact the project's owner",
    .idTokenRefused: "the provider's identity token was rejected; get a new one",
    .identityAlreadyExists: "this identity belongs to another user",
    .identityNotFound: "the user has no such identity",
    .insufficientAssurance: "the second factor is needed; verify it first",
    .invalidCredentials: "wrong email address or password",
    .invalidEmail: "the email address is not valid",
    .legacyKeyDisabled: "the project has disabled legacy API keys; replace anon_key with its publishable key",
    .lastIdentity: "the last identity cannot be unlinked; link another first",
    .manualLinkingDisabled: "the project does not allow manual linking; enable it in the dashboard",
    .messageNotSent: "the project could not send the text message",
    .newerSignIn: "a newer sign-in of the user is active; sign it out, or sign in again",
    .notFound: "not found; check the project URL",
    .otpDisabled: "no account with this address, or it uses single sign-on",
    .projectPaused: "the project is paused; restore it in the dashboard",
    .providerEmailUnverified: "the provider has not verified the email address",
    .providerDisabled: "this sign-in method is disabled for the project",
    .rateLimited: "too many requests; try again later",
    .refreshTokenAlreadyUsed: "the session was revoked because its refresh token was reused; sign in again",
    .refreshTokenNotFound: "the session ended elsewhere; sign in again",
    .samePassword: "the new password must differ from the old one",
    .serverUnavailable: "auth server error; try again later",
    .sessionExpired: "the session reached a limit of the project; sign in again",
    .sessionNotFound: "the session no longer exists; sign in again",
    .signupDisabled: "sign-ups are disabled for the project",
    .ssoDisabled: "single sign-on is disabled for the project",
    .ssoManaged: "the user's organization manages this user",
    .ssoNotFound: "no single sign-on is registered for this domain",
    .timeout: "the server timed out; try again",
    .tooLarge: "the server rejected the request as too large",
    .userBanned: "the user is banned; contact the project's administrator",
    .userExists: "a user with this email address already exists; sign in instead",
    .userNotFound: "the user no longer exists; sign in again",
    .validationFailed: "the server rejected the request as malformed",
  ]

  /// Repeats only known reasons, so that the message contains no text from the server.
  private static func weakPassword(_ reasons: [String]) -> String {
    let words = ["length": "too short", "characters": "too few character types", "pwned": "found in a data breach"]
    let known = reasons.compactMap { words[$0] }
    let rule = "the password does not meet the project's rule"
    return rule + (known.isEmpty ? "; choose a longer one" : ": " + known.joined(separator: ", "))
  }
}
