import Synchronization

/// The gateway in front of Supabase Auth: the check of `apikey`, and the rate limit.
extension Backend {
  /// Paths that browsers and readers of the key set request without `apikey`.
  private static let openPaths: Set<String> = [
    "/auth/v1/authorize", "/auth/v1/callback", "/auth/v1/verify", "/auth/v1/sso/saml/acs",
    "/auth/v1/.well-known/jwks.json", "/auth/v1/health",
  ]

  /// The services behind the gateway.
  private static let services = ["/auth/v1/", "/rest/v1/"]

  /// The gateway's error response, or nil if the request may pass.
  func gatewayRefusal(_ request: Incoming) -> Answer? {
    let isGuarded = Self.services.contains { request.path.hasPrefix($0) }
    let isOpen = Self.openPaths.contains(request.path) && (request.path != "/auth/v1/verify" || request.method == "GET")
    guard isGuarded, !isOpen, settings.requiresAPIKey else { return nil }
    let key = request.header("apikey") ?? request.parameter("apikey")
    if key == anonKey || key == serviceRoleKey { return nil }
    let (message, hint): (JSON, JSON) =
      key == nil
      ? ("No API key found in request", "No `apikey` request header or url param was found.")
      : ("Invalid API key", "Double check your Supabase `anon` or `service_role` API key.")
    return Answer(status: 401, json: ["message": message, "hint": hint])
  }

  /// Applies the rate limits: that of `/token`, and those of challenges and verifications.
  /// - Throws: 429 once the bucket of the client address is empty.
  func checkRate(_ request: Incoming) throws(APIError) {
    guard let limit = RateLimit(method: request.method, path: Route.split(request.path)) else { return }
    try commit { state throws(APIError) in
      guard let burst = state.settings.rateLimitBurst else { return }
      if !state.limiter.admit(state.address(of: request), limit, burst: burst, now: state.now) {
        throw APIError(429, "over_request_rate_limit", "Request rate limit reached")
      }
    }
  }
}

/// The user and the session of a bearer token.
struct Caller: Sendable {
  var userID: String
  var sessionID: String?
}

extension Backend {
  /// Claims of a token that is signed by this project and not expired.
  func claims(ofAccessToken token: String) throws(APIError) -> JSON {
    let claims = try keys.accessClaims(token)
    let isExpired = state.withLock { state in
      state.accessTokens.isExpired(token) || claims["exp"]?.number.map { Double(state.now.unixSeconds) >= $0 } ?? false
    }
    if isExpired { throw SigningKeys.bad("token has invalid claims: token is expired") }
    return claims
  }

  /// Authenticates the caller by the rules of Supabase Auth's Bearer endpoints.
  func caller(of request: Incoming) async throws(APIError) -> Caller {
    guard let token = request.bearer else {
      throw APIError(401, "no_authorization", "This endpoint requires a valid Bearer token")
    }
    let claims = try claims(ofAccessToken: token)
    guard let subject = claims["sub"]?.string, !subject.isEmpty else {
      throw APIError(403, "bad_jwt", "invalid claim: missing sub claim")
    }
    let session = claims["session_id"]?.string
    return try commit { state throws(APIError) in
      let user = try state.liveUser(subject)
      if let session, state.sessions[session] == nil {
        throw APIError(403, "session_not_found", "Session from session_id claim in JWT does not exist")
      }
      if user.isBanned(at: state.now) { throw APIError(403, "user_banned", "User is banned") }
      return Caller(userID: user.id, sessionID: session)
    }
  }
}

/// The state that the endpoints share: tables, keys, faults and journal. No lock is held across an
/// `await`.
final class Backend: Sendable {
  let state: Mutex<SandboxState>
  let faults = Mutex(FaultQueue())
  let journal = Mutex(RequestJournal())
  let hangs = HangGate()
  let keys: SigningKeys
  /// The project's public key, a JWT with role `anon`, as on hosted projects.
  let anonKey: String
  /// The service role key, which has full access.
  let serviceRoleKey: String

  init(settings: SandboxSettings) async throws {
    keys = SigningKeys()
    // Both keys outlive any test; hosted keys are valid for ten years as well.
    let times: [String: JSON] = ["iss": "supabase", "ref": "sandbox", "iat": 1_700_000_000, "exp": 4_800_000_000]
    func key(_ role: JSON) -> JSON { .object(times.merging(["role": role], uniquingKeysWith: { $1 })) }
    anonKey = try keys.sign(key("anon"), with: .hs256)
    serviceRoleKey = try keys.sign(key("service_role"), with: .hs256)
    state = Mutex(SandboxState(settings: settings))
  }

  /// Runs one step on the tables, with typed errors. The changes of a step that throws stay, unless a
  /// hook refused it.
  func commit<Result: Sendable>(
    _ step: @Sendable (inout SandboxState) throws(APIError) -> Result
  ) throws(APIError) -> Result {
    let outcome: Swift.Result<Result, APIError> = state.withLock { state in
      let before = state.settings.accessTokenHook == .off ? nil : state
      do throws(APIError) {
        return .success(try step(&state))
      } catch {
        if error.isByHook, let before { state = before }
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  var settings: SandboxSettings { state.withLock { $0.settings } }
  var now: Moment { state.withLock { $0.now } }
}
