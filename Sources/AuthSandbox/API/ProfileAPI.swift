import Synchronization

/// The part of the product's own API that the agent calls. Requests are authorized by the access
/// token alone.
extension Backend {
  /// `GET /api/v1/profile`.
  func readProfile(_ request: Incoming) throws -> Answer {
    Answer(json: .object(profile(of: try apiUser(request))))
  }

  /// `PUT /api/v1/profile`: merges members; null resets a member. `id`, `email`, `created_at` and
  /// `updated_at` cannot be set.
  func updateProfile(_ request: Incoming) throws -> Answer {
    let user = try apiUser(request)
    guard case .object(let changes)? = try? JSON(parsing: request.body) else {
      throw Self.apiError(400, "bad_request", "the body is not a JSON object")
    }
    if let flag = changes["onboarding_complete"], flag.bool == nil {
      throw Self.apiError(422, "validation_failed", "onboarding_complete must be true or false")
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

  /// Authenticates an API request. An API checks tokens and users, not sessions: the token of a
  /// signed-out session stays valid until it expires.
  private func apiUser(_ request: Incoming) throws(Refusal) -> UserRecord {
    guard let token = request.bearer else { throw Self.apiError(401, "unauthorized", "a bearer token is required") }
    let claims: JSON
    do throws(APIError) {
      claims = try self.claims(ofAccessToken: token)
    } catch {
      let isExpired = error.message.hasSuffix("token is expired")
      throw Self.apiError(401, "invalid_token", isExpired ? "the token has expired" : "the token is not valid")
    }
    if let id = claims["sub"]?.string, let user = state.withLock({ $0.users[id] }) { return user }
    throw Self.apiError(401, "invalid_token", "the token has no user ID (sub)")
  }

  private static func apiError(_ status: Int, _ code: String, _ message: String) -> Refusal {
    var answer = Answer(
      status: status, json: ["error": ["code": .string(code), "message": .string(message)]])
    if status == 401 { answer.headers.append(("www-authenticate", "Bearer error=\"\(code)\"")) }
    return Refusal(answer: answer)
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

  /// `/api/v1/guarded`, any method: an echo for a valid token.
  func guarded(_ request: Incoming) throws -> Answer {
    _ = try apiUser(request)
    return echo(request)
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
