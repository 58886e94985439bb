import FoundationEssentials
import NIOHTTP1
import SupabaseAuth
import Testing

@Suite struct RequestTests {
  private func expect(
    _ method: String, _ target: String, body: String = "", bearer: Bool = false, _ request: SeenRequest?
  ) throws {
    let request = try #require(request)
    #expect(request.method == method)
    #expect(request.target == target)
    #expect(request.body == body)
    #expect(request.headers["apikey"] == ["anon-key"])
    #expect(request.headers["x-supabase-api-version"] == ["2024-01-01"])
    #expect(request.headers["user-agent"] == ["ritual-test/1"])
    #expect(request.headers["authorization"] == (bearer ? ["Bearer \(Fixture.access)"] : []))
    #expect(request.headers["content-type"] == (body.isEmpty ? [] : ["application/json"]))
  }

  @Test func idToken() async throws {
    try await withServer({ _ in .answer(200, [], Fixture.session()) }) { client, server in
      _ = try await client.signIn(provider: .apple, idToken: "idt", nonce: "n")
      let request = try #require(server.requests.first)
      #expect(request.target == "/auth/v1/token?grant_type=id_token")
      #expect(request.body.contains(#""id_token":"idt""#) && request.body.contains(#""nonce":"n""#))
      #expect(request.body.contains(#""provider":"apple""#))
      #expect(request.headers["authorization"] == [])
    }
  }

