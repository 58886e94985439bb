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

/// The providers that the sandbox plays.
public enum SandboxProvider: String, Sendable, Codable, CaseIterable {
  /// Answers the browser by a redirect.
  case google
  /// Answers the browser by a form that posts itself.
  case apple
}

/// What a request is for: the name by which faults are placed and requests are counted.
public struct SandboxEndpoint: RawRepresentable, Hashable, Sendable, Codable {
  /// The name in the control API, such as `token.refresh`.
  public let rawValue: String

  /// An endpoint by its name in the control API.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Every request, the control API apart.
  public static let any = SandboxEndpoint(rawValue: "any")
  /// `POST /signup`.
  public static let signUp = SandboxEndpoint(rawValue: "signup")
  /// `POST /token?grant_type=password`.
  public static let password = SandboxEndpoint(rawValue: "token.password")
  /// `POST /token?grant_type=refresh_token`.
  public static let refresh = SandboxEndpoint(rawValue: "token.refresh")
  /// `POST /token?grant_type=pkce`.
  public static let pkce = SandboxEndpoint(rawValue: "token.pkce")
  /// `POST /token?grant_type=id_token`.
  public static let idToken = SandboxEndpoint(rawValue: "token.id_token")
  /// `POST /token` with no grant that is known.
  public static let token = SandboxEndpoint(rawValue: "token")
  /// `GET` and `PUT /user`.
  public static let user = SandboxEndpoint(rawValue: "user")
  /// `POST /logout`.
  public static let logout = SandboxEndpoint(rawValue: "logout")
  /// `GET /authorize`.
  public static let authorize = SandboxEndpoint(rawValue: "authorize")
  /// `/callback`.
  public static let callback = SandboxEndpoint(rawValue: "callback")
  /// `/verify` and `/recover`.
  public static let verify = SandboxEndpoint(rawValue: "verify")
  /// `/user/identities/…`.
  public static let identities = SandboxEndpoint(rawValue: "identities")
  /// `/admin/…`.
  public static let admin = SandboxEndpoint(rawValue: "admin")
  /// `GET /settings`.
  public static let settings = SandboxEndpoint(rawValue: "settings")
  /// `GET /health`.
  public static let health = SandboxEndpoint(rawValue: "health")
  /// `GET /.well-known/jwks.json`.
  public static let jwks = SandboxEndpoint(rawValue: "jwks")
  /// The consent pages.
  public static let provider = SandboxEndpoint(rawValue: "provider")
  /// Everything under `/api/v1` and `/rest/v1`.
  public static let api = SandboxEndpoint(rawValue: "api")
  /// `/api/v1/profile`.
  public static let profile = SandboxEndpoint(rawValue: "api.profile")
  /// `/rest/v1/profiles`.
  public static let profiles = SandboxEndpoint(rawValue: "api.profiles")
  /// `/api/v1/echo`.
  public static let echo = SandboxEndpoint(rawValue: "api.echo")
  /// `/api/v1/guarded`.
  public static let guarded = SandboxEndpoint(rawValue: "api.guarded")
  /// `/api/v1/redirect`.
  public static let redirect = SandboxEndpoint(rawValue: "api.redirect")
  /// `/rest/v1/whoami`.
  public static let whoami = SandboxEndpoint(rawValue: "api.whoami")
  /// No such path, or the front page.
  public static let other = SandboxEndpoint(rawValue: "other")

  /// Whether a fault placed on `self` strikes a request for `endpoint`: itself, `any`, or the part before a dot.
  func covers(_ endpoint: SandboxEndpoint) -> Bool {
    self == .any || self == endpoint || endpoint.rawValue.hasPrefix(rawValue + ".")
  }

  /// Encoded as its name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// Decoded from its name.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }
}

/// What can go wrong with the sandbox itself. Equal by code.
public struct SandboxError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: Hashable, Sendable {
    private enum Kind { case cannotListen, unknownUser }

    private let kind: Kind
    /// The port is taken or refused.
    public static let cannotListen = Code(kind: .cannotListen)
    /// No user has that address.
    public static let unknownUser = Code(kind: .unknownUser)
  }

  /// The kind of failure.
  public let code: Code
  /// What happened and what to do about it.
  public let message: String
  /// What lies beneath, if anything.
  public let cause: (any Error)?

  /// The message.
  public var description: String { message }

  /// Compares the codes alone.
  public static func == (left: SandboxError, right: SandboxError) -> Bool { left.code == right.code }
}

/// What an identity token is to say. The defaults make one that is accepted.
public struct IDTokenRequest: Sendable, Codable {
  /// Who issues it.
  public var provider: SandboxProvider
  /// The address in it, nil for none.
  public var email: String?
  /// The provider's subject; nil takes the one of the provider's account with that address, or makes one up.
  public var subject: String?
  /// `email_verified`.
  public var emailVerified = true
  /// `name`, nil for none.
  public var name: String?
  /// `nonce` as it stands in the token: for Supabase the hexadecimal SHA-256 of the raw nonce.
  public var nonce: String?
  /// `aud`; nil takes a client id that the project accepts.
  public var audience: String?
  /// Seconds until `exp`, by the sandbox's clock; negative for an expired one.
  public var expiresIn = 3600
  /// Signs with a key that nobody knows.
  public var badSignature = false
  /// `iss`; nil takes the provider's own.
  public var issuer: String?

  /// An acceptable token for that address.
  public init(provider: SandboxProvider, email: String?) {
    (self.provider, self.email) = (provider, email)
  }
}
