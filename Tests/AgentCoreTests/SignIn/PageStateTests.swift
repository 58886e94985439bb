import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// What the pages of a flow have in common, and how each of them goes on.
@Suite(.timeLimit(.minutes(10))) struct PageStateTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private let form = PageVisitor.signInForm
  private let header = "<h1>Sign in to <strong>project.<wbr>example</strong></h1>"
  private let cancel = "action=\"/sign-in/cancel\"><button class=\"quiet\""

  private func command(_ text: String) -> String { "<code class=\"command\">\(text)</code>" }

  @Test(
    "SI-9: every page of a running flow shows the project's host, the time left and Cancel, and the account if there is another one",
    .signIn(url: "https://Project.example/"))
  func framesTheRunningPages() async throws {
    let first = try await fixture.visit(account: "home")
    #expect(!(try await first.request("/sign-in").body.contains("home")), "the only account")
    _ = try await first.submit(form)
    fixture.server.set { $0.holds = [.password] }
    let visitor = try await fixture.visit(account: "work")
    fixture.clock.advance(by: .seconds(61))
    let name = "under the account name <strong>work</strong>"
    for path in ["/sign-in", "/sign-in/email", "/sign-in/email/new"] {
      let page = try await visitor.request(path)
      let title = path.hasSuffix("new") ? header.replacing("Sign in to", with: "Create an account at") : header
      #expect(page.body.contains(title) && page.body.contains(name), "\(path)")
      #expect(
        page.body.contains(">4 minutes left to sign in</p>") && page.body.contains("data-seconds=\"239\""), "\(path)")
      #expect(page.body.contains(cancel), "\(path)")
      #expect(page.headers["refresh"] == "240; url=/sign-in")
    }
    _ = try await visitor.request("/sign-in/email", method: "POST", body: form)
    let progress = try await visitor.request("/sign-in").body
    #expect(progress.contains("Signing in…") && progress.contains(header) && progress.contains(cancel))
    fixture.server.release()
    let end = try await visitor.get("/sign-in").body
    #expect(
      end.contains(header.replacing("Sign in", with: "Signed in"))
        && end.contains("You are signed in as <strong class=\"who\">anna@<wbr>example.<wbr>org</strong>."))
    #expect(end.contains(name) && end.contains("You can close this tab and return to your terminal."))
    #expect(!end.contains(cancel) && !end.contains(" left "), "the flow is over")
  }

  @Test(
    "the header shows the port of a project that does not use the default port", .signIn(url: "http://127.0.0.1:54321"))
  func showsThePort() async throws {
    let page = try await fixture.visit().request("/sign-in").body
    #expect(page.contains("Sign in to <strong>127.<wbr>0.<wbr>0.<wbr>1:54321</strong>"))
  }

  @Test("SI-9: a flow that ended without a session shows the command to start over", .signIn)
  func startsOver() async throws {
    let page = try await fixture.visit(account: "work")
    #expect(
      try await page.submit("", to: "/sign-in/cancel").body.contains(
        command("ritualctl sign-in --account work --project prod")))

    let google = try await fixture.start("google", account: "work")
    let denied = try await LoopbackClient.browse(google.port, google.target("error=server_error"))
    #expect(denied.body.contains("<h2>Sign-in failed</h2>"))
    #expect(denied.body.contains(command("ritualctl sign-in google --account work --project prod")))
  }

  @Test("SI-9: a lock ends the flow, and the page shows how to unlock before it shows how to start over", .signIn)
  func namesTheUnlock() async throws {
    let visitor = try await fixture.visit()
    await fixture.service.endForLock()
    let page = try await visitor.get("/sign-in").body
    #expect(page.contains("The vault is locked."))
    #expect(
      page.contains(
        command("ritualctl unlock") + "\n" + command("ritualctl sign-in --account default --project prod")))
  }

  @Test("SI-9: a page that may not tell about the sign-in shows a command without an account", .signIn)
  func continuesWithoutTheCookie() async throws {
    let flow = try await fixture.start(nil, account: "work")
    _ = try await LoopbackClient.get(flow.port, flow.path)
    let takeOver = command("ritualctl sign-in --take-over")
    for path in [flow.path, "/sign-in"] {
      let page = try await LoopbackClient.get(flow.port, path)
      #expect(page.status == 403 && page.body.contains(takeOver))
      #expect(!page.body.contains("work") && !page.body.contains("project.") && !page.body.contains("<script"))
    }
    let wrongHost = try await LoopbackClient.get(flow.port, "/sign-in", headers: ["Host": "localhost:\(flow.port)"])
    #expect(wrongHost.status == 421)
    #expect(
      wrongHost.body.contains("only at the address 127.0.0.1.") && wrongHost.body.contains("ritualctl sign-in<"))
  }

  @Test("SI-9: a browser that keeps no cookie is not told after its sign-in that it failed", .signIn)
  func endsWithoutTheCookie() async throws {
    let flow = try await fixture.start("google", account: "work")
    let reply = try await LoopbackClient.get(flow.port, flow.target())
    #expect(reply.status == 303 && reply.headers["location"] == "/sign-in" && reply.body.isEmpty)
    let page = try await LoopbackClient.get(flow.port, "/sign-in")
    #expect(
      page.status == 403 && !page.body.contains("Wrong window") && !page.body.contains("failed"), "\(page.body)")
    #expect(
      page.body.contains("cannot show how the sign-in ended") && page.body.contains(command("ritualctl status")))
    #expect(!page.body.contains("work") && !page.body.contains("project.") && !page.body.contains("<script"))
  }

  @Test("SI-9: a refused callback of a flow with a fixed provider can be tried again at this provider only", .signIn)
  func triesAgain() async throws {
    let flow = try await fixture.start("google")
    let visitor = PageVisitor(port: flow.port)
    let refused = try await visitor.get(flow.target("x=1"))
    #expect(refused.body.contains("still waiting") && refused.body.contains(MethodButton.google.html.text))
    #expect(!refused.body.contains("Continue with Apple") && refused.body.contains(cancel))
    #expect(refused.headers["refresh"] == "301; url=/sign-in")
    #expect(try await visitor.request("/sign-in/google").headers["location"] == flow.url)
    for path in ["/sign-in/apple", "/sign-in/email", "/sign-in/email/new"] {
      #expect(try await visitor.request(path).headers["location"] == "/sign-in")
    }
    _ = try await visitor.submit(form)
    #expect(fixture.server.read(\.passwords).isEmpty)
    #expect(try await visitor.get(flow.target()).body.contains("<h1>Signed in"))
  }

  @Test("SI-6: the sign-up form states the rule for passwords, and a refusal the project's reason", .signIn)
  func statesThePasswordRule() async throws {
    let message = "the password does not meet the project's rule: too short"
    fixture.server.set { $0.passwordAnswer = .failure(AuthError(.weakPassword, message, status: 422)) }
    let visitor = try await fixture.visit()
    let rule = "id=\"rule\">At least 6 characters. This project may require more.</p>"
    let signUp = try await visitor.request("/sign-in/email/new").body
    #expect(
      signUp.contains(rule) && signUp.contains("autocomplete=\"new-password\" required aria-describedby=\"rule\""))
    #expect(!signUp.contains("minlength"), "only the server knows the minimum")
    let signIn = try await visitor.request("/sign-in/email").body
    #expect(!signIn.contains(rule) && signIn.contains("autocomplete=\"current-password\" required"))
    #expect(signIn.contains("autocomplete=\"username\""))
    let refused = try await visitor.submit(form, to: "/sign-in/email/new").body
    #expect(refused.contains("This password is too weak.") && refused.contains(rule))
    #expect(refused.contains("<p>The password does not meet the project&#39;s rule: too short.</p>"))
    #expect(refused.contains("aria-describedby=\"alert rule\""))
  }

  @Test("SI-9: the button that shows the password is hidden until the script makes it work", .signIn)
  func hidesTheScriptsButton() async throws {
    let page = try await fixture.visit().request("/sign-in/email").body
    #expect(page.contains("type=\"button\" aria-label=\"Show password\" aria-pressed=\"false\""))
    #expect(page.contains("aria-controls=\"password\" hidden>"))
  }

  @Test("the progress page redirects after a while, even if the sign-in is still running", .signIn)
  func boundsProgress() async throws {
    fixture.server.set { $0.holds = [.password] }
    let visitor = try await fixture.visit()
    _ = try await visitor.request("/sign-in/email", method: "POST", body: form)
    async let held = visitor.request("/sign-in/wait")
    try await fixture.clock.advanceToSleeper(in: SignInLimits.maxProgressDelay)
    #expect(try await held.headers["location"] == "/sign-in")
    #expect(try await visitor.request("/sign-in").body.contains("Signing in…"))
    fixture.server.release()
    #expect(try await visitor.get("/sign-in").body.contains("<h1>Signed in"))
  }

  @Test("a provider sign-in in one tab keeps its provider while another tab tries a password", .signIn)
  func keepsTheProvider() async throws {
    fixture.server.set { $0.passwordAnswer = .failure(AuthError(.invalidCredentials, "no", status: 400)) }
    let visitor = try await fixture.visit()
    let google = StartedFlow(
      SignInStart.Result(
        flow: visitor.flow, url: try #require(try await visitor.request("/sign-in/google").headers["location"]),
        expiresAt: fixture.clock.wall))
    _ = try await visitor.submit(form)
    #expect(try await visitor.get(google.target()).body.contains("<h1>Signed in"))
    #expect(try await fixture.service.wait(visitor.flow).account?.user?.provider == "google")
  }

  @Test("an invalid email address never reaches the server", .signIn)
  func checksTheAddress() async throws {
    let visitor = try await fixture.visit()
    for email in ["nobody", "a%40b+c", "", "%22%3E%3Cb%3E%40x+y"] {
      let page = try await visitor.submit("email=\(email)&password=x")
      #expect(page.body.contains("This is not a valid email address."))
      #expect(!page.body.contains("<b>"))
    }
    #expect(try await visitor.submit("email=a%40b&password=").body.contains("The password is empty."))
    #expect(fixture.server.read(\.passwords).isEmpty)
  }

  @Test("LK-2: to undo a link is the first and the primary answer, and the only way to cancel")
  func putsTheSafeAnswerFirst() throws {
    let user = AccountUser(id: "1", email: "anna@example.org", name: nil, provider: "google")
    let decision = SignInDecision(kind: SignInDecision.link, flow: "f", account: "work", user: user)
    let page = LinkPage(decision: decision).document.html(
      of: PageFlow(host: "project.example", account: "work", secondsLeft: 60))
    let undo = try #require(page.firstRange(of: "action=\"/sign-in/undo\"><button class=\"button primary\""))
    let keep = try #require(page.firstRange(of: "action=\"/sign-in/keep\"><button class=\"button secondary\""))
    #expect(undo.lowerBound < keep.lowerBound)
    #expect(page.split(separator: "button primary").count == 2)
    #expect(!page.contains(cancel) && page.contains("Less than a minute left to sign in"))
  }
}
