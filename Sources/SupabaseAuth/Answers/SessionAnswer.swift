import FoundationEssentials

/// The members of a session answer that are read.
private struct SessionBody: Decodable {
  let accessToken: String?
  let tokenType: String?
  let expiresIn: Int?
  let expiresAt: Int?
  let refreshToken: String?
  let user: User?
  let reasons: [String]

  private enum CodingKeys: String, CodingKey {
    case user
    case accessToken = "access_token"
    case tokenType = "token_type"
    case expiresIn = "expires_in"
    case expiresAt = "expires_at"
    case refreshToken = "refresh_token"
    case weakPassword = "weak_password"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    accessToken = container.text(.accessToken)
    tokenType = container.text(.tokenType)
    expiresIn = container.integer(.expiresIn)
    expiresAt = container.integer(.expiresAt)
    refreshToken = container.text(.refreshToken)
    user = container.lenient(User.self, .user)
    reasons = container.lenient(WeakPassword.self, .weakPassword)?.known ?? []
  }
}

extension Answer {
  /// A year. Longer lives are cut: refreshing early is harmless, and sums of times cannot overflow.
  private static let longestLife = 31_536_000

  /// The session in a success.
  /// - Throws: `.unreadable` if a token is missing or has characters that a header cannot carry, if the life is missing or
  ///   not positive, or if it is nobody's session.
  func session() throws(AuthError) -> Session {
    guard status == 200, let body = json(SessionBody.self) else { throw unreadable("it is no session") }
    guard let accessToken = body.accessToken, accessToken.isPrintableASCII, let refreshToken = body.refreshToken,
      refreshToken.isPrintableASCII
    else { throw unreadable("a token is missing or malformed") }
    guard let expiresIn = body.expiresIn, expiresIn > 0 else { throw unreadable("its life is missing or not positive") }
    let claims = AccessTokenClaims(accessToken)
    guard let user = body.user ?? claims?.user else { throw unreadable("it names no user") }
    return Session(
      accessToken: BearerToken(accessToken), tokenType: body.tokenType ?? "bearer",
      expiresIn: min(expiresIn, Self.longestLife), expiresAt: body.expiresAt, refreshToken: RefreshToken(refreshToken),
      user: user, issuer: claims?.issuer, sessionID: claims?.sessionID, serverDate: date, weakPassword: body.reasons)
  }

  /// What sign-up came to: a session, or a bare user where a mail was sent (or would have been).
  func signUpOutcome() throws(AuthError) -> SignUpOutcome {
    if json(SessionBody.self)?.accessToken != nil { return .session(try session()) }
    guard status == 200, json(User.self) != nil else { throw unreadable("it is neither a session nor a user") }
    return .confirmationSent
  }

  /// A `Value` in a success.
  func value<Value: Decodable>(_ type: Value.Type) throws(AuthError) -> Value {
    guard let value = json(type) else { throw unreadable("it is not what was asked for") }
    return value
  }

  func unreadable(_ why: String) -> AuthError {
    AuthError(.unreadable, "the server's answer cannot be used: \(why)", status: status)
  }
}

/// What `POST /signup` came to.
public enum SignUpOutcome: Sendable {
  /// The project confirms by itself: signed in.
  case session(Session)
  /// A mail was sent, or the address is known already: the server does not tell the two apart, nor do we.
  case confirmationSent
}

/// Claims of an access token (RFC 7519), read **without verifying** it: the token came from the issuer over TLS, and with
/// HS256 nobody but the server could verify it. Good for names and bindings, never for a decision on trust.
struct AccessTokenClaims: Decodable {
  let issuer: String?
  let sessionID: String?
  let subject: String?
  let email: String?

  private enum CodingKeys: String, CodingKey {
    case issuer = "iss"
    case sessionID = "session_id"
    case subject = "sub"
    case email
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    issuer = container.text(.issuer)
    sessionID = container.text(.sessionID)
    subject = container.text(.subject)
    email = container.text(.email)
  }

  /// Nil if the token is no JWT in compact form (RFC 7515, section 3.1).
  init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Self.base64url(parts[1]),
      let claims = try? JSONDecoder().decode(AccessTokenClaims.self, from: payload)
    else { return nil }
    self = claims
  }

  /// The user that the claims describe, for an answer that leaves the user out.
  var user: User? {
    guard let subject, subject.isUserID else { return nil }
    return User(id: subject, email: email ?? "")
  }

  private static func base64url(_ text: Substring) -> Data? {
    var base64 = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    while base64.count % 4 != 0 { base64.append("=") }
    return Data(base64Encoded: String(base64))
  }
}
