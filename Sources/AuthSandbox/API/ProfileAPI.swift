import Synchronization

/// The product's own API, as far as the agent speaks to it: it trusts the access token and nothing else.
extension Backend {
  /// `GET /api/v1/profile`.
  func readProfile(_ request: Incoming) async throws -> Answer {
    switch await apiUser(request) {
    case .refused(let answer): answer
    case .user(let user, _): Answer(json: .object(profile(of: user)))
    }
  }

  /// `PUT /api/v1/profile`: members are merged, null resets one; `id`, `email` and the times stay.
  func updateProfile(_ request: Incoming) async throws -> Answer {
    let user: UserRecord
    switch await apiUser(request) {
    case .refused(let answer): return answer
    case .user(let found, _): user = found
    }
    guard case .object(let changes)? = try? JSON(parsing: request.body) else {
      return Self.apiError(400, "bad_request", "the body is no JSON object")
    }
    if let flag = changes["onboarding_complete"], flag.bool == nil {
      return Self.apiError(422, "validation_failed", "onboarding_complete is true or false")
    }
    state.withLock { state in
      var own = state.profiles[user.id] ?? [:]
      let fixed: Set<String> = ["id", "email", "created_at", "updated_at"]
      for (name, value) in changes where !fixed.contains(name) { own[name] = value == .null ? nil : value }
      own["updated_at"] = .string(state.now.rfc3339())
      state.profiles[user.id] = own
    }
    return Answer(json: .object(profile(of: user)))
  }

  private func profile(of user: UserRecord) -> [String: JSON] {
    let own = state.withLock { $0.profiles[user.id] ?? [:] }
    let name = user.metadata["full_name"] ?? user.metadata["display_name"] ?? .null
    let created = JSON.string(user.createdAt.rfc3339())
    let base: [String: JSON] = [
      "id": .string(user.id), "email": .string(user.email), "display_name": name, "onboarding_complete": false,
      "created_at": created, "updated_at": created,
    ]
    return base.merging(own, uniquingKeysWith: { $1 })
  }

  /// `GET /rest/v1/whoami`: the claims, or PostgREST's refusal.
  func whoAmI(_ request: Incoming) async throws -> Answer {
    guard let token = request.bearer else {
      return Answer(
        status: 401, json: ["code": "42501", "details": .null, "hint": .null, "message": "permission denied"])
    }
    do {
      let claims = try await claims(ofAccessToken: token)
      return Answer(json: ["sub": claims["sub"] ?? .null, "role": claims["role"] ?? .null, "claims": claims])
    } catch {
      let isExpired = error.message.hasSuffix("token is expired")
      let words = isExpired ? "JWT expired" : "JWSError JWSInvalidSignature"
      let code: JSON = isExpired ? "PGRST303" : "PGRST301"
      var answer = Answer(
        status: 401, json: ["code": code, "details": .null, "hint": .null, "message": .string(words)])
      answer.headers.append(("www-authenticate", "Bearer error=\"invalid_token\", error_description=\"\(words)\""))
      return answer
    }
  }

  /// Who calls the API.
  enum APICaller: Sendable {
    case user(UserRecord, token: String)
    case refused(Answer)
  }

  /// An API knows tokens and users, not sessions: a signed-out token is good until it expires.
  func apiUser(_ request: Incoming) async -> APICaller {
    guard let token = request.bearer else {
      return .refused(Self.apiError(401, "unauthorized", "a bearer token is required"))
    }
    do {
      let claims = try await claims(ofAccessToken: token)
      if let id = claims["sub"]?.string, let user = state.withLock({ $0.users[id] }) {
        return .user(user, token: token)
      }
      return .refused(Self.apiError(401, "invalid_token", "the token names no user"))
    } catch {
      let isExpired = error.message.hasSuffix("token is expired")
      return .refused(
        Self.apiError(401, "invalid_token", isExpired ? "the token has expired" : "the token is not valid"))
    }
  }

  static func apiError(_ status: Int, _ code: String, _ message: String) -> Answer {
    var answer = Answer(
      status: status, json: ["error": ["code": .string(code), "message": .string(message)]])
    if status == 401 { answer.headers.append(("www-authenticate", "Bearer error=\"\(code)\"")) }
    return answer
  }
}
