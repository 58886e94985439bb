import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// The flow of the page that asks for a second factor: its start, its kinds of factors, and what ends it.
@Suite(.timeLimit(.minutes(10))) struct SecondFactorFlowTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  /// Signs the account in without a page.
  private func signIn() async throws {
    let params = PasswordParams(account: "work", project: nil, email: "anna@example.org", password: "secret")
    #expect(try await fixture.service.password(params).mfa?.needed == true)
  }

  private func open() async throws -> PageVisitor {
    let started = StartedFlow(try await fixture.service.startSecondFactor(.init(account: "work")))
    let page = PageVisitor(port: started.port, flow: started.id)
    #expect(try await page.request(started.path).status == 303)
    return page
  }

  @Test("mfa.start opens the page of a signed-in account, once for each launch URL", .secondFactor())
  func starts() async throws {
    try await signIn()
    let started = StartedFlow(try await fixture.service.startSecondFactor(.init(account: "work")))
    #expect(started.path.utf8.count > 43 && !started.url.contains("work"))
    let page = PageVisitor(port: started.port, flow: started.id)
    _ = try await page.request(started.path)
    #expect(try await LoopbackClient.get(started.port, started.path).status == 403, "used")
    #expect(try await LoopbackClient.get(started.port, "/sign-in").status == 403, "no cookie")
    #expect(try await page.get("/sign-in").body.contains(SecondFactorPageTests.title))
    #expect(try await page.enter("123456").body.contains("Your second factor is verified."))
    #expect(try await fixture.service.wait(page.flow).mfa?.needed == false)
  }

  @Test("mfa.start needs a session with a second factor, and ends at once if it is verified", .secondFactor())
  func checksTheAccount() async throws {
    #expect(await errorKind { try await fixture.service.startSecondFactor(.init()) } == .signInNeeded)
    #expect(await errorKind { try await fixture.service.startSecondFactor(.init(timeout: -1)) } == .invalidParams)
    try await signIn()
    #expect(await errorKind { try await fixture.service.startSecondFactor(.init(account: "x")) } == .unknownAccount)
    _ = try await fixture.service.verifySecondFactor(.init(account: "work", code: "123456"))
    let started = StartedFlow(try await fixture.service.startSecondFactor(.init(account: "work")))
    #expect(try await fixture.service.wait(started.id).mfa?.needed == false)
    let page = try await LoopbackClient.browse(started.port, started.path)
    #expect(page.body.contains("Your second factor is verified."))
  }

  @Test("a second page for the same account replaces the first one", .secondFactor())
  func replaces() async throws {
    try await signIn()
    let (first, second) = (try await open(), try await open())
    #expect(await errorKind { try await fixture.service.wait(first.flow) } == .cancelled)
    let old = try await first.get("/sign-in").body
    #expect(old.contains("<h2>Cancelled</h2>") && old.contains("Another page asks for the second factor now."))
    #expect(!old.contains("Nothing was changed."))
    #expect(try await second.get("/sign-in").body.contains(SecondFactorPageTests.title))
  }

  @Test("a wait for the page times out with the way on, while the page goes on", .secondFactor())
  func timesOut() async throws {
    try await signIn()
    let page = try await open()
    async let waiting = errorOf { try await fixture.service.wait(page.flow) }
    try await fixture.clock.advanceToSleeper(in: .seconds(60))
    let error = await waiting
    #expect(error?.kind == .flowTimedOut)
    #expect(error?.data.hint?.contains("ritualctl mfa verify --account work") == true)
    #expect(try await page.enter("123456").body.contains("Your second factor is verified."))
  }

  @Test(
    "MF-5: a verification that outlasts its caller ends the page", .secondFactor(), arguments: ["page", "terminal"])
  func endsLate(way: String) async throws {
    let (page, flow) = try await fixture.asked()
    fixture.server.set { $0.holds = [.factor] }
    let caller = Task {
      if way == "page" {
        _ = try await page.request("/sign-in/factor/verify", method: "POST", body: "factor=app&code=123456")
        return nil as ErrorKind?
      }
      return await errorKind { try await fixture.service.verifySecondFactor(.init(account: "work", code: "123456")) }
    }
    try await eventually("the code is sent") { fixture.server.read(\.factorCodes).count == 1 }
    try await fixture.clock.advanceToSleeper(in: VerificationPolicy.maxWait)
    #expect(try await caller.value == (way == "page" ? nil : .timedOut))
    if way == "page" { #expect(try await page.request("/sign-in").body.contains("Verifying the code…")) }
    fixture.server.release()
    #expect(try await fixture.service.wait(flow).mfa?.needed == false)
    #expect(try await page.get("/sign-in").body.contains("Your second factor is verified."))
  }

  @Test(
    "a lock ends the page with the way on, also while a code is being verified", .secondFactor(),
    arguments: [false, true])
  func endsWithALock(isVerifying: Bool) async throws {
    let (page, flow) = try await fixture.asked()
    if isVerifying {
      fixture.server.set { $0.holds = [.factor] }
      _ = try await page.request("/sign-in/factor/verify", method: "POST", body: "factor=app&code=123456")
      try await eventually("the code is sent") { fixture.server.read(\.factorCodes).count == 1 }
    }
    await fixture.service.endForLock()
    let end = try await page.get("/sign-in").body
    #expect(end.contains("The vault is locked.") && end.contains("<code class=\"command\">ritualctl unlock</code>"))
    #expect(end.contains("<code class=\"command\">ritualctl mfa verify --account work</code>"))
    #expect(await errorKind { try await fixture.service.wait(flow) } == .vaultLocked)
    #expect(await fixture.service.flows[flow]?.dialog == nil, "no factor stays in it")
    fixture.server.release()
  }

  @Test(
    "the rename and the removal of an account end its page before a code is typed", .secondFactor(),
    arguments: [true, false])
  func endsWithTheAccount(isRename: Bool) async throws {
    let (page, flow) = try await fixture.asked()
    if isRename {
      _ = try await fixture.service.rename(.init(account: "work", name: "home"))
    } else {
      _ = try await fixture.service.remove(.init(account: "work"))
    }
    #expect(await errorKind { try await fixture.service.wait(flow) } == (isRename ? .cancelled : .signInNeeded))
    let end = try await page.enter("123456").body
    #expect(end.contains(isRename ? "The account was renamed to home." : "The account was removed."))
    let next = isRename ? "ritualctl mfa verify --account home" : "ritualctl sign-in --account work"
    #expect(end.contains("<code class=\"command\">\(next)</code>"))
    #expect(fixture.server.read(\.factorCodes).isEmpty)
  }

  @Test("a sign-out ends the page, and another sign-in of the account replaces it", .secondFactor())
  func endsWithTheSession() async throws {
    let (first, flow) = try await fixture.asked()
    _ = try await fixture.service.signOut(.init(account: "work", scope: .local))
    #expect(await errorKind { try await fixture.service.wait(flow) } == .signInNeeded)
    let page = try await first.get("/sign-in").body
    #expect(page.contains("<h2>Not verified</h2>"))
    #expect(page.contains("<code class=\"command\">ritualctl sign-in --account work</code>"))
    let (_, second) = try await fixture.asked()
    try await signIn()
    #expect(await errorKind { try await fixture.service.wait(second) } == .cancelled)
  }

  @Test("MF-3: a phone gets a code on request, and another one only after the pause", .secondFactor(factors: [.phone]))
  func verifiesAPhone() async throws {
    let (page, flow) = try await fixture.asked()
    #expect(try await page.get("/sign-in").body.contains(">Send code</button>"))
    fixture.clock.advance(by: .seconds(100))
    let sent = try await page.submit("factor=phone", to: "/sign-in/factor/send").body
    #expect(sent.contains("name=\"code\"") && sent.contains("You can request another code in 60 seconds."))
    #expect(sent.contains(">5 minutes left to enter the code</p>"), "a code has the time of its challenge")
    _ = try await page.submit("factor=phone", to: "/sign-in/factor/send")
    #expect(fixture.server.read(\.challenges) == ["phone"])
    fixture.clock.advance(by: .seconds(60))
    #expect(try await !page.get("/sign-in").body.contains("id=\"pause\""))
    _ = try await page.submit("factor=phone", to: "/sign-in/factor/send")
    #expect(fixture.server.read(\.challenges) == ["phone", "phone"])
    #expect(
      try await page.enter("123456", factor: "phone").body.contains("Your second factor is verified."))
    #expect(fixture.server.read(\.factorCodes) == ["phone 123456"])
    #expect(try await fixture.service.wait(flow).mfa?.needed == false)
  }

  @Test(
    "MF-3: while a code is being sent to the phone nothing else starts, and a refusal is shown in words",
    .secondFactor(factors: [.phone, .app]))
  func sendsOnce() async throws {
    let limit = AuthError(.rateLimited, "too many", status: 429, serverCode: "over_sms_send_rate_limit")
    fixture.server.set { state in
      state.holds = [.challenge]
      state.challengeAnswer = .failure(limit)
    }
    let (page, _) = try await fixture.asked()
    _ = try await page.request("/sign-in/factor/send", method: "POST", body: "factor=phone")
    try await eventually("the request hangs") { fixture.server.read(\.challenges).count == 1 }
    let progress = try await page.request("/sign-in").body
    #expect(progress.contains("Sending the code…") && progress.contains(SecondFactorPageTests.later))
    _ = try await page.request("/sign-in/factor/verify", method: "POST", body: "factor=app&code=123456")
    fixture.server.release()
    let refused = try await page.get("/sign-in").body
    #expect(refused.contains("role=\"alert\"") && refused.contains(">Send code</button>"))
    #expect(fixture.server.read(\.factorCodes).isEmpty)
  }

  @Test(
    "MF-3: several factors are a choice that can be changed; one of an unknown type is not offered",
    .secondFactor(factors: [.app, .phone, .passkey]))
  func offersTheChoice() async throws {
    let (page, _) = try await fixture.asked()
    let choice = try await page.get("/sign-in").body
    #expect(choice.contains("<h2>Choose a second factor</h2>") && !choice.contains("value=\"key\""))
    let phone = try await page.submit("factor=phone", to: "/sign-in/factor").body
    #expect(phone.contains(">Send code</button>") && phone.contains("Use another second factor"))
    #expect(try await page.submit("factor=key", to: "/sign-in/factor").body.contains("<h2>Choose a second factor"))
    #expect(try await page.submit("factor=app", to: "/sign-in/factor").body.contains(SecondFactorPageTests.title))
    #expect(try await page.submit("factor=", to: "/sign-in/factor").body.contains("<h2>Choose a second factor"))
    #expect(try await page.enter("123456").body.contains("Your second factor is verified."))
  }

  @Test(
    "MF-3: a user with an unsupported factor only is told so, and nothing is sent", .secondFactor(factors: [.passkey]))
  func namesUnsupportedFactors() async throws {
    let (page, flow) = try await fixture.asked()
    #expect(try await page.get("/sign-in").body.contains("<strong>webauthn</strong>"))
    _ = try await page.enter("123456", factor: "key")
    #expect(fixture.server.read { $0.challenges.isEmpty && $0.factorCodes.isEmpty })
    _ = try await page.submit("", to: "/sign-in/factor/later")
    #expect(try await fixture.service.wait(flow).mfa?.needed == true)
  }

  @Test("the accounts whose sessions end are named before the verification", .secondFactor())
  func namesTheAccounts() async throws {
    try await signIn()
    let (page, _) = try await fixture.asked(account: "other")
    #expect(try await page.get("/sign-in").body.contains("it also signs out the account <strong>work</strong>."))
  }
}
