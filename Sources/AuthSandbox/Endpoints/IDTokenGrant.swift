extension Backend {
  /// `POST /token?grant_type=id_token`.
  func idTokenGrant(_ request: Incoming) async throws -> Answer {
    let body = try request.json()
    let token = try body.text("id_token")
    let provider = try body.text("provider").lowercased()
    if token.isEmpty { throw APIError.oauth("invalid request", "id_token required") }
    if provider.isEmpty { throw APIError.oauth("invalid request", "provider or client_id and issuer required") }
    try checkProvider(provider, token: token)
    guard let claims = keys.identityClaims(token), isCurrent(claims, provider) else {
      throw APIError.oauth("invalid request", "Bad ID token")
    }
    try checkAudience(claims, provider)
    try checkNonce(claims, raw: try body.text("nonce"))
    let caller = body.all["link_identity"]?.bool == true ? try await caller(of: request) : nil
    let person = Self.person(claims, provider)
    let agent = request.header("user-agent")
    let grant = try commit { state throws(APIError) in
      guard let caller else {
        return try state.beginSession(userID: try state.signIn(person), method: "oauth", userAgent: agent)
      }
      if !state.settings.manualLinking { throw ManualLinking.disabled }
      try state.link(person, to: caller.userID)
      return try state.beginSession(userID: caller.userID, method: "oauth", userAgent: agent)
    }
    return try await sessionAnswer(grant)
  }

  /// The providers that issue identity tokens. A custom one does too.
  private static let issuing: Set<String> = ["google", "azure", "facebook", "keycloak", "kakao", "snapchat"]

  private func checkProvider(_ provider: String, token: String) throws(APIError) {
    let settings = settings
    if provider == "apple" { try Self.checkIssuer(token) }
    if KnownProviders.isCustom(provider) {
      if !KnownProviders.isEnabled(provider, settings) {
        throw .validation("Custom provider \"\(provider)\" not found")
      }
      return
    }
    guard provider == "apple" || Self.issuing.contains(provider) else {
      throw .validation("Custom OIDC provider \"\(provider)\" not allowed")
    }
    if !KnownProviders.isEnabled(provider, settings) {
      let issuer = ProviderFacts.issuers(of: provider)[0]
      throw APIError(400, "provider_disabled", "Provider (issuer \"\(issuer)\") is not enabled")
    }
  }

  /// Apple has two issuers, so the server reads the issuer before it verifies the token.
  private static func checkIssuer(_ token: String) throws(APIError) {
    let middle = token.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first ?? ""
    guard let bytes = Text.base64URLDecoded(middle), let claims = try? JSON(parsing: bytes), claims["iss"] != nil
    else { throw .validation("Unable to detect issuer in ID token for Apple provider") }
  }

  private func isCurrent(_ claims: JSON, _ provider: String) -> Bool {
    guard let issuer = claims["iss"]?.string, ProviderFacts.issuers(of: provider).contains(issuer),
      let expiry = claims["exp"]?.number
    else { return false }
    return Double(now.unixSeconds) < expiry
  }

  private func checkAudience(_ claims: JSON, _ provider: String) throws(APIError) {
    let audience = claims["aud"]?.string ?? ""
    guard ProviderFacts.audiences(of: provider).contains(audience) else {
      throw .oauth("invalid request", "Unacceptable audience in id_token: [\(audience)]")
    }
  }

  /// Checks the nonce: the token contains the hex digest, the body the raw value. Both or neither
  /// must be present.
  private func checkNonce(_ claims: JSON, raw: String) throws(APIError) {
    let claimed = claims["nonce"]?.string ?? ""
    if raw.isEmpty, claimed.isEmpty { return }
    if raw.isEmpty || claimed.isEmpty {
      throw .oauth("invalid request", "Passed nonce and nonce in id_token should either both exist or not.")
    }
    if Text.sha256Hex(raw) != claimed { throw .oauth("invalid nonce", "Nonces mismatch") }
  }

  private static func person(_ claims: JSON, _ provider: String) -> ExternalIdentity {
    var profile: [String: JSON] = [:]
    for name in ["iss", "name", "picture"] { profile[name] = claims[name] }
    profile["full_name"] = claims["name"]
    return ExternalIdentity(
      provider: provider, subject: claims["sub"]?.string ?? "", email: (claims["email"]?.string ?? "").lowercased(),
      isEmailVerified: claims["email_verified"]?.bool ?? false, profile: profile)
  }
}
