import Synchronization

extension Backend {
  /// `POST /sso`: starts a single sign-on, and returns the URL of the identity provider's page.
  func startSSO(_ request: Incoming) throws -> Answer {
    let body = try request.json()
    let order = try SSOOrder(body)
    let url = try commit { state throws(APIError) in try state.beginSSO(order) }
    if body.all["skip_http_redirect"]?.bool == true { return Answer(json: ["url": .string(url)]) }
    return Answer(status: 303, headers: [("location", url)])
  }

  /// `POST /sso/saml/acs`: the identity provider's answer. A failure ends at SITE_URL, so the client
  /// hears nothing.
  func acceptAssertion(_ request: Incoming) async throws -> Answer {
    let fields = request.form
    let agent = request.header("user-agent")
    @Sendable func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    do {
      let end = try commit { state throws(APIError) in
        try state.completeSSO(relay: field("RelayState"), response: field("SAMLResponse"), userAgent: agent)
      }
      if let code = end.code { return .redirect(302, to: end.redirectTo.addingQuery([("code", code)])) }
      return .redirect(302, to: end.redirectTo + "#" + (try await implicitFragment(end.implicitSession)))
    } catch let error as APIError {
      let site = state.withLock { $0.siteURL }
      return .redirect(303, to: site.addingQuery(RedirectFailure(error).pairs))
    }
  }
}

/// The body of `POST /sso`.
struct SSOOrder: Sendable {
  var domain: String
  var providerID: String
  /// Checked only once the identity provider has answered.
  var redirectTo: String
  var challenge: Challenge?

  init(_ body: Members) throws(APIError) {
    domain = try body.text("domain")
    providerID = try body.text("provider_id")
    redirectTo = try body.text("redirect_to")
    challenge = try Challenge.parse(try body.text("code_challenge"), method: try body.text("code_challenge_method"))
    if !providerID.isEmpty, providerID.utf8.count != Text.uuid().utf8.count {
      let length = "uuid: incorrect UUID length \(providerID.utf8.count) in string \"\(providerID)\""
      throw APIError(400, "bad_json", "Could not parse request body as JSON: " + length)
    }
    if domain.isEmpty, providerID.isEmpty { throw .validation("A provider_id or domain needs to be provided") }
  }
}

/// The end of a single sign-on: a code for the exchange, or an implicit session.
struct SSOEnd: Sendable {
  var redirectTo: String
  var code: String?
  var implicitSession: Grant
}

extension SandboxState {
  fileprivate mutating func beginSSO(_ order: SSOOrder) throws(APIError) -> String {
    if settings.ssoDomains.isEmpty { throw APIError(404, "saml_provider_disabled", "SAML 2.0 is disabled") }
    // The server compares a domain as it is written.
    let byID = settings.ssoDomains.first { SSOTable.providerID(of: $0) == order.providerID }
    guard let domain = order.providerID.isEmpty ? settings.ssoDomains.first(where: { $0 == order.domain }) : byID
    else {
      let words = order.providerID.isEmpty ? "No SSO provider assigned for this domain" : "No such SSO provider"
      throw APIError(404, "sso_provider_not_found", words)
    }
    if settings.disabledSSODomains.contains(domain) {
      throw APIError(404, "sso_provider_disabled", "SSO Provider is currently disabled")
    }
    let relay = SSORelay(
      domain: domain, redirectTo: order.redirectTo, challenge: order.challenge, createdAt: now)
    sso.put(relay)
    let query = FormCoding.encode([
      ("SAMLRequest", Text.random(64)), ("RelayState", relay.id),
      ("SigAlg", "http://www.w3.org/2000/09/xmldsig#rsa-sha1"), ("Signature", Text.random(64)),
    ])
    return "\(origin)/idp/\(domain)/sso?\(query)"
  }

  fileprivate mutating func completeSSO(
    relay id: String, response: String, userAgent: String?
  ) throws(APIError) -> SSOEnd {
    guard let relay = sso.takeRelay(id) else {
      throw APIError(
        404, "saml_relay_state_not_found", "SAML RelayState does not exist, try logging in again?")
    }
    if now > relay.createdAt.adding(seconds: settings.ssoRelayLifetime) {
      throw APIError(422, "saml_relay_state_expired", "SAML RelayState has expired. Try logging in again?")
    }
    guard let assertion = sso.takeAssertion(response), assertion.domain == relay.domain else {
      throw .validation("SAML Assertion is not valid")
    }
    let provider = SSOTable.providerID(of: relay.domain)
    let userID = try signIn(assertion.identity)
    let isPKCE = relay.challenge != nil
    // A sign-in with PKCE leaves this session unused, as on the real server.
    let grant = try beginSession(
      userID: userID, method: "sso/saml", provider: provider,
      notAfter: isPKCE ? nil : now.adding(seconds: settings.ssoSessionLifetime), userAgent: userAgent)
    return SSOEnd(
      redirectTo: resolveRedirect(relay.redirectTo), code: isPKCE ? issueCode(relay, provider, userID) : nil,
      implicitSession: grant)
  }

  private mutating func issueCode(_ relay: SSORelay, _ provider: String, _ userID: String) -> String {
    var flow = Flow(
      provider: "sso", method: "sso/saml", methodProvider: provider, redirectTo: relay.redirectTo,
      challenge: relay.challenge, createdAt: relay.createdAt)
    let code = Text.uuid()
    (flow.userID, flow.authCode, flow.isStateUsed) = (userID, code, true)
    flows[flow.state] = flow
    return code
  }
}
