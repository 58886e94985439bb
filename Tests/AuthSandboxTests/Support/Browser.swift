@testable import AuthSandbox

/// A person with a browser, simulated by plain HTTP.
struct Browser: Sendable {
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  /// The challenge of `verifier` (RFC 7636 appendix B).
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  let stage: Stage

  /// Requests `/authorize` and returns the provider's URL.
  func authorize(
    _ provider: String, redirect: String = "http://127.0.0.1:53682/cb", pkce: Bool = true, extra: String = ""
  ) async throws -> String {
    let challenge = pkce ? "&code_challenge=\(Self.challenge)&code_challenge_method=s256" : ""
    let query = "provider=\(provider)&redirect_to=\(FormCoding.escape(redirect))\(challenge)\(extra)"
    let answer = try await stage.call("GET", "/authorize?" + query)
    guard answer.status == 302, let location = answer.header("location") else { throw NoSession(answer: answer.text) }
    return location
  }

  /// Submits the consent form for a provider's URL, continues to `/callback`, and returns the
  /// callback's response.
  func consent(_ address: String, _ fields: [(name: String, value: String)]) async throws -> HTTPAnswer {
    let provider = Route.split(address.prefix { $0 != "?" }.description).dropLast().last ?? ""
    let state = parameter("state", of: address) ?? ""
    let page = try await post("/provider/\(provider)/consent", [("state", state)] + fields)
    if let location = page.header("location") { return try await TestHTTP.send("GET", location) }
    return try await post("/auth/v1/callback", Self.hiddenFields(page.text))
  }

  /// Runs the flow up to the client's redirect, and returns its URL.
  func signIn(
    _ provider: String, _ fields: [(name: String, value: String)], redirect: String = "http://127.0.0.1:53682/cb"
  ) async throws -> String {
    let address = try await authorize(provider, redirect: redirect)
    let answer = try await consent(address, [("action", "allow")] + fields)
    return answer.header("location") ?? "no redirect: \(answer.status) \(answer.text)"
  }

  func exchange(_ location: String, verifier: String = Browser.verifier) async throws -> HTTPAnswer {
    let code = parameter("code", of: location) ?? ""
    return try await stage.call(
      "POST", "/token?grant_type=pkce", body: ["auth_code": .string(code), "code_verifier": .string(verifier)])
  }

  /// Runs the complete flow and returns the session.
  func session(_ provider: String, _ fields: [(name: String, value: String)]) async throws -> TestSession {
    try TestSession(await exchange(try await signIn(provider, fields)))
  }

  func post(_ path: String, _ fields: [(name: String, value: String)]) async throws -> HTTPAnswer {
    try await TestHTTP.send(
      "POST", stage.origin + path, headers: [("content-type", "application/x-www-form-urlencoded")],
      body: Array(FormCoding.encode(fields).utf8))
  }

  func parameter(_ name: String, of address: String) -> String? {
    let query =
      address.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
      .first ?? ""
    return FormCoding.decode(query).first { $0.name == name }?.value
  }

  /// The hidden inputs of a page, as a browser would submit them.
  static func hiddenFields(_ html: String) -> [(name: String, value: String)] {
    html.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map { match in
      let value = match.2.replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
        .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
      return (String(match.1), String(value))
    }
  }
}
