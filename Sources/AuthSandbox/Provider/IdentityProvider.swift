import Synchronization

/// The identity provider of a domain with single sign-on.
extension Backend {
  /// `GET /idp/{domain}/sso`: the page on which a person signs in.
  func identityProviderPage(_ request: Incoming) throws -> Answer {
    let domain = try domain(of: request)
    let relay = request.parameter("RelayState") ?? ""
    return Answer(html: IdentityProviderPage(domain: domain, relay: relay).html)
  }

  /// `POST /idp/{domain}/sso`: the submitted page. The response is a form that submits itself to the
  /// server; without an account it carries no valid assertion.
  func answerIdentityProvider(_ request: Incoming) throws -> Answer {
    let domain = try domain(of: request)
    let fields = request.form
    func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    let email = field("email").lowercased()
    var response = "denied"
    if field("action") == "allow", !email.isEmpty {
      let assertion = SSOAssertion(domain: domain, email: email, name: field("name"))
      response = state.withLock { $0.sso.issue(assertion) }
    }
    let target = state.withLock { $0.origin } + "/auth/v1/sso/saml/acs"
    let answer = [(name: "SAMLResponse", value: response), (name: "RelayState", value: field("RelayState"))]
    return Answer(html: ConsentPage.formPost(to: target, fields: answer))
  }

  private func domain(of request: Incoming) throws(APIError) -> String {
    let domain = String(Route.split(request.path)[1])
    guard settings.ssoDomains.contains(domain) else {
      throw APIError(404, "not_found", "the sandbox has no identity provider for \(domain)")
    }
    return domain
  }
}

/// The page of an identity provider. Fields: `RelayState` (hidden), `email`, `name`,
/// `action`=allow|cancel.
struct IdentityProviderPage: Sendable {
  var domain: String
  var relay: String

  var html: String {
    let name = Text.html(domain)
    let body = """
      <p>This page simulates the identity provider of \(name). No data leaves this machine.</p>
      <form method="post" action="/idp/\(name)/sso">
      <input type="hidden" name="RelayState" value="\(Text.html(relay))">
      <label for="email">Email</label>
      <input type="email" id="email" name="email" autocomplete="off" value="anna@\(name)">
      <label for="name">Name</label>
      <input type="text" id="name" name="name" autocomplete="off" value="Anna Example">
      <p><button type="submit" name="action" value="allow">Continue</button>
      <button type="submit" name="action" value="cancel">Cancel</button></p>
      </form>
      """
    return HTMLPage(title: "Single sign-on (sandbox)", body: body).text
  }
}
