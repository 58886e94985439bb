@testable import AuthSandbox

/// Codes by email and text message.
extension Stage {
  /// Asks for a code by email; the request must succeed. Returns the newest message.
  @discardableResult
  func askForCode(
    _ email: String, redirect: String? = nil, pkce: Bool = false, challenge: String = Browser.challenge
  ) async throws -> SandboxMail {
    var body: JSON = ["email": .string(email), "create_user": true]
    if pkce, case .object(var members) = body {
      members["code_challenge"] = .string(challenge)
      members["code_challenge_method"] = "s256"
      body = .object(members)
    }
    return try await message("POST", "/otp" + query(redirect), body)
  }

  /// Sends a request that sends a message, which must succeed, and returns the newest message.
  @discardableResult
  func message(_ method: String, _ path: String, _ body: JSON?, token: String? = nil) async throws -> SandboxMail {
    let answer = try await call(method, path, token: token, body: body)
    guard answer.status == 200, let newest = sandbox.mails.last else { throw NoSession(answer: answer.text) }
    return newest
  }

  func verify(_ type: String, _ email: String, _ code: String) async throws -> HTTPAnswer {
    try await call("POST", "/verify", body: ["type": .string(type), "email": .string(email), "token": .string(code)])
  }

  /// A session begun by a code.
  func codeSession(_ email: String) async throws -> TestSession {
    let code = try await askForCode(email).code
    return try TestSession(await verify("email", email, code))
  }

  /// A new anonymous user's session.
  func guest() async throws -> TestSession {
    try TestSession(await call("POST", "/signup", body: ["data": ["display_name": "Guest"]]))
  }

  /// The path of a link, as `call` takes it.
  func path(of message: SandboxMail?) -> String {
    String((message?.link ?? "").dropFirst((origin + "/auth/v1").count))
  }

  /// Opens a link like a browser, and returns the address that it leads to.
  func open(_ message: SandboxMail?) async throws -> String {
    try await call("GET", path(of: message)).header("location") ?? ""
  }

  private func query(_ redirect: String?) -> String {
    redirect.map { "?redirect_to=" + FormCoding.escape($0) } ?? ""
  }
}

/// Single sign-on.
extension Stage {
  /// Starts a single sign-on with PKCE, and returns the URL of the identity provider's page.
  func startSSO(_ domain: String, pkce: Bool = true, redirect: String = "http://127.0.0.1:43117/cb") async throws
    -> String
  {
    var body: [String: JSON] = [
      "domain": .string(domain), "redirect_to": .string(redirect), "skip_http_redirect": true,
    ]
    if pkce {
      body["code_challenge"] = .string(Browser.challenge)
      body["code_challenge_method"] = "s256"
    }
    let answer = try await call("POST", "/sso", body: .object(body))
    guard let url = try answer.json["url"]?.string else { throw NoSession(answer: answer.text) }
    return url
  }

  /// Signs in on the identity provider's page, and returns the form that its answer posts.
  func assertion(_ url: String, email: String, action: String = "allow") async throws
    -> [(name: String, value: String)]
  {
    let browser = Browser(stage: self)
    let page = try await TestHTTP.send("GET", url)
    let path = url.dropFirst(origin.count).prefix { $0 != "?" }
    let answer = try await browser.post(
      String(path), Browser.hiddenFields(page.text) + [("email", email), ("name", "Anna"), ("action", action)])
    return Browser.hiddenFields(answer.text)
  }

  /// Posts an identity provider's answer, and returns the address that the browser ends on.
  func post(assertion fields: [(name: String, value: String)]) async throws -> String {
    try await Browser(stage: self).post("/auth/v1/sso/saml/acs", fields).header("location") ?? ""
  }

  /// Runs a single sign-on up to the client's redirect.
  func ssoLocation(_ email: String = "anna@example.test", pkce: Bool = true) async throws -> String {
    try await post(assertion: try await assertion(try await startSSO("example.test", pkce: pkce), email: email))
  }

  func ssoSession(_ email: String = "anna@example.test") async throws -> TestSession {
    try TestSession(await Browser(stage: self).exchange(try await ssoLocation(email)))
  }
}

/// Second factors.
extension Stage {
  /// Adds an unverified TOTP factor by the API, and returns its ID.
  func enroll(_ token: String, name: String = "Phone app") async throws -> String {
    let answer = try await call("POST", "/factors", token: token, body: Self.totp(name))
    guard let id = try answer.json["id"]?.string else { throw NoSession(answer: answer.text) }
    return id
  }

  /// The body that adds a TOTP factor.
  static func totp(_ name: String) -> JSON { ["factor_type": "totp", "friendly_name": .string(name)] }

  /// Asks for a challenge, and returns its ID.
  func challenge(_ factor: String, _ token: String) async throws -> String {
    let answer = try await call("POST", "/factors/\(factor)/challenge", token: token, body: [:])
    guard let id = try answer.json["id"]?.string else { throw NoSession(answer: answer.text) }
    return id
  }

  /// Verifies with the current code, or another one.
  func verify(
    factor: String, challenge: String, _ token: String, code: String? = nil, from address: String? = nil
  ) async throws -> HTTPAnswer {
    let code = code ?? sandbox.totpCode(of: factor) ?? sandbox.mails.last?.code ?? ""
    let headers = address.map { [("x-forwarded-for", $0)] } ?? []
    return try await call(
      "POST", "/factors/\(factor)/verify", token: token,
      body: ["challenge_id": .string(challenge), "code": .string(code)], headers: headers)
  }

  /// Challenge and verification with the right code.
  func lift(_ factor: String, _ token: String) async throws -> TestSession {
    try TestSession(await verify(factor: factor, challenge: challenge(factor, token), token))
  }

  /// A user with a verified TOTP factor, whose session is at aal2.
  func lifted(_ email: String = "gina@lab.test") async throws -> (factor: String, session: TestSession) {
    let session = try await session(email)
    let factor = try await enroll(session.access)
    return (factor, try await lift(factor, session.access))
  }

  /// A user with a verified TOTP factor, whose session is at aal1.
  func withFactor(_ email: String = "gina@lab.test") async throws -> (factor: String, session: TestSession) {
    let session = try await session(email)
    return (try sandbox.addFactor(to: email, name: "Phone app").id, session)
  }
}
