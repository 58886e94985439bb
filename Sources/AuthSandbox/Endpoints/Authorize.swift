extension Backend {
  /// `GET /authorize`: notes the flow and sends the browser to the provider.
  func authorize(_ request: Incoming) throws -> Answer {
    .redirect(302, to: try startFlow(request, linkingUser: nil))
  }

  /// `GET /user/identities/authorize`: the same for a caller that wants one more identity.
  func authorizeLink(_ request: Incoming) async throws -> Answer {
    let caller = try await caller(of: request)
    guard settings.manualLinking else { throw ManualLinking.disabled }
    let url = try startFlow(request, linkingUser: caller.userID)
    let wantsURL = request.parameter("skip_http_redirect") == "true"
    return wantsURL ? Answer(json: ["url": .string(url)]) : .redirect(302, to: url)
  }

  /// The provider's address for a new flow.
  private func startFlow(_ request: Incoming, linkingUser: String?) throws(APIError) -> String {
    let provider = request.parameter("provider") ?? ""
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

/// The query of the redirect to the provider: the server's own parameters, and what the client sent along.
private struct ProviderQuery {
  var origin: String
  var provider: String
  var state: String
  var request: Incoming

  /// Members that mean something to Supabase Auth itself; a `state` of the client is stripped too.
  private static let own: Set<String> = [
    "provider", "scopes", "code_challenge", "code_challenge_method", "state", "skip_http_redirect", "apikey",
    "client_id", "redirect_uri", "response_type", "response_mode", "scope",
  ]

  var text: String {
    let extra = request.parameter("scopes").map { [$0] } ?? []
    let scopes = (provider == "apple" ? ["email", "name"] : ["email", "profile"]) + extra
    // Recorded: Google gets what the client sent along, even redirect_to; Apple gets nothing of it.
    var pairs = provider == "apple" ? [] : request.query.filter { !Self.own.contains($0.name) }
    pairs += [
      ("client_id", ProviderFacts.audiences[provider]?.first ?? ""), ("redirect_uri", origin + "/auth/v1/callback"),
      ("response_type", "code"), ("scope", scopes.joined(separator: " ")), ("state", state),
    ]
    if provider == "apple" { pairs.append(("response_mode", "form_post")) }
    return FormCoding.encode(pairs.sorted { $0.name < $1.name })
  }
}
