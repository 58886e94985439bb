/// The endpoint of a request: the name by which faults are placed and requests are counted.
public enum SandboxEndpoint: String, Sendable, Codable, CaseIterable {
  /// Every request, except those to the control API.
  case any
  /// `POST /signup`.
  case signUp = "signup"
  /// `POST /token?grant_type=password`.
  case password = "token.password"
  /// `POST /token?grant_type=refresh_token`.
  case refresh = "token.refresh"
  /// `POST /token?grant_type=pkce`.
  case pkce = "token.pkce"
  /// `POST /token?grant_type=id_token`.
  case idToken = "token.id_token"
  /// `POST /token` with an unknown grant.
  case token
  /// `GET` and `PUT /user`.
  case user
  /// `POST /logout`.
  case logout
  /// `GET /authorize`.
  case authorize
  /// `/callback`.
  case callback
  /// `/verify` and `/recover`.
  case verify
  /// `POST /otp` and `/magiclink`.
  case otp
  /// `POST /resend`.
  case resend
  /// `GET /reauthenticate`.
  case reauthenticate
  /// `POST /sso`.
  case sso
  /// `POST /sso/saml/acs`, where an identity provider sends the browser.
  case saml
  /// Everything under `/factors`.
  case factors
  /// `POST /factors`.
  case enroll = "factors.enroll"
  /// `POST /factors/{id}/challenge`.
  case challenge = "factors.challenge"
  /// `POST /factors/{id}/verify`.
  case verifyFactor = "factors.verify"
  /// `DELETE /factors/{id}`.
  case removeFactor = "factors.remove"
  /// `/user/identities/…`.
  case identities
  /// `/admin/…`.
  case admin
  /// `GET /settings`.
  case settings
  /// `GET /health`.
  case health
  /// `GET /.well-known/jwks.json`.
  case jwks
  /// The consent pages, and the pages of the identity providers for single sign-on.
  case provider
  /// Everything under `/api/v1` and `/rest/v1`.
  case api
  /// `/api/v1/profile`.
  case profile = "api.profile"
  /// `/rest/v1/profiles`.
  case profiles = "api.profiles"
  /// `/api/v1/echo`.
  case echo = "api.echo"
  /// `/api/v1/guarded`.
  case guarded = "api.guarded"
  /// `/rest/v1/whoami`.
  case whoami = "api.whoami"
  /// `/rest/v1/todos`.
  case todos = "api.todos"
  /// Unknown paths, the front page, and the project's own sign-in page.
  case other

  /// True if a fault placed on `self` applies to a request for `endpoint`: `self` is equal to it,
  /// is `any`, or is the part before a dot.
  func covers(_ endpoint: SandboxEndpoint) -> Bool {
    self == .any || self == endpoint || endpoint.rawValue.hasPrefix(rawValue + ".")
  }
}
