/// The settings of a sandbox. Every member can be changed at run time; `PATCH /sandbox/settings`
/// uses the same names.
public struct SandboxSettings: Codable, Sendable, Equatable {
  /// Lifetime of an access token in seconds; 3600 as on hosted projects.
  public var tokenLifetime = 3600
  /// Seconds for which a refresh token may be reused after its rotation; 10 as on hosted projects.
  public var reuseInterval = 10.0
  /// The rotation algorithm of new sessions. With `v2`, opaque sessions are upgraded at their next
  /// refresh.
  public var refreshAlgorithm = RefreshAlgorithm.v1
  /// The algorithm that signs access tokens. With `hs256` the key set is empty, as on the real
  /// server.
  public var jwtAlgorithm = JWTAlgorithmName.es256
  /// True if a sign-up needs no confirmation by email.
  public var autoconfirm = true
  /// Refuses new users of every kind with 422 `signup_disabled`.
  public var signupDisabled = false
  /// True if sign-in by email and password is enabled.
  public var emailEnabled = true
  /// True if Google is enabled.
  public var googleEnabled = true
  /// True if Apple is enabled.
  public var appleEnabled = true
  /// True if `POST /signup` without an address creates an anonymous user.
  public var anonymousEnabled = false
  /// True if identities can be linked and unlinked manually; false as on a new project (404
  /// `manual_linking_disabled`).
  public var manualLinking = false
  /// Minimum number of characters; shorter passwords fail with 422 `weak_password`.
  public var minimumPasswordLength = 6
  /// Maximum lifetime of a session in seconds; nil means no limit.
  public var sessionTimebox: Double?
  /// Maximum time without a refresh in seconds, after which a session ends; nil means no limit.
  public var inactivityTimeout: Double?
  /// Globs of accepted `redirect_to` URLs: `*` stops at `.` and `/`, `**` does not.
  public var redirectAllowList = ["dailyritual://auth-callback**"]
  /// SITE_URL; nil means the sandbox's own front page.
  public var siteURL: String?
  /// Seconds added to the `Date` header.
  public var dateHeaderShift = 0
  /// Seconds added to `expires_at`; the token's `exp` is unchanged.
  public var expiresAtShift = 0
  /// Number of fraction digits (0 to 9) in timestamps; nil means up to nine, without trailing
  /// zeros.
  public var timestampDigits: Int?
  /// Number of requests to `/token` that an address may send at once before 429; nil means no
  /// limit. The real server has 30.
  public var rateLimitBurst: Int?
  /// True if the gateway requires a key (header or query parameter `apikey`).
  public var requiresAPIKey = true
  /// True if only `advanceClock(by:)` moves the clock.
  public var frozenClock = false
  /// The account (an email address) with which Google's consent page answers at once; nil shows the
  /// page.
  public var autoConsentGoogle: String?
  /// The account (an email address) with which Apple's consent page answers at once; nil shows the
  /// page.
  public var autoConsentApple: String?

  /// Creates settings with the default of each member.
  public init() {}
}

/// The rotation algorithm of refresh tokens.
public enum RefreshAlgorithm: String, Codable, Sendable, CaseIterable {
  /// Opaque rows of 12 characters. The parent of the active token may be reused; reuse of an older
  /// token after the interval revokes the family.
  case v1
  /// A signed counter of about 51 characters. Reuse of a token older than the last one, after the
  /// interval, deletes the session.
  case v2
}

/// The algorithm that signs access tokens.
public enum JWTAlgorithmName: String, Codable, Sendable, CaseIterable {
  /// A key of the published set.
  case es256 = "ES256"
  /// The project's secret; no key is published.
  case hs256 = "HS256"
}

/// The providers that the sandbox imitates.
public enum SandboxProvider: String, Sendable, Codable, CaseIterable {
  /// Google, which answers with a redirect.
  case google
  /// Apple, which answers with a form that submits itself.
  case apple
}

/// The endpoint of a request: the name by which faults are placed and requests are counted.
public struct SandboxEndpoint: RawRepresentable, Hashable, Sendable, Codable {
  /// The name in the control API, such as `token.refresh`.
  public let rawValue: String

  /// Creates an endpoint from its name in the control API.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Every request, except those to the control API.
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
  /// `POST /token` with an unknown grant.
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
  /// Unknown paths, and the front page.
  public static let other = SandboxEndpoint(rawValue: "other")

  /// True if a fault placed on `self` applies to a request for `endpoint`: `self` is equal to it,
  /// is `any`, or is the part before a dot.
  func covers(_ endpoint: SandboxEndpoint) -> Bool {
    self == .any || self == endpoint || endpoint.rawValue.hasPrefix(rawValue + ".")
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// Decodes the name.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }
}

/// An error of the sandbox itself. Errors are equal if their codes are.
public struct SandboxError: Error, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: Hashable, Sendable {
    private enum Kind { case cannotListen, unknownUser }

    private let kind: Kind
    /// The port is in use or cannot be bound.
    public static let cannotListen = Code(kind: .cannotListen)
    /// No user has that email address.
    public static let unknownUser = Code(kind: .unknownUser)
  }

  /// The kind of failure.
  public let code: Code
  /// The failure and its remedy.
  public let message: String
  /// The underlying error, if any.
  public let cause: (any Error)?

  /// The message.
  public var description: String { message }

  /// True if the codes are equal.
  public static func == (left: SandboxError, right: SandboxError) -> Bool { left.code == right.code }
}

/// The content of an identity token. The defaults make a token that is accepted.
public struct IDTokenRequest: Sendable, Codable {
  /// The issuing provider.
  public var provider: SandboxProvider
  /// The email address; nil for none.
  public var email: String?
  /// The provider's subject; nil means that of the provider's account with that address, or a
  /// random one.
  public var subject: String?
  /// The `email_verified` claim.
  public var emailVerified = true
  /// The `name` claim; nil for none.
  public var name: String?
  /// The `nonce` claim as it appears in the token: for Supabase, the hexadecimal SHA-256 of the raw
  /// nonce.
  public var nonce: String?
  /// The `aud` claim; nil means a client ID that the project accepts.
  public var audience: String?
  /// Seconds until `exp`, by the sandbox's clock; negative for an expired token.
  public var expiresIn = 3600
  /// True to sign with an unknown key.
  public var badSignature = false
  /// The `iss` claim; nil means the provider's own issuer.
  public var issuer: String?

  /// Creates a request for a token that is accepted.
  public init(provider: SandboxProvider, email: String?) {
    (self.provider, self.email) = (provider, email)
  }
}
