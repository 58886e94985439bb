import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct SecondFactorPageTests {
  static let later = "action=\"/sign-in/factor/later\"><button class=\"quiet\">Later</button>"
  static let title = "<h2>Enter the code from your authenticator app</h2>"

  private var fixture: SignInFixture<StubAuthServer> { .current }

  @Test(
    "MF-3: after a sign-in the page asks for the code, refuses a wrong one in words, and verifies the right one",
    .secondFactor())
  func verifies() async throws {
    let wrong = AuthError(
      .codeRefused, "Invalid TOTP code entered", status: 422, serverCode: "mfa_verification_failed")
    fixture.server.set { $0.factorAnswers = [.failure(wrong), .success(.verified("2"))] }
    let (page, flow) = try await fixture.asked()
    let form = try await page.get("/sign-in")
    #expect(form.body.contains(Self.title) && form.body.contains("<strong>Phone app</strong>"))
    #expect(form.body.contains("out on every other phone, browser and computer"))
    #expect(form.body.contains(">5 minutes left to enter the code</p>") && !form.body.contains(">Cancel</button>"))
    #expect(form.body.contains(Self.later))
    #expect(
      form.body.contains("<h1>Second factor for <strong>") && form.body.contains("never your code."))
    #expect(!form.body.contains("Sign in to") && !form.body.contains("your password"))
    #expect(form.headers["set-cookie"]?.contains("; Max-Age=310; ") == true)
    #expect(await fixture.service.account(ofFlow: flow) == "work")
    let refused = try await page.enter("000+000")
    #expect(refused.body.contains("role=\"alert\"") && refused.body.contains(Self.title))
    #expect(!refused.body.contains("000000"))
    let end = try await page.enter("123456")
    #expect(end.body.contains("<h1>Signed in to") && end.body.contains("Your second factor is verified."))
    let result = try await fixture.service.wait(flow)
    #expect(result.outcome == .signedIn && result.mfa?.needed == false && result.account?.name == "work")
    #expect(fixture.server.read(\.factorCodes) == ["app 000000", "app 123456"])
    #expect(try await fixture.accounts.status("work").assurance?.current == "aal2")
  }

  @Test(
    "MF-3: text that cannot be a code, and forms that no page has, are refused and nothing is sent", .secondFactor())
  func checksTheForms() async throws {
    let (page, flow) = try await fixture.asked()
    #expect(try await page.enter("12345").body.contains("A code has 6 to 10 digits."))
    for (body, path) in [
      ("code=123456", "factor/verify"), ("factor=app&code=1&code=2", "factor/verify"), ("", "factor/send"),
      ("", "factor"), ("x=y", "factor/later"),
    ] {
      #expect(try await page.request("/sign-in/" + path, method: "POST", body: body).status == 400, "\(body)")
    }
    for path in ["factor", "factor/send", "factor/verify", "factor/later"] {
      #expect(try await page.request("/sign-in/" + path).status == 405)
    }
    #expect(try await page.enter("123456", factor: "other").body.contains(Self.title))
    _ = try await page.submit("factor=app", to: "/sign-in/factor/send")
    #expect(fixture.server.read { $0.factorCodes.isEmpty && $0.challenges.isEmpty })
    #expect(await fixture.service.flows[flow]?.isOver == false)
  }

  @Test("MF-3: later leaves the session as it is, and is no error", .secondFactor(), arguments: ["Later", "time"])
  func isLeftForLater(way: String) async throws {
    let (page, flow) = try await fixture.asked()
    let end: LoopbackClient.Reply
    if way == "Later" {
      end = try await page.submit("", to: "/sign-in/factor/later")
    } else {
      fixture.clock.advance(by: SignInLimits.secondFactorLifetime)
      end = try await page.get("/sign-in")
    }
    #expect(end.body.contains("<h1>Signed in to") && end.body.contains("Your second factor is not verified."))
    #expect(end.body.contains("<code class=\"command\">ritualctl mfa verify --account work</code>"))
    let result = try await fixture.service.wait(flow)
    #expect(result.outcome == .signedIn && result.mfa?.needed == true)
    #expect(try await fixture.accounts.status("work").tokenUsable)
  }

  @Test("MF-3: nothing is asked if the caller says later, and the last page tells how to go on", .secondFactor())
  func asksNothing() async throws {
    let started = StartedFlow(
      try await fixture.service.start(.init(account: "work", redirect: "loopback", mfa: "later")))
    let page = PageVisitor(port: started.port, flow: started.id)
    _ = try await page.request(started.path)
    let end = try await page.submit(PageVisitor.signInForm)
    #expect(end.body.contains("Your second factor is not verified.") && end.body.contains("ritualctl mfa verify"))
    let result = try await fixture.service.wait(started.id)
    #expect(result.mfa?.needed == true && result.mfa?.flow == nil)
    #expect(await errorKind { try await fixture.service.start(.init(mfa: "never")) } == .invalidParams)
  }

  @Test("MF-3: no page asks for a sign-in without a browser, nor for a user without a second factor", .secondFactor())
  func asksOnlyInABrowser() async throws {
    let flow = try await fixture.start("google", account: "pasted")
    fixture.server.set { $0.exchangeAnswers = [.success(.unverified("1"))] }
    guard case .decisionNeeded = try await fixture.service.complete(flow.callback()).outcome else {
      return #expect(Bool(false), "a pasted first sign-in is confirmed")
    }
    let pasted = try await fixture.service.decide(IdentityDecide.Params(flow: flow.id, accept: true))
    #expect(pasted.mfa?.needed == true && pasted.mfa?.flow == nil)
    fixture.server.set { $0.passwordAnswer = .success(.session(.fixture("3"))) }
    let page = try await fixture.visit(account: "plain")
    let end = try await page.submit(PageVisitor.signInForm)
    #expect(end.body.contains("You can close this tab and") && !end.body.contains("second factor"))
    let plain = try await fixture.service.wait(page.flow)
    #expect(plain.mfa?.needed == false && plain.mfa?.flow == nil)
  }

  @Test("MF-3: a browser that comes from a provider is asked, and its address may be loaded again", .secondFactor())
  func asksAfterAProvider() async throws {
    fixture.server.set { $0.exchangeAnswers = [.success(.unverified("1"))] }
    let started = try await fixture.start("google", account: "work")
    let page = PageVisitor(port: started.port)
    let shown = try await page.get(started.target()).body
    #expect(shown.contains(Self.title), "\(shown)")
    let flow = try #require(try await fixture.service.wait(started.id).mfa?.flow)
    for _ in 0..<6 { #expect(try await page.get(started.target()).body.contains(Self.title)) }
    #expect(try await LoopbackClient.get(started.port, "/callback?code=1").headers["set-cookie"] == nil)
    #expect(await errorKind { try await fixture.service.complete(started.callback()) } == .flowUnknown)
    #expect(fixture.server.read(\.exchanges).count == 1)
    #expect(try await page.enter("123456").body.contains("Your second factor is verified."))
    #expect(try await fixture.service.wait(flow).mfa?.needed == false)
  }

  @Test("forms of the sign-in in another tab have no effect while the page asks for the second factor", .secondFactor())
  func ignoresOldTabs() async throws {
    let (page, flow) = try await fixture.asked()
    for (body, path) in [
      (PageVisitor.signInForm, "email"), ("", "cancel"), ("email=a%40b.c&password=", "code"), ("", "code/later"),
      ("", "anonymous"),
      ("", "keep"),
    ] {
      #expect(try await page.submit(body, to: "/sign-in/" + path).body.contains(Self.title), "\(path)")
    }
    for path in ["email", "google", "code/enter", "wait"] {
      #expect(try await page.get("/sign-in/" + path).body.contains(Self.title), "\(path)")
    }
    #expect(fixture.server.read { $0.passwords.count == 1 && $0.sentCodes.isEmpty && $0.anonymous == 0 })
    #expect(await fixture.service.flows[flow]?.isOver == false)
  }

  @Test(
    "MF-5: a verification that was sent is not cancelled: its result counts, and the end applies if it fails",
    .secondFactor(), arguments: [true, false])
  func doesNotCancelAVerification(succeeds: Bool) async throws {
    let wrong = AuthError(.codeRefused, "wrong", status: 422, serverCode: "mfa_verification_failed")
    let (page, flow) = try await fixture.asked()
    fixture.server.set { state in
      state.holds = [.factor]
      state.factorAnswers = [succeeds ? .success(.verified("2")) : .failure(wrong)]
    }
    _ = try await page.request("/sign-in/factor/verify", method: "POST", body: "factor=app&code=123456")
    try await eventually("the code is sent") { fixture.server.read(\.factorCodes).count == 1 }
    try await fixture.service.cancel(flow)
    #expect(await fixture.service.flows[flow]?.isOver == false)
    fixture.server.release()
    _ = try await page.get("/sign-in")
    #expect(await errorKind { try await fixture.service.wait(flow) } == (succeeds ? nil : .cancelled))
  }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test a sign-in service whose users have second factors, with a refresh engine.
  static func secondFactor(factors: [Factor] = [.app]) -> Self {
    signIn(hasEngine: true) { $0.passwordAnswer = .success(.session(.unverified("1", factors: factors))) }
  }
}

extension SignInFixture {
  /// Signs in on the page, up to the question for the second factor.
  /// - Returns: the browser, and the ID of the flow that asks.
  func asked(account: String = "work") async throws -> (page: PageVisitor, flow: String) {
    let page = try await visit(account: account)
    _ = try await page.submit(PageVisitor.signInForm)
    let result = try await service.wait(page.flow)
    #expect(result.mfa?.needed == true && result.account?.mfa == nil)
    return (page, try #require(result.mfa?.flow))
  }
}

extension PageVisitor {
  /// Submits the code of a second factor.
  func enter(_ code: String, factor: String = "app") async throws -> LoopbackClient.Reply {
    try await submit("factor=\(factor)&code=\(code)", to: "/sign-in/factor/verify")
  }
}
