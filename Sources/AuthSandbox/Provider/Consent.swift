import Synchronization

/// A person's input on a consent page.
struct Consent: Sendable {
  enum Action: String, Sendable {
    case allow
    case cancel
    case error
  }

  var action: Action
  /// A known account, or an address that was typed.
  var email: String
  var firstName: String
  var lastName: String
  var hidesEmail: Bool
  /// Reports the address as not verified. Apple's addresses are always verified.
  var isUnverified: Bool

  /// Reads the fields of the form. A typed `email` takes precedence over the chosen `account`.
  init?(fields: [(name: String, value: String)]) {
    func field(_ name: String) -> String { fields.last { $0.name == name }?.value ?? "" }
    guard let action = Action(rawValue: field("action")) else { return nil }
    self.action = action
    email = field("email").isEmpty ? field("account") : field("email")
    (firstName, lastName) = (field("first_name"), field("last_name"))
    hidesEmail = field("hide_my_email") == "yes"
    isUnverified = field("unverified") == "yes"
  }

  /// An automatic consent, without a page.
  init(account: String) {
    (action, email, firstName, lastName, hidesEmail, isUnverified) = (.allow, account, "", "", false, false)
  }
}

extension ProviderDirectory {
  /// Issues an authorization code for a consent.
  mutating func consent(_ consent: Consent, at provider: String) -> (code: String, grant: ProviderGrant) {
    var account = findOrCreate(consent.email, at: provider, name: (consent.firstName, consent.lastName))
    var grant = ProviderGrant(account: account, isBroken: consent.action == .error)
    if provider == "apple", account.reportedEmail == nil {
      // The first choice is permanent, and the name is sent this once.
      account.reportedEmail = consent.hidesEmail ? Self.relayAddress() : account.email
      let first = consent.firstName.isEmpty ? account.givenName : consent.firstName
      let last = consent.lastName.isEmpty ? account.familyName : consent.lastName
      grant.firstTimeName = (first, last)
    }
    if provider != "apple" { account.isEmailVerified = account.isEmailVerified && !consent.isUnverified }
    grant.account = account
    put(account)
    return (issueCode(for: grant), grant)
  }
}

extension Backend {
  /// `GET /provider/{name}/authorize`: the consent page, or an immediate response if `autoConsent…` is
  /// set.
  func consentPage(_ request: Incoming) throws -> Answer {
    let provider = try provider(of: request)
    let settings = settings
    if let automatic = settings.consentingAccount(at: provider) {
      return answer(Consent(account: automatic), at: provider, request.query)
    }
    let accounts = state.withLock { $0.providers.accounts(of: provider) }
    return Answer(html: ConsentPage(provider: provider, accounts: accounts, query: request.query).html)
  }

  /// `/provider/{name}/consent`: the submitted form, or a GET with the same fields.
  func answerConsent(_ request: Incoming, fields: [(name: String, value: String)]) throws -> Answer {
    let provider = try provider(of: request)
    guard let consent = Consent(fields: fields), consent.action != .allow || !consent.email.isEmpty else {
      return Answer(
        status: 400,
        html: HTMLPage(
          title: "No account chosen", body: "<p role=\"alert\">Choose an account or enter an email address.</p>"
        ).text)
    }
    return answer(consent, at: provider, fields)
  }

