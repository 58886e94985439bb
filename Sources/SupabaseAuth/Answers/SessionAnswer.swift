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
