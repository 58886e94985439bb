import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct CodeFlowTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static let email = "anna@example.org"
  private static let refused = AuthError(.codeRefused, "no", status: 403, serverCode: "otp_expired")
  private static let otherProject =
    "[projects.other]\nurl = \"https://other.example.org\"\nanon_key = \"other\""

  private func send(
    account: String? = nil, project: String? = nil, reuse: Bool? = nil
  ) async throws -> SignInSendCode.Result {
    try await fixture.service.sendCode(
      SignInSendCode.Params(account: account, project: project, email: Self.email, reuse: reuse))
  }

  private func verify(_ flow: String) async throws -> AccountStatus {
    try await fixture.service.verifyCode(SignInVerifyCode.Params(flow: flow, code: "054206"))
  }

  /// The redirect of the last mail.
  private func redirect() throws -> String {
    try #require(fixture.server.read(\.sentCodes).last?.link?.url)
  }

  /// Opens the link of the last mail.
  private func openLink() async throws { _ = try await LoopbackClient.browse(try redirect() + "&code=code-1") }

  // MARK: - Adding an address

  private static let added = SignInSendCode.Params(email: email, purpose: .link)

  @Test("WS-6: an address is added only while no other sign-in of the account runs, and keeps it busy", .signIn)
  func claimsItsAccount() async throws {
    _ = try await fixture.service.anonymous(SignInAnonymous.Params())
    let flow = try await fixture.start()
    #expect(await errorKind { try await fixture.service.sendCode(Self.added) } == .flowBusy)
    let other = try await fixture.start(account: "other")
    #expect(await errorKind { try await send(account: "other") } == .flowBusy, "the code could not be used")
    #expect(fixture.server.read(\.sentCodes).isEmpty)
    try await fixture.service.cancel(other.id)
    #expect(fixture.server.read(\.updates).isEmpty)
    try await fixture.service.cancel(flow.id)
    fixture.server.set {
      $0.updateAnswer = .success(User(id: "user-1", isAnonymous: true))
      $0.holds = [.update]
    }
    async let sent = fixture.service.sendCode(Self.added)
    try await eventually("the request is on its way") { fixture.server.read(\.updates).count == 1 }
    #expect(await errorKind { try await fixture.start() } == .flowBusy)
    fixture.server.release()
    _ = try await sent
    #expect(await fixture.accounts.signIns.isEmpty)
  }

  @Test("the answer about another user adds nothing to this one", .signIn)
  func refusesAnotherUsersAnswer() async throws {
    _ = try await fixture.service.anonymous(SignInAnonymous.Params())
    fixture.server.set { $0.updateAnswer = .success(User(id: "user-2", email: Self.email)) }
    #expect(await errorKind { try await fixture.service.sendCode(Self.added) } == .wrongUser)
    #expect(await fixture.accounts.signIns.isEmpty)
  }

  private static let refusals: [(AuthError, String, String?)] = [
    (AuthError(.validationFailed, "", status: 400), "This is not a valid email address.", nil),
    (
      AuthError(.userExists, "", status: 422), "This email is already associated with another account.",
      "--account NAME"
    ),
  ]

  @Test("the words for a refused address", .signIn, arguments: refusals)
  func explains(answer: AuthError, message: String, hint: String?) async throws {
    _ = try await fixture.service.anonymous(SignInAnonymous.Params())
    fixture.server.set { $0.updateAnswer = .failure(answer) }
    let error = try #require(await errorOf { try await fixture.service.sendCode(Self.added) })
    #expect(error.message == message)
    #expect(hint.map { error.data.hint?.contains($0) == true } ?? true)
  }

  // MARK: - Sending

  @Test(
    "a flow belongs to its project: another project's code is sent, and verified there", .signIn(project: otherProject))
  func belongsToItsProject() async throws {
    let first = try await send(account: "a", project: "prod")
    #expect(try await send(account: "a", project: "other", reuse: true).flow != first.flow)
    #expect(fixture.server.read(\.sentCodes).count == 2)
    let params = SignInVerifyCode.Params(account: "a", project: "prod", email: Self.email, code: "123456")
    #expect(try await fixture.service.verifyCode(params).project == "prod")
  }

  @Test("a second request while a code is being sent for the account is refused", .signIn)
  func sendsOneAtATime() async throws {
    fixture.server.set { $0.holds = [.send] }
    async let first = send()
    try await eventually("the request is on its way") { fixture.server.read(\.sentCodes).count == 1 }
    async let second = errorKind { try await send() }
    // Requests that are held until this task releases them would hide an answer.
    Task {
      try await eventually("both requests are made") { fixture.server.read(\.sentCodes).count == 2 }
      fixture.server.release()
    }
    #expect(await second == .flowBusy)
    fixture.server.release()
    _ = try await first
    #expect(fixture.server.read(\.sentCodes).count == 1)
    _ = try await send()
  }

  @Test("SI-15: nothing is sent for an account of another user; with replace, the clicked link signs in", .signIn)
  func refusesAnotherUser() async throws {
    _ = try await fixture.service.verifyCode(SignInVerifyCode.Params(email: Self.email, code: "123456"))
    var params = SignInSendCode.Params(email: "bert@example.org")
    #expect(await errorKind { try await fixture.service.sendCode(params) } == .wrongUser)
    params = SignInSendCode.Params(email: Self.email, createUser: true)
    #expect(await errorKind { try await fixture.service.sendCode(params) } == .wrongUser)
    #expect(fixture.server.read(\.sentCodes).isEmpty)
    params = SignInSendCode.Params(email: "bert@example.org", createUser: true, replace: true)
    let sent = try await fixture.service.sendCode(params)
    fixture.server.set { $0.exchangeAnswers = [.success(.fixture("2", user: "user-2", email: "bert@example.org"))] }
    try await openLink()
    #expect(try await fixture.service.wait(sent.flow).account?.user?.id == "user-2")
  }

  @Test("a text message that the project cannot send is not tried again", .signIn)
  func explainsAnUnsentMessage() async throws {
    fixture.server.set { $0.sendAnswer = .failure(AuthError(.messageNotSent, "", status: 422)) }
    let error = try #require(
      await errorOf { try await fixture.service.sendCode(SignInSendCode.Params(phone: "+4915123456789")) })
    #expect(error.kind == .methodDisabled && !error.data.retryable)
    #expect(error.message == "The project could not send a text message.")
  }

  @Test("the hint of a waiting flow names its account, and that the code was sent", .signIn)
  func namesTheCommand() async throws {
    for (params, command) in [
      (SignInSendCode.Params(account: "work", email: Self.email), "ritualctl sign-in code --sent --account work"),
      (
        SignInSendCode.Params(account: "work", phone: "+4915123456789"),
        "ritualctl sign-in phone --sent --account work"
      ),
    ] {
      let sent = try await fixture.service.sendCode(params)
      let flow = try #require(await fixture.service.flows[sent.flow])
      #expect(flow.codeHint.contains(command))
    }
  }

  // MARK: - Callbacks and codes

  @Test("a session that awaits a person's answer ends after 5 minutes, also in a flow that lives for a day", .signIn)
  func endsAnOpenDecision() async throws {
    _ = try await send()
    let result = try await fixture.service.complete(try redirect() + "&code=code-1")
    #expect(result.outcome == .decisionNeeded)
    try await fixture.clock.advanceToSleeper(in: .seconds(300))
    try await eventually("the session is revoked") { fixture.server.read(\.logouts) == ["access-1"] }
    #expect(await fixture.accounts.signIns.isEmpty)
  }

  @Test("WS-2: the first success wins: the mailed link signs in while a wrong code is on its way", .signIn)
  func triesTheLinkAfterAWrongCode() async throws {
    let sent = try await send()
    fixture.server.set {
      $0.verifyAnswer = .failure(Self.refused)
      $0.holds = [.verification]
    }
    async let code = errorKind { try await verify(sent.flow) }
    try await eventually("the code is on its way") { fixture.server.read(\.proofs).count == 1 }
    async let page: Void = openLink()
    // The page answers with progress after a second.
    try await fixture.clock.advanceToSleeper(in: .seconds(1))
    fixture.server.release()
    #expect(await code == .codeInvalid)
    #expect(try await fixture.service.wait(sent.flow).outcome == .signedIn)
    try await page
  }

  @Test("WS-2: the first success wins: a code signs in while a link's exchange fails", .signIn)
  func triesTheCodeAfterABadLink() async throws {
    let sent = try await send()
    fixture.server.set {
      $0.exchangeAnswers = [.failure(AuthError(.badCodeVerifier, "no", status: 400))]
      $0.holds = [.exchange]
    }
    let callback = try redirect() + "&code=evil"
    async let link = errorKind { try await fixture.service.complete(callback) }
    try await eventually("the exchange is on its way") { fixture.server.read(\.exchanges).count == 1 }
    async let code = verify(sent.flow)
    for _ in 0..<100 { await Task.yield() }
    fixture.server.release()
    #expect(await link == .callbackInvalid)
    #expect(try await code.state == .authenticated)
  }

  // MARK: - The page

  @Test(
    "LK-2: the session tells the method of a callback, also after a code was sent on the page", .signIn,
    arguments: [Provider.google, .email])
  func takesTheMethodFromTheSession(provider: Provider) async throws {
    let flow = try await fixture.service.start(SignInStart.Params(redirect: "loopback")).flow
    await fixture.service.deliver(.form(.emailCode, [Self.email]), to: flow, waits: true)
    let user = User(id: "user-1", email: Self.email, identities: [Identity(identityID: "i", provider: provider)])
    let session = Session(
      accessToken: BearerToken("access-1"), expiresIn: 3600, refreshToken: RefreshToken("refresh-1"), user: user)
    fixture.server.set { $0.exchangeAnswers = [.success(session)] }
    try await openLink()
    #expect(try await fixture.service.wait(flow).account?.user?.provider == provider.rawValue)
  }

  // MARK: - Ends

  @Test("a sign-out ends the account's flow that waits for a code", .signIn, arguments: [SignOutScope.local, .global])
  func endsWithASignOut(scope: SignOutScope) async throws {
    _ = try await fixture.service.verifyCode(SignInVerifyCode.Params(email: Self.email, code: "123456"))
    let sent = try await send()
    _ = try await fixture.service.signOut(SessionSignOut.Params(scope: .others))
    #expect(await fixture.service.flows[sent.flow]?.isOver == false)
    _ = try await fixture.service.signOut(SessionSignOut.Params(scope: scope, all: scope == .global))
    #expect(await errorKind { try await fixture.service.wait(sent.flow) } == .cancelled)
  }

  @Test("VA-4: a lock lets a verification finish: the code is used up", .signIn)
  func finishesBeforeALock() async throws {
    let sent = try await send()
    fixture.server.set { $0.holds = [.verification] }
    async let status = verify(sent.flow)
    try await eventually("the code is on its way") { fixture.server.read(\.proofs).count == 1 }
    async let locked: Void = fixture.service.endForLock()
    try await eventually("the lock has begun") { await fixture.service.locks == 1 }
    fixture.server.release()
    #expect(try await status.state == .authenticated)
    await locked
    #expect(await fixture.service.flows.isEmpty, "the result names a person")
  }

  @Test("a stopped agent sends nothing", .signIn)
  func sendsNothingAfterTheEnd() async throws {
    await fixture.service.shutdown()
    let session = SignInImportSession.Params(account: nil, refreshToken: "refresh-1")
    #expect(await errorKind { try await fixture.service.importSession(session) } == .notReady)
    #expect(fixture.server.read(\.refreshes).isEmpty && fixture.server.read(\.proofs).isEmpty)
  }

  @Test("SI-13: a code that leads to another address counts as an attempt", .signIn(attempts: 2))
  func countsForeignSessions() async throws {
    fixture.server.set { $0.verifyAnswer = .success(.fixture("1", user: "eve", email: "eve@example.org")) }
    let params = SignInVerifyCode.Params(email: Self.email, code: "123456")
    for kind in [ErrorKind.wrongUser, .wrongUser, .rateLimited] {
      #expect(await errorKind { try await fixture.service.verifyCode(params) } == kind)
    }
  }

  @Test("WS-6: an imported session of an anonymous user is called anonymous", .signIn)
  func importsAnAnonymousUser() async throws {
    fixture.server.set { $0.refreshAnswer = .refreshed(.anonymous("1")) }
    let params = SignInImportSession.Params(account: nil, refreshToken: "refresh-0")
    #expect(try await fixture.service.importSession(params).user?.provider == "anonymous")
  }
}
