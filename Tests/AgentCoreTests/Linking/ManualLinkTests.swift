import AgentProtocol
import AuthSandbox
import SessionVault
import SupabaseAuth
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(2))) struct ManualLinkTests {
  private var fixture: AccountsFixture { .current }

  private var agent: LiveAgent { .current }

  @Test(
    "LK-3: a manual link replaces the user's session and ends the old one at the server",
    .googleAgent(email: "other@example.org"))
  func links() async throws {
    let noticed = ReportedLinks(agent)
    let first = try await agent.signIn()
    let before = try await agent.token()
    let result = try await agent.linkGoogle()
    #expect(result.outcome == .signedIn)
    #expect(result.account?.user?.id == first?.user?.id)
    #expect(try await agent.token() != before)
    #expect(try await agent.providers() == ["email", "google"])
    #expect(noticed.descriptions == ["google byHand"])
    #expect(agent.sandbox.users.count == 1)
    try await eventually("the old session ends") { agent.sandbox.users[0].sessions.count == 1 }
    #expect(try await agent.accounts.refresh(nil).tokenUsable)
  }

  @Test(
    "LK-3, SI-9: the pages of a manual link say what is linked, who is signed in, and how to start over",
    .googleAgent(email: "other@example.org"))
  func showsTheLink() async throws {
    try await agent.signIn()
    let flow = try await agent.service.link(IdentityLink.Params(provider: "google", redirect: "loopback"))
    let (port, target) = LoopbackClient.place(of: try await agent.redirectTarget(of: flow.url))
    let visitor = PageVisitor(port: port, flow: flow.flow)
    let refused = try await visitor.get("\(target)&code=").body
    #expect(
      refused.contains("Link a sign-in method at <strong>127.<wbr>0.<wbr>0.<wbr>1:")
        && refused.contains("still waiting"))
    #expect(!refused.contains("Continue with Google"), "the server's URL is for one use")
    let linked = try await visitor.get(target).body
    #expect(linked.contains("<h1>Sign-in method linked at <strong>127."))
    #expect(
      linked.contains("You are signed in as <strong class=\"who\">\(HTML.breakable(LiveAgent.email).text)</strong>."))
    #expect(linked.contains("Google is now linked.") && linked.contains("You can close this tab and return"))

    let other = try await agent.service.link(IdentityLink.Params(provider: "apple", redirect: "loopback")).flow
    try await agent.service.cancel(other)
    guard case .cancelled(_, let command)? = await agent.service.flows[other]?.pageState else {
      Issue.record("the flow is not cancelled")
      return
    }
    #expect(command == "ritualctl link apple --account default")
  }

  @Test("LK-3: identities are listed from the server and unlinked by id, and the last one stays", .googleAgent())
  func unlinks() async throws {
    let noticed = ReportedLinks(agent)
    let identities = IdentityService(accounts: agent.accounts)
    try await agent.signIn()
    _ = try await agent.signInWithGoogle()
    let listed = try await identities.list(AccountParams())
    #expect(listed.isCurrent && listed.identities.map(\.provider) == ["email", "google"])
    agent.sandbox.expireAccessTokens()
    let id = try #require(listed.identities.last?.identityID)
    let left = try await identities.unlink(IdentityUnlink.Params(identityID: id))
    #expect(left.identities.map(\.provider) == ["email"])
    #expect(agent.sandbox.users[0].providers == ["email"])
    #expect(try await agent.providers() == ["email"])
    #expect(noticed.descriptions == ["google automatic", "google unlinked"])
    let last = try #require(left.identities.first?.identityID)
    let before = agent.sandbox.requestCount(.identities)
    #expect(await errorKind { try await identities.unlink(IdentityUnlink.Params(identityID: last)) } == .lastIdentity)
    #expect(await errorKind { try await identities.unlink(IdentityUnlink.Params(identityID: id)) } == .invalidParams)
    #expect(agent.sandbox.requestCount(.identities) == before, "neither was sent")
    _ = try await agent.signInWithGoogle()
    #expect(noticed.descriptions.last == "google automatic", "linked again, it is news again")
  }

  @Test("LK-3: the server's answer that an identity is the last one is trusted", .googleAgent())
  func believesTheServer() async throws {
    let identities = IdentityService(accounts: agent.accounts)
    _ = try await agent.signInWithGoogle()
    let id = try #require(try await identities.list(AccountParams()).identities.last?.identityID)
    agent.sandbox.inject(.error(status: 422, code: "single_identity_not_deletable"), at: .identities)
    #expect(await errorKind { try await identities.unlink(IdentityUnlink.Params(identityID: id)) } == .lastIdentity)
    #expect(try await agent.providers().count == 2)
  }

  @Test(
    "LK-3: a project that forbids linking has an error of its own, and the session stays",
    .googleAgent(manualLinking: false))
  func disabled() async throws {
    let identities = IdentityService(accounts: agent.accounts)
    _ = try await agent.signInWithGoogle()
    let before = try await agent.token()
    #expect(await errorKind { try await agent.linkGoogle() } == .linkingDisabled)
    let id = try #require(try await identities.list(AccountParams()).identities.last?.identityID)
    #expect(await errorKind { try await identities.unlink(IdentityUnlink.Params(identityID: id)) } == .linkingDisabled)
    #expect(try await agent.token() == before)
    #expect(try await agent.accounts.status(nil).activity == .none, "the account is free for the next try")
  }

  @Test("LK-3: rejects an identity that belongs to another user", .googleAgent(email: "bert@example.org"))
  func taken() async throws {
    _ = try await agent.signInWithGoogle(account: "bert")
    try await agent.signIn(account: "anna")
    let before = try await agent.token("anna")
    let params = IdentityLink.Params(account: "anna", provider: "google", redirect: "scheme")
    let flow = try await agent.service.link(params)
    let landing = try await agent.redirectTarget(of: flow.url)
    #expect(await errorKind { try await agent.service.complete(landing) } == .identityTaken)
    #expect(try await agent.token("anna") == before)
    #expect(try await agent.providers("anna") == ["email"])
  }

  @Test("a sign-out during a link flow is not undone by the flow", .googleAgent(email: "other@example.org"))
  func signedOutMeanwhile() async throws {
    try await agent.signIn()
    let flow = try await agent.service.link(IdentityLink.Params(provider: "google", redirect: "scheme"))
    let landing = try await agent.redirectTarget(of: flow.url)
    _ = try await agent.accounts.signOut(SessionSignOut.Params())
    #expect(await errorKind { try await agent.service.complete(landing) } == .signInNeeded)
    #expect(try await agent.accounts.status(nil).state == .unauthenticated)
    try await eventually("no session is left") { agent.sandbox.users[0].sessions.isEmpty }
  }

  @Test("LK-3: if the server is unreachable, the last known list is returned and marked as not current", .googleAgent())
  func offline() async throws {
    try await agent.signIn()
    agent.sandbox.inject(.badGatewayHTML, at: .user, count: nil)
    let listed = try await IdentityService(accounts: agent.accounts).list(AccountParams())
    #expect(!listed.isCurrent && listed.identities.map(\.provider) == ["email"])
  }

  @Test("neither another user's session nor a failed write replaces a session", .accounts)
  func replacesNothing() async throws {
    try await fixture.signIn()
    let wrong = try await fixture.accounts.beginLink(nil, .google)
    #expect(
      await errorKind { try await fixture.accounts.adopt(.fixture("2", user: "user-2"), for: wrong) } == .wrongUser)
    #expect(try await fixture.token().accessToken == "access-1")
    fixture.storage.failNextWrite(with: .diskFull)
    let second = try await fixture.accounts.beginLink(nil, .google)
    #expect(await errorKind { try await fixture.accounts.adopt(.fixture("3"), for: second) } == .storageFull)
    #expect(try await fixture.token().accessToken == "access-1")
    let third = try await fixture.accounts.beginLink(nil, .google)
    _ = try await fixture.accounts.adopt(.fixture("4"), for: third)
    #expect(try await fixture.token().accessToken == "access-4")
    #expect(try await fixture.store.load("default").session?.accessToken == "access-4")
  }
}
