public import FoundationEssentials
public import SystemSupport

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

/// A refresh token. Its length varies with the server's algorithm (12 to about 62 characters): rely on none.
public struct RefreshToken: Sendable, Hashable, Redacted {
  /// The token itself: the one way out.
  public let exposed: String
  /// Wraps a token.
  public init(_ token: String) { exposed = token.outOfLine }
}

/// An access token, sent as `Authorization: Bearer` (RFC 6750, section 2.1).
public struct BearerToken: Sendable, Hashable, Redacted {
  /// The token itself: the one way out.
  public let exposed: String
  /// Wraps a token.
  public init(_ token: String) { exposed = token.outOfLine }
}

/// A password on its way from the user to the server. Never stored.
public struct Password: Sendable, Hashable, Redacted {
  /// The password itself: the one way out.
  public let exposed: String
  /// Wraps a password.
  public init(_ password: String) { exposed = password.outOfLine }
}

extension String {
  /// The same text in memory of its own, whatever its length.
  ///
  /// Swift keeps up to 15 bytes inside the value (a refresh token has 12, a password often fewer than 15), so each copy of the value
  /// carries the text along, into frames of tasks that live as long as the process, where nothing overwrites it. Text in
  /// memory of its own is overwritten when the last copy goes, as the agent's `free` does that.
  public var outOfLine: String {
    var copy = ""
    // Beyond what fits inside; a string never moves back.
    copy.reserveCapacity(Swift.max(utf8.count, 32))
    copy.append(self)
    return copy
  }
}

/// Which sessions of the user `POST /logout` ends.
public enum LogoutScope: String, Sendable, Hashable, Codable {
  /// This one.
  case local
  /// All, also those of other devices.
  case global
  /// All but this one.
  case others
}
