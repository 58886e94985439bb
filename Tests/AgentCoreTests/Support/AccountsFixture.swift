import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import Hashing
import Logging
import ServiceLifecycle
import SessionVault
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import SessionEngine

/// Sessions with a scripted server and a manual clock.
protocol SessionStage: Sendable {
  var accounts: Accounts { get }
  var server: ScriptedAuthServer { get }
  var clock: ManualClock { get }
}

extension SessionStage {
  var factors: ScriptedFactors { server.factors }

  /// Signs in as `user`. Returns the status of the account.
  @discardableResult
  func signIn(
    _ account: String? = nil, user: String = "user-1", token: String = "1", life: Int = 3600, replace: Bool = false
  ) async throws -> AccountStatus {
    try await adopt(.fixture(token, user: user, life: life), account, replace: replace)
  }

  /// Signs in a user with second factors, at `aal1`.
  @discardableResult
  func signIn(
    _ account: String? = nil, with factors: [Factor], token: String = "1", user: String = "user-1", life: Int = 3600
  ) async throws -> AccountStatus {
    try await adopt(.fixture(token, user: user, life: life, assurance: "aal1", factors: factors), account)
  }

  /// Signs in with a session of the server.
  @discardableResult
  func adopt(_ session: Session, _ account: String? = nil, replace: Bool = false) async throws -> AccountStatus {
    let ticket = try await accounts.beginSignIn(account: account, project: nil, provider: .email, replace: replace)
    return try await accounts.adopt(session, for: ticket).account
  }

  /// Signs in, and returns the refresh that the agent sends before the access token expires.
  func signInUntilRefresh() async throws -> ScriptedAuthServer.Call {
    try await signIn()
    clock.advance(by: .seconds(3400))
    return try await server.nextRefresh()
  }

  /// Waits for the next refresh, advancing the clock until the agent sends it.
  func nextRefresh(advancing step: Duration = .seconds(60)) async throws -> ScriptedAuthServer.Call {
    let before = server.refreshes.count
    async let call = server.nextRefresh()
    try await eventually("the next refresh") {
      if server.refreshes.count == before { clock.advance(by: step) }
      return server.refreshes.count > before
    }
    return try await call
  }

  /// Advances the clock until the agent sends a refresh, and answers it.
  func answerNext(_ outcome: RefreshOutcome) async throws {
    try await nextRefresh(advancing: .milliseconds(200)).answer(outcome)
  }

  /// Hands in a code.
  func verify(
    _ code: String = "123456", factor: String? = nil, account: String? = nil
  ) -> Task<AccountStatus, any Error> {
    Task { [accounts] in
      try await accounts.verifyFactor(MFAVerify.Params(account: account, factor: factor, code: code))
    }
  }

  /// Hands in a code, which the server accepts with `session`.
  @discardableResult
  func completeVerification(
    with session: Session = .verified("2"), factor: String? = nil, account: String? = nil
  ) async throws -> AccountStatus {
    let caller = verify(factor: factor, account: account)
    try await factors.nextVerification().answer(.success(session))
    return try await caller.value
  }

  /// Hands in a code. Returns the call, and the code that the agent sends to the server.
  func verifyUntilSent(
    _ code: String = "123456"
  ) async throws -> (caller: Task<AccountStatus, any Error>, sent: ScriptedFactors.Verification) {
    let caller = verify(code)
    return (caller, try await factors.nextVerification())
  }

  /// Lets a task that has begun reach its next point of waiting.
  func settle() async {
    for _ in 1...100 {
      await Task.yield()
      await accounts.respond()
    }
  }
}

/// The sessions with a scripted server, a vault in memory and a manual clock. The refresh engine
/// and the revocation queue run.
struct AccountsFixture: SessionStage {
  let clock: ManualClock
  let server: ScriptedAuthServer
  let storage: MemoryStorage
  let projects: Projects
  let accounts: Accounts
  let revocations: RevocationQueue
  let store: SessionStore
  let records: Records
  /// What is told of each fact, beside the records.
  let observers: FactObservers

  /// The origin of the only project, unless a test changes it.
  static let origin = "http://127.0.0.1:9"

  /// `more` is added to the project's table.
  static func configuration(url: String = origin, more: String = "") throws -> Configuration {
    try Configuration.parse("[projects.prod]\nurl = \"\(url)\"\nanon_key = \"anon\"\n\(more)", file: "test.toml")
  }

  /// Returns the token that `session.token` issues.
  func token(
    _ account: String? = nil, minTTL: Double? = nil, rejected: String? = nil
  ) async throws -> SessionToken.Result {
    try await accounts.token(SessionToken.Params(account: account, minTTL: minTTL, rejected: rejected))
  }
}

extension AccountsFixture {
  static let running = TestFixture<AccountsFixture>()
  static var current: AccountsFixture { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test a fixture: `AccountsFixture.current`.
  static var accounts: Self { AccountsFixture.running.trait { try await withAccounts($0) } }
}

/// What survives a restart of the sessions: the vault with its key, and the clock.
struct AccountsHome: Sendable {
  let folder: URL
  let storage = MemoryStorage()
  let clock = ManualClock()

