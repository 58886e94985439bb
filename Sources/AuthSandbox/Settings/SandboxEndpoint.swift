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
  /// `POST /otp` and `/magiclink`.
  public static let otp = SandboxEndpoint(rawValue: "otp")
  /// `POST /resend`.
  public static let resend = SandboxEndpoint(rawValue: "resend")
  /// `GET /reauthenticate`.
  public static let reauthenticate = SandboxEndpoint(rawValue: "reauthenticate")
  /// `POST /sso`.
  public static let sso = SandboxEndpoint(rawValue: "sso")
  /// `POST /sso/saml/acs`, where an identity provider sends the browser.
  public static let saml = SandboxEndpoint(rawValue: "saml")
  /// Everything under `/factors`.
  public static let factors = SandboxEndpoint(rawValue: "factors")
  /// `POST /factors`.
  public static let enroll = SandboxEndpoint(rawValue: "factors.enroll")
  /// `POST /factors/{id}/challenge`.
  public static let challenge = SandboxEndpoint(rawValue: "factors.challenge")
  /// `POST /factors/{id}/verify`.
  public static let verifyFactor = SandboxEndpoint(rawValue: "factors.verify")
  /// `DELETE /factors/{id}`.
  public static let removeFactor = SandboxEndpoint(rawValue: "factors.remove")
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
  /// The consent pages, and the pages of the identity providers for single sign-on.
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
  /// `/rest/v1/todos`.
  public static let todos = SandboxEndpoint(rawValue: "api.todos")
  /// `/functions/v1/…`.
  public static let functions = SandboxEndpoint(rawValue: "functions")
  /// `/graphql/v1`.
  public static let graphQL = SandboxEndpoint(rawValue: "graphql")
  /// Unknown paths, the front page, and the project's own sign-in page.
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
