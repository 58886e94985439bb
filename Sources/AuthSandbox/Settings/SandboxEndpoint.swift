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
