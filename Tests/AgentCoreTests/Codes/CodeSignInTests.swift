import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct CodeSignInTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static let email = "anna@example.org"
  private static let refused = AuthError(.codeRefused, "no", status: 403, serverCode: "otp_expired")

  private func send(
    _ email: String = email, account: String? = nil, createUser: Bool? = nil, reuse: Bool? = nil
  ) async throws -> SignInSendCode.Result {
    try await fixture.service.sendCode(
      SignInSendCode.Params(account: account, email: email, createUser: createUser, reuse: reuse))
  }

  private func verify(
    _ flow: String, _ code: String = "054206", replace: Bool? = nil
  ) async throws -> AccountStatus {
    try await fixture.service.verifyCode(SignInVerifyCode.Params(flow: flow, code: code, replace: replace))
  }

  @Test(
    "WS-2: a code signs in; a waiter gets the account; the address goes out in lower case with a PKCE link", .signIn)
  func signsIn() async throws {
    let sent = try await send("Anna@Example.org", account: "work")
    #expect(sent.resendAfter == 60)
    let request = try #require(fixture.server.read(\.sentCodes).first)
    #expect(request.address == .email(Self.email) && !request.createUser)
    #expect(request.link?.url.hasPrefix("http://127.0.0.1:") == true)
    #expect(request.link?.challenge.utf8.count == 43)
    async let waiter = fixture.service.wait(sent.flow)
    let account = try await verify(sent.flow, " 054 206\n")
    #expect(account.name == "work" && account.user?.provider == "email" && account.state == .authenticated)
    #expect(fixture.server.read(\.proofs) == [.code("054206", .email(Self.email))], "a leading 0 stays")
    #expect(try await waiter.account?.name == "work")
    #expect(await errorKind { try await verify(sent.flow) } == .flowUnknown)
  }

  @Test("WS-4: a code by text message signs in; the number goes out with its country code, without a link", .signIn)
  func signsInByPhone() async throws {
    fixture.server.set { $0.verifyAnswer = .success(.fixture("1", email: "", phone: "4915123456789")) }
    let sent = try await fixture.service.sendCode(SignInSendCode.Params(phone: "+49 (151) 234-56789"))
    let request = try #require(fixture.server.read(\.sentCodes).first)
    #expect(request.address == .phone("+4915123456789") && request.link == nil)
    let account = try await verify(sent.flow, "123456")
    #expect(account.user?.phone == "4915123456789" && account.user?.provider == "phone")
    #expect(fixture.server.read(\.proofs) == [.code("123456", .phone("+4915123456789"))])
  }

  @Test("a code with an address ends the flow that waits for it", .signIn)
  func endsTheWaitingFlow() async throws {
    let sent = try await send()
    _ = try await fixture.service.verifyCode(SignInVerifyCode.Params(email: Self.email, code: "123456"))
    #expect(try await fixture.service.wait(sent.flow).outcome == .signedIn)
  }

  @Test("WS-2: a wrong, used or expired code is refused in words, and the flow goes on", .signIn)
  func refusesWrongCodes() async throws {
    let sent = try await send()
    fixture.server.set { $0.verifyAnswer = .failure(Self.refused) }
    let error = try #require(
      await errorOf { try await fixture.service.verifyCode(SignInVerifyCode.Params(flow: sent.flow, code: "000000")) })
    #expect(error.kind == .codeInvalid)
    #expect(error.message == "That code did not work.")
    #expect(await fixture.accounts.signIns.isEmpty, "the account is free while the flow waits")
    fixture.server.set { $0.verifyAnswer = .success(.fixture("1")) }
    #expect(try await verify(sent.flow).state == .authenticated)
  }

  @Test(
    "text that is not a code is not sent", .signIn,
    arguments: ["", "12345", "12345678901", "12345a", "１２３４５６", "12-34-56", "123456&type=x"])
  func refusesNoCodes(code: String) async throws {
    let sent = try await send()
    #expect(await errorKind { try await verify(sent.flow, code) } == .invalidParams)
    #expect(fixture.server.read(\.proofs).isEmpty)
  }

  @Test(
    "a phone number without a country code, and other text, is refused", .signIn,
    arguments: ["", "0151 23456789", "+", "+49abc", "12345", "1234567890123456", "++4915123456789"])
  func refusesNumbers(phone: String) async throws {
    #expect(
      await errorKind { try await fixture.service.sendCode(SignInSendCode.Params(phone: phone)) } == .invalidParams)
    #expect(fixture.server.read(\.sentCodes).isEmpty)
  }

  @Test("exactly one address, and exactly one of code and link", .signIn)
  func refusesAmbiguousParams() async throws {
    let service = fixture.service
    for params in [
      SignInSendCode.Params(), SignInSendCode.Params(email: "a@b.c", phone: "+4915123456789"),
      SignInSendCode.Params(email: "a@b.c", purpose: CodePurpose(rawValue: "other")),
    ] { #expect(await errorKind { try await service.sendCode(params) } == .invalidParams) }
    for params in [
      SignInVerifyCode.Params(email: "a@b.c"), SignInVerifyCode.Params(code: "123456"),
      SignInVerifyCode.Params(email: "a@b.c", code: "123456", link: "x"),
      SignInVerifyCode.Params(flow: "x", email: "a@b.c", code: "123456"),
    ] { #expect(await errorKind { try await service.verifyCode(params) } == .invalidParams) }
    let flow = try await fixture.start()
    #expect(await errorKind { try await verify(flow.id) } == .invalidParams, "it waits for no code")
  }

  @Test("each code goes out once: a second attempt during the first gets its result", .signIn)
  func sendsEachCodeOnce() async throws {
    let sent = try await send()
    fixture.server.set { $0.holds = [.verification] }
    async let first = verify(sent.flow)
    try await eventually("the code is on its way") { fixture.server.read(\.proofs).count == 1 }
    async let second = verify(sent.flow, "999999")
    try await eventually("both wait") { await fixture.service.flows[sent.flow]?.isOver == false }
    fixture.server.release()
    #expect(try await [first.name, second.name] == ["default", "default"])
    #expect(fixture.server.read(\.proofs).count == 1)
  }

  @Test("a lost response says that the code may be used up, and is not repeated", .signIn)
  func explainsALostAnswer() async throws {
    let sent = try await send()
    fixture.server.set { $0.verifyAnswer = .failure(AuthError(.timeout, "late")) }
    let error = try #require(
      await errorOf { try await fixture.service.verifyCode(SignInVerifyCode.Params(flow: sent.flow, code: "123456")) })
    #expect(error.kind == .offline)
    #expect(error.data.hint?.contains("request another one") == true)
    #expect(fixture.server.read(\.proofs).count == 1)
  }

  @Test("SI-13: an attempt that the server did not judge does not count", .signIn(attempts: 1))
  func countsWhatWasJudged() async throws {
    let sent = try await send()
    fixture.server.set { $0.verifyAnswer = .failure(AuthError(.network, "no")) }
    for _ in 0..<3 { #expect(await errorKind { try await verify(sent.flow) } == .offline) }
    fixture.server.set { $0.verifyAnswer = .failure(Self.refused) }
    #expect(await errorKind { try await verify(sent.flow) } == .codeInvalid)
    #expect(await errorKind { try await verify(sent.flow) } == .rateLimited)
  }

  // MARK: - Flows

  @Test("a new code replaces the account's flow, after it was sent; a refused one replaces nothing", .signIn)
  func replacesTheFlow() async throws {
    let first = try await send()
    fixture.server.set { $0.sendAnswer = .failure(AuthError(.rateLimited, "", retryAfter: .seconds(59))) }
    #expect(await errorKind { try await send() } == .rateLimited)
    #expect(await fixture.service.flows[first.flow]?.isOver == false)
    fixture.server.set { $0.sendAnswer = .success(()) }
    let second = try await send()
    #expect(await errorKind { try await fixture.service.wait(first.flow) } == .cancelled)
    #expect(try await verify(second.flow).state == .authenticated)
  }

  @Test("reuse returns the running flow for the same address, and sends nothing", .signIn)
  func reusesTheFlow() async throws {
    let first = try await send()
    fixture.clock.advance(by: .seconds(20))
    let again = try await send("ANNA@example.org", reuse: true)
    #expect(again.flow == first.flow && again.resendAfter == 40)
    #expect(fixture.server.read(\.sentCodes).count == 1)
    #expect(try await send("bert@example.org", reuse: true).flow != first.flow)
    #expect(fixture.server.read(\.sentCodes).count == 2)
  }

  @Test("a flow that waits for a code leaves its account free, and survives a takeover by a browser's flow", .signIn)
  func leavesTheAccountFree() async throws {
    let sent = try await send()
    let flow = try await fixture.start()
    #expect(await errorKind { try await verify(sent.flow) } == .flowBusy)
    #expect(fixture.server.read(\.proofs).isEmpty, "the code is not used up")
    let params = SignInStart.Params(provider: "google", redirect: "loopback", takeOver: true)
    let other = try await fixture.service.start(params)
    #expect(await errorKind { try await fixture.service.wait(flow.id) } == .cancelled)
    try await fixture.service.cancel(other.flow)
    #expect(try await verify(sent.flow).state == .authenticated)
  }

  @Test(
    "SI-11: a flow for a mailed code lives for a day, one for a texted code for an hour", .signIn,
    arguments: [
      (SignInSendCode.Params(email: email), 86_400), (SignInSendCode.Params(phone: "+4915123456789"), 3600),
    ])
  func endsAfterItsTime(params: SignInSendCode.Params, seconds: Int) async throws {
    let sent = try await fixture.service.sendCode(params)
    try await fixture.clock.advanceToSleeper(in: .seconds(seconds))
    #expect(await errorKind { try await fixture.service.wait(sent.flow) } == .flowTimedOut)
    #expect(await errorKind { try await verify(sent.flow) } == .flowUnknown)
  }

  @Test("the seventeenth flow ends the oldest, whose code still works with its address", .signIn)
  func boundsTheFlows() async throws {
    var flows: [String] = []
    for number in 0...SignInLimits.maxCodeFlows {
      flows.append(
        try await send(number == 0 ? Self.email : "\(number)@example.org", account: "a\(number)").flow)
      fixture.clock.advance(by: .seconds(1))
    }
    #expect(await errorKind { try await fixture.service.wait(flows[0]) } == .cancelled)
    #expect(await fixture.service.flows[flows[1]]?.isOver == false)
    _ = try await fixture.start(account: "b")
    let params = SignInVerifyCode.Params(account: "a0", email: Self.email, code: "123456")
    #expect(try await fixture.service.verifyCode(params).name == "a0")
  }

  @Test("VA-4: a lock ends the flows of codes, and no address stays in them", .signIn)
  func endsForALock() async throws {
    let sent = try await send()
    await fixture.service.endForLock()
    #expect(await errorKind { try await fixture.service.wait(sent.flow) } == .vaultLocked)
    #expect(await fixture.service.flows[sent.flow]?.code == nil)
  }

  @Test("a renamed or removed account has no waiting code", .signIn, arguments: [true, false])
  func endsWithItsAccount(isRename: Bool) async throws {
    _ = try await fixture.service.password(
      PasswordParams(account: "work", project: nil, email: Self.email, password: "x"))
    let sent = try await send(account: "work")
    if isRename {
      _ = try await fixture.service.rename(.init(account: "work", name: "home"))
    } else {
      _ = try await fixture.service.remove(.init(account: "work"))
    }
    #expect(await errorKind { try await fixture.service.wait(sent.flow) } == .cancelled)
  }

  // MARK: - The mailed link, opened on this machine

  /// Opens the link of the last mail. Returns the page.
  private func openLink(_ parameters: String) async throws -> String {
    let url = try #require(fixture.server.read(\.sentCodes).last?.link?.url)
    return try await LoopbackClient.browse(url + "&" + parameters).body
  }

  @Test("WS-2: the link of the mail, opened on this machine, signs in", .signIn)
  func signsInByTheLink() async throws {
    let sent = try await send()
    #expect(try await openLink("code=code-1").contains("<h1>Signed in"))
    let result = try await fixture.service.wait(sent.flow)
    #expect(result.account?.user?.provider == "email")
    let verifier = try #require(fixture.server.read(\.verifiers).first)
    #expect(PKCE(verifier: verifier).challenge == fixture.server.read(\.sentCodes)[0].link?.challenge)
  }

  @Test("a link that has expired leaves the code usable; one that was opened too late has used it up", .signIn)
  func survivesBadLinks() async throws {
    let sent = try await send()
    _ = try await openLink("error=access_denied&error_code=otp_expired")
    #expect(try await send(reuse: true).flow == sent.flow)
    fixture.server.set { $0.exchangeAnswers = [.failure(AuthError(.flowStateExpired, "late", status: 422))] }
    #expect(try await openLink("code=code-1").contains("The link was opened too late; your address is confirmed."))
    #expect(await fixture.accounts.signIns.isEmpty)
    let other = try await send(reuse: true)
    #expect(other.flow != sent.flow && fixture.server.read(\.sentCodes).count == 2)
    #expect(try await verify(other.flow).state == .authenticated)
  }

  // MARK: - SI-15

  @Test("SI-15: a code of another address is refused before it is sent; with replace it signs in", .signIn)
  func refusesAnotherAddress() async throws {
    _ = try await fixture.service.verifyCode(SignInVerifyCode.Params(email: Self.email, code: "123456"))
    fixture.server.set { $0.verifyAnswer = .success(.fixture("2", user: "user-2", email: "bert@example.org")) }
    var params = SignInVerifyCode.Params(email: "bert@example.org", code: "123456")
    #expect(await errorKind { try await fixture.service.verifyCode(params) } == .wrongUser)
    #expect(fixture.server.read(\.proofs).count == 1, "not sent, so the code is not used up")
    #expect(try await fixture.accounts.status(nil).user?.email == Self.email)
    params.replace = true
    #expect(try await fixture.service.verifyCode(params).user?.email == "bert@example.org")
  }

  @Test("SI-15: another user with the same address replaces nothing, and the session is revoked", .signIn)
  func refusesAnotherUser() async throws {
    _ = try await fixture.service.verifyCode(SignInVerifyCode.Params(email: Self.email, code: "123456"))
    fixture.server.set { $0.verifyAnswer = .success(.fixture("2", user: "user-2")) }
    let sent = try await send()
    #expect(await errorKind { try await verify(sent.flow) } == .wrongUser)
    try await eventually("the session is revoked") { fixture.server.read(\.logouts) == ["access-2"] }
    #expect(try await fixture.accounts.status(nil).user?.id == "user-1")
  }

  @Test(
    "SI-15, WS-3: a session of another address than the one that was named is revoked", .signIn,
    arguments: [
      (String?.some("123456"), nil), (nil, "\(AccountsFixture.origin)/auth/v1/verify?token=t&type=magiclink"),
    ])
  func refusesAForeignSession(code: String?, link: String?) async throws {
    fixture.server.set { $0.verifyAnswer = .success(.fixture("2", user: "user-2", email: "eve@example.org")) }
    let params = SignInVerifyCode.Params(email: Self.email, code: code, link: link)
    #expect(await errorKind { try await fixture.service.verifyCode(params) } == .wrongUser)
    let sent = try await send()
    let waiting = SignInVerifyCode.Params(flow: sent.flow, code: code, link: link)
    #expect(await errorKind { try await fixture.service.verifyCode(waiting) } == .wrongUser)
    try await eventually("both sessions are revoked") { fixture.server.read(\.logouts).count == 2 }
    #expect(await fixture.accounts.list().isEmpty)
  }
}
