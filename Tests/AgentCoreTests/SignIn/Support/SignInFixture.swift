import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import Logging
import NIOPosix
import ServiceLifecycle
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import SessionEngine
@testable import SignInFlows

/// A sign-in service over a vault in memory, with a running revocation queue.
struct SignInFixture<Server: AuthServer>: Sendable {
  let service: SignInService
  let accounts: Accounts
  let server: Server
  let clock: ManualClock

  /// Starts a flow.
  func start(
    _ provider: String? = "google", account: String? = nil, redirect: String = "loopback", timeout: Double? = nil,
    replace: Bool? = nil
  ) async throws -> StartedFlow {
    let params = SignInStart.Params(
      account: account, provider: provider, replace: replace, redirect: redirect, timeout: timeout)
    return StartedFlow(try await service.start(params))
  }
}

extension SignInFixture<StubAuthServer> {
  static var current: Self { CurrentSignIn.fixture.current }
}

private enum CurrentSignIn {
  static let fixture = TestFixture<SignInFixture<StubAuthServer>>()
}

extension Trait where Self == FixtureTrait {
  /// Gives the test a sign-in service: `SignInFixture.current`.
  static var signIn: Self { signIn() }

  /// Gives the test a sign-in service with these answers of the server.
  static func signIn(
    url: String = AccountsFixture.origin, attempts: Int = 10, project: String = "", hasEngine: Bool = false,
    _ answers: @escaping @Sendable (inout sending StubAuthServer.State) -> Void = { _ in }
  ) -> Self {
    CurrentSignIn.fixture.trait { body in
      let server = StubAuthServer()
      server.set(answers)
      try await withSignIn(
        server: server, url: url, key: "anon", attempts: attempts, project: project, hasEngine: hasEngine, body)
    }
  }
}

/// The result of `signIn.start`.
struct StartedFlow: Sendable {
  let id: String
  let url: String
  let expiresAt: Timestamp

  init(_ result: SignInStart.Result) { (id, url, expiresAt) = (result.flow, result.url, result.expiresAt) }

  /// A parameter of the authorize URL, or an empty string.
  func parameter(_ name: String) -> String {
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return QueryItems(query.utf8)?.only(name) ?? ""
  }

  var redirect: String { parameter("redirect_to") }

  var port: Int {
    LoopbackClient.place(of: url.contains("redirect_to") ? redirect : url).port
  }

  /// The callback URL as the server builds it, with its parameters sorted.
  func callback(_ parameters: String = "code=code-1") -> String {
    let halves = redirect.split(separator: "?", maxSplits: 1).map(String.init)
    return halves[0] + "?"
      + ([halves[1]] + parameters.split(separator: "&").map(String.init)).sorted().joined(separator: "&")
  }

  /// The request target of a callback.
  func target(_ parameters: String = "code=code-1") -> String {
    LoopbackClient.place(of: callback(parameters)).target
  }
}

func withSignIn(_ body: @Sendable (SignInFixture<StubAuthServer>) async throws -> Void) async throws {
  try await withSignIn(server: StubAuthServer(), url: AccountsFixture.origin, key: "anon", body)
}

/// Runs `body` with a sign-in service whose project has the URL `url` and the auth server `server`. `project` has more
/// lines of the project's table. With `hasEngine`, sessions are refreshed and second factors verified.
func withSignIn<Server: AuthServer>(
  server: Server, url: String, key: String, attempts: Int = 10, project: String = "", hasEngine: Bool = false,
  _ body: @Sendable (SignInFixture<Server>) async throws -> Void
) async throws {
  try await withScratchDirectory { folder async throws in
    let vault = try Vault.open(
      storage: MemoryStorage(), key: .keyFile(path: folder.path + "/vault.key", createIfMissing: true))
    let (store, clock) = (SessionStore(vault), ManualClock())
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    let configuration = try Configuration.parse(
      "[projects.prod]\nurl = \"\(url)\"\nanon_key = \"\(key)\"\n\(project)\n[sign_in]\npassword_attempts_per_hour = \(attempts)\n",
      file: "test.toml")
    let projects = Projects(configuration, makeServer: { _ in server })
    let tokens = TokenSnapshot(clock: clock)
    let budgets = RequestBudgets()
    let revocations = RevocationQueue(
      store: store, projects: projects, tokens: tokens, budgets: budgets, clock: clock, logger: logger)
    let accounts = Accounts(
      vault: .success(store), projects: projects, tokens: tokens, revocations: revocations, budgets: budgets,
      clock: clock, logger: logger)
    try await revocations.restore()
    try await accounts.restore()
    let service = SignInService(
      accounts: accounts, projects: projects, settings: { configuration.signIn }, clock: clock, logger: logger,
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
    let fixture = SignInFixture(service: service, accounts: accounts, server: server, clock: clock)
    let engine: [any Service] = hasEngine ? [RefreshEngine(accounts: accounts, clock: clock)] : []
    try await run(body, fixture, ServiceGroup(services: engine + [revocations], logger: logger))
    await service.shutdown()
    await accounts.finish()
    await store.close()
  }
}

private func run<Server>(
  _ body: @Sendable (SignInFixture<Server>) async throws -> Void, _ fixture: SignInFixture<Server>,
  _ services: ServiceGroup
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await services.run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    group.cancelAll()
    while let ended = await group.nextResult() { _ = ended }
    await fixture.service.shutdown()
    try result.get()
  }
}

/// Returns the kind of the `AgentError` that `body` throws, or nil if it throws none or another
/// error.
func errorKind<Value>(_ body: () async throws -> Value) async -> ErrorKind? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? AgentError)?.kind
  }
}