  private func provider(of request: Incoming) throws(APIError) -> String {
    let provider = String(Route.split(request.path)[1])
    guard KnownProviders.isEnabled(provider, settings) else {
      throw APIError(404, "not_found", "the provider \(provider) is not enabled in this sandbox")
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
    // The target is always the server's own callback, whatever the form says, so that the sandbox
    // is no open redirector.
    let target = state.withLock { $0.origin } + "/auth/v1/callback"
    if provider == "apple" { return Answer(html: ConsentPage.formPost(to: target, fields: result)) }
    return .redirect(302, to: target.addingQuery(result))
  }

  private static func userField(_ name: (first: String, last: String), _ account: ProviderAccount) -> String {
    let json: JSON = [
      "name": ["firstName": .string(name.first), "lastName": .string(name.last)],
      "email": .string(account.reportedEmail ?? account.email),
    ]
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// A plain HTML page of the sandbox, without external resources.
struct HTMLPage: Sendable {
  var title: String
  var body: String
  var bodyAttributes = ""

  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(Text.html(title))</title>
    <style>
    body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff }
    fieldset { border: 1px solid #555; border-radius: .5rem; margin: 0 0 1rem } label { display: block; min-height: 2.75rem }
    input[type=text], input[type=email] { font: inherit; width: 100%; min-height: 2.75rem; box-sizing: border-box }
    button { font: inherit; min-height: 2.75rem; padding: 0 1.25rem; margin: 0 .5rem .5rem 0 }
    </style></head>
    <body\(bodyAttributes)><main><h1>\(Text.html(title))</h1>
    \(body)
    </main></body></html>

    """
  }
}

/// The look-alike consent page of a provider. Fields: `state` (hidden), `account` (a known address), `email`,
/// `first_name`, `last_name`, `hide_my_email`=yes (Apple), `unverified`=yes (the others),
/// `action`=allow|cancel|error.
struct ConsentPage: Sendable {
  var provider: String
  var accounts: [ProviderAccount]
  var query: [(name: String, value: String)]

  private var name: String { Text.html(KnownProviders.shown(provider)) }

  var html: String {
    let state = query.first { $0.name == "state" }?.value ?? ""
    let body = """
      <p>This page simulates \(name). No data leaves this machine.</p>
      <form method="post" action="/provider/\(Text.html(provider))/consent">
      <input type="hidden" name="state" value="\(Text.html(state))">
      <fieldset><legend>Choose an account</legend>
      \(accounts.enumerated().map(accountChoice).joined(separator: "\n"))
      <label for="email">Another account (email)</label>
      <input type="email" id="email" name="email" autocomplete="off" value="\(Text.html(typedHint))">
      <label for="first_name">First name</label><input type="text" id="first_name" name="first_name" autocomplete="off">
      <label for="last_name">Last name</label><input type="text" id="last_name" name="last_name" autocomplete="off">
      </fieldset>
      \(providerChoice)
      <button type="submit" name="action" value="allow">Continue</button>
      <button type="submit" name="action" value="cancel">Cancel</button>
      <button type="submit" name="action" value="error">Fail the sign-in</button>
      </form>
      """
    return HTMLPage(title: "Sign in with \(KnownProviders.shown(provider)) (sandbox)", body: body).text
  }

  private var hint: String { (query.first { $0.name == "login_hint" }?.value ?? "").lowercased() }

  /// The hint for the text field; empty if the hint names a known account.
  private var typedHint: String { accounts.contains { $0.email == hint } ? "" : hint }

  private func accountChoice(_ index: Int, _ account: ProviderAccount) -> String {
    let isChosen = accounts.contains { $0.email == hint } ? account.email == hint : index == 0
    return """
      <label><input type="radio" name="account" value="\(Text.html(account.email))"\(isChosen ? " checked" : "")> \
      \(Text.html(account.name)) (\(Text.html(account.email)))</label>
      """
  }

  private var providerChoice: String {
    provider == "apple"
      ? #"<label><input type="checkbox" name="hide_my_email" value="yes"> Hide My Email</label>"#
      : #"<label><input type="checkbox" name="unverified" value="yes"> Report the email address as unverified</label>"#
  }

  /// Apple's response: a form that submits itself. The button is for browsers without scripts.
  static func formPost(to target: String, fields: [(name: String, value: String)]) -> String {
    let inputs = fields.map { #"<input type="hidden" name="\#(Text.html($0.name))" value="\#(Text.html($0.value))">"# }
    let body = """
      <form method="post" action="\(Text.html(target))">
      \(inputs.joined(separator: "\n"))
      <button type="submit">Back to the app</button></form>
      """
    return HTMLPage(title: "One moment", body: body, bodyAttributes: #" onload="document.forms[0].submit()""#).text
  }
}

extension SandboxSettings {
  /// The account with which a provider's page answers at once; nil shows the page.
  fileprivate func consentingAccount(at provider: String) -> String? {
    switch provider {
    case "google": autoConsentGoogle ?? autoConsent[provider]
    case "apple": autoConsentApple ?? autoConsent[provider]
    default: autoConsent[provider]
    }
  }
}
