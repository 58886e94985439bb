import AgentProtocol
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SignInFlows

/// Access to the page, and what the page may load.
@Suite(.signIn, .timeLimit(.minutes(10))) struct SignInPageTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  @Test("SI-9: the launch URL is exchanged for a cookie and a clean path")
  func exchangesTheLaunchAddress() async throws {
    let flow = try await fixture.start(nil)
    #expect(flow.path.hasPrefix("/sign-in/") && flow.path.utf8.count == 9 + 43)
    let reply = try await LoopbackClient.get(flow.port, flow.path)
    #expect(reply.status == 303)
    #expect(reply.headers["location"] == "/sign-in")
    #expect(reply.body.isEmpty)
    let cookie = try #require(reply.headers["set-cookie"])
    #expect(cookie.hasPrefix("ritual-sign-in-\(flow.port)="))
    #expect(cookie.hasSuffix("; Path=/sign-in; Max-Age=310; HttpOnly; SameSite=Lax"))
    #expect(cookie.split(separator: ";")[0].split(separator: "=")[1].utf8.count == 43)
  }

  @Test("SI-9: the launch URL is valid for one load; another window is refused with a message")
  func spendsTheLaunchAddress() async throws {
    let flow = try await fixture.start(nil)
    let visitor = PageVisitor(port: flow.port)
    _ = try await visitor.request(flow.path)
    let second = try await LoopbackClient.get(flow.port, flow.path)
    #expect(second.status == 403)
    #expect(second.headers["set-cookie"] == nil)
    #expect(second.body.contains("<h1>Link already used</h1>") && second.body.contains("It is valid once."))
    let again = try await visitor.request(flow.path)
    #expect(again.status == 303 && again.headers["location"] == "/sign-in", "its own window may reload it")
  }

  @Test("SI-9: every path except launch and callback needs the cookie", arguments: PagePath.allCases)
  func needsTheCookie(address: PagePath) async throws {
    let visitor = try await fixture.visit()
    let name = "ritual-sign-in-\(visitor.port)"
    let others = ["", "\(name)=", "\(name)=" + String(repeating: "A", count: 43), "x" + visitor.cookie]
    for cookie in others {
      let page = try await visitor.request(address.rawValue, headers: ["Cookie": cookie])
      #expect(page.status == 403)
      #expect(!page.body.contains("prod"), "nothing is told about the sign-in")
      let form = try await visitor.request(
        address.rawValue, method: "POST", headers: ["Cookie": cookie], body: "email=a%40b&password=c")
      #expect(form.status == 403)
    }
    #expect(fixture.server.read(\.passwords).isEmpty)
    let planted = "\(name)=other; " + visitor.cookie
    #expect(try await visitor.request("/sign-in", headers: ["Cookie": planted]).status == 200)
  }

  @Test("two concurrent flows have separate cookies, and neither cookie opens the other flow")
  func keepsFlowsApart() async throws {
    // Pages name their account if there is another one.
    _ = try await fixture.service.password(PasswordParams(account: "zero", project: nil, email: "a@b.c", password: "x"))
    let (one, two) = (try await fixture.visit(account: "one"), try await fixture.visit(account: "two"))
    // A browser sends the cookies of both flows to both ports.
    let both = one.cookie + "; " + two.cookie
    for (visitor, name) in [(one, "one"), (two, "two")] {
      #expect(
        try await visitor.request("/sign-in", headers: ["Cookie": both]).body.contains("<strong>\(name)</strong>"))
    }
    #expect(try await one.request("/sign-in", headers: ["Cookie": two.cookie]).status == 403)
    let value = two.cookie.split(separator: "=")[1]
    let renamed = "ritual-sign-in-\(one.port)=\(value)"
    #expect(try await one.request("/sign-in", headers: ["Cookie": renamed]).status == 403)
    _ = try await one.submit("email=a%40example.org&password=pw")
    #expect(try await fixture.service.wait(one.flow).account?.name == "one")
    #expect(try await two.get("/sign-in").body.contains("Continue with Email"))
  }

  @Test("SI-9: the headers of every page forbid what the page does not need")
  func keepsToItself() async throws {
    let visitor = try await fixture.visit()
    for path in ["/sign-in", "/sign-in/email", "/sign-in/page.js", "/nothing"] {
      let reply = try await visitor.request(path)
      let policy = try #require(reply.headers["content-security-policy"]).split(separator: "; ").map(String.init)
      #expect(
        policy == [
          "default-src 'none'", "style-src '\(PageStyle.hash)'", "script-src 'self'", "form-action 'self'",
          "frame-ancestors 'none'", "base-uri 'none'",
        ])
      #expect(reply.headers["x-content-type-options"] == "nosniff")
      #expect(reply.headers["cache-control"] == "no-store")
      #expect(reply.headers["referrer-policy"] == "same-origin")
      #expect(reply.headers["cross-origin-opener-policy"] == "same-origin")
      #expect(reply.headers["cross-origin-resource-policy"] == "same-origin")
      #expect(reply.headers["x-frame-options"] == "DENY")
    }
    #expect(try await visitor.request("/sign-in/page.js").headers["content-type"] == "text/javascript; charset=utf-8")
  }

  @Test("SI-9: nothing is loaded from another origin, and only the style is inline")
  func loadsNothing() async throws {
    let visitor = try await fixture.visit()
    for path in ["/sign-in", "/sign-in/email", "/sign-in/email/new"] {
      let body = try await visitor.request(path).body
      #expect(body.contains("<style>\(PageStyle.element.text)</style>"))
      for forbidden in ["https://", "url(", "@import", " style=", " onclick=", " onload=", "<img", "<iframe"] {
        #expect(!body.contains(forbidden), "\(forbidden) in \(path)")
      }
      #expect(body.split(separator: "<script").count == 2)
      #expect(body.contains("<script src=\"/sign-in/page.js\" defer></script>"))
    }
  }

  @Test("SI-9: an expired flow shows that the time is up, at every path")
  func expires() async throws {
    let visitor = try await fixture.visit()
    #expect(try await visitor.request("/sign-in").headers["refresh"] == "301; url=/sign-in")
    fixture.clock.oversleep(by: .seconds(1000))
    fixture.clock.advance(by: .seconds(301))
    #expect(try await visitor.submit("email=a%40example.org&password=pw").body.contains("Sign-in timed out"))
    #expect(fixture.server.read(\.passwords).isEmpty)
    let expired = try await visitor.get("/sign-in").body
    #expect(expired.contains("The sign-in took too long.") && !expired.contains("action=\"/sign-in/cancel\""))
    #expect(
      expired.contains("<code class=\"command\">ritualctl sign-in --account default --project prod</code>"))
    #expect(await errorKind { try await fixture.service.wait(visitor.flow) } == .flowTimedOut)
  }
}
