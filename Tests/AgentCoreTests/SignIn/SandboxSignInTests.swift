import AgentProtocol
import AuthSandbox
import SupabaseAuth
import TestKit
import Testing

@testable import SignInFlows

/// Complete sign-ins against the sandbox, over real HTTP.
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
}

extension CallbackAnswer {
  fileprivate var code: String? { if case .code(let code) = self { code } else { nil } }
}
