/// The auth server: one function for each GoTrue call. Tests substitute their own implementation.
///
/// Nothing here retries, stores or logs; retries are the caller's decision. Every function may be
/// called from any task; a cancelled task cancels its request (`.cancelled`).
public protocol AuthServer: Sendable {
  /// `POST /signup`.
  func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome

  /// `POST /token?grant_type=password`.
  func signIn(email: String, password: Password) async throws(AuthError) -> Session

  /// `POST /otp`: has a code sent by email or text message.
  /// - Parameters:
  ///   - createUser: whether an unknown address creates a user.
  ///   - link: for an email, where the mailed link leads, and its PKCE challenge.
  /// - Throws: `.rateLimited` within the server's pause, with `retryAfter`; `.otpDisabled` for an
  ///   unknown address.
  func sendCode(to address: CodeAddress, createUser: Bool, link: PKCERedirect?) async throws(AuthError)

  /// `POST /verify`: exchanges a code or the token of a mailed link. Neither idempotent nor guarded
  /// against parallel use: send each code once.
  /// - Returns: nil if the server wants another code first (an address change that both addresses
  ///   confirm).
  /// - Throws: `.codeRefused` for a code that is wrong, used or expired.
  func verify(_ proof: CodeProof) async throws(AuthError) -> Session?

  /// `POST /signup` without an address: creates an anonymous user. Not idempotent.
  func signInAnonymously() async throws(AuthError) -> Session

  /// `POST /sso`: the https URL of the organization's identity provider.
  func ssoURL(domain: String, redirect: PKCERedirect) async throws(AuthError) -> String

  /// `POST /token?grant_type=pkce`. Not idempotent: the code is consumed by a success, even if the
  /// response is lost.
  func exchange(code: String, verifier: String) async throws(AuthError) -> Session

  /// `POST /token?grant_type=id_token`.
  /// - Parameter nonce: the raw nonce; the provider received its SHA-256 in hexadecimal.
  func signIn(provider: Provider, idToken: String, nonce: String?) async throws(AuthError) -> Session

  /// `POST /token?grant_type=refresh_token`. Never throws: the outcome states what the response
  /// means for the session. After any outcome but `refreshed`, it is unknown whether the server
  /// rotated the token, unless the outcome says otherwise.
  func refresh(_ token: RefreshToken) async -> RefreshOutcome

  /// `GET /user`: the session's user. A success proves that the session is alive.
  func user(_ token: BearerToken) async throws(AuthError) -> User

  /// `PUT /user`.
  func updateUser(_ token: BearerToken, _ changes: UserChanges) async throws(AuthError) -> User

  /// `POST /logout?scope=…`. GoTrue's own 401, 403 and 404 count as success, as in all clients: the
  /// session no longer exists.
  /// - Throws: `.gatewayRefused` or `.notFound` for a gateway's refusal, and `.badJWT` for an
  ///   access token that is too old to end its session, which may still be alive: refresh, then
  ///   retry.
  func logout(_ token: BearerToken, scope: LogoutScope) async throws(AuthError)

  /// `GET /user/identities/authorize`: the URL to open in the browser to link another identity.
  func linkURL(provider: Provider, scopes: String?, redirectTo: String, challenge: String, _ token: BearerToken)
    async throws(AuthError) -> String

  /// `DELETE /user/identities/{identity_id}`.
  /// - Parameter identity: `Identity.identityID`, not the provider's subject.
  func unlink(identity: String, _ token: BearerToken) async throws(AuthError)

  /// `POST /factors`: adds a second factor, which counts after its first verification.
  /// - Throws: `.insufficientAssurance` if the user has a verified factor and the session has only
  ///   `aal1`.
  func enroll(_ factor: FactorRequest, _ token: BearerToken) async throws(AuthError) -> EnrolledFactor

  /// `POST /factors/{id}/challenge`: for a phone factor, the server sends a code.
  func challenge(_ factor: String, isPhone: Bool, _ token: BearerToken) async throws(AuthError) -> FactorChallenge

  /// `POST /factors/{id}/verify`. **Rotates both tokens, and ends every session of the user without a
  /// second factor.** Neither idempotent nor guarded against parallel use: send it once, and never
  /// while a refresh is in flight.
  func verify(_ factor: String, challenge: String, code: FactorCode, _ token: BearerToken) async throws(AuthError)
    -> Session

  /// `DELETE /factors/{id}`.
  func removeFactor(_ factor: String, _ token: BearerToken) async throws(AuthError)

  /// `GET /settings`: the project's enabled features.
  func settings() async throws(AuthError) -> ProjectSettings

  /// Sends a request of the API client unchanged, except for a default `User-Agent` header.
  /// Redirects are not followed, and no status is an error.
  func send(_ request: APIRequest) async throws(AuthError) -> APIResponse
}
