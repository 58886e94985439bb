/// A small page of the sandbox: plain, readable by anything, without anything from elsewhere.
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
/// `first_name`, `last_name`, `hide_my_email`=yes (Apple), `unverified`=yes (Google), `action`=allow|cancel|error.
struct ConsentPage: Sendable {
  var provider: String
  var accounts: [ProviderAccount]
  var query: [(name: String, value: String)]

  private var title: String { provider == "apple" ? "Apple (sandbox)" : "Google (sandbox)" }

  var html: String {
    let state = query.first { $0.name == "state" }?.value ?? ""
    let body = """
      <p>This page plays \(provider == "apple" ? "Apple" : "Google"). Nothing here leaves this machine.</p>
      <form method="post" action="/provider/\(provider)/consent">
      <input type="hidden" name="state" value="\(Text.html(state))">
      <fieldset><legend>Choose an account</legend>
      \(accounts.enumerated().map(accountChoice).joined(separator: "\n"))
      <label for="email">Another account (e-mail)</label>
      <input type="email" id="email" name="email" autocomplete="off" value="\(Text.html(typedHint))">
      <label for="first_name">First name</label><input type="text" id="first_name" name="first_name" autocomplete="off">
      <label for="last_name">Last name</label><input type="text" id="last_name" name="last_name" autocomplete="off">
      </fieldset>
      \(providerChoice)
      <button type="submit" name="action" value="allow">Continue</button>
      <button type="submit" name="action" value="cancel">Cancel</button>
      <button type="submit" name="action" value="error">Let it fail</button>
      </form>
      """
    return HTMLPage(title: "Sign in with \(title)", body: body).text
  }

  private var hint: String { (query.first { $0.name == "login_hint" }?.value ?? "").lowercased() }

  /// A hint that names no known account goes into the field.
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
      : #"<label><input type="checkbox" name="unverified" value="yes"> Tell the address as not verified</label>"#
  }

  /// Apple's answer: a form that posts itself; the button is for browsers without scripts.
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
