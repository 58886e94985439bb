import AgentProtocol
import TestKit
import Testing

@testable import SignInFlows

@Suite(.timeLimit(.minutes(10))) struct PageRequestTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static let form = "email=anna%40example.org&password=secret+word"

  @Test("accepts the page's own form, also from a browser that sends no Sec-Fetch headers", .signIn)
  func takesForms() async throws {
    for headers in [[:], ["Sec-Fetch-Site": "", "Sec-Fetch-Mode": "", "Sec-Fetch-Dest": ""]] {
      let visitor = try await fixture.visit()
      #expect(
        try await visitor.request("/sign-in/email", method: "POST", headers: headers, body: Self.form).status == 303)
      _ = try await visitor.get("/sign-in")
    }
    #expect(fixture.server.read(\.passwords) == Array(repeating: "in anna@example.org secret word", count: 2))
  }

  @Test("a form has at most 4 KiB", .signIn)
  func boundsForms() async throws {
    let visitor = try await fixture.visit()
    let longest = "email=a%40b.c&password=" + String(repeating: "x", count: 4096 - 23)
    #expect(try await visitor.request("/sign-in/email", method: "POST", body: longest + "x").status == 413)
    #expect(fixture.server.read(\.passwords).isEmpty)
    #expect(try await visitor.request("/sign-in/email", method: "POST", body: longest).status == 303)
  }

  @Test(
    "rejects a form with missing, additional or malformed fields", .signIn,
    arguments: [
      "", "email=a%40b.c", "password=x", "email=a%40b.c&password=x&more=y", "email=a%40b.c&email=d%40e.f&password=x",
      "email=a%40b.c&password=x&", "email=a%40b.c;password=x", "email=a@b.c&password=x", "email=a%4&password=x",
      "email=a%40b.c&password=%FF", "email=a%40b.c&password=x%00", "email=a%40b.c&password=x%0A",
    ])
  func refusesOddForms(body: String) async throws {
    let visitor = try await fixture.visit()
    #expect(try await visitor.request("/sign-in/email", method: "POST", body: body).status == 400)
    #expect(fixture.server.read(\.passwords).isEmpty)
  }

  @Test("each path accepts only its own HTTP methods", .signIn)
  func keepsMethodsApart() async throws {
    let visitor = try await fixture.visit()
    for path in [
      "/sign-in", "/sign-in/apple", "/sign-in/google", "/sign-in/with/github", "/sign-in/sso/leave",
      "/sign-in/sso/go", "/sign-in/wait",
      "/sign-in/page.js",
    ] {
      let reply = try await visitor.request(path, method: "POST", body: Self.form)
      #expect(reply.status == 405 && reply.headers["allow"] == "GET, POST")
    }
    #expect(try await visitor.request("/callback?code=1", method: "POST", body: "").status == 404)
    for path in ["cancel", "code/again", "code/later"] {
      #expect(try await visitor.request("/sign-in/" + path).status == 405)
    }
    #expect(try await visitor.request("/sign-in?x=1").status == 404)
    for method in ["PUT", "HEAD", "OPTIONS", "DELETE", "PATCH"] {
      #expect(try await visitor.request("/sign-in", method: method).status == 405)
    }
  }

  @Test("only our own page may redirect to a provider or load the script, and no page may be embedded", .signIn)
  func looksAtWhoAsks() async throws {
    let visitor = try await fixture.visit()
    for site in ["cross-site", "same-site"] {
      for path in ["/sign-in/google", "/sign-in/with/github", "/sign-in/sso/go"] {
        #expect(try await visitor.request(path, headers: ["Sec-Fetch-Site": site]).status == 403)
      }
    }
    #expect(try await visitor.request("/sign-in", headers: ["Sec-Fetch-Site": "cross-site"]).status == 200)
    for dest in ["iframe", "frame", "object", "embed", "image", "empty", "script"] {
      #expect(try await visitor.request("/sign-in", headers: ["Sec-Fetch-Dest": dest]).status == 403)
    }
    var script = ["Sec-Fetch-Dest": "script", "Sec-Fetch-Mode": "no-cors"]
    #expect(try await visitor.request("/sign-in/page.js", headers: script).status == 200)
    script["Sec-Fetch-Site"] = "cross-site"
    #expect(try await visitor.request("/sign-in/page.js", headers: script).status == 403)
    let google = try await visitor.request("/sign-in/google")
    let github = try await visitor.request("/sign-in/with/github").headers["location"]
    #expect(github?.hasPrefix(AccountsFixture.origin + "/auth/v1/authorize?provider=github&") == true)
    #expect(google.headers["location"]?.hasPrefix(AccountsFixture.origin + "/auth/v1/authorize?") == true)
  }
}
