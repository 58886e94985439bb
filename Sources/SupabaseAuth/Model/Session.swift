public import FoundationEssentials

/// A session as the server issued it, at sign-in or refresh. Prints redacted.
///
/// `provider_token` and `provider_refresh_token` are dropped on purpose: no part of the agent has a use for them, and
/// what is not kept cannot leak.
public struct Session: Sendable, Redacted {
  /// Printable ASCII, so it can go into a header.
  public let accessToken: BearerToken
  /// `bearer`.
  public let tokenType: String
  /// Life of the access token from its receipt, in seconds: the only base for expiry. 1 to 31 536 000.
  public let expiresIn: Int
  /// Unix seconds **by the server's clock**; tells skew, never expiry.
  public let expiresAt: Int?
  /// The token of the next refresh; the one that was sent is used up.
  public let refreshToken: RefreshToken
  /// Whose session it is.
  public let user: User
  /// Claim `iss` of the access token (RFC 7519, section 4.1.1), **not verified**; absent where the server sets none.
  public let issuer: String?
  /// Claim `session_id` of the access token, not verified; stable over refreshes.
  public let sessionID: String?
  /// The `Date` header of the answer, to tell skew.
  public let serverDate: Date?
  /// Why the server calls the password weak (`length`, `characters`, `pwned`); empty if it does not.
  public let weakPassword: [String]

  /// A session by its parts.
  public init(
    accessToken: BearerToken, tokenType: String = "bearer", expiresIn: Int, expiresAt: Int? = nil,
    refreshToken: RefreshToken, user: User, issuer: String? = nil, sessionID: String? = nil, serverDate: Date? = nil,
    weakPassword: [String] = []
  ) {
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.expiresIn = expiresIn
    self.expiresAt = expiresAt
    self.refreshToken = refreshToken
    self.user = user
    self.issuer = issuer
    self.sessionID = sessionID
    self.serverDate = serverDate
    self.weakPassword = weakPassword
  }
}
