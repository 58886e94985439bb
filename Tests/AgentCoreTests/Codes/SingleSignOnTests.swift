import AgentProtocol
import AuthSandbox
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct SingleSignOnTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static let page = "sign_in_page = \"https://example.org/sign-in\""

  private func startSSO(
    _ domain: String = "Example.ORG", timeout: Double? = nil
  ) async throws -> SignInStart.Result {
    try await fixture.service.start(
      SignInStart.Params(sso: SingleSignOn(domain: domain), redirect: "loopback", timeout: timeout))
  }

  @Test("WS-5: the browser goes to the URL of the identity provider; the callback signs in", .signIn)
  func signsIn() async throws {
    let started = try await startSSO()
    #expect(started.url == "https://idp.example.org/sso?SAMLRequest=x")
    #expect(started.expiresAt.unixSeconds == fixture.clock.wall.unixSeconds + 420)
    let asked = try #require(fixture.server.read(\.ssoDomains).first)
    #expect(asked.domain == "example.org")
    #expect(try await LoopbackClient.browse(asked.redirect.url + "&code=code-1").body.contains("<h1>Signed in"))
    #expect(try await fixture.service.wait(started.flow).account?.user?.provider == "sso")
    let verifier = try #require(fixture.server.read(\.verifiers).first)
    #expect(PKCE(verifier: verifier).challenge == asked.redirect.challenge)
  }

  @Test("WS-5: at 2 minutes a waiter learns the identity provider's limit; the flow goes on for the exchange", .signIn)
  func saysTheLimit() async throws {
    let started = try await startSSO(timeout: 300)
    async let waiting: ErrorKind? = errorKind { try await fixture.service.wait(started.flow) }
    try await fixture.clock.advanceToSleeper(in: .seconds(120))
    #expect(await waiting == .flowTimedOut)
    let asked = try #require(fixture.server.read(\.ssoDomains).first)
    _ = try await LoopbackClient.browse(asked.redirect.url + "&code=code-1")
    #expect(try await fixture.service.wait(started.flow).outcome == .signedIn)
  }

  // Not 30 s: the refresh engine sleeps until then, and the clock would be advanced before the wait begins.
  @Test(
    "WS-5: without a timeout, a wait lasts for the 2 minutes; a shorter timeout counts", .signIn, arguments: [nil, 45])
  func waitsForTheLimit(timeout: Double?) async throws {
    let started = try await startSSO(timeout: timeout)
    async let waiting: ErrorKind? = errorKind { try await fixture.service.wait(started.flow) }
    try await fixture.clock.advanceToSleeper(in: .seconds(timeout ?? 120))
    #expect(await waiting == .flowTimedOut)
  }

  @Test(
    "WS-5: the server's refusals in words", .signIn,
    arguments: [(AuthError.Code.ssoNotFound, "registered for this domain"), (.ssoDisabled, "disabled for the project")])
  func explains(code: AuthError.Code, words: String) async throws {
    fixture.server.set { $0.ssoAnswer = .failure(AuthError(code, "", status: 404)) }
    let error = try #require(await errorOf { try await startSSO() })
    #expect(error.kind == .methodDisabled && error.message.contains(words))
    #expect(await fixture.accounts.signIns.isEmpty, "the account is free")
  }

  // MARK: - Providers

  @Test(
    "WS-1: any provider by its name, in lower case; exactly five keys go to the server", .signIn,
    arguments: [
      "github", "GitHub", "custom:acme", "slack_oidc", "x",
    ])
  func startsWithAnyProvider(name: String) async throws {
    let params = SignInStart.Params(provider: name, scopes: "repo read:org", redirect: "loopback")
    let flow = StartedFlow(try await fixture.service.start(params))
    #expect(flow.parameter("provider") == name.lowercased())
    #expect(flow.parameter("scopes") == "repo read:org")
    let query = flow.url.split(separator: "?", maxSplits: 1)[1]
    #expect(
      query.split(separator: "&").map { $0.prefix { $0 != "=" } }
        == ["provider", "redirect_to", "scopes", "code_challenge", "code_challenge_method"])
    _ = try await LoopbackClient.browse(flow.port, flow.target())
    #expect(try await fixture.service.wait(flow.id).account?.user?.provider == name.lowercased())
  }

  @Test("WS-1: an identity token of another provider is refused in words", .signIn)
  func refusesIdentityTokens() async throws {
    for provider in ["azure", "email"] {
      let params = SignInIDToken.Params(account: nil, provider: provider, idToken: "a.b.c", nonce: nil)
      #expect(await errorKind { try await fixture.service.idToken(params) } == .invalidParams)
    }
    let token = "\(Base64URL.encode("{}".utf8)).\(Base64URL.encode("{}".utf8)).c2ln"
    let params = SignInIDToken.Params(account: nil, provider: "custom:acme", idToken: token, nonce: nil)
    #expect(try await fixture.service.idToken(params).user?.provider == "custom:acme")
  }

  // MARK: - The project's own page

  private func items(_ url: String) throws -> QueryItems {
    let fragment = try #require(url.split(separator: "#", maxSplits: 1).last)
    return try #require(QueryItems(fragment.utf8))
  }

  @Test(
    "WS-7: the project's page gets challenge and redirect in the fragment; the session tells the method",
    .signIn(project: page))
  func opensTheProjectsPage() async throws {
    let user = User(
      id: "user-1", email: "anna@example.org",
      identities: [Identity(identityID: "i", provider: Provider(rawValue: "github"))])
    let session = Session(
      accessToken: BearerToken("a"), expiresIn: 3600, refreshToken: RefreshToken("r"), user: user)
    fixture.server.set { $0.exchangeAnswers = [.success(session)] }
    let started = try await fixture.service.start(SignInStart.Params(redirect: "loopback"))
    #expect(started.url.hasPrefix("https://example.org/sign-in#code_challenge="))
    #expect(started.expiresAt.unixSeconds == fixture.clock.wall.unixSeconds + 900, "time for a mail")
    let items = try items(started.url)
    #expect(items.names == ["code_challenge", "code_challenge_method", "redirect_to"])
    #expect(items.only("code_challenge_method") == "s256")
    let callback = try #require(items.only("redirect_to"))
    #expect(try await LoopbackClient.browse(callback + "&code=code-1").body.contains("<h1>Signed in"))
    #expect(try await fixture.service.wait(started.flow).account?.user?.provider == "github")
    let verifier = try #require(fixture.server.read(\.verifiers).first)
    #expect(PKCE(verifier: verifier).challenge == items.only("code_challenge"))
  }

  @Test(
    "WS-7: a provider that was named does not need the page, and the page needs the loopback redirect",
    .signIn(project: page))
  func usesThePageOnlyForTheChoice() async throws {
    #expect(try await fixture.start("google").url.hasPrefix(AccountsFixture.origin + "/auth/v1/authorize?"))
    #expect(await errorKind { try await fixture.start(nil, account: "b", redirect: "manual") } == .invalidParams)
  }
}
