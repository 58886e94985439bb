import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import Egress
@testable import SessionEngine

@Suite(.timeLimit(.minutes(10))) struct APIServiceTests {
  private let params = APIRequestMethod.Params(account: nil, method: "POST", path: "/rest/v1/x", body: "b2s=")

  @Test("TK-9: the agent adds the token and the project's key, and returns the response")
  func sends() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      let answer = try await APIService(accounts: fixture.accounts).request(params)
      #expect(answer.status == 200)
      #expect(answer.body == Data("ok".utf8).base64EncodedString())
      #expect(answer.headers == [["Content-Type", "text/plain"]], "no cookie is passed on")
      let request = try #require(fixture.server.sent.first)
      #expect(request.method == "POST")
      #expect(request.url == "http://127.0.0.1:9/rest/v1/x")
      #expect(bearer(of: request) == "Bearer access-1")
      #expect(request.headers.contains { $0.name == "apikey" && $0.value == "anon" })
      #expect(request.body == Array("ok".utf8))
    }
  }

  @Test("TK-9: after a 401 the request is repeated once with a newer token, never twice")
  func repeatsOnce() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      fixture.clock.advance(by: .seconds(60))
      fixture.server.answerAPI(with: [401, 401, 401])
      async let answer = APIService(accounts: fixture.accounts).request(params)
      try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
      #expect(try await answer.status == 401)
      #expect(fixture.server.sent.map(bearer) == ["Bearer access-1", "Bearer access-2"])
    }
  }

  @Test("TK-9: a 401 for a fresh token causes neither a refresh nor a second request")
  func doesNotRepeatAFreshToken() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      async let refreshed = fixture.accounts.refresh(nil)
      try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
      _ = try await refreshed
      fixture.server.answerAPI(with: [401])
      #expect(try await APIService(accounts: fixture.accounts).request(params).status == 401)
      #expect(fixture.server.sent.count == 1)
      #expect(fixture.server.refreshes == ["refresh-1"])
    }
  }

  @Test("SE-2: nothing is sent for a session whose origin is not configured")
  func sendsNothingElsewhere() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      _ = fixture.projects.apply(try AccountsFixture.configuration(url: "http://127.0.0.1:10"))
      await fixture.accounts.configurationChanged()
      #expect(await kindOfError { try await APIService(accounts: fixture.accounts).request(params) } == .misconfigured)
      #expect(fixture.server.sent.isEmpty)
    }
  }

  @Test("SE-2: a token is not sent to an origin that was configured during the refresh")
  func sendsNothingToANewOrigin() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn(life: 60)
      fixture.clock.advance(by: .seconds(61))
      async let kind = kindOfError { try await APIService(accounts: fixture.accounts).request(params) }
      let refresh = try await fixture.server.nextRefresh()
      _ = fixture.projects.apply(try AccountsFixture.configuration(url: "http://127.0.0.1:10"))
      refresh.answer(.refreshed(.fixture("2")))
      #expect(await kind == .misconfigured)
      #expect(fixture.server.sent.isEmpty)
    }
  }

  @Test("TK-9: another API gets the token without the project's key, a project path gets both")
  func keepsTheKeyForTheProject() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      var configuration = try AccountsFixture.configuration()
      configuration.projects["prod"]?.apiURL = "https://api.example.org"
      _ = fixture.projects.apply(configuration)
      let service = APIService(accounts: fixture.accounts)
      let early = await kindOfError {
        try await service.request(APIRequestMethod.Params(account: nil, method: "GET", path: "/v1/x"))
      }
      #expect(early == .misconfigured && fixture.server.sent.isEmpty, "SE-2: nobody has accepted it")
      _ = try await fixture.accounts.useAPI(nil)
      let entry = fixture.accounts.tokens.answer(account: nil, minTTL: nil, rejected: nil, now: fixture.clock.now)?
        .entry
      #expect(entry?.destination.apiOrigin == "https://api.example.org", "the hot path knows of it at once")
      for path in ["/v1/x", "/rest/v1/x"] {
        _ = try await service.request(APIRequestMethod.Params(account: nil, method: "GET", path: path))
      }
      let sent = fixture.server.sent
      #expect(sent.map(\.url) == ["https://api.example.org/v1/x", "http://127.0.0.1:9/rest/v1/x"])
      #expect(sent.map { $0.headers.map(\.name) } == [["Authorization"], ["apikey", "Authorization"]])
    }
  }

  @Test("a body of 8 MiB is sent")
  func sendsTheLargestBody() async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn()
      let body = Data(repeating: 1, count: 8 << 20).base64EncodedString()
      let params = APIRequestMethod.Params(account: nil, method: "PUT", path: "/x", body: body)
      #expect(try await APIService(accounts: fixture.accounts).request(params).status == 200)
      #expect(fixture.server.sent.map(\.body.count) == [8 << 20])
    }
  }

  struct Unsendable: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    var header: String?
    var body: String?
    var kind = ErrorKind.invalidParams

    /// Omits the body: one body has 11 MB, and the description is printed with every line about its
    /// test.
    var testDescription: String { "\(method.debugDescription) \(path), a body of \(body?.utf8.count ?? 0) bytes" }
  }

  static let unsendable = [
    Unsendable(method: "CONNECT", path: "/x"), Unsendable(method: "TRACE", path: "/x"),
    Unsendable(method: "G T", path: "/x"), Unsendable(method: "get", path: "/x"), Unsendable(method: "", path: "/x"),
    Unsendable(method: "GET\r\nX: y", path: "/x"), Unsendable(method: "GET", path: "/auth/v1/user", kind: .denied),
    Unsendable(method: "GET", path: "https://evil.test/"), Unsendable(method: "GET", path: "/x", header: "Host"),
    Unsendable(method: "PUT", path: "/x", body: "not base64!"), Unsendable(method: "PUT", path: "/x", body: "b2s"),
    Unsendable(method: "PUT", path: "/x", body: String(repeating: "A", count: 11_184_816), kind: .tooLarge),
    // As long as 8 MiB in base64, but without padding: one byte more than 8 MiB when decoded.
    Unsendable(method: "PUT", path: "/x", body: String(repeating: "A", count: 11_184_812), kind: .tooLarge),
  ]

  @Test("rejects a request that cannot be sent, without getting a token", arguments: unsendable)
  func refuses(wrong: Unsendable) async throws {
    try await withAccounts { fixture async throws in
      try await fixture.signIn(life: 60)
      fixture.clock.advance(by: .seconds(61))
      let params = APIRequestMethod.Params(
        account: nil, method: wrong.method, path: wrong.path, headers: wrong.header.map { [[$0, "x"]] },
        body: wrong.body)
      #expect(
        await kindOfError { try await APIService(accounts: fixture.accounts).request(params) } == wrong.kind)
      #expect(fixture.server.sent.isEmpty)
    }
  }

  private func bearer(of request: APIRequest) -> String? {
    request.headers.first { $0.name == "Authorization" }?.value
  }
}
