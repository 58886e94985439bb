import Synchronization

/// An entry of the table: the handler of a method on a path.
struct Route: Sendable {
  typealias Handler = @Sendable (Backend, Incoming) async throws -> Answer

  var method: String
  /// Path segments; `*` matches any one segment, and a method `*` any method.
  var segments: [Substring]
  var endpoint: SandboxEndpoint
  var handler: Handler

  init(_ method: String, _ path: String, _ endpoint: SandboxEndpoint, _ handler: @escaping Handler) {
    (self.method, self.endpoint, self.handler) = (method, endpoint, handler)
    segments = Self.split(path)
  }

  static func split(_ path: String) -> [Substring] { path.split(separator: "/", omittingEmptySubsequences: true) }

  func matches(_ path: [Substring]) -> Bool {
    path.count == segments.count && zip(segments, path).allSatisfy { $0 == "*" || $0 == $1 }
  }
}

/// The result of a route lookup.
enum Routing: Sendable {
  case found(Route)
  /// The path is known, the method is not.
  case wrongMethod
  case unknown
}

/// The routes, and the lookup of a request's route.
struct RouteTable: Sendable {
  let routes: [Route]

  func find(_ request: Incoming) -> Routing {
    let path = Route.split(request.path)
    let candidates = routes.filter { $0.matches(path) }
    // HEAD is answered as GET, except by Supabase Auth, where it is 405: a scanner that looks at a link by HEAD does
    // not use it up.
    let isHead = request.method == "HEAD" && !request.path.hasPrefix("/auth/v1/")
    let method = isHead ? "GET" : request.method
    if let route = candidates.first(where: { $0.method == method || $0.method == "*" }) {
      return .found(route)
    }
    return candidates.isEmpty ? .unknown : .wrongMethod
  }

  /// The endpoint of a request. `/token` is one path and five endpoints.
  func endpoint(of request: Incoming, _ routing: Routing) -> SandboxEndpoint {
    guard case .found(let route) = routing else { return .other }
    guard route.endpoint == .token else { return route.endpoint }
    switch request.parameter("grant_type") {
    case "password": return .password
    case "refresh_token": return .refresh
    case "pkce": return .pkce
    case "id_token": return .idToken
    default: return .token
    }
  }
}

extension Backend {
  /// The body of a successful sign-in or refresh, with a newly signed access token.
  func sessionMembers(_ grant: Grant) async throws -> [String: JSON] {
    let (settings, now, origin, writer) = state.withLock { ($0.settings, $0.now, $0.origin, $0.writer) }
    let lifetime = state.withLock { $0.tokenLifetime(grant) }
    let claims: [String: JSON] = [
      "iss": .string(origin + "/auth/v1"), "sub": .string(grant.user.id), "aud": "authenticated",
      "exp": .int(now.unixSeconds + (settings.hookTokenLifetime ?? lifetime)), "iat": .int(now.unixSeconds),
      "email": .string(grant.user.email), "phone": .string(grant.user.phone), "app_metadata": grant.user.appMetadata,
      "user_metadata": .object(grant.user.metadata), "role": "authenticated",
      "aal": grant.session.isAAL2 ? "aal2" : "aal1", "amr": grant.session.amr,
      "session_id": .string(grant.session.id), "is_anonymous": .bool(grant.user.isAnonymous),
    ]
    let added = settings.hookClaims.mapValues(JSON.string)
    let token = try keys.sign(.object(claims.merging(added) { $1 }), with: settings.jwtAlgorithm)
    state.withLock { $0.accessTokens.note(token) }
    var members: [String: JSON] = [
      "access_token": .string(token), "token_type": "bearer", "expires_in": .int(lifetime),
      "expires_at": .int(now.unixSeconds + lifetime + settings.expiresAtShift),
      "refresh_token": .string(grant.refreshToken), "user": writer.user(grant.user),
    ]
    if let tokens = grant.providerTokens {
      members["provider_token"] = .string(tokens.token)
      members["provider_refresh_token"] = .string(tokens.refreshToken)
    }
    return members
  }

  /// The complete response, with the headers by which the real server identifies the session.
  func sessionAnswer(_ grant: Grant, adding extra: [String: JSON] = [:]) async throws -> Answer {
    var answer = Answer(json: .object(try await sessionMembers(grant).merging(extra, uniquingKeysWith: { $1 })))
    answer.headers += [
      ("sb-auth-user-id", grant.user.id), ("sb-auth-session-id", grant.session.id),
      ("sb-auth-refresh-token-prefix", String(grant.refreshToken.prefix(5))),
    ]
    answer.headers += grant.headers
    return answer
  }
}
