import AgentProtocol
import AuthSandbox
import SupabaseAuth
import TestKit
import Testing

@testable import SignInFlows

/// Codes, single sign-on and anonymous users on the page, over real HTTP (WS-2, WS-4, WS-5, WS-6,
/// WS-8).
@Suite(.timeLimit(.minutes(10))) struct PageCodeTests {
  private var fixture: SignInFixture<SupabaseAuthClient> { SandboxSignIn.current.fixture }
  private var sandbox: AuthSandbox { SandboxSignIn.current.sandbox }

  private func newestCode() throws -> String { try #require(sandbox.mails.last).code }

  @Test("WS-2: the page sends a code, refuses a wrong one in words, and signs in with the right one", .sandbox)
  func signsInByCode() async throws {
    let visitor = try await fixture.visit()
    #expect(try await visitor.request("/sign-in/code/enter").headers["location"] == "/sign-in", "no code was sent")
    let sent = try await visitor.submit("email=Anna%40Example.org&password=x", to: "/sign-in/code")
    #expect(sent.body.contains("<h2>Enter the code</h2>") && sent.body.contains("anna@<wbr>example.<wbr>org"))
    #expect(sent.body.contains("You can request another code in 60 seconds."))
    #expect(sent.body.contains(">15 minutes left to sign in</p>"), "the code lives longer than the choice")
    #expect(sent.headers["set-cookie"]?.contains("; Max-Age=910; ") == true, "and so does the cookie")
    let code = try newestCode()
    let wrong = code == "000000" ? "000001" : "000000"
    let refused = try await visitor.submit("code=\(wrong)", to: "/sign-in/code/enter")
    #expect(refused.body.contains("That code did not work."))
    #expect(refused.body.contains("role=\"alert\"") && !refused.body.contains(wrong))
    #expect(try await visitor.get("/sign-in").body.contains("class=\"methods\""), "every other way stays open")
    let end = try await visitor.submit("code=\(code.prefix(3))+\(code.suffix(3))", to: "/sign-in/code/enter")
    #expect(end.body.contains("<h1>Signed in") && !end.body.contains(code))
    #expect(try await fixture.service.wait(visitor.flow).account?.user?.email == "anna@example.org")
    #expect(sandbox.requestCount(.otp) == 1 && sandbox.requestCount(.verify) == 2)
  }

  @Test(
    "text that cannot be a code or an address is refused here, and the server is not asked",
    .sandbox { ($0.phoneEnabled, $0.ssoDomains) = (true, ["example.org"]) })
  func checksTheForms() async throws {
    let visitor = try await fixture.visit()
    for (body, path, words) in [
      ("email=anna&password=", "/sign-in/code", "This is not a valid email address."),
      ("email=%3Cb%3E&password=", "/sign-in/code/new", "This is not a valid email address."),
      ("phone=0151+234", "/sign-in/phone", "This is not a valid phone number."),
      ("organization=exa+mple", "/sign-in/sso", "This is not a domain."),
    ] {
      let page = try await visitor.submit(body, to: path)
      #expect(page.body.contains(words) && page.body.contains("action=\"\(path)\"") && !page.body.contains("<b>"))
    }
    #expect(
      try await visitor.submit("email=anna%40example.org&password=", to: "/sign-in/code").body.contains(
        "Enter the code"))
    #expect(
      try await visitor.submit("code=12345", to: "/sign-in/code/enter").body.contains("A code has 6 to 10 digits."))
    #expect(sandbox.requestCount(.otp) == 1 && sandbox.requestCount(.verify) == 0 && sandbox.requestCount(.sso) == 0)
    for (body, path) in [
      ("email=a%40b.c&x=y", "/sign-in/code"), ("email=a%40b.c", "/sign-in/code"), ("", "/sign-in/code/enter"),
      ("code=1&code=2", "/sign-in/code/enter"),
      ("x=y", "/sign-in/anonymous"), ("x=y", "/sign-in/code/again"), ("organization=%00", "/sign-in/sso"),
    ] {
      #expect(try await visitor.request(path, method: "POST", body: body).status == 400)
    }
  }

  @Test(
    "WS-2: another code for an address creates a user only if the address itself was entered for a new user", .sandbox)
  func forgetsTheNewUser() async throws {
    let visitor = try await fixture.visit()
    let sent = try await visitor.submit("email=new%40example.org&password=", to: "/sign-in/code/new")
    #expect(sent.body.contains("href=\"/sign-in/email/new\">Change the address</a>"))
    _ = try await visitor.submit("email=other%40example.org", to: "/sign-in/code/own")
    fixture.clock.advance(by: .seconds(60))
    sandbox.advanceClock(by: .seconds(60))
    let again = try await visitor.submit("", to: "/sign-in/code/again")
    #expect(again.body.contains("No account with this address") && sandbox.requestCount(.otp) == 2)
    #expect(!sandbox.users.contains { $0.email == "other@example.org" })
  }

  @Test(
    "a request for another code that is refused leaves the one that was sent, and the way back to it",
    .sandbox { ($0.testPhones, $0.phoneEnabled) = (["4915112345601": "123456"], true) })
  func leadsBack() async throws {
    let visitor = try await fixture.visit()
    #expect(try await !visitor.get("/sign-in").body.contains("Enter the code sent to"))
    _ = try await visitor.submit("phone=%2B4915112345601", to: "/sign-in/phone/new")
    let link = "<a href=\"/sign-in/code/enter\"><span>Enter the code sent to +4915112345601</span></a>"
    for path in ["/sign-in", "/sign-in/phone", "/sign-in/email"] {
      #expect(try await visitor.get(path).body.contains(link), "\(path)")
    }
    let refused = try await visitor.submit("email=nobody%40example.org&password=", to: "/sign-in/code")
    #expect(refused.body.contains("No account with this address") && refused.body.contains(link))
    let form = try await visitor.get("/sign-in/code/enter")
    #expect(form.body.contains("href=\"/sign-in/phone/new\">Change the number</a>"), "still for a new user")
    #expect(try await visitor.submit("code=123456", to: "/sign-in/code/enter").body.contains("<h1>Signed in"))
  }

  @Test(
    "WS-8: a refusal for want of a CAPTCHA links to the code from elsewhere if the project has email on",
    .sandbox { ($0.phoneEnabled, $0.captcha) = (true, .on) }, arguments: [true, false])
  func linksToTheOwnCode(hasEmail: Bool) async throws {
    sandbox.configure { $0.emailEnabled = hasEmail }
    let page = try await fixture.visit().submit("phone=%2B4915112345601", to: "/sign-in/phone").body
    #expect(page.contains("The project requires a CAPTCHA") && page.contains("provider such as Google or GitHub"))
    #expect(page.contains("href=\"/sign-in/code/own\"") == hasEmail)
    #expect(page.contains("project&#39;s own page") == hasEmail)
  }

  @Test("SI-10: while a code is being sent, the page shows progress and nothing else starts", .sandbox)
  func sendsOnce() async throws {
    let visitor = try await fixture.visit()
    sandbox.inject(.hangBeforeCommit, at: .otp)
    _ = try await visitor.request("/sign-in/code", method: "POST", body: "email=anna%40example.org&password=")
    try await eventually("the request hangs") { sandbox.hangingRequests == 1 }
    let progress = try await visitor.request("/sign-in")
    #expect(progress.body.contains("Sending the code…") && progress.headers["refresh"] == "0; url=/sign-in/wait")
    for (body, path) in [
      ("email=a%40b.c&password=", "/sign-in/code"), ("email=a%40b.c&password=x", "/sign-in/email"),
    ] {
      #expect(try await visitor.request(path, method: "POST", body: body).headers["location"] == "/sign-in")
    }
    #expect(try await visitor.request("/sign-in/email").headers["location"] == "/sign-in")
    sandbox.releaseHangs()
    #expect(try await visitor.get("/sign-in/wait").body.contains("<h2>Enter the code</h2>"))
    #expect(sandbox.requestCount(.otp) == 1 && sandbox.requestCount(.password) == 0)
  }

  @Test("a cancellation while a code is being sent ends the flow, and nothing about the person is kept", .sandbox)
  func cancelsASend() async throws {
    let visitor = try await fixture.visit()
    sandbox.inject(.hangBeforeCommit, at: .otp)
    _ = try await visitor.request("/sign-in/code", method: "POST", body: "email=anna%40example.org&password=")
    try await eventually("the request hangs") { sandbox.hangingRequests == 1 }
    #expect(try await visitor.submit("", to: "/sign-in/cancel").body.contains("Cancelled"))
    sandbox.releaseHangs()
    _ = await fixture.service.resources[visitor.flow]?.request?.value
    #expect(await fixture.service.flows[visitor.flow]?.dialog == nil)
    #expect(try await visitor.get("/sign-in").body.contains("Cancelled"))
  }

  @Test(
    "WS-2: a sign-up with a password goes on with the code, or ends without a session",
    .sandbox { $0.autoconfirm = false })
  func confirmsASignUp() async throws {
    for (name, end) in [("one", "code"), ("two", "later"), ("three", "deadline")] {
      let visitor = try await fixture.visit(account: name)
      let form = "email=\(name)%40example.org&password=correct+horse+9"
      let page = try await visitor.submit(form, to: "/sign-in/email/new")
      #expect(page.body.contains("<h2>Enter the code</h2>") && page.body.contains("Confirm later"))
      switch end {
      case "code":
        let code = try newestCode()
        #expect(try await visitor.submit("code=\(code)", to: "/sign-in/code/enter").body.contains("<h1>Signed in"))
        #expect(try await fixture.service.wait(visitor.flow).account?.user?.email == "one@example.org")
      default:
        if end == "later" {
          #expect(try await visitor.submit("", to: "/sign-in/code/later").body.contains("Check your email"))
        } else {
          fixture.clock.advance(by: SignInLimits.pageCodeLifetime)
          #expect(try await visitor.get("/sign-in/code/enter").body.contains("Check your email"))
        }
        #expect(try await fixture.service.wait(visitor.flow) == SignInResult(.confirmationSent))
      }
    }
  }

  @Test(
    "WS-5: the browser goes to the organization's page once, and an unknown domain is refused in words",
    .sandbox { $0.ssoDomains = ["example.org"] })
  func startsSingleSignOn() async throws {
    let visitor = try await fixture.visit()
    #expect(try await visitor.request("/sign-in/sso/go").headers["location"] == "/sign-in/sso")
    let unknown = try await visitor.submit("organization=other.example", to: "/sign-in/sso")
    #expect(unknown.body.contains("role=\"alert\"") && unknown.body.contains("value=\"other.example\""))
    let leaving = try await visitor.submit("organization=anna%40Example.org", to: "/sign-in/sso")
    #expect(leaving.body.contains("<h2>Sign in at your organization</h2>"))
    #expect(leaving.headers["refresh"] == "1; url=/sign-in/sso/go")
    for site in ["cross-site", "same-site"] {
      #expect(try await visitor.request("/sign-in/sso/go", headers: ["Sec-Fetch-Site": site]).status == 403)
    }
    let target = try await visitor.request("/sign-in/sso/go")
    #expect(target.status == 303 && target.headers["location"]?.hasPrefix(sandbox.url) == true)
    #expect(try await visitor.request("/sign-in/sso/go").headers["location"] == "/sign-in/sso", "once")
    #expect(try await visitor.request("/sign-in/sso/leave").headers["location"] == "/sign-in/sso")
  }

  @Test(
    "WS-5: a waiter learns the limit of single sign-on that was chosen on the page, until another method is chosen",
    .sandbox { $0.ssoDomains = ["example.org"] })
  func saysTheLimitOfSingleSignOn() async throws {
    let visitor = try await fixture.visit(timeout: 200)
    fixture.clock.advance(by: .seconds(100))
    _ = try await visitor.submit("organization=example.org", to: "/sign-in/sso")
    #expect(try await timeoutMessage(visitor, in: 120).hasPrefix("The single sign-on has not returned"))
    _ = try await visitor.request("/sign-in/google")
    #expect(try await timeoutMessage(visitor, in: 200).hasPrefix("The sign-in has not returned"))
  }

  /// Waits for the flow until its wait times out, and returns the message.
  private func timeoutMessage(_ visitor: PageVisitor, in seconds: Int) async throws -> String {
    async let waiting = errorOf { try await fixture.service.wait(visitor.flow) }
    try await fixture.clock.advanceToSleeper(in: .seconds(seconds))
    let error = await waiting
    #expect(error?.kind == .flowTimedOut)
    return error?.message ?? ""
  }

  @Test(
    "WS-6: the refusal of an anonymous user is shown on its own page, once", .sandbox { $0.anonymousEnabled = true })
  func refusesAnAnonymousUser() async throws {
    let visitor = try await fixture.visit()
    _ = try await visitor.get("/sign-in")
    sandbox.configure { $0.anonymousEnabled = false }
    let refused = try await visitor.submit("", to: "/sign-in/anonymous")
    #expect(refused.body.contains("role=\"alert\"") && refused.body.contains("action=\"/sign-in/anonymous\""))
    #expect(try await !visitor.get("/sign-in").body.contains("role=\"alert\""))
  }

  @Test("SI-12: a method that is not enabled has no page", .sandbox { $0.signupDisabled = true })
  func hidesDisabledMethods() async throws {
    let visitor = try await fixture.visit()
    for path in ["/sign-in/phone", "/sign-in/phone/new", "/sign-in/sso", "/sign-in/sso/leave", "/sign-in/anonymous"] {
      #expect(try await visitor.request(path).headers["location"]?.hasPrefix("/sign-in") == true)
      #expect(try await visitor.get(path).body.contains("class=\"methods\""), "\(path)")
    }
    #expect(try await visitor.request("/sign-in/email/new").headers["location"] == "/sign-in/email")
    for path in ["/sign-in/code", "/sign-in/code/new"] {
      #expect(try await visitor.get(path).body.contains("formaction=\"/sign-in/code\""), "no page of its own")
    }
    #expect(try await !visitor.get("/sign-in/email").body.contains("Create an account"))
  }
}

/// A sign-in service of which the auth server is the sandbox.
private struct SandboxSignIn: Sendable {
  let fixture: SignInFixture<SupabaseAuthClient>
  let sandbox: AuthSandbox

  static let running = TestFixture<SandboxSignIn>()
  static var current: SandboxSignIn { running.current }
}

extension Trait where Self == FixtureTrait {
  fileprivate static var sandbox: Self { sandbox { _ in } }

  /// Gives the test a sandbox with these settings, where `anna@example.org` has a password.
  fileprivate static func sandbox(_ change: @escaping @Sendable (inout SandboxSettings) -> Void) -> Self {
    SandboxSignIn.running.trait { body in
      try await withSandbox { sandbox async throws in
        sandbox.configure(change)
        sandbox.addUser(email: "anna@example.org", password: "correct horse 9")
        let endpoint = try ProjectEndpoint(url: sandbox.url, anonKey: sandbox.anonKey)
        let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "test", limits: .generous)
        try await withSignIn(server: client, url: sandbox.url, key: sandbox.anonKey) { fixture async throws in
          try await body(SandboxSignIn(fixture: fixture, sandbox: sandbox))
        }
        await client.shutdown()
      }
    }
  }
}
