import Synchronization

extension Backend {
  /// `/api/v1/echo`, any method: what came in. Of `authorization` only whether it was there and the digest of its
  /// token.
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

  /// `/api/v1/guarded`, any method: an echo for a valid token, 401 as often as `refuseAPI(times:)` asked for.
  func guarded(_ request: Incoming) async throws -> Answer {
    if case .refused(let answer) = await apiUser(request) { return answer }
    let isRefused = state.withLock { state in
      guard state.apiRefusals > 0 else { return false }
      state.apiRefusals -= 1
      return true
    }
    return isRefused ? Self.apiError(401, "invalid_token", "refused by the sandbox's control") : echo(request)
  }

  /// `/api/v1/redirect?to=ADDRESS[&status=302]`.
  func redirect(_ request: Incoming) -> Answer {
    let status = request.parameter("status").flatMap { Int($0) } ?? 302
    guard let to = request.parameter("to"), (300...399).contains(status) else {
      return Self.apiError(400, "bad_request", "?to=ADDRESS is required, &status= is a 3xx")
    }
    return .redirect(status, to: to)
  }

  /// `/`: SITE_URL of the sandbox, where the browser ends when a `redirect_to` was not accepted.
  func frontPage(_ request: Incoming) -> Answer {
    let error = request.parameter("error_description") ?? request.parameter("error")
    let notice = error.map { "<p role=\"alert\">The sign-in failed: \(Text.html($0))</p>" } ?? ""
    let body = """
      \(notice)
      <p>This is the Site URL of a sandbox that plays Supabase Auth. A browser that ends here after a sign-in was sent
      with a <code>redirect_to</code> that the project does not accept, and the app never hears of it.</p>
      <p>The control API describes itself at <a href="/sandbox">/sandbox</a>.</p>
      """
    return Answer(html: HTMLPage(title: "Ritual sandbox", body: body).text)
  }
}