  /// Runs `body` from the start of the sessions to their end.
  func start(
    server: ScriptedAuthServer = ScriptedAuthServer(), _ body: @Sendable (AccountsFixture) async throws -> Void
  ) async throws {
    try await withAccounts(storage: storage, clock: clock, folder: folder, server: server, body)
  }

  static let running = TestFixture<AccountsHome>()
  static var current: AccountsHome { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test what survives a restart: `AccountsHome.current`.
  static var restarts: Self {
    AccountsHome.running.trait { body in
      try await withScratchDirectory { try await body(AccountsHome(folder: $0)) }
    }
  }
}

/// What is called with each fact of a fixture's accounts.
final class FactObservers: Sendable {
  private let all = Mutex<[@Sendable (EngineFact) -> Void]>([])

  func add(_ observer: @escaping @Sendable (EngineFact) -> Void) { all.withLock { $0.append(observer) } }

  func tell(_ fact: EngineFact) { for observer in all.withLock({ $0 }) { observer(fact) } }
}

/// Runs `body` with a fixture over `storage`. The services end with the fixture.
func withAccounts(
  storage: MemoryStorage = MemoryStorage(), clock: ManualClock = ManualClock(), folder: URL? = nil,
  server: ScriptedAuthServer = ScriptedAuthServer(), url: String = AccountsFixture.origin,
  _ body: @Sendable (AccountsFixture) async throws -> Void
) async throws {
  guard let folder else {
    return try await withScratchDirectory { folder in
      try await withAccounts(
        storage: storage, clock: clock, folder: folder, server: server, url: url, body)
    }
  }
  let vault = try Vault.open(
    storage: storage, key: .keyFile(path: folder.path + "/vault.key", createIfMissing: true))
  let store = SessionStore(vault)
  let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  let projects = Projects(try AccountsFixture.configuration(url: url), makeServer: { _ in server })
  let tokens = TokenSnapshot(clock: clock)
  let budgets = RequestBudgets(random: { 0.5 })
  let revocations = RevocationQueue(
    store: store, projects: projects, tokens: tokens, budgets: budgets, clock: clock, logger: logger)
  let (records, observers) = (Records(), FactObservers())
  let accounts = Accounts(
    vault: .success(store), projects: projects, tokens: tokens, revocations: revocations, budgets: budgets,
    clock: clock, policy: RefreshPolicy(random: { 0.5 }), logger: logger,
    report: {
      records.note($0)
      observers.tell($0)
    })
  try await revocations.restore()
  try await accounts.restore()
  let fixture = AccountsFixture(
    clock: clock, server: server, storage: storage, projects: projects, accounts: accounts, revocations: revocations,
    store: store, records: records, observers: observers)
  let services = ServiceGroup(
    configuration: ServiceGroupConfiguration(
      services: [
        .init(service: RefreshEngine(accounts: accounts, clock: clock)), .init(service: revocations),
      ], logger: logger))
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await services.run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    // The end waits for a refresh in flight, as a stopping agent does, so the server answers any
    // refresh that the test left open.
    let wasOff = server.isOff
    server.switchOff(true)
    group.cancelAll()
    while let ended = await group.nextResult() { _ = ended }
    await accounts.finish()
    await store.close()
    // Another fixture may use the server next.
    server.switchOff(wasOff)
    try result.get()
  }
}

extension Session {
  /// A session as the server returns it, with the tokens `access-N` and `refresh-N`.
  static func fixture(
    _ token: String, user: String = "user-1", email: String = "anna@example.org", phone: String = "", life: Int = 3600,
    serverDate: Date? = nil, assurance: String? = nil, factors: [Factor] = []
  ) -> Session {
    Session(
      accessToken: BearerToken("access-\(token)"), expiresIn: life, refreshToken: RefreshToken("refresh-\(token)"),
      user: User(id: user, email: email, phone: phone, factors: factors),
      issuer: nil, sessionID: nil, serverDate: serverDate, assurance: assurance)
  }
}

extension Session {
  /// The session of an anonymous user.
  static func anonymous(_ token: String, user: String = "user-1") -> Session {
    Session(
      accessToken: BearerToken("access-\(token)"), expiresIn: 3600, refreshToken: RefreshToken("refresh-\(token)"),
      user: User(id: user, identities: [], isAnonymous: true))
  }
}

/// The SHA-256 of a token in hexadecimal, as a caller passes it in `rejected`.
func fingerprint(_ token: String) -> String { SHA256.digest(token).hexadecimal }

extension Adoption {
  /// The account of an adoption that asks nothing.
  var account: AccountStatus {
    get throws {
      guard case .signedIn(let account) = self else { throw AgentError(.internalError, "a question: \(self)") }
      return account
    }
  }
}
