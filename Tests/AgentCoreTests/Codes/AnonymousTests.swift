import AgentProtocol
import AuthSandbox
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(2))) struct AnonymousTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static let email = "guest@example.org"

  @Test("WS-6: an anonymous user signs in, and is refused where the account has a user", .signIn)
  func signsIn() async throws {
    let service = fixture.service
    let account = try await service.anonymous(SignInAnonymous.Params(account: "guest"))
    #expect(account.user?.isAnonymous == true && account.user?.provider == "anonymous")
    #expect(
      await errorKind { try await service.anonymous(SignInAnonymous.Params(account: "guest")) } == .invalidParams)
    #expect(fixture.server.read(\.anonymous) == 1, "nothing was sent")
    #expect(await fixture.accounts.signIns.isEmpty)
  }

  @Test("WS-6: an ended session's account keeps its user; another is not created", .signIn)
  func refusesAnEndedAccount() async throws {
    fixture.server.set { $0.verifyAnswer = .success(.fixture("1", email: Self.email)) }
    _ = try await fixture.service.verifyCode(SignInVerifyCode.Params(email: Self.email, code: "123456"))
    await fixture.accounts.endForTest("default")
    #expect(await errorKind { try await fixture.service.anonymous(SignInAnonymous.Params()) } == .wrongUser)
    #expect(fixture.server.read(\.anonymous) == 0)
  }

  @Test("WS-6: each way to lose an anonymous user is refused without discard, before anything is signed out", .signIn)
  func keepsItsUser() async throws {
    let (accounts, service) = (fixture.accounts, fixture.service)
    _ = try await service.anonymous(SignInAnonymous.Params(account: "guest"))
    fixture.server.set { $0.verifyAnswer = .success(.fixture("2", user: "user-2", email: Self.email)) }
    let work = SignInVerifyCode.Params(account: "work", email: Self.email, code: "123456")
    _ = try await service.verifyCode(work)
    for params in [
      SessionSignOut.Params(account: "guest"), SessionSignOut.Params(account: "guest", scope: .global),
      SessionSignOut.Params(all: true), SessionSignOut.Params(all: true, discard: false),
    ] {
      let error = try #require(await errorOf { try await accounts.signOut(params) })
      #expect(error.kind == .invalidParams && error.data.account == "guest")
      #expect(error.message.contains("for good"))
      #expect(error.data.hint?.contains("--yes") == true)
    }
    #expect(await errorKind { try await accounts.remove("guest") } == .invalidParams)
    #expect(await accounts.list().map(\.state) == [.authenticated, .authenticated], "nothing was signed out")
    let other = SignInVerifyCode.Params(account: "guest", email: Self.email, code: "123456")
    #expect(await errorKind { try await service.verifyCode(other) } == .wrongUser, "nor replaced")
    let result = try await accounts.signOut(SessionSignOut.Params(all: true, discard: true))
    #expect(result.accounts == ["guest", "work"])
  }

  @Test("WS-6: the user who is signed out is looked at when the account is free for the change", .signIn)
  func looksAtTheUserLate() async throws {
    let accounts = fixture.accounts
    fixture.server.set { $0.verifyAnswer = .success(.fixture("1", email: Self.email)) }
    _ = try await fixture.service.verifyCode(SignInVerifyCode.Params(email: Self.email, code: "123456"))
    #expect(await accounts.signOutWhileTheUserBecomesAnonymous("default") == .invalidParams)
    #expect(try await accounts.status(nil).state == .authenticated)
  }

  @Test("a removal with discard loses the user", .signIn)
  func removes() async throws {
    _ = try await fixture.service.anonymous(SignInAnonymous.Params(account: "guest"))
    #expect(try await fixture.accounts.remove("guest", discard: true).account == "guest")
    #expect(await fixture.accounts.list().isEmpty)
  }

  @Test("a response without any sign-in method does not end being anonymous, and one with an address does")
  func keepsBeingAnonymous() {
    let guest = StoredUser(User(id: "1", identities: [], isAnonymous: true))
    #expect(guest.updated(by: User(id: "1")).isAnonymous == true)
    #expect(guest.updated(by: User(id: "1", email: "a@b.c")).isAnonymous == nil)
    #expect(
      guest.updated(by: User(id: "1", identities: [Identity(identityID: "i", provider: .google)])).isAnonymous == nil)
  }

  // MARK: - Over real HTTP

  private var agent: LiveAgent { .current }

  @Test(
    "WS-6: a restart keeps an anonymous user anonymous, and a provider upgrades it: the same user, one session",
    .anonymousStage)
  func upgradesByProvider() async throws {
    let stage = LiveStage.current
    try await stage.run { agent async throws in _ = try await agent.service.anonymous(SignInAnonymous.Params()) }
    try await stage.run { agent async throws in
      let before = try await agent.accounts.status(nil)
      #expect(before.user?.isAnonymous == true)
      let links = ReportedLinks(agent)
      let result = try await agent.linkGoogle()
      #expect(result.account?.user?.id == before.user?.id)
      #expect(result.account?.user?.isAnonymous == nil)
      #expect(try await agent.providers() == ["google"])
      #expect(links.descriptions == ["google byHand"], "also at once after the user was created")
      try await eventually("the old session ends") {
        agent.sandbox.users.first { $0.id == before.user?.id }?.sessions.count == 1
      }
      #expect(try await agent.accounts.refresh(nil).user?.isAnonymous == nil)
      #expect(try await agent.accounts.signOut(SessionSignOut.Params()).accounts == ["default"])
    }
  }

  @Test("WS-6: a code upgrades an anonymous user; a user with an address is refused", .anonymousAgent())
  func upgradesByCode() async throws {
    let before = try await agent.service.anonymous(SignInAnonymous.Params())
    let links = ReportedLinks(agent)
    let params = SignInSendCode.Params(email: Self.email, purpose: .link)
    let sent = try await agent.service.sendCode(params)
    #expect(sent.account == nil)
    let code = try #require(agent.sandbox.mails.last { $0.to == Self.email }?.code)
    let wrong = SignInVerifyCode.Params(flow: sent.flow, code: code == "000000" ? "000001" : "000000")
    #expect(await errorKind { try await agent.service.verifyCode(wrong) } == .codeInvalid)
    let account = try await agent.service.verifyCode(SignInVerifyCode.Params(flow: sent.flow, code: code))
    #expect(account.user?.id == before.user?.id && account.user?.email == Self.email)
    #expect(account.user?.isAnonymous == nil)
    #expect(links.descriptions == ["email byHand"])
    try await eventually("the old session ends") {
      agent.sandbox.users.first { $0.id == before.user?.id }?.sessions.count == 1
    }
    let error = try #require(await errorOf { try await agent.service.sendCode(params) })
    #expect(error.kind == .invalidParams && error.message.contains("already has the email address"))
  }

  @Test(
    "WS-6: a link that is opened too late has added the address: the account has it, in the same session",
    .anonymousAgent())
  func upgradesByALateLink() async throws {
    let before = try await agent.service.anonymous(SignInAnonymous.Params())
    let sent = try await agent.service.sendCode(SignInSendCode.Params(email: Self.email, purpose: .link))
    let link = try #require(agent.sandbox.mails.last { $0.to == Self.email }?.link)
    // The server's clock for the exchange begins at the request (fact 17).
    agent.sandbox.advanceClock(by: .seconds(301))
    let page = try await LoopbackClient.browse(try await agent.redirectTarget(of: link))
    #expect(page.body.contains("Signed in"), "\(page.body)")
    let account = try #require(try await agent.service.wait(sent.flow).account)
    #expect(account.user?.id == before.user?.id && account.user?.email == Self.email)
    #expect(account.user?.isAnonymous == nil && account.user?.provider == "email")
    #expect(try await agent.accounts.status(nil).user?.email == Self.email)
    #expect(agent.sandbox.users.first { $0.id == before.user?.id }?.sessions.count == 1)
  }

  @Test(
    "an anonymous user is told why it can have no second factor, and another user's address is refused in words",
    .anonymousAgent())
  func refusesWhatIsNotForIt() async throws {
    agent.sandbox.addUser(email: Self.email, password: "correct horse 9")
    _ = try await agent.service.anonymous(SignInAnonymous.Params())
    let factor = await errorOf { try await agent.accounts.enrollFactor(MFAEnroll.Params(type: "totp")) }
    #expect(factor?.kind == .denied && factor?.message.contains("anonymous") == true)
    #expect(factor?.data.hint?.contains("ritualctl link") == true)
    #expect(agent.sandbox.requestCount(.refresh) == 0, "the token is good")
    let params = SignInSendCode.Params(email: Self.email, purpose: .link)
    let taken = await errorOf { try await agent.service.sendCode(params) }
    #expect(taken?.kind == .linkingConflict && taken?.message.contains("another account") == true)
  }

  @Test("an anonymous user whose session has ended is not told to sign in again", .signIn)
  func tellsThatItIsLost() async throws {
    _ = try await fixture.service.anonymous(SignInAnonymous.Params())
    await fixture.accounts.endForTest("default")
    #expect(try await fixture.accounts.status(nil).user?.isAnonymous == true)
    let why = try await fixture.accounts.explain(nil)
    #expect(why.explanation.contains { $0.contains("cannot sign in again") && $0.contains("--replace") })
  }

  @Test("WS-6: a project without confirmation adds the address at once", .anonymousAgent(autoconfirm: true))
  func upgradesWithoutACode() async throws {
    _ = try await agent.service.anonymous(SignInAnonymous.Params())
    let sent = try await agent.service.sendCode(SignInSendCode.Params(email: Self.email, purpose: .link))
    #expect(sent.account?.user?.email == Self.email && sent.account?.user?.isAnonymous == nil)
    #expect(sent.account?.user?.provider == "email")
    #expect(sent.account.map(\.activity) == AccountActivity.none)
    #expect(try await agent.service.wait(sent.flow).outcome == .signedIn)
  }
}