  @Test func refresh() async throws {
    try await withServer({ _ in .answer(200, [("date", "Sat, 21 Nov 2026 02:28:22 GMT")], Fixture.session()) }) {
      client, server in
      guard case .refreshed(let session) = await client.refresh(RefreshToken("old")) else {
        Issue.record("not refreshed")
        return
      }
      #expect(session.refreshToken.exposed == Fixture.refresh)
      #expect(session.serverDate?.timeIntervalSince1970 == 1_795_228_102)
      try expect(
        "POST", "/auth/v1/token?grant_type=refresh_token", body: #"{"refresh_token":"old"}"#, server.requests.first)
    }
  }

  @Test(arguments: [LogoutScope.local, .global, .others]) func logout(scope: LogoutScope) async throws {
    try await withServer({ _ in .answer(204) }) { client, server in
      try await client.logout(Fixture.bearer, scope: scope)
      try expect("POST", "/auth/v1/logout?scope=\(scope.rawValue)", bearer: true, server.requests.first)
    }
  }

  @Test(arguments: [
    (403, "session_not_found"), (403, "user_not_found"), (404, "x"),
  ])
  func logoutOfWhatIsGoneIsDone(status: Int, code: String) async throws {
    try await withServer({ _ in .answer(status, [], #"{"code":"\#(code)","message":"m"}"#) }) { client, _ in
      await #expect(throws: Never.self) { try await client.logout(Fixture.bearer, scope: .local) }
    }
  }

  @Test("a sign-out with an outdated access token fails", arguments: [(403, "bad_jwt"), (401, "no_authorization")])
  func logoutByATokenThatIsTooOld(status: Int, code: String) async throws {
    try await withServer({ _ in .answer(status, [], #"{"code":"\#(code)","message":"m"}"#) }) { client, _ in
      let error = try await authError { try await client.logout(Fixture.bearer, scope: .local) }
      #expect(error.code == .badJWT)
    }
  }

  @Test(
    "a sign-out that the gateway refuses fails",
    arguments: [(401, AuthError.Code.gatewayRefused), (403, .gatewayRefused), (404, .notFound)])
  func logoutThatTheGatewayRefused(status: Int, code: AuthError.Code) async throws {
    try await withServer({ _ in .answer(status, [], #"{"message":"No API key found in request"}"#) }) { client, _ in
      let error = try await authError { try await client.logout(Fixture.bearer, scope: .local) }
      #expect(error.code == code)
    }
  }

  @Test(arguments: [(500, AuthError.Code.serverUnavailable), (429, .rateLimited), (302, .gatewayRefused)])
  func logoutThatFailed(status: Int, code: AuthError.Code) async throws {
    try await withServer({ _ in .answer(status, [], "{}") }) { client, _ in
      let error = try await authError { try await client.logout(Fixture.bearer, scope: .local) }
      #expect(error.code == code)
    }
  }

  @Test func aPageIsNoSuccess() async throws {
    try await withServer({ _ in .answer(200, [("content-type", "text/html")], "<html>Welcome to the hotel") }) {
      client, _ in
      let logout = try await authError { try await client.logout(Fixture.bearer, scope: .local) }
      let unlink = try await authError { try await client.unlink(identity: "a", Fixture.bearer) }
      #expect([logout.code, unlink.code] == [.unreadable, .unreadable])
    }
  }

  @Test(.server { _ in .answer(200, [], #"{"url":"https://accounts.example/o?x=1"}"#) }) func linkURL() async throws {
    let url = try await client.linkURL(
      provider: .google, scopes: nil, redirectTo: "http://127.0.0.1:1/a?b=c", challenge: "ch", Fixture.bearer)
    #expect(url == "https://accounts.example/o?x=1")
    try expect(
      "GET",
      "/auth/v1/user/identities/authorize?provider=google&redirect_to=http%3A%2F%2F127.0.0.1%3A1%2Fa%3Fb%3Dc"
        + "&code_challenge=ch&code_challenge_method=s256&skip_http_redirect=true",
      bearer: true, server.requests.first)
  }

  @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "http://evil.example/", "https://a b/", ""])
  func linkURLThatNoBrowserShouldOpen(url: String) async throws {
    try await withServer({ _ in .answer(200, [], #"{"url":"\#(url)"}"#) }) { client, _ in
      let error = try await authError {
        try await client.linkURL(provider: .google, scopes: nil, redirectTo: "r", challenge: "c", Fixture.bearer)
      }
      #expect(error.code == .unreadable)
    }
  }

  @Test(arguments: ["", "..", "../../logout", "a/b", "a?b", "é"]) func unlinkOfNoID(identity: String) async throws {
    try await withServer({ _ in .answer(200, [], "{}") }) { client, server in
      let error = try await authError { try await client.unlink(identity: identity, Fixture.bearer) }
      #expect(error.code == .invalidRequest)
      #expect(server.connections == 0)
    }
  }

  @Test(.server { _ in .answer(200, [], Fixture.user) }) func tokenThatNoHeaderCanCarry() async throws {
    let error = try await authError { try await client.user(BearerToken("a\r\nX-Evil: 1")) }
    #expect(error.code == .invalidRequest)
    #expect(server.connections == 0)
  }

  @Test func signUp() async throws {
    try await withServer({ request in .answer(200, [], request.body.contains("new@") ? Fixture.session() : Fixture.user)
    }) {
      client, server in
      guard case .session = try await client.signUp(email: "new@b.test", password: Password("p")) else {
        Issue.record("no session")
        return
      }
      guard case .confirmationSent = try await client.signUp(email: "known@b.test", password: Password("p")) else {
        Issue.record("no confirmation")
        return
      }
      #expect(server.requests.map(\.target) == ["/auth/v1/signup", "/auth/v1/signup"])
    }
  }

  @Test(arguments: ["{}", "[]", "<html>", #"{"access_token":"x"}"#]) func signUpUnreadable(body: String) async throws {
    try await withServer({ _ in .answer(200, [], body) }) { client, _ in
      let error = try await authError { try await client.signUp(email: "a@b.test", password: Password("p")) }
      #expect(error.code == .unreadable)
    }
  }
}

@Suite struct CodeRequestTests {
  private static let link = PKCERedirect(url: "http://127.0.0.1:1/callback?attempt=a", challenge: "ch")

  /// The body's members as sorted `name=value`.
  private func members(_ request: SeenRequest?) throws -> [String] {
    let body = try #require(request).body
    let members = try JSONDecoder().decode([String: Scalar].self, from: Data(body.utf8))
    return members.map { "\($0.key)=\($0.value.text)" }.sorted()
  }

  @Test(.server { _ in .answer(200, [], "{}") }) func codeByEmail() async throws {
    try await client.sendCode(to: .email("a@b.test"), createUser: false, link: Self.link)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/auth/v1/otp?redirect_to=http%3A%2F%2F127.0.0.1%3A1%2Fcallback%3Fattempt%3Da")
    #expect(
      try members(request) == [
        "code_challenge=ch", "code_challenge_method=s256", "create_user=false", "email=a@b.test",
      ])
  }

  @Test(.server { _ in .answer(200, [], #"{"message_id":"m"}"#) }) func codeByTextMessage() async throws {
    try await client.sendCode(to: .phone("+4915112345601"), createUser: true, link: nil)
    #expect(server.requests.first?.target == "/auth/v1/otp")
    #expect(try members(server.requests.first) == ["create_user=true", "phone=+4915112345601"])
  }

  @Test(
    .server { _ in .answer(200, [], Fixture.session()) },
    arguments: [
      (CodeProof.code("054206", .email("a@b.test")), ["email=a@b.test", "token=054206", "type=email"]),
      (.code("054206", .phone("+49151")), ["phone=+49151", "token=054206", "type=sms"]),
      (.emailChange("054206", email: "a@b.test"), ["email=a@b.test", "token=054206", "type=email_change"]),
      (.tokenHash("pkce_ab"), ["token_hash=pkce_ab", "type=email"]),
    ])
  func verification(proof: CodeProof, body: [String]) async throws {
    #expect(try await client.verify(proof) != nil)
    #expect(server.requests.first?.target == "/auth/v1/verify")
    #expect(try members(server.requests.first) == body)
    #expect(server.requests.first?.body.contains(#""token":54206"#) == false, "a code is a string")
  }

  @Test func firstOfTwoCodes() async throws {
    let body =
      #"{"code":"200","msg":"Confirmation link accepted. Please proceed to confirm link sent to the other email"}"#
    try await withServer({ _ in .answer(200, [], body) }) { client, _ async throws in
      #expect(try await client.verify(.emailChange("1", email: "a@b.test")) == nil)
    }
  }

  @Test(arguments: ["{}", "[]", #"{"access_token":"only"}"#, "x"]) func unreadableVerification(body: String)
    async throws
  {
    try await withServer({ _ in .answer(200, [], body) }) { client, _ async throws in
      #expect(try await authError { try await client.verify(.tokenHash("a")) }.code == .unreadable)
    }
  }

  @Test func singleSignOn() async throws {
    try await withServer({ _ in .answer(200, [], #"{"url":"https://idp.example/sso?x=1"}"#) }) {
      client, server async throws in
      #expect(try await client.ssoURL(domain: "Example.ORG", redirect: Self.link) == "https://idp.example/sso?x=1")
      #expect(server.requests.first?.target == "/auth/v1/sso")
      #expect(
        try members(server.requests.first) == [
          "code_challenge=ch", "code_challenge_method=s256", "domain=example.org", "redirect_to=\(Self.link.url)",
          "skip_http_redirect=true",
        ])
    }
  }

  @Test(arguments: ["http://idp.example/sso", "javascript:alert(1)", "", "https://u:p@idp.example/"])
  func singleSignOnAtABadURL(url: String) async throws {
    try await withServer({ _ in .answer(200, [], #"{"url":"\#(url)"}"#) }) { client, _ async throws in
      let error = try await authError { try await client.ssoURL(domain: "a.test", redirect: Self.link) }
      #expect(error.code == .unreadable)
    }
  }

  @Test(
    arguments: [
      (429, "over_email_send_rate_limit", "For security purposes, you can only request this after 59 seconds.", 59),
      (429, "over_sms_send_rate_limit", "For security purposes, you can only request this after 0 seconds.", 1),
      (429, "over_email_send_rate_limit", "email rate limit exceeded", nil),
      (429, "over_request_rate_limit", "Request this after 59 seconds.", nil),
      (429, "over_email_send_rate_limit", "after 99999999999999999999 seconds", nil),
    ] as [(Int, String, String, Int?)])
  func pause(status: Int, code: String, message: String, seconds: Int?) async throws {
    try await withServer({ _ in .answer(status, [], #"{"code":"\#(code)","message":"\#(message)"}"#) }) {
      client, _ async throws in
      let error = try await authError { try await client.sendCode(to: .email("a@b.test"), createUser: true, link: nil) }
      #expect(error.code == .rateLimited)
      #expect(error.retryAfter == seconds.map { .seconds($0) })
    }
  }

  @Test(
    arguments: [
      ("github", "github"), ("GitHub", "github"), ("custom:acme", "custom:acme"), ("slack_oidc", "slack_oidc"),
      ("email", nil), ("Phone", nil), ("sso", nil), ("code", nil), ("anonymous", nil), ("anonymous_users", nil),
      ("", nil), ("-a", nil), ("a b", nil), ("a&b", nil), ("é", nil), (String(repeating: "a", count: 65), nil),
    ] as [(String, String?)])
  func providerNames(text: String, name: String?) {
    #expect(Provider.named(text)?.rawValue == name)
  }
}

/// A string or a truth value, as text.
private struct Scalar: Decodable {
  let text: String
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let truth = try? container.decode(Bool.self) {
      text = truth ? "true" : "false"
    } else {
      text = try container.decode(String.self)
    }
  }
}
