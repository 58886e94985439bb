/// The auth server: one function for each GoTrue call. Tests substitute their own implementation.
///
/// Nothing here retries, stores or logs; retries are the caller's decision. Every function may be
/// called from any task; a cancelled task cancels its request (`.cancelled`).
public protocol AuthServer: Sendable {
  /// `POST /signup`.
  func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome

  /// `POST /token?grant_type=password`.
  func signIn(email: String, password: Password) async throws(AuthError) -> Session

  /// `POST /token?grant_type=pkce`. Not idempotent: the code is consumed by a success, even if the
  /// response is lost.
  func exchange(code: String, verifier: String) async throws(AuthError) -> Session

  /// `POST /token?grant_type=id_token`.
  /// - Parameters:
  ///   - nonce: the raw nonce; the provider received its SHA-256 in hexadecimal.
  ///   - accessToken: if given, the identity is linked to this user (`link_identity`) instead of
  ///     signing in.
  func signIn(provider: Provider, idToken: String, nonce: String?, accessToken: BearerToken?)
    async throws(AuthError) -> Session

  /// `POST /token?grant_type=refresh_token`. Never throws: the outcome states what the response
  /// means for the session. After any outcome but `refreshed`, it is unknown whether the server
  /// rotated the token, unless the outcome says otherwise.
  func refresh(_ token: RefreshToken) async -> RefreshOutcome

  /// `GET /user`: the session's user. A success proves that the session is alive.
  func user(_ token: BearerToken) async throws(AuthError) -> User

  /// `PUT /user`. A password change ends all other sessions of the user.
  func updateUser(_ token: BearerToken, _ changes: UserChanges) async throws(AuthError) -> User

  /// `POST /logout?scope=…`. GoTrue's own 401, 403 and 404 count as success, as in all clients: the
  /// session no longer exists.
  /// - Throws: `.gatewayRefused` or `.notFound` for a gateway's refusal, and `.badJWT` for an
  ///   access token that is too old to end its session, which may still be alive: refresh, then
  ///   retry.
  func logout(_ token: BearerToken, scope: LogoutScope) async throws(AuthError)

  /// `GET /user/identities/authorize`: the URL to open in the browser to link another identity.
  func linkURL(provider: Provider, redirectTo: String, challenge: String, _ token: BearerToken)
    async throws(AuthError) -> String

  /// `DELETE /user/identities/{identity_id}`.
  /// - Parameter identity: `Identity.identityID`, not the provider's subject.
  func unlink(identity: String, _ token: BearerToken) async throws(AuthError)

  /// `GET /settings`: the project's enabled features.
  func settings() async throws(AuthError) -> ProjectSettings

  /// `GET /health`. A success shows that GoTrue runs, not that its database does.
  func health() async throws(AuthError) -> ServerHealth

  /// `GET /.well-known/jwks.json`. Empty for a project that signs with HS256.
  func signingKeys() async throws(AuthError) -> [JWK]

  /// Sends a request of the API client unchanged, except for a default `User-Agent` header.
  /// Redirects are not followed, and no status is an error.
  func send(_ request: APIRequest) async throws(AuthError) -> APIResponse
}
