import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// The life of a flow, with callbacks that are pasted or arrive at the listener.
@Suite(.signIn, .timeLimit(.minutes(10))) struct FlowTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  @Test("SI-2: the authorize URL names provider, redirect and challenge; the verifier stays here until the exchange")
  func startsWithPKCE() async throws {
    let flow = try await fixture.start("google", account: "work")
    #expect(flow.url.hasPrefix(AccountsFixture.origin + "/auth/v1/authorize?"))
    #expect(flow.parameter("provider") == "google")
    #expect(flow.parameter("code_challenge_method") == "s256")
    #expect(flow.redirect.hasPrefix("http://127.0.0.1:\(flow.port)/callback?attempt="))
    #expect(flow.redirect.utf8.count == "http://127.0.0.1:\(flow.port)/callback?attempt=".utf8.count + 43)
    #expect(flow.expiresAt.unixSeconds == fixture.clock.wall.unixSeconds + 300)
    let page = try await LoopbackClient.browse(flow.port, flow.target())
    #expect(page.body.contains("<h1>Signed in"))
    let result = try await fixture.service.wait(flow.id)
    #expect(result.outcome == .signedIn)
    #expect(result.account?.name == "work")
    #expect(result.account?.user?.provider == "google")
    let verifier = try #require(fixture.server.read(\.verifiers).first)
    #expect(PKCE(verifier: verifier).challenge == flow.parameter("code_challenge"))
  }

  @Test(
    "SI-8: other paths are not served and do not count as failures",
    arguments: [
      "/", "/callback/", "/callback/x", "//callback", "/favicon.ico", "/CALLBACK", "/%63allback", "/result?x=1",
      "/sign-in/",
    ])
  func refusesOtherPaths(path: String) async throws {
    let flow = try await fixture.start()
    for _ in 0..<6 { #expect(try await LoopbackClient.get(flow.port, path).status == 404) }
    #expect(try await LoopbackClient.browse(flow.port, flow.target()).body.contains("<h1>Signed in"))
  }

  @Test("SI-8: a foreign state is refused and changes nothing; the fifth one ends the flow", arguments: [true, false])
  func refusesForeignStates(byBrowser: Bool) async throws {
    let flow = try await fixture.start()
    @Sendable func tryForeign(ends: Bool = false) async throws {
      let other = String(repeating: "A", count: 43)
      if byBrowser {
        let page = try await LoopbackClient.browse(flow.port, "/callback?attempt=\(other)&code=evil")
        // Without the cookie, the page of a flow that has ended tells nothing.
        #expect(
          page.body.contains(
            ends ? "Look where you started the sign-in" : "This sign-in belongs to the window that opened it first."))
      } else {
        let address = "http://127.0.0.1:\(flow.port)/callback?attempt=\(other)&code=evil"
        #expect(await errorKind { try await fixture.service.complete(address) } == .callbackInvalid)
      }
    }
    for _ in 0..<4 { try await tryForeign() }
    #expect(fixture.server.read(\.exchanges).isEmpty)
    #expect(await fixture.service.flows[flow.id]?.isOver == false)
    let second = try await fixture.start(account: "other")
    try await tryForeign(ends: true)
    #expect(await fixture.service.flows[flow.id]?.isOver == true)
    #expect(await errorKind { try await fixture.service.wait(flow.id) } == .callbackInvalid)
    #expect(await errorKind { try await fixture.service.complete(flow.callback()) } == .flowUnknown)
    #expect(
      try await fixture.service.complete(second.callback()).outcome == .decisionNeeded, "another flow is untouched")
    #expect(fixture.server.read(\.exchanges) == ["code-1"])
  }

  @Test("SI-8: rejects the right state at another scheme, host, port or path, and other text")
  func refusesOtherPlaces() async throws {
    let flow = try await fixture.start()
    let query = flow.callback().drop { $0 != "?" }
    for place in [
      "ftp://127.0.0.1:\(flow.port)/callback", "http://localhost:\(flow.port)/callback",
      "http://127.0.0.1:\(flow.port)/", "dailyritual://auth-callback",
    ] {
      #expect(await errorKind { try await fixture.service.complete(place + query) } == .callbackInvalid)
    }
    for text in ["", "no address", "https://example.org/"] {
      #expect(await errorKind { try await fixture.service.complete(text) } == .callbackInvalid)
    }
    #expect(fixture.server.read(\.exchanges).isEmpty)
  }

  @Test(
    "server errors are mapped to the agent's own errors",
    arguments: [
      ("user_banned", ErrorKind.denied), ("signup_disabled", .methodDisabled),
      ("identity_already_exists", .identityTaken),
      ("email_exists", .linkingConflict), ("provider_email_needs_verification", .emailNotConfirmed),
      ("unexpected_failure", .serviceUnavailable), ("bad_oauth_callback", .callbackInvalid),
      ("whatever", .callbackInvalid),
    ])
  func mapsErrors(code: String, kind: ErrorKind) async throws {
    let flow = try await fixture.start()
    let query = "error=server_error&error_code=\(code)&error_description=%3Cb%3Eevil%3C%2Fb%3E"
    let page = try await LoopbackClient.browse(flow.port, flow.target(query))
    #expect(!page.body.contains("evil"))
    #expect(await errorKind { try await fixture.service.wait(flow.id) } == kind)
  }

  @Test("SI-10: a second attempt for the account is refused as busy, until the first one is cancelled")
  func refusesASecondAttempt() async throws {
    let flow = try await fixture.start()
    #expect(await errorKind { try await fixture.start() } == .flowBusy)
    async let waiting = errorKind { try await fixture.service.wait(flow.id) }
    try await fixture.service.cancel(flow.id)
    #expect(await waiting == .cancelled)
    try await fixture.service.cancel(flow.id)
    _ = try await fixture.start()
    #expect(await errorKind { try await fixture.service.cancel("unknown") } == .flowUnknown)
  }

  @Test("the end of the client that started a flow cancels the flow, a shutdown cancels all flows")
  func endsWithItsStarter() async throws {
    let flow = try await fixture.start()
    await fixture.service.starterDisconnected(flow.id)
    #expect(await errorKind { try await fixture.service.wait(flow.id) } == .cancelled)
    let other = try await fixture.start()
    async let waiting = errorKind { try await fixture.service.wait(other.id) }
    await fixture.service.shutdown()
    #expect([.cancelled, .flowUnknown].contains(await waiting))
    #expect((try? await LoopbackClient.get(other.port, "/")) == nil, "nobody listens any more")
    #expect(await errorKind { try await fixture.start() } == .notReady)
  }

  @Test("a session whose exchange ends after the flow was cancelled is revoked")
  func discardsALateSession() async throws {
    fixture.server.set { $0.holds = [.exchange] }
    let flow = try await fixture.start()
    async let page = LoopbackClient.browse(flow.port, flow.target())
    try await eventually("the exchange") { fixture.server.read(\.exchanges).count == 1 }
    try await fixture.service.cancel(flow.id)
    fixture.server.release()
    #expect(try await page.body.contains("Cancelled"))
    try await eventually("the revocation") { fixture.server.read(\.logouts) == ["access-1"] }
    #expect(await fixture.accounts.list().isEmpty)
  }

  @Test("the number of flows is bounded")
  func boundsFlows() async throws {
    for number in 0..<SignInLimits.maxRunningFlows {
      _ = try await fixture.start(account: "a\(number)", redirect: "manual")
    }
    #expect(await errorKind { try await fixture.start(account: "more") } == .tooMany)
  }

  @Test("more flows than are remembered begin and end within a minute: the oldest are forgotten")
  func forgetsFlows() async throws {
    for _ in 0..<(SignInLimits.maxStoredFlows + 6) {
      try await fixture.service.cancel(try await fixture.start(redirect: "manual").id)
    }
    #expect(await fixture.service.flows.count == SignInLimits.maxStoredFlows)
  }

  @Test(
    "rejects invalid start parameters",
    arguments: [
      SignInStart.Params(provider: "email"), SignInStart.Params(provider: "anonymous_users"),
      SignInStart.Params(provider: "git hub"), SignInStart.Params(provider: ""),
      SignInStart.Params(provider: "google&state=x"), SignInStart.Params(provider: "google", redirect: "elsewhere"),
      SignInStart.Params(provider: "google", scopes: ""), SignInStart.Params(provider: "google", scopes: "a\nb"),
      SignInStart.Params(scopes: "repo"), SignInStart.Params(provider: "google", sso: SingleSignOn(domain: "a.org")),
      SignInStart.Params(sso: SingleSignOn(domain: "")), SignInStart.Params(sso: SingleSignOn(domain: "a b.org")),
      SignInStart.Params(sso: SingleSignOn(domain: "-a.org")), SignInStart.Params(sso: SingleSignOn(domain: "a..org")),
      SignInStart.Params(redirect: "manual"), SignInStart.Params(provider: "google", timeout: 0),
      SignInStart.Params(provider: "google", timeout: .infinity), SignInStart.Params(provider: "google", port: 0),
      SignInStart.Params(provider: "google", redirect: "manual", port: 5000),
      SignInStart.Params(account: "UPPER", provider: "google"),
    ])
  func refusesBadParams(params: SignInStart.Params) async throws {
    #expect(await errorKind { try await fixture.service.start(params) } == .invalidParams)
  }
}
