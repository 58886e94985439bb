/// How the stand-in behaves. Every member can be changed while it runs; `PATCH /sandbox/settings` takes the same names.
public struct SandboxSettings: Codable, Sendable, Equatable {
  /// Life of an access token in seconds; 3600 as on hosted projects.
  public var tokenLifetime = 3600
  /// For how many seconds a refresh token may be reused after its rotation; 10 as on hosted projects.
  public var reuseInterval = 10.0
  /// Which rotation a new session speaks. Opaque sessions are upgraded at their next refresh when this is `v2`.
  public var refreshAlgorithm = RefreshAlgorithm.v1
  /// What signs access tokens. With `hs256` the key set is empty, as on the real server.
  public var jwtAlgorithm = JWTAlgorithmName.es256
  /// Whether a sign-up needs no confirmation by mail.
  public var autoconfirm = true
  /// Refuses new users of every kind with 422 `signup_disabled`.
  public var signupDisabled = false
  /// Whether e-mail and password are offered.
  public var emailEnabled = true
  /// Whether Google is offered.
  public var googleEnabled = true
  /// Whether Apple is offered.
  public var appleEnabled = true
  /// Whether `POST /signup` without an address makes an anonymous user.
  public var anonymousEnabled = false
  /// Whether identities can be linked and unlinked by hand; off as on a new project (404 `manual_linking_disabled`).
  public var manualLinking = false
  /// Shorter passwords are 422 `weak_password`.
  public var minimumPasswordLength = 6
  /// Seconds after which a session ends whatever it does, nil for never.
  public var sessionTimebox: Double?
  /// Seconds without a refresh after which a session ends, nil for never.
  public var inactivityTimeout: Double?
  /// Globs of accepted `redirect_to`: `*` stops at `.` and `/`, `**` does not.
  public var redirectAllowList = ["dailyritual://auth-callback**"]
  /// SITE_URL, nil for the sandbox's own front page.
  public var siteURL: String?
  /// Seconds added to the `Date` header.
  public var dateHeaderShift = 0
  /// Seconds added to `expires_at` (`exp` in the token stays).
  public var expiresAtShift = 0
  /// Exactly so many fraction digits (0 to 9) in timestamps; nil for up to nine, trailing zeros dropped.
  public var timestampDigits: Int?
  /// Requests to `/token` that an address may send at once before 429; nil for no limit. The real server has 30.
  public var rateLimitBurst: Int?
  /// Whether the gateway wants the anon key (header or query `apikey`).
  public var requiresAPIKey = true
  /// The clock stands still but for `advanceClock(by:)`.
  public var frozenClock = false
  /// Google's consent page answers at once with this account (an e-mail address); nil shows the page.
  public var autoConsentGoogle: String?
  /// Apple's consent page answers at once with this account (an e-mail address); nil shows the page.
  public var autoConsentApple: String?

  /// The defaults beside each member.
  public init() {}
}

/// How refresh tokens rotate.
public enum RefreshAlgorithm: String, Codable, Sendable, CaseIterable {
  /// Opaque rows of 12 characters: the parent of the active one may be reused, reuse of an older one revokes the
  /// family.
  case v1
  /// A signed counter of about 51 characters: reuse of more than the last one deletes the session.
  case v2
}

/// How access tokens are signed.
public enum JWTAlgorithmName: String, Codable, Sendable, CaseIterable {
  /// With a key of the published set.
  case es256 = "ES256"
  /// With the project's secret; nothing is published.
  case hs256 = "HS256"
}
