import Foundation
import SupabaseAuth
import Testing

/// No form of printing a value shows a secret.
@Suite struct RedactionTests {
  /// Returns the value in every form in which a log, a debugger or a failed test prints it.
  private func prints(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), String(describing: Optional(value)), "\([value])", dumped]
      .joined(separator: "\n")
  }

  private func expectSilent(_ value: Any, sourceLocation: SourceLocation = #_sourceLocation) {
    let text = prints(value)
    for secret in ["secret", "gina", "Gina", "2cd002f3"] {
      #expect(!text.contains(secret), sourceLocation: sourceLocation)
    }
  }

  @Test func tokens() {
    expectSilent(RefreshToken("secret"))
    expectSilent(BearerToken("secret"))
    expectSilent(Password("secret"))
    #expect("\(RefreshToken("secret"))" == "<RefreshToken redacted>")
  }

  @Test func sessionAndOutcome() throws {
    let outcome = classifyRefresh(status: 200, headers: [], body: Array(Fixture.session().utf8))
    guard case .refreshed(let session) = outcome else {
      Issue.record("not refreshed")
      return
    }
    expectSilent(session)
    expectSilent(session.user)
    expectSilent(outcome)
    expectSilent(SignUpOutcome.session(session))
    expectSilent(try #require(session.user.identities))
  }

  @Test func requests() throws {
    expectSilent(UserChanges(email: "gina@lab.test"))
    expectSilent(
      APIRequest(
        method: "GET", url: "https://a.test/secret", headers: [("authorization", "secret")], body: Array("secret".utf8),
        limit: 1))
    expectSilent(APIResponse(status: 200, headers: [("set-cookie", "secret")], body: Array("secret".utf8)))
    expectSilent(try ProjectEndpoint(url: "https://a.test", anonKey: "secret", caFile: "/x"))
  }

  @Test func errorsWithForeignText() {
    let body = #"{"code":"invalid_credentials","message":"you sent secret"}"#
    let outcome = classifyRefresh(status: 400, headers: [], body: Array(body.utf8))
    guard case .misconfigured(let error) = outcome else {
      Issue.record("not misconfigured")
      return
    }
    #expect(error.serverMessage == "you sent secret")
    expectSilent(error)
    expectSilent(outcome)
  }

  @Test func unreadableSuccess() {
    let body = Fixture.session(expiresIn: "0")
    expectSilent(classifyRefresh(status: 200, headers: [], body: Array(body.utf8)))
    expectSilent(classifyRefresh(status: 200, headers: [], body: Array(body.dropLast().utf8)))
  }

  @Test(.server { _ in .answer(200) }) func headersThatTheHTTPClientRefuses() async throws {
    for header in [(name: "x", value: "secret\r\ny: z"), (name: "secret header", value: "z")] {
      let error = try await authError {
        try await client.send(APIRequest(method: "GET", url: server.url, headers: [header], limit: 10))
      }
      #expect(error.code == .invalidRequest)
      expectSilent(error)
    }
  }
}
