/// What stands in front of Supabase Auth: the check of `apikey`, and the rate limit.
extension Backend {
  /// Paths that a browser or a key set reader reaches without the header.
  private static let openPaths: Set<String> = [
    "/auth/v1/authorize", "/auth/v1/callback", "/auth/v1/verify", "/auth/v1/.well-known/jwks.json",
    "/auth/v1/health",
  ]

  /// The gateway's own refusal, nil where the request may pass.
  func gatewayRefusal(_ request: Incoming) -> Answer? {
    let isGuarded = request.path.hasPrefix("/auth/v1/") || request.path.hasPrefix("/rest/v1/")
    let isOpen = Self.openPaths.contains(request.path) && (request.path != "/auth/v1/verify" || request.method == "GET")
    guard isGuarded, !isOpen, settings.requiresAPIKey else { return nil }
    guard let key = request.header("apikey") ?? request.parameter("apikey") else {
      return Answer(
        status: 401,
        json: [
          "message": "No API key found in request", "hint": "No `apikey` request header or url param was found.",
        ])
    }
    if key == anonKey || key == serviceRoleKey { return nil }
    return Answer(
      status: 401,
      json: [
        "message": "Invalid API key",
        "hint": "Double check your Supabase `anon` or `service_role` API key.",
      ])
  }

  /// 429 once an address has emptied its bucket.
  func checkRate(_ request: Incoming) throws(APIError) {
    guard request.path == "/auth/v1/token" else { return }
    let address = request.header("x-forwarded-for") ?? "127.0.0.1"
    try commit { state throws(APIError) in
      guard let burst = state.settings.rateLimitBurst else { return }
      if !state.limiter.admit(address, burst: burst, now: state.now) {
        throw APIError(429, "over_request_rate_limit", "Request rate limit reached")
      }
    }
  }
}
