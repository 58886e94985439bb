import Synchronization

extension Backend {
  /// `GET /provider/{google|apple}/authorize`: the page, or at once the answer where `autoConsent…` says so.
  func consentPage(_ request: Incoming) throws -> Answer {
    let provider = try provider(of: request)
    let settings = settings
    let automatic = provider == "apple" ? settings.autoConsentApple : settings.autoConsentGoogle
    if let automatic { return answer(Consent(account: automatic), at: provider, request.query) }
    let accounts = state.withLock { $0.providers.accounts(of: provider) }
    return Answer(html: ConsentPage(provider: provider, accounts: accounts, query: request.query).html)
  }

  /// `/provider/{google|apple}/consent`: what the page's form sends, also as a GET.
  func answerConsent(_ request: Incoming, fields: [(name: String, value: String)]) throws -> Answer {
    let provider = try provider(of: request)
    guard let consent = Consent(fields: fields), consent.action != .allow || !consent.email.isEmpty else {
      return Answer(
        status: 400,
        html: HTMLPage(
          title: "Nothing chosen", body: "<p role=\"alert\">Choose an account or type an e-mail address.</p>"
        ).text)
    }
    return answer(consent, at: provider, fields)
  }

  private func provider(of request: Incoming) throws(APIError) -> String {
    let provider = String(Route.split(request.path)[1])
    guard ProviderFacts.issuers[provider] != nil else {
      throw APIError(404, "not_found", "the sandbox plays google and apple, not \(provider)")
    }
    return provider
  }

  private func answer(_ consent: Consent, at provider: String, _ fields: [(name: String, value: String)]) -> Answer {
    let flow = fields.first { $0.name == "state" }?.value ?? ""
    var result: [(name: String, value: String)]
    if consent.action == .cancel {
      result = [("error", provider == "apple" ? "user_cancelled_authorize" : "access_denied")]
    } else {
      let issued = state.withLock { $0.providers.consent(consent, at: provider) }
      result = [("code", issued.code)]
      if let name = issued.grant.firstTimeName { result.append(("user", Self.userField(name, issued.grant.account))) }
    }
    result.append(("state", flow))
    // The address is the server's own, whatever the form says: the sandbox is nobody's open redirector.
    let target = state.withLock { $0.origin } + "/auth/v1/callback"
    if provider == "apple" { return Answer(html: ConsentPage.formPost(to: target, fields: result)) }
    return .redirect(302, to: target.addingQuery(result))
  }

  private static func userField(_ name: (first: String, last: String), _ account: ProviderAccount) -> String {
    let json: JSON = [
      "name": ["firstName": .string(name.first), "lastName": .string(name.last)],
      "email": .string(account.toldEmail ?? account.email),
    ]
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
