import AgentProtocol
import Synchronization
import TestKit
import Testing

@testable import SignInFlows

/// Which requests the page accepts, and from where.
@Suite(.timeLimit(.minutes(10))) struct PageRequestTests {
  private var fixture: SignInFixture<StubAuthServer> { .current }

  private static let form = "email=anna%40example.org&password=secret+word"

  /// Submits the form with a visitor's cookie. Returns the status and the passwords that reached
  /// the server.
  fileprivate func post(
    _ headers: [String: String], body: String = form, to path: String = "/sign-in/email"
  ) async throws -> FormResult {
    let found = Found()
    try await withSignIn { fixture async throws in
      let visitor = try await fixture.visit()
      let reply = try await visitor.request(path, method: "POST", headers: headers, body: body)
      if reply.status == 303 { _ = try await visitor.get("/sign-in") }
      found.set(FormResult(status: reply.status, passwords: fixture.server.read(\.passwords)))
    }
    return found.value
  }

  @Test("accepts the page's own form, also from a browser that sends no Sec-Fetch headers")
  func takesForms() async throws {
    #expect(try await post([:]) == FormResult(status: 303, passwords: ["in anna@example.org secret word"]))
    let plain = ["Sec-Fetch-Site": "", "Sec-Fetch-Mode": "", "Sec-Fetch-Dest": ""]
    #expect(try await post(plain) == FormResult(status: 303, passwords: ["in anna@example.org secret word"]))
  }

  @Test(
    "SI-9: rejects a form from another origin before processing it", .signIn,
    arguments: [
      ["Origin": ""], ["Origin": "null"], ["Origin": "http://127.0.0.1"], ["Origin": "http://localhost:PORT"],
      ["Origin": "https://127.0.0.1:PORT"], ["Origin": "http://127.0.0.1:1"], ["Origin": "http://evil.example"],
      ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"],
      ["Sec-Fetch-Mode": "cors"], ["Sec-Fetch-Mode": "no-cors"], ["Sec-Fetch-Dest": "empty"],
      ["Sec-Fetch-Dest": "iframe"],
    ])
  func refusesForeignForms(headers: [String: String]) async throws {
    let visitor = try await fixture.visit()
    let own = headers.mapValues { value in
      value.split(separator: "PORT", omittingEmptySubsequences: false).joined(separator: "\(visitor.port)")
    }
    let forms = [
      "email", "email/new", "cancel", "code", "code/enter", "code/again", "sso", "anonymous", "factor",
      "factor/verify",
    ]
    for path in forms.map({ "/sign-in/" + $0 }) {
      #expect(try await visitor.request(path, method: "POST", headers: own, body: Self.form).status == 403)
    }
    #expect(fixture.server.read(\.passwords).isEmpty)
    #expect(await fixture.service.flows[visitor.flow]?.isOver == false)
  }

  @Test(
    "SI-9: rejects another Host (DNS rebinding) for forms, too", .signIn,
    arguments: ["localhost:PORT", "evil.example:PORT", "127.0.0.1", "127.0.0.1:80", "[::1]:PORT", ""])
  func refusesOtherHosts(host: String) async throws {
    let visitor = try await fixture.visit()
    let own = host.split(separator: "PORT", omittingEmptySubsequences: false).joined(separator: "\(visitor.port)")
    let reply = try await visitor.request("/sign-in/email", method: "POST", headers: ["Host": own], body: Self.form)
    #expect(reply.status == 421)
    #expect(try await visitor.request("/sign-in", headers: ["Host": own]).status == 421)
    #expect(fixture.server.read(\.passwords).isEmpty)
  }

  @Test(
    "rejects other content types", arguments: ["text/plain", "application/json", "multipart/form-data"])
  func refusesOtherKinds(kind: String) async throws {
    #expect(try await post(["Content-Type": kind]) == FormResult(status: 415, passwords: []))
  }

  @Test(
    "rejects a form with missing, additional or malformed fields",
    arguments: [
      "", "email=a%40b.c", "password=x", "email=a%40b.c&password=x&more=y", "email=a%40b.c&email=d%40e.f&password=x",
      "email=a%40b.c&password=x&", "email=a%40b.c;password=x", "email=a@b.c&password=x", "email=a%4&password=x",
      "email=a%40b.c&password=%FF", "email=a%40b.c&password=x%00", "email=a%40b.c&password=x%0A",
    ])
  func refusesOddForms(body: String) async throws {
    #expect(try await post([:], body: body) == FormResult(status: 400, passwords: []))
  }

  @Test("a form has at most 4 KiB")
  func boundsForms() async throws {
    let start = "email=a%40example.org&password="
    let longest = start + String(repeating: "x", count: 4096 - start.utf8.count)
    #expect(try await post([:], body: longest).status == 303)
    #expect(try await post([:], body: longest + "x") == FormResult(status: 413, passwords: []))
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

/// The status of a response to the form, and the passwords that reached the server.
private struct FormResult: Sendable, Equatable {
  var status = 0
  var passwords: [String] = []
}

/// The result that a closure stores. Thread-safe.
private final class Found: Sendable {
  private let state = Mutex(FormResult())

  var value: FormResult { state.withLock { $0 } }

  func set(_ taken: FormResult) { state.withLock { $0 = taken } }
}
