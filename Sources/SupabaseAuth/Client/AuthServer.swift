/// The auth server as the agent sees it: one function for each GoTrue call. A seam: tests put another in its place.
///
/// Nothing here retries, stores or logs; whether and when to try again is the caller's decision.
/// Every function may be called from any task; a cancelled task cancels its request (`.cancelled`).
public protocol AuthServer: Sendable {
  /// `POST /signup`.
  func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome

  /// `POST /token?grant_type=password`.
  func signIn(email: String, password: Password) async throws(AuthError) -> Session

  /// `POST /token?grant_type=pkce`. Not idempotent: the code is gone on success, and after a lost answer.
  func exchange(code: String, verifier: String) async throws(AuthError) -> Session

  /// `POST /token?grant_type=id_token`.
  /// - Parameters:
  ///   - nonce: the raw nonce; its SHA-256 in hex went to the provider.
  ///   - accessToken: if given, the identity is linked to this user (`link_identity`) instead of signing in.
  func signIn(provider: Provider, idToken: String, nonce: String?, accessToken: BearerToken?)
    async throws(AuthError) -> Session

  /// `POST /token?grant_type=refresh_token`. Never throws: what the answer means for the session is the outcome.
  /// After anything but `refreshed` it is unknown whether the server rotated, unless the outcome says otherwise.
  func refresh(_ token: RefreshToken) async -> RefreshOutcome

  /// `GET /user`: whose session this is, and whether it is alive.
  func user(_ token: BearerToken) async throws(AuthError) -> User

  /// `PUT /user`. A change of the password ends all other sessions of the user.
  func updateUser(_ token: BearerToken, _ changes: UserChanges) async throws(AuthError) -> User

  /// `POST /logout?scope=…`. GoTrue's own 401, 403 and 404 count as done, as in all clients: the session is gone. Thrown
  /// are a gateway's (`.gatewayRefused`, `.notFound`), and `.badJWT`: the access token is too old to end its session,
  /// which may live on; refresh, and try again.
  func logout(_ token: BearerToken, scope: LogoutScope) async throws(AuthError)

  /// `GET /user/identities/authorize`: the address to open in the browser to link another identity.
  func linkURL(provider: Provider, redirectTo: String, challenge: String, _ token: BearerToken)
    async throws(AuthError) -> String

  /// `DELETE /user/identities/{identity_id}`.
  /// - Parameter identity: `Identity.identityID`, not the provider's subject.
  func unlink(identity: String, _ token: BearerToken) async throws(AuthError)

  /// `GET /settings`: what the project has switched on.
  func settings() async throws(AuthError) -> ProjectSettings

  /// `GET /health`. Says that GoTrue runs, not that its database does.
  func health() async throws(AuthError) -> ServerHealth

  /// `GET /.well-known/jwks.json`. Empty for a project that signs with HS256.
  func signingKeys() async throws(AuthError) -> [JWK]

  /// Sends a request of the API client as it is. No redirect is followed, no status is an error, nothing is added but a
  /// `User-Agent` where there is none.
  func send(_ request: APIRequest) async throws(AuthError) -> APIResponse
}
