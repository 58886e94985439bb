import Synchronization

/// The part of the product's own API that the agent calls. Requests are authorized by the access
/// token alone.
extension Backend {
  /// `GET /api/v1/profile`.
  func readProfile(_ request: Incoming) async throws -> Answer {
    switch await apiUser(request) {
    case .refused(let answer): answer
    case .user(let user, _): Answer(json: .object(profile(of: user)))
    }
  }

  /// `PUT /api/v1/profile`: merges members; null resets a member. `id`, `email`, `created_at` and
  /// `updated_at` cannot be set.
  func updateProfile(_ request: Incoming) async throws -> Answer {
    let user: UserRecord
    switch await apiUser(request) {
    case .refused(let answer): return answer
    case .user(let found, _): user = found
    }
    guard case .object(let changes)? = try? JSON(parsing: request.body) else {
      return Self.apiError(400, "bad_request", "the body is not a JSON object")
    }
    if let flag = changes["onboarding_complete"], flag.bool == nil {
      return Self.apiError(422, "validation_failed", "onboarding_complete must be true or false")
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

  /// `GET /rest/v1/whoami`: the token's claims, or PostgREST's 401 error.
  func whoAmI(_ request: Incoming) async throws -> Answer {
    guard let token = request.bearer else {
      return Answer(
        status: 401, json: ["code": "42501", "details": .null, "hint": .null, "message": "permission denied"])
    }
    do {
      let claims = try claims(ofAccessToken: token)
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

  /// The caller of an API request, or the response that refuses the request.
  enum APICaller: Sendable {
    case user(UserRecord, token: String)
    case refused(Answer)
  }

  /// Authenticates an API request. An API checks tokens and users, not sessions: the token of a
  /// signed-out session stays valid until it expires.
  func apiUser(_ request: Incoming) async -> APICaller {
    guard let token = request.bearer else {
      return .refused(Self.apiError(401, "unauthorized", "a bearer token is required"))
    }
    do {
      let claims = try claims(ofAccessToken: token)
      if let id = claims["sub"]?.string, let user = state.withLock({ $0.users[id] }) {
        return .user(user, token: token)
      }
      return .refused(Self.apiError(401, "invalid_token", "the token has no user ID (sub)"))
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

/// The `profiles` table as PostgREST serves it, with the usual row-level security policy: a user
/// can read and change only the row whose `id` is the user's own (PostgREST 12, "Tables and Views":
/// reading, updating, inserting, `Prefer: return=representation`).
extension Backend {
  private static let columns: Set<String> = ["id", "full_name", "email", "onboarding_complete"]

  /// `GET /rest/v1/profiles?id=eq.UUID`: an array, empty if no row matches or is visible.
  func readRows(_ request: Incoming) async throws -> Answer {
    switch await tableUser(request) {
    case .refused(let answer): answer
    case .user(let user, _): Answer(json: .array(rows(of: user, request)))
    }
  }

  /// `PATCH`: the changed rows, or 204 without `return=representation`.
  func changeRows(_ request: Incoming) async throws -> Answer {
    switch await tableUser(request) {
    case .refused(let answer): return answer
    case .user(let user, _):
      guard let changes = try? JSON(parsing: request.body).object else { return Self.badBody }
      if let refusal = Self.unknownColumn(in: changes) { return refusal }
      guard !rows(of: user, request).isEmpty else { return representation([], 200, request) }
      state.withLock { $0.rows[user.id]?.merge(changes) { $1 } }
      return representation(rows(of: user, request), 200, request)
    }
  }

  /// `POST`: inserts one row. 409 if the user already has a row, 403 for another user's `id`.
  func addRow(_ request: Incoming) async throws -> Answer {
    switch await tableUser(request) {
    case .refused(let answer): return answer
    case .user(let user, _):
      guard let row = try? JSON(parsing: request.body).object else { return Self.badBody }
      if let refusal = Self.unknownColumn(in: row) { return refusal }
      guard row["id"]?.string == user.id else {
        return Self.failure(403, "42501", "new row violates row-level security policy for table \"profiles\"")
      }
      let isNew = state.withLock { state in
        guard state.rows[user.id] == nil else { return false }
        let empty: [String: JSON] = ["full_name": .null, "email": .null, "onboarding_complete": .bool(false)]
        state.rows[user.id] = empty.merging(row) { $1 }
        return true
      }
      guard isNew else {
        return Self.failure(409, "23505", "duplicate key value violates unique constraint \"profiles_pkey\"")
      }
      return representation(rows(of: user, request), 201, request)
    }
  }

  private func rows(of user: UserRecord, _ request: Incoming) -> [JSON] {
    if let filter = request.parameter("id"), filter != "eq." + user.id { return [] }
    return state.withLock { $0.rows[user.id] }.map { [JSON.object($0)] } ?? []
  }

  private func representation(_ rows: [JSON], _ status: Int, _ request: Incoming) -> Answer {
    let wantsRows = request.header("prefer")?.contains("return=representation") == true
    return wantsRows ? Answer(status: status, json: .array(rows)) : Answer(status: status == 200 ? 204 : status)
  }

  /// Authenticates as `apiUser` does, but with PostgREST's errors.
  private func tableUser(_ request: Incoming) async -> APICaller {
    let caller = await apiUser(request)
    guard case .refused = caller else { return caller }
    return .refused(Self.failure(401, "PGRST301", "JWSError JWSInvalidSignature"))
  }

  private static let badBody = failure(400, "PGRST102", "Empty or invalid json")

  private static func unknownColumn(in members: [String: JSON]) -> Answer? {
    guard let name = members.keys.sorted().first(where: { !columns.contains($0) }) else { return nil }
    return failure(
      400, "PGRST204", "Could not find the '\(name)' column of 'profiles' in the schema cache")
  }

  private static func failure(_ status: Int, _ code: String, _ message: String) -> Answer {
    Answer(
      status: status, json: ["code": .string(code), "details": .null, "hint": .null, "message": .string(message)])
  }
}

extension Backend {
  /// `/api/v1/echo`, any method: echoes the request. For `authorization`, the response contains
  /// only its presence and the token's SHA-256.
  func echo(_ request: Incoming) -> Answer {
    var headers: [String: JSON] = [:]
    for header in request.headers where header.name.lowercased() != "authorization" {
      headers[header.name.lowercased()] = .string(header.value)
    }
    let body = String(validating: request.body, as: UTF8.self)
    return Answer(json: [
      "method": .string(request.method), "path": .string(request.path),
      "query": .array(request.query.map { [.string($0.name), .string($0.value)] }), "headers": .object(headers),
      "authorization": .string(request.header("authorization") == nil ? "absent" : "present"),
      "token_sha256": .optional(request.bearer.map(Text.sha256Hex)),
      "body": .optional(body ?? Text.base64URL(request.body)), "body_length": .int(request.body.count),
    ])
  }

  /// `/api/v1/guarded`, any method: an echo for a valid token, or 401 while refusals from
  /// `refuseAPI(times:)` remain.
  func guarded(_ request: Incoming) async throws -> Answer {
    if case .refused(let answer) = await apiUser(request) { return answer }
    let isRefused = state.withLock { state in
      guard state.apiRefusals > 0 else { return false }
      state.apiRefusals -= 1
      return true
    }
    guard isRefused else { return echo(request) }
    return Self.apiError(401, "invalid_token", "rejected on request of the sandbox's control API")
  }

  /// `/api/v1/redirect?to=URL[&status=302]`.
  func redirect(_ request: Incoming) -> Answer {
    let status = request.parameter("status").flatMap { Int($0) } ?? 302
    guard let to = request.parameter("to"), (300...399).contains(status) else {
      return Self.apiError(400, "bad_request", "?to=URL is required; &status= must be a 3xx status")
    }
    return .redirect(status, to: to)
  }

  /// `/`: the sandbox's SITE_URL, where the browser ends if a `redirect_to` is not accepted.
  func frontPage(_ request: Incoming) -> Answer {
    let error = request.parameter("error_description") ?? request.parameter("error")
    let notice = error.map { "<p role=\"alert\">The sign-in failed: \(Text.html($0))</p>" } ?? ""
    let body = """
      \(notice)
      <p>This is the Site URL of a sandbox that simulates Supabase Auth. If your browser is sent here after a sign-in,
      the project did not accept the <code>redirect_to</code> URL, and the app is not notified.</p>
      <p>The control API describes itself at <a href="/sandbox">/sandbox</a>.</p>
      """
    return Answer(html: HTMLPage(title: "Ritual sandbox", body: body).text)
  }

  /// `GET /sign-in-page`: the project's own sign-in page, with the sandbox's URL and key in place of
  /// those of the example page. Framing is forbidden, as a project must do.
  func signInPage() -> Answer {
    guard let html = settings.signInPage else {
      return Answer(
        status: 404,
        html: HTMLPage(title: "No sign-in page", body: "<p>Start the sandbox with --sign-in-page FILE.</p>").text)
    }
    let origin = state.withLock { $0.origin }
    let filled = html.replacing("https://PROJECT.supabase.co", with: origin).replacing(
      "\"KEY\"", with: "\"\(anonKey)\"")
    var answer = Answer(html: filled)
    answer.headers += [("content-security-policy", "frame-ancestors 'none'"), ("x-frame-options", "DENY")]
    return answer
  }
}
