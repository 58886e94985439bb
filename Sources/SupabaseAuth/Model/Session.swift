public import FoundationEssentials
public import SystemSupport

/// A session as issued by the server at sign-in or refresh. Prints redacted.
///
/// `provider_token` and `provider_refresh_token` are deliberately dropped: the agent does not use
/// them, and a value that is not kept cannot leak.
public struct Session: Sendable, Redacted {
  /// The access token: printable ASCII, so it can be sent in a header.
  public let accessToken: BearerToken
  /// The access token's lifetime from its receipt, in seconds, 1 to 31 536 000: the smaller of the
  /// response's and the token's own. The only basis for expiry.
  public let expiresIn: Int
  /// The token for the next refresh; the token that was sent is used up.
  public let refreshToken: RefreshToken
  /// The session's user.
  public let user: User
  /// Claim `iss` of the access token (RFC 7519, section 4.1.1), **not verified**; nil if the server
  /// sets none.
  public let issuer: String?
  /// Claim `session_id` of the access token, **not verified**; stable across refreshes.
  public let sessionID: String?
  /// The `Date` header of the response, to measure clock skew.
  public let serverDate: Date?
  /// Claim `aal` of the access token, **not verified**: `aal1`, or `aal2` after a second factor.
  public let assurance: String?
  /// True if `expiresIn` comes from the access token's own claims, because they allow less than the
  /// response says.
  public let isShortened: Bool

  public init(
    accessToken: BearerToken, expiresIn: Int, refreshToken: RefreshToken, user: User, issuer: String? = nil,
    sessionID: String? = nil, serverDate: Date? = nil, assurance: String? = nil, isShortened: Bool = false
  ) {
    self.accessToken = accessToken
    self.expiresIn = expiresIn
    self.refreshToken = refreshToken
    self.user = user
    self.issuer = issuer
    self.sessionID = sessionID
    self.serverDate = serverDate
    self.assurance = assurance
    self.isShortened = isShortened
  }
}

/// A refresh token. Its length depends on the server's algorithm (12 to about 62 characters); do
/// not rely on it.
public struct RefreshToken: Sendable, Hashable, Redacted {
  /// The token itself; the only access to the content.
  public let exposed: String
  public init(_ token: String) { exposed = token.outOfLine }
}

/// An access token, sent as `Authorization: Bearer` (RFC 6750, section 2.1).
public struct BearerToken: Sendable, Hashable, Redacted {
  /// The token itself; the only access to the content.
  public let exposed: String
  public init(_ token: String) { exposed = token.outOfLine }
}

/// A password on its way from the user to the server. Never stored.
public struct Password: Sendable, Hashable, Redacted {
  /// The password itself; the only access to the content.
  public let exposed: String
  public init(_ password: String) { exposed = password.outOfLine }
}

extension String {
  /// A copy of the string in heap storage, whatever its length.
  ///
  /// Swift keeps up to 15 bytes inside the value (a refresh token has 12, a password often fewer
  /// than 15). Each copy of such a value carries the text, also into task frames that live as long
  /// as the process and are never overwritten. Heap storage is overwritten when the last copy is
  /// released, by the agent's `free`.
  public var outOfLine: String {
    var copy = ""
    // Exceeds the inline capacity; a string never moves back inline.
    copy.reserveCapacity(Swift.max(utf8.count, 32))
    copy.append(self)
    return copy
  }
}

/// The sessions of the user that `POST /logout` ends.
public enum LogoutScope: String, Sendable, Hashable, Codable {
  /// The current session.
  case local
  /// All sessions, including those on other devices.
  case global
  /// All sessions but the current one.
  case others
}
