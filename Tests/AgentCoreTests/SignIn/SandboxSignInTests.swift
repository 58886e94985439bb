import AgentProtocol
import AuthSandbox
import SupabaseAuth
import TestKit
import Testing

@testable import SignInFlows

/// Complete sign-ins against the stand-in for Supabase Auth, over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct SandboxSignInTests {
  private func withStage(
    _ change: @escaping @Sendable (inout SandboxSettings) -> Void = { _ in },
    _ body: @escaping @Sendable (SignInFixture<SupabaseAuthClient>, AuthSandbox) async throws -> Void
  ) async throws {
    try await withSandbox { sandbox async throws in
      sandbox.configure { settings in
        settings.autoConsentGoogle = "anna@example.org"
        change(&settings)
      }
      sandbox.addProviderAccount(.google, email: "anna@example.org", firstName: "Anna")
      let client = SupabaseAuthClient(
        endpoint: try ProjectEndpoint(url: sandbox.url, anonKey: sandbox.anonKey), userAgent: "test", limits: .generous)
      try await withSignIn(server: client, url: sandbox.url, key: sandbox.anonKey) { try await body($0, sandbox) }
      await client.shutdown()
    }
  }

  /// Follows redirects from `url`, as a browser does. Returns the first URL outside the sandbox.
  private func redirectTarget(_ url: String, _ sandbox: AuthSandbox) async throws -> String {
    var next = url
    while next.hasPrefix(sandbox.url) {
      let port = Int(sandbox.url.split(separator: ":")[2]) ?? 0
      let reply = try await LoopbackClient.get(port, String(next.dropFirst(sandbox.url.utf8.count)))
      next = try #require(reply.headers["location"], "\(reply.status) at \(next): \(reply.body.prefix(300))")
    }
    return next
  }

  private func target(_ address: String) -> String {
    "/"
      + address.split(separator: "/", maxSplits: 2)[1...].joined(separator: "/").split(separator: "/", maxSplits: 1)[1]
  }

  @Test("SI-2: Google in the browser: the state returns in the query, the verifier matches, the session is valid")
  func signsInWithGoogle() async throws {
    try await withStage { fixture, sandbox async throws in
      let flow = try await fixture.start("google")
      let landing = try await redirectTarget(flow.url, sandbox)
      #expect(landing.hasPrefix("http://127.0.0.1:\(flow.port)/callback?attempt="))
      #expect(try await LoopbackClient.browse(flow.port, target(landing)).body.contains("<h1>Signed in"))
      let result = try await fixture.service.wait(flow.id)
      #expect(result.account?.user?.email == "anna@example.org")
      #expect(sandbox.requestCount(.pkce) == 1)
    }
  }

  @Test("SI-3, SI-9: the sign-in page offers Apple, then Google, then email, and leads to the provider")
  func signsInByThePage() async throws {
    try await withStage { fixture, sandbox async throws in
      let visitor = try await fixture.visit()
      let page = try await visitor.get("/sign-in")
      let places = ["Continue with Apple", "Continue with Google", "Continue with Email"].map {
        page.body.firstRange(of: $0)?.lowerBound
      }
      #expect(places == places.compactMap { $0 }.sorted())
      let choice = try await visitor.request("/sign-in/google")
      #expect(choice.status == 303)
      let landing = try await redirectTarget(try #require(choice.headers["location"]), sandbox)
      #expect(try await visitor.get(target(landing)).body.contains("<h1>Signed in"))
      #expect(try await fixture.service.wait(visitor.flow).account?.user?.provider == "google")
    }
  }

  @Test("SI-6, SI-9: the page's form signs in and up for the flow's account, and a waiter gets the result")
  func signsInByTheForm() async throws {
    try await withStage({ $0.autoconfirm = false }) { fixture, sandbox async throws in
      sandbox.addUser(email: "anna@example.org", password: "correct horse 9")
      let visitor = try await fixture.visit(account: "work")
      let page = try await visitor.submit("email=anna%40example.org&password=correct+horse+9")
      #expect(page.body.contains("<h1>Signed in"))
      let result = try await fixture.service.wait(visitor.flow)
      #expect(result.account?.name == "work")
      #expect(result.account?.user?.provider == "email")
      let other = try await fixture.visit(account: "other")
      let sent = try await other.submit("email=new%40example.org&password=correct+horse+9", to: "/sign-in/email/new")
      #expect(sent.body.contains("<h1>Enter the code</h1>") && sent.body.contains("new@<wbr>example.<wbr>org"))
      #expect(try await other.submit("", to: "/sign-in/code/later").body.contains("Check your email"))
      #expect(try await fixture.service.wait(other.flow).outcome == .confirmationSent)
    }
  }

  @Test("SI-12: the page does not offer disabled methods, and other paths are not served")
  func offersWhatIsOn() async throws {
    try await withStage({
      $0.appleEnabled = false
      $0.signupDisabled = true
    }) { fixture, _ async throws in
      let visitor = try await fixture.visit()
      let page = try await visitor.get("/sign-in")
      #expect(!page.body.contains("Apple") && page.body.contains("Google"))
      #expect(try await !visitor.get("/sign-in/email").body.contains("Create an account"))
      #expect(try await visitor.request("/sign-in/email/new").headers["location"] == "/sign-in/email")
      for other in ["/sign-in/github", "/sign-in/", "/sign-in/googlex"] {
        #expect(try await visitor.request(other).status == 404)
      }
    }
  }

  @Test("SI-7c: a redirect URL pasted from a browser on another machine signs in")
  func signsInByPaste() async throws {
    try await withStage { fixture, sandbox async throws in
      let flow = try await fixture.start("google", redirect: "manual")
      let landing = try await redirectTarget(flow.url, sandbox)
      let asked = try await fixture.service.complete(landing)
      #expect(asked.decision?.user.email == "anna@example.org")
      let done = try await fixture.service.decide(IdentityDecide.Params(flow: flow.id, accept: true))
      #expect(done.account?.tokenUsable == true)
    }
  }

  @Test("SI-7b: a redirect to the URL scheme signs in, if the project allows it")
  func signsInByScheme() async throws {
    try await withStage { fixture, sandbox async throws in
      let flow = try await fixture.start("google", redirect: "scheme")
      #expect(try await fixture.service.complete(try await redirectTarget(flow.url, sandbox)).outcome == .signedIn)
    }
  }

  @Test("a scheme that the project does not allow ends at its Site URL and is refused here")
  func refusesTheSiteURL() async throws {
    try await withStage({
      $0.redirectAllowList = []
      $0.siteURL = "https://app.example.org"
    }) { fixture, sandbox async throws in
      let flow = try await fixture.start("google", redirect: "scheme")
      let landing = try await redirectTarget(flow.url, sandbox)
      #expect(landing.hasPrefix("https://app.example.org"))
      #expect(await errorKind { try await fixture.service.complete(landing) } == .callbackInvalid)
    }
  }

  @Test("SI-8: another flow's code does not match this flow's verifier")
  func refusesAnotherFlowsCode() async throws {
    try await withStage { fixture, sandbox async throws in
      let (mine, other) = (
        try await fixture.start("google", redirect: "manual"),
        try await fixture.start("google", account: "other", redirect: "manual")
      )
      let code = try #require(CallbackURL(try await redirectTarget(other.url, sandbox)).answer.code)
      #expect(await errorKind { try await fixture.service.complete(mine.callback("code=\(code)")) } == .callbackInvalid)
      #expect(
        try await fixture.service.complete(try await redirectTarget(mine.url, sandbox)).outcome == .decisionNeeded)
    }
  }

  @Test("an exchange that is dropped before it takes effect is repeated with the same code")
  func survivesADroppedExchange() async throws {
    try await withStage { fixture, sandbox async throws in
      sandbox.inject(.dropBeforeCommit, at: .pkce)
      let flow = try await fixture.start("google", redirect: "scheme")
      #expect(try await fixture.service.complete(try await redirectTarget(flow.url, sandbox)).outcome == .signedIn)
      #expect(sandbox.requestCount(.pkce) == 2)
    }
  }

  @Test("SI-3: an Apple identity token with the agent's nonce signs in")
  func exchangesAnIDToken() async throws {
    try await withStage { fixture, sandbox async throws in
      let nonce = await fixture.service.nonce()
      var request = IDTokenRequest(provider: .apple, email: "anna@example.org")
      request.nonce = nonce.hashed
      let params = SignInIDToken.Params(
        account: nil, provider: "apple", idToken: try await sandbox.mintIDToken(request), nonce: nonce.nonce)
      #expect(try await fixture.service.idToken(params).user?.email == "anna@example.org")
    }
  }
}

extension CallbackAnswer {
  fileprivate var code: String? { if case .code(let code) = self { code } else { nil } }
}