extension Accounts {
  /// Signs out while another change holds the account, which makes the user anonymous.
  fileprivate func signOutWhileTheUserBecomesAnonymous(_ name: String) async -> ErrorKind? {
    await writeGate.enter(name)
    let task = Task { () async -> ErrorKind? in
      do throws(AgentError) {
        _ = try await signOut(SessionSignOut.Params(account: name))
        return nil
      } catch {
        return error.kind
      }
    }
    // The sign-out checks the user, then waits for the gate.
    for _ in 0..<100 { await Task.yield() }
    if let user = accounts[name]?.session?.user {
      update(name) { $0.userChanged(StoredUser(User(id: user.id, identities: [], isAnonymous: true))) }
    }
    writeGate.leave(name)
    return await task.value
  }

  /// Ends an account's session as the server does.
  fileprivate func endForTest(_ name: String) {
    guard let session = accounts[name]?.session else { return }
    let end = StoredEnd(
      at: session.signedInAt, reason: "ended elsewhere", userID: session.user.id, email: session.user.email,
      isAnonymous: session.user.isAnonymous)
    update(name) { $0.end(end) }
  }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test a stage whose project has anonymous users: `LiveStage.current`.
  fileprivate static var anonymousStage: Self {
    LiveStage.running.trait { try await withAnonymousStage(autoconfirm: false, $0) }
  }

  /// Gives the test an agent on such a stage: `LiveAgent.current`.
  fileprivate static func anonymousAgent(autoconfirm: Bool = false) -> Self {
    LiveAgent.running.trait { body in
      try await withAnonymousStage(autoconfirm: autoconfirm) { try await $0.run(body) }
    }
  }
}

private func withAnonymousStage(
  autoconfirm: Bool, _ body: @Sendable (LiveStage) async throws -> Void
) async throws {
  var settings = SandboxSettings()
  (settings.anonymousEnabled, settings.manualLinking, settings.autoconfirm) = (true, true, autoconfirm)
  settings.autoConsentGoogle = "guest@example.org"
  try await withLiveStage("", settings) { stage async throws in
    stage.sandbox.addProviderAccount(.google, email: "guest@example.org", firstName: "Guest")
    try await body(stage)
  }
}
