import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import Egress
@testable import SessionEngine

@Suite(.accounts, .timeLimit(.minutes(10))) struct OwnRequestsTests {
  private var fixture: AccountsFixture { .current }

  /// Sends a request of the agent itself for the account that `signIn` creates.
  private func send(_ accounts: Accounts, _ path: String = "/rest/v1/x") async throws -> APIResponse {
    let request = APIRequest(method: "POST", url: path, body: Array("ok".utf8), limit: 100)
    return try await OwnRequests(accounts: accounts).send(request, for: AccountName.default, isUse: true)
  }

  @Test("the agent adds the token and the project's key, and returns the response")
  func sends() async throws {
    try await fixture.signIn()
    let answer = try await send(fixture.accounts)
    #expect(answer.status == 200)
    #expect(answer.body == Array("ok".utf8))
    let request = try #require(fixture.server.sent.first)
    #expect(request.method == "POST")
    #expect(request.url == "http://127.0.0.1:9/rest/v1/x")
    #expect(bearer(of: request) == "Bearer access-1")
    #expect(request.headers.contains { $0.name == "apikey" && $0.value == "anon" })
    #expect(request.body == Array("ok".utf8))
  }

  @Test("after a 401 the request is repeated once with a newer token, never twice")
  func repeatsOnce() async throws {
    try await fixture.signIn()
    fixture.clock.advance(by: .seconds(60))
    fixture.server.answerAPI(with: [401, 401, 401])
    async let answer = send(fixture.accounts)
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
    #expect(try await answer.status == 401)
    #expect(fixture.server.sent.map(bearer) == ["Bearer access-1", "Bearer access-2"])
  }

  @Test("a 401 for a fresh token causes neither a refresh nor a second request")
  func doesNotRepeatAFreshToken() async throws {
    try await fixture.signIn()
    async let refreshed = fixture.accounts.refresh(nil)
    try await fixture.server.nextRefresh().answer(.refreshed(.fixture("2")))
    _ = try await refreshed
    fixture.server.answerAPI(with: [401])
    #expect(try await send(fixture.accounts).status == 401)
    #expect(fixture.server.sent.count == 1)
    #expect(fixture.server.refreshes == ["refresh-1"])
  }

  @Test("SE-2: nothing is sent for a session whose origin is not configured")
  func sendsNothingElsewhere() async throws {
    try await fixture.signIn()
    _ = fixture.projects.apply(try AccountsFixture.configuration(url: "http://127.0.0.1:10"))
    await fixture.accounts.configurationChanged()
    #expect(await errorKind { try await send(fixture.accounts) } == .misconfigured)
    #expect(fixture.server.sent.isEmpty)
  }

  @Test("SE-2: a token is not sent to an origin that was configured during the refresh")
  func sendsNothingToANewOrigin() async throws {
    try await fixture.signIn(life: 60)
    fixture.clock.advance(by: .seconds(61))
    async let kind = errorKind { try await send(fixture.accounts) }
    let refresh = try await fixture.server.nextRefresh()
    _ = fixture.projects.apply(try AccountsFixture.configuration(url: "http://127.0.0.1:10"))
    refresh.answer(.refreshed(.fixture("2")))
    #expect(await kind == .misconfigured)
    #expect(fixture.server.sent.isEmpty)
  }

  @Test("another API gets the token without the project's key, a project path gets both")
  func keepsTheKeyForTheProject() async throws {
    try await fixture.signIn()
    var configuration = try AccountsFixture.configuration()
    configuration.projects["prod"]?.apiURL = "https://api.example.org"
    _ = fixture.projects.apply(configuration)
    let early = await errorKind { try await send(fixture.accounts, "/v1/x") }
    #expect(early == .misconfigured && fixture.server.sent.isEmpty, "SE-2: nobody has accepted it")
    await fixture.accounts.configurationChanged()
    func published() -> TokenAnswer? {
      fixture.accounts.tokens.answer(account: nil, minTTL: nil, rejected: nil, now: fixture.clock.now)
    }
    #expect(published()?.endpoints == #"{"anonKey":"anon","projectURL":"http://127.0.0.1:9"}"#)
    _ = try await fixture.accounts.useAPI(nil)
    #expect(published()?.entry.destination.apiOrigin == "https://api.example.org", "the hot path knows of it at once")
    let answer = try await fixture.accounts.token(SessionToken.Params(endpoints: true))
    let endpoints = try WireCoding.encode(#require(answer.endpoints))
    #expect(published()?.endpoints == String(decoding: endpoints, as: UTF8.self) && answer.endpoints?.apiURL != nil)
    for path in ["/v1/x", "/rest/v1/x"] { _ = try await send(fixture.accounts, path) }
    let sent = fixture.server.sent
    #expect(sent.map(\.url) == ["https://api.example.org/v1/x", "http://127.0.0.1:9/rest/v1/x"])
    #expect(sent.map { $0.headers.map(\.name) } == [["Authorization"], ["apikey", "Authorization"]])
  }

  @Test("a path that is refused is not sent, and no token is requested", arguments: ["/auth/v1/user", "/a/../b", "x"])
  func refuses(path: String) async throws {
    try await fixture.signIn(life: 60)
    fixture.clock.advance(by: .seconds(61))
    let kind = await errorKind { try await send(fixture.accounts, path) }
    #expect(kind == (path.hasPrefix("/auth") ? .denied : .invalidParams))
    #expect(fixture.server.sent.isEmpty)
  }

  private func bearer(of request: APIRequest) -> String? {
    request.headers.first { $0.name == "Authorization" }?.value
  }
}
