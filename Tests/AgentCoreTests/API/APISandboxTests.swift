import AgentConfiguration
import AgentProtocol
import AuthSandbox
import FoundationEssentials
import Logging
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import Egress
@testable import SessionEngine

/// The API client over real HTTP: what the server receives, and what the caller gets back (TK-9).
@Suite(.timeLimit(.minutes(2))) struct APISandboxTests {
  /// An account that is signed in at a sandbox while a refresh engine runs.
  private struct Fixture: Sendable {
    let sandbox: AuthSandbox
    let accounts: Accounts
    let clock: ManualClock
    let accessToken: String

    func request(
      _ method: String, _ path: String, headers: [[String]]? = nil, body: [UInt8]? = nil
    ) async throws -> APIRequestMethod.Result {
      let params = APIRequestMethod.Params(
        account: nil, method: method, path: path, headers: headers, body: body.map { Data($0).base64EncodedString() })
      return try await APIService(accounts: accounts).request(params)
    }
  }

  private struct Echo: Decodable {
    let method: String
    let path: String
    let query: [[String]]
    let headers: [String: String]
    let tokenSHA256: String?
    let bodyLength: Int
    enum CodingKeys: String, CodingKey {
      case method, path, query, headers
      case tokenSHA256 = "token_sha256"
      case bodyLength = "body_length"
    }

    init(_ answer: APIRequestMethod.Result) throws {
      self = try JSONDecoder().decode(Echo.self, from: try #require(Data(base64Encoded: answer.body)))
    }
  }

  private func withFixture(_ body: @escaping @Sendable (Fixture) async throws -> Void) async throws {
    try await withSandbox { sandbox async throws in
      try await withScratchDirectory { folder async throws in
        try await self.run(sandbox, folder.path, body)
      }
    }
  }

  private func run(
    _ sandbox: AuthSandbox, _ folder: String, _ body: @escaping @Sendable (Fixture) async throws -> Void
  ) async throws {
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    let clock = ManualClock()
    let text = "[projects.a]\nurl = \"\(sandbox.url)\"\nanon_key = \"\(sandbox.anonKey)\""
    let projects = Projects(try Configuration.parse(text, file: "c.toml")) {
      SupabaseAuthClient(endpoint: $0, userAgent: "test", limits: .generous)
    }
    let vault = try Vault.open(storage: MemoryStorage(), key: .keyFile(path: folder + "/key", createIfMissing: true))
    let store = SessionStore(vault)
    let tokens = TokenSnapshot(clock: clock)
    let budgets = RequestBudgets()
    let revocations = RevocationQueue(
      store: store, projects: projects, tokens: tokens, budgets: budgets, clock: clock, logger: logger)
    let accounts = Accounts(
      vault: .success(store), projects: projects, tokens: tokens, revocations: revocations, budgets: budgets,
      clock: clock, logger: logger)
    try await accounts.restore()
    let token = try await signIn(at: sandbox, accounts)
    let fixture = Fixture(sandbox: sandbox, accounts: accounts, clock: clock, accessToken: token)
    let engine = Task { try await RefreshEngine(accounts: accounts, clock: clock).run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    engine.cancel()
    _ = await engine.result
    await accounts.finish()
    await projects.shutdown()
    await store.close()
    try result.get()
  }

  private func signIn(at sandbox: AuthSandbox, _ accounts: Accounts) async throws -> String {
    _ = sandbox.addUser(email: "anna@example.org", password: "correct horse")
    let ticket = try await accounts.beginSignIn(account: nil, project: nil, provider: .email, replace: false)
    let session = try await ticket.project.server.signIn(email: "anna@example.org", password: Password("correct horse"))
    _ = try await accounts.adopt(session, for: ticket)
    return session.accessToken.exposed
  }

  @Test("the server receives the token, the key, the caller's headers and the body")
  func sends() async throws {
    try await withFixture { fixture async throws in
      let answer = try await fixture.request(
        "PATCH", "/api/v1/echo?a[]=1&b=%C3%BC", headers: [["X-Own", "yes"]], body: Array("hello".utf8))
      #expect(answer.status == 200)
      let echo = try Echo(answer)
      #expect(echo.method == "PATCH")
      #expect(echo.path == "/api/v1/echo")
      #expect(echo.query == [["a[]", "1"], ["b", "ü"]])
      #expect(echo.headers["x-own"] == "yes")
      #expect(echo.headers["apikey"] == fixture.sandbox.anonKey)
      #expect(echo.headers["content-length"] == "5")
      #expect(echo.bodyLength == 5)
      #expect(echo.tokenSHA256 == fingerprint(fixture.accessToken))
      #expect(answer.headers.contains { $0[0].lowercased() == "content-type" })
    }
  }

  @Test("a refused token is refreshed, and the request is repeated once with the new token")
  func repeatsOnce() async throws {
    try await withFixture { fixture async throws in
      fixture.clock.advance(by: .seconds(60))
      fixture.sandbox.refuseAPI(times: 1)
      let answer = try await fixture.request("POST", "/api/v1/guarded", body: Array("again".utf8))
      #expect(answer.status == 200)
      let echo = try Echo(answer)
      #expect(echo.bodyLength == 5)
      #expect(echo.tokenSHA256 != fingerprint(fixture.accessToken))
      #expect(fixture.sandbox.requestCount(.guarded) == 2)
      #expect(fixture.sandbox.refreshRotations == 1)
    }
  }

  @Test("a server that refuses every token gets two requests, and its 401 is returned")
  func givesUp() async throws {
    try await withFixture { fixture async throws in
      fixture.clock.advance(by: .seconds(60))
      fixture.sandbox.refuseAPI(times: 10)
      #expect(try await fixture.request("GET", "/api/v1/guarded").status == 401)
      #expect(fixture.sandbox.requestCount(.guarded) == 2)
      #expect(fixture.sandbox.refreshRotations == 1)
      // The token was just refreshed: no second refresh follows, so the next request is sent once.
      #expect(try await fixture.request("GET", "/api/v1/guarded").status == 401)
      #expect(fixture.sandbox.requestCount(.guarded) == 3)
      #expect(fixture.sandbox.refreshRotations == 1)
    }
  }

  @Test("a redirect is returned to the caller and not followed")
  func followsNoRedirect() async throws {
    try await withFixture { fixture async throws in
      let target = fixture.sandbox.url + "/api/v1/echo"
      let answer = try await fixture.request("GET", "/api/v1/redirect?status=307&to=\(target)")
      #expect(answer.status == 307)
      #expect(answer.headers.first { $0[0].lowercased() == "location" }?[1] == target)
      #expect(fixture.sandbox.requestCount(.echo) == 0)
    }
  }

  @Test("a response of 8 MiB is returned in full, one more byte is an error")
  func boundsAnswers() async throws {
    try await withFixture { fixture async throws in
      let largest = String(repeating: "x", count: 8 << 20)
      fixture.sandbox.inject(.answer(status: 200, contentType: "text/plain", body: largest), at: .echo)
      let answer = try await fixture.request("GET", "/api/v1/echo")
      #expect(Data(base64Encoded: answer.body)?.count == 8 << 20)
      fixture.sandbox.inject(.answer(status: 200, contentType: "text/plain", body: largest + "x"), at: .echo)
      let error = await #expect(throws: AgentError.self) { try await fixture.request("GET", "/api/v1/echo") }
      #expect(error?.kind == .tooLarge)
      #expect(error?.message == "The answer is larger than 8 MiB.")
    }
  }

  @Test("an unreachable server is reported as offline, with the account")
  func tellsOffline() async throws {
    try await withFixture { fixture async throws in
      await fixture.sandbox.stop()
      let error = await #expect(throws: AgentError.self) { try await fixture.request("GET", "/api/v1/echo") }
      #expect(error?.kind == .offline)
      #expect(error?.data.account == "default")
      #expect(error.map { !"\($0)".contains(fixture.accessToken) } == true)
    }
  }
}
