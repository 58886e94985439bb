import Synchronization

extension Backend {
  /// `GET /authorize`: starts a flow and redirects the browser to the provider.
  func authorize(_ request: Incoming) throws -> Answer {
    .redirect(302, to: try startFlow(request, linkingUser: nil))
  }

  /// `GET /user/identities/authorize`: starts a flow that links another identity to the calling
  /// user.
  func authorizeLink(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    guard settings.manualLinking else { throw ManualLinking.disabled }
    let url = try startFlow(request, linkingUser: caller.userID)
    let wantsURL = request.parameter("skip_http_redirect") == "true"
    return wantsURL ? Answer(json: ["url": .string(url)]) : .redirect(302, to: url)
  }

  /// Creates a flow and returns the provider's URL for it.
  private func startFlow(_ request: Incoming, linkingUser: String?) throws(APIError) -> String {
    let provider = (request.parameter("provider") ?? "").lowercased()
    let challenge = request.parameter("code_challenge") ?? ""
    let method = request.parameter("code_challenge_method") ?? ""
    return try commit { state throws(APIError) in
      try KnownProviders.check(provider, state.settings)
      let flow = Flow(
        provider: provider, redirectTo: state.resolveRedirect(request.parameter("redirect_to")),
        challenge: try Challenge.parse(challenge, method: method), linkingUser: linkingUser, createdAt: state.now)
      state.flows[flow.state] = flow
      let query = ProviderQuery(origin: state.origin, provider: provider, state: flow.state, request: request)
      return "\(state.origin)/provider/\(provider)/authorize?\(query.text)"
    }
  }
}

/// The query of the redirect to the provider: the server's own parameters and those of the client.
private struct ProviderQuery {
  var origin: String
  var provider: String
  var state: String
  var request: Incoming

  /// The only parameters of the client that are not forwarded.
  private static let consumed: Set<String> = ["provider", "scopes", "code_challenge", "code_challenge_method"]

  var text: String {
    var pairs = own
    // Recorded: every other parameter of the client is forwarded and replaces the server's own, even
    // `state`. Apple receives none of them.
    if provider != "apple" {
      let foreign = request.query.filter { !Self.consumed.contains($0.name) }
      let names = Set(foreign.map(\.name))
      pairs = pairs.filter { !names.contains($0.name) } + foreign
    }
    return FormCoding.encode(pairs.sorted { $0.name < $1.name })
  }

  private var own: [(name: String, value: String)] {
    var pairs = [
      (name: "client_id", value: ProviderFacts.audiences(of: provider)[0]),
      ("redirect_uri", origin + "/auth/v1/callback"), ("response_type", "code"), ("scope", scope), ("state", state),
    ]
    if provider == "apple" { pairs.append(("response_mode", "form_post")) }
    if KnownProviders.addsChallenge(provider) {
      pairs += [("code_challenge", Text.random(43)), ("code_challenge_method", "S256")]
    }
    return pairs
  }

  /// The client's scopes replace those of a custom provider and are added to those of the others.
  private var scope: String {
    let own = KnownProviders.ownScopes(of: provider).joined(separator: " ")
    guard provider != "apple", let wanted = request.parameter("scopes"), !wanted.isEmpty else { return own }
    return KnownProviders.isCustom(provider) ? wanted : own + " " + wanted.replacing(",", with: " ")
  }
}

extension Backend {
  /// `/callback`, where the provider sends the browser: by GET from Google, by a form POST from
  /// Apple.
  func callback(_ fields: [(name: String, value: String)]) async throws -> Answer {
    @Sendable func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    let flow: Flow
    do throws(APIError) {
      flow = try commit { state throws(APIError) in try state.consumeState(field("state")) }
    } catch {
      // Without a flow, the client's redirect URL is unknown: the browser ends at SITE_URL, and the
      // client is not informed.
      let site = state.withLock { $0.siteURL }
      return .redirect(303, to: site.addingQuery(RedirectFailure(error).pairs))
    }
    if !field("error").isEmpty {
      let failure = RedirectFailure(error: field("error"), description: field("error_description"))
      return .redirect(303, to: failure.location(flow.redirectTo))
    }
    do {
      let name = Self.firstTimeName(field("user"))
      try commit { state throws(APIError) in try state.complete(flow, code: field("code"), firstTimeName: name) }
      return try await finish(flow.state)
    } catch let error as APIError {
      return .redirect(303, to: RedirectFailure(error).location(flow.redirectTo))
    }
  }

  /// Redirects to the client with a code, or with the tokens in the fragment if no challenge was
  /// sent.
  private func finish(_ flowState: String) async throws -> Answer {
    let finished = try commit { state throws(APIError) in
      guard let flow = state.flows[flowState], let userID = flow.userID else {
        throw APIError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
      }
      guard flow.challenge == nil else { return (flow, nil as Grant?) }
      var grant = try state.beginSession(userID: userID, method: "oauth", userAgent: nil)
      grant.providerTokens = flow.providerTokens
      return (flow, grant)
    }
    if let grant = finished.1 {
      return .redirect(302, to: finished.0.redirectTo + "#" + (try await implicitFragment(grant)))
    }
    let code = finished.0.authCode ?? ""
    return .redirect(302, to: finished.0.redirectTo.addingQuery([("code", code)]))
  }

  /// The session's members as a URL fragment, sorted by name.
  func implicitFragment(_ grant: Grant) async throws -> String {
    let members = try await sessionMembers(grant)
    let pairs = members.filter { $0.key != "user" }.map { name, value in
      (name: name, value: value.string ?? value.int.map(String.init) ?? "")
    }
    return FormCoding.encode((pairs + [("sb", "")]).sorted { $0.name < $1.name })
  }

  /// The name in Apple's `user` field, which Apple sends at the first authorization only.
  private static func firstTimeName(_ text: String) -> String? {
    guard let name = try? JSON(parsing: Array(text.utf8))["name"] else { return nil }
    let parts = [name["firstName"]?.string, name["lastName"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

/// A failure reported to the client by a redirect, in the query and, for browsers, again in the
/// fragment.
struct RedirectFailure: Sendable {
  var error: String
  var code: String?
  var description: String

  init(error: String, code: String? = nil, description: String) {
    (self.error, self.code, self.description) = (error, code, description)
  }

  /// Maps the status to an OAuth error name. Statuses without one, such as 422, become
  /// `server_error`.
  init(_ failure: APIError) {
    let names = [
      400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 503: "temporarily_unavailable",
    ]
    let isDenied = failure.code == "provider_email_needs_verification"
    self.init(
      error: isDenied ? "access_denied" : names[failure.status] ?? "server_error", code: failure.code,
      description: failure.message)
  }

  /// The parameters, sorted by name.
  var pairs: [(name: String, value: String)] {
    [("error", error)] + (code.map { [("error_code", $0)] } ?? []) + [("error_description", description)]
  }

  /// The redirect URL with the failure in its query and in its fragment, where `error_description`
  /// is escaped twice (recorded).
  func location(_ redirect: String) -> String {
    let twice = pairs.filter { !$0.value.isEmpty }
      .map {
        ($0.name, $0.name == "error_description" ? FormCoding.escapeTwice($0.value) : FormCoding.escape($0.value))
      }
    let fragment = twice.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    return redirect.addingQuery(pairs) + "#" + fragment + "&sb="
  }
}
