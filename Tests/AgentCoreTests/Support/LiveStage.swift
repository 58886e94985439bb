import AgentConfiguration
import AgentProtocol
import AuthSandbox
import FoundationEssentials
import Logging
import NIOPosix
import ServiceLifecycle
import SessionVault
import SupabaseAuth
import SystemSupport
import TestKit
import Testing

@testable import Egress
@testable import SessionEngine
@testable import SignInFlows

/// A sandbox and a vault that outlive agents. Each `run` is one agent, from start to end.
struct LiveStage: Sendable {
  let sandbox: AuthSandbox
  let storage = MemoryStorage()
  let keyFile: String
  /// Additional lines of the project's table, and other tables.
  var configuration = ""

  /// Runs `body` with an agent over real HTTP. Its refresh engine, revocation queue and profile
  /// reader run.
  func run(_ body: @Sendable (LiveAgent) async throws -> Void) async throws {
    let vault = try Vault.open(storage: storage, key: .keyFile(path: keyFile, createIfMissing: true))
    let store = SessionStore(vault)
    let agent = try LiveAgent(self, store)
    try await agent.revocations.restore()
    try await agent.accounts.restore()
    let result = await agent.serve(body)
    await agent.service.shutdown()
    await agent.accounts.finish()
    await agent.projects.shutdown()
    await store.close()
    try result.get()
  }
}

/// One agent, from start to end.
struct LiveAgent: Sendable {
  let sandbox: AuthSandbox
  let accounts: Accounts
  let projects: Projects
  let service: SignInService
  let profiles: ProfileService
  let revocations: RevocationQueue
  private let clock = SystemClock()
  private static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

  let facts = ReportedFacts()

  init(_ stage: LiveStage, _ store: SessionStore) throws {
    sandbox = stage.sandbox
    let text = """
      [projects.prod]
      url = "\(stage.sandbox.url)"
      anon_key = "\(stage.sandbox.anonKey)"
      \(stage.configuration)
      """
    let configuration = try Configuration.parse(text, file: "test.toml")
    projects = Projects(configuration) {
      SupabaseAuthClient(endpoint: $0, userAgent: "test", limits: .generous)
    }
    let tokens = TokenSnapshot(clock: clock)
    let budgets = RequestBudgets()
    revocations = RevocationQueue(
      store: store, projects: projects, tokens: tokens, budgets: budgets, clock: clock, logger: Self.logger)
    accounts = Accounts(
      vault: .success(store), projects: projects, tokens: tokens, revocations: revocations, budgets: budgets,
      clock: clock, logger: Self.logger, report: { [facts] in facts.add($0) })
    service = SignInService(
      accounts: accounts, projects: projects, settings: { configuration.signIn }, clock: clock, logger: Self.logger,
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
    profiles = ProfileService(accounts: accounts, request: OwnRequests(accounts: accounts).send)
  }

  fileprivate func serve(_ body: @Sendable (LiveAgent) async throws -> Void) async -> Result<
    Void, any Error
  > {
    let services = ServiceGroup(
      services: [
        RefreshEngine(accounts: accounts, clock: clock), revocations,
        ProfileReader(profiles: profiles, logger: Self.logger),
      ], logger: Self.logger)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await services.run() }
      let result: Result<Void, any Error>
      do { result = .success(try await body(self)) } catch { result = .failure(error) }
      group.cancelAll()
      return result
    }
  }

  /// Signs in with email and password.
  @discardableResult
  func signIn(_ email: String = LiveAgent.email, account: String? = nil) async throws -> AccountStatus? {
    try await service.password(
      PasswordParams(account: account, project: nil, email: email, password: Self.password)
    ).account
  }

  /// Signs in with an identity token of Apple or Google, as a native app does.
  @discardableResult
  func signIn(
    by provider: SandboxProvider, email: String, subject: String, name: String? = nil, account: String? = nil,
    acceptLink: Bool? = nil
  ) async throws -> AccountStatus {
    let nonce = await service.nonce()
    var request = IDTokenRequest(provider: provider, email: email)
    (request.nonce, request.subject) = (nonce.hashed, subject)
    return try await service.idToken(
      SignInIDToken.Params(
        account: account, provider: provider.rawValue, idToken: try await sandbox.mintIDToken(request),
        nonce: nonce.nonce, name: name, acceptLink: acceptLink))
  }

  func onboarding(_ account: String? = nil) async throws -> String? { try await accounts.status(account).onboarding }

  static let email = "anna@example.org"
  static let password = "correct horse 9"
}

extension LiveStage {
  static let running = TestFixture<LiveStage>()
  static var current: LiveStage { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test a stage: `LiveStage.current`.
  static var liveStage: Self { LiveStage.running.trait { body in try await withLiveStage { try await body($0) } } }
}

extension LiveAgent {
  static let running = TestFixture<LiveAgent>()
  static var current: LiveAgent { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test an agent on a stage of its own: `LiveAgent.current`.
  static func liveAgent(_ configuration: String = "") -> Self {
    LiveAgent.running.trait { body in try await withLiveStage(configuration) { try await $0.run(body) } }
  }
}

/// Runs `body` with a new stage, on which `anna@example.org` has a password.
func withLiveStage(
  _ configuration: String = "", _ settings: SandboxSettings = SandboxSettings(),
  _ body: @Sendable (LiveStage) async throws -> Void
) async throws {
  try await withScratchDirectory { folder async throws in
    try await withSandbox(settings) { sandbox async throws in
      sandbox.addUser(email: LiveAgent.email, password: LiveAgent.password)
      let stage = LiveStage(sandbox: sandbox, keyFile: folder.path + "/vault.key", configuration: configuration)
      let result: Result<Void, any Error>
      do { result = .success(try await body(stage)) } catch { result = .failure(error) }
      // A connection that an agent opened just before its end is accepted before this one. A server
      // that is stopped while it accepts a connection crashes (NIOAsyncWriter).
      _ = try? await LoopbackClient.get(Int(sandbox.url.split(separator: ":")[2]) ?? 0, "/")
      try result.get()
    }
  }
}
