import FoundationEssentials

/// The members read from a session response.
private struct SessionBody: Decodable {
  let accessToken: String?
  let expiresIn: Int?
  let refreshToken: String?
  let user: User?

  private enum CodingKeys: String, CodingKey {
    case user
    case accessToken = "access_token"
    case expiresIn = "expires_in"
    case refreshToken = "refresh_token"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    accessToken = container.text(.accessToken)
    expiresIn = container.integer(.expiresIn)
    refreshToken = container.text(.refreshToken)
    user = container.lenient(User.self, .user)
  }
}

extension APIResponse {
  /// One year, in seconds. A longer lifetime is capped: an early refresh is harmless, and time
  /// arithmetic cannot overflow.
  private static let maxLifetime = 31_536_000

  /// Returns the session of a successful response.
  /// - Throws: `.unreadable` if a token is missing or has characters that a header cannot carry, if
  ///   the lifetime is missing or not positive, or if no user is named.
  func session() throws(AuthError) -> Session {
    guard status == 200, let body = json(SessionBody.self) else { throw unreadable("it is not a session") }
    guard let accessToken = body.accessToken, accessToken.isPrintableASCII, let refreshToken = body.refreshToken,
      refreshToken.isPrintableASCII
    else { throw unreadable("a token is missing or malformed") }
    guard let expiresIn = body.expiresIn, expiresIn > 0 else { throw unreadable("its lifetime is missing or invalid") }
    let claims = AccessTokenClaims(accessToken)
    guard let user = body.user ?? claims?.user else { throw unreadable("it has no user") }
    let life = claims?.life.map { max(1, min(expiresIn, $0)) } ?? expiresIn
    return Session(
      accessToken: BearerToken(accessToken), expiresIn: min(life, Self.maxLifetime),
      refreshToken: RefreshToken(refreshToken), user: user, issuer: claims?.issuer, sessionID: claims?.sessionID,
      serverDate: date, assurance: claims?.assurance, isShortened: life < expiresIn)
  }

  /// Returns the result of a sign-up: a session, or a bare user where an email was sent (or would
  /// have been).
  /// - Throws: `.unreadable` if the response is neither.
  func signUpOutcome() throws(AuthError) -> SignUpOutcome {
    if json(SessionBody.self)?.accessToken != nil { return .session(try session()) }
    guard status == 200, json(User.self) != nil else { throw unreadable("it is neither a session nor a user") }
    return .confirmationSent
  }

  /// Returns the session of a verification, or nil if another code is required first: the answer is then a message.
  /// - Throws: `.unreadable` if the response is neither.
  func verification() throws(AuthError) -> Session? {
    if json(SessionBody.self)?.accessToken != nil { return try session() }
    guard status == 200, json(ErrorBody.self)?.message != nil else {
      throw unreadable("it is neither a session nor a message")
    }
    return nil
  }

  /// Returns the body of a successful response as a `Value`.
  /// - Throws: `.unreadable` if the body is not a `Value`.
  func value<Value: Decodable>(_ type: Value.Type) throws(AuthError) -> Value {
    guard let value = json(type) else { throw unreadable("it has an unexpected type") }
    return value
  }

  func unreadable(_ why: String) -> AuthError {
    AuthError(.unreadable, "invalid response from the server: \(why)", status: status)
  }
}

/// The result of `POST /signup`.
public enum SignUpOutcome: Sendable {
  /// The project confirms users automatically; the user is signed in.
  case session(Session)
  /// An email was sent, or the email address already has a user. The server does not distinguish
  /// the two.
  case confirmationSent
}

/// Claims of an access token (RFC 7519), read **without verification**: the token came from the
/// issuer over TLS, and with HS256 only the server can verify it. Use the claims for names and
/// bindings, never for a trust decision.
struct AccessTokenClaims: Decodable {
  let issuer: String?
  let sessionID: String?
  let subject: String?
  let email: String?
  let phone: String?
  let isAnonymous: Bool?
  /// `aal1` or `aal2`; nil for anything else.
  let assurance: String?
  /// `exp − iat`, in seconds; nil unless both are given.
  let life: Int?

  private enum CodingKeys: String, CodingKey {
    case issuer = "iss"
    case assurance = "aal"
    case issuedAt = "iat"
    case expires = "exp"
    case sessionID = "session_id"
    case subject = "sub"
    case email, phone
    case isAnonymous = "is_anonymous"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    issuer = container.text(.issuer)
    sessionID = container.text(.sessionID)
    subject = container.text(.subject)
    email = container.text(.email)
    phone = container.text(.phone)
    isAnonymous = container.lenient(Bool.self, .isAnonymous)
    assurance = container.text(.assurance).flatMap { ["aal1", "aal2"].contains($0) ? $0 : nil }
    if let issuedAt = container.integer(.issuedAt), let expires = container.integer(.expires) {
      let (life, overflow) = expires.subtractingReportingOverflow(issuedAt)
      self.life = overflow ? nil : life
    } else {
      life = nil
    }
  }

  /// Returns nil if the token is not a JWT in compact form (RFC 7515, section 3.1).
  init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Self.base64url(parts[1]),
      let claims = try? JSONDecoder().decode(AccessTokenClaims.self, from: payload)
    else { return nil }
    self = claims
  }

  /// The user that the claims describe, for a response without a user.
  var user: User? {
    guard let subject, subject.isUserID else { return nil }
    return User(id: subject, email: email ?? "", isAnonymous: isAnonymous ?? false, phone: phone ?? "")
  }

  private static func base64url(_ text: Substring) -> Data? {
    var base64 = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    while base64.count % 4 != 0 { base64.append("=") }
    return Data(base64Encoded: String(base64))
  }
}
