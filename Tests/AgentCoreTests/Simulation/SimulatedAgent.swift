import AccessControl
import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import Logging
import ServiceLifecycle
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit

@testable import AgentCore
@testable import Egress
@testable import SessionEngine
@testable import SessionVault

/// One process of the agent: the real sessions, refresh engine, revocation queue and vault with its
/// locks, over a simulated clock, disk and server.
struct SimulatedAgent: Sendable {
  let life: ProcessLifetime
  let disk: SimulatedDisk
  let vault: Vault
  let store: SessionStore
  let accounts: Accounts
  let revocations: RevocationQueue
  let access: VaultAccess
  let projects: Projects
  let grants: Grants
  let egress: EgressAccess
  private let keyThread = WorkThread("keys")
  let executor: StepExecutor
  let events: EventRecord
  /// The group of the services, so that they can be stopped as by SIGTERM.
  private let group: ServiceGroup
  /// Set once the services have ended.
  let hasStopped = Flag()

  /// The origin of the only project.
  static let origin = "http://127.0.0.1:9"
  private static let logger = Logger(label: "simulation", factory: { _ in SwiftLogNoOpLogHandler() })

  /// Looks up no caller, because there are no rules.
  private static let lookUp = CallerLookup()

  init(_ ground: SimulatedMachine, _ setting: ProjectSetting, seed: UInt64) throws {
    let (life, clock, executor) = (ProcessLifetime(), ground.clock, ground.executor)
    self.life = life
    self.executor = executor
    disk = SimulatedDisk(ground.files, life: life)
    vault = try Vault.attach(
      disk, MachineID(bytes: [UInt8](repeating: 1, count: 16)), Self.derivation { executor.halt(.keys, .derivation) })
    let attached = try AttachedVault(vault, ground.places)
    guard attached.openedBy != nil else { throw attached.refusal ?? AgentError(.vaultLocked) }
    if !attached.vault.condition.hasPassphrase {
      _ = try vault.addKey(try Self.passphrase, present: [ground.places.key(createIfMissing: false)])
    }
    store = attached.store
    let wire = SimulatedWire(server: ground.server, clock: clock, life: life, ledger: ground.ledger)
    projects = Projects(try setting.configuration, makeServer: { _ in wire })
    let random: @Sendable () -> Double = {
      Double(SeededRandom.hashed(seed, UInt64(bitPattern: clock.now.nanoseconds)) >> 11) / 9_007_199_254_740_992
    }
    let tokens = TokenSnapshot(clock: clock)
    let budgets = RequestBudgets(random: random)
    revocations = RevocationQueue(
      store: store, projects: projects, tokens: tokens, budgets: budgets, clock: clock, logger: Self.logger)
    let records = Records(clock: clock, lookUp: Self.lookUp)
    let policy = Policy([], records: records, lookUp: Self.lookUp, clock: clock, logger: Self.logger)
    let grants = Grants(policy: policy, records: records, clock: clock)
    self.grants = grants
    tokens.onLock { grants.endAll(.locked) }
    accounts = Accounts(
      vault: .success(store), projects: projects, tokens: tokens, revocations: revocations, budgets: budgets,
      clock: clock, policy: RefreshPolicy(random: random), logger: Self.logger, report: { grants.note($0) })
    egress = EgressAccess(
      accounts: accounts, projects: projects, tokens: tokens, policy: policy, records: records, clock: clock)
    access = VaultAccess(
      .success(attached), accounts: accounts, revocations: revocations, clock: clock, logger: Self.logger,
      machineTag: nil, keyWork: KeyWork(thread: keyThread))
    events = EventRecord(ledger: ground.ledger, clock: clock, life: life)
    group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: RefreshEngine(accounts: accounts, clock: clock)), .init(service: revocations)],
        logger: Self.logger))
  }

  /// Restores the sessions, then serves until the task is cancelled.
  func run(_ clock: ManualClock) async {
    await access.start(leavesPeople: true)
    await access.completeStart()
    let subscription = await accounts.subscribe(EventsSubscribe.Params(tokens: true))
    await withDiscardingTaskGroup { group in
      group.addTask {
        try? await self.group.run()
        hasStopped.set()
      }
      group.addTask {
        for event in subscription.first { events.add(event) }
        for await event in subscription.events { events.add(event) }
      }
    }
  }

  /// The turns of the vault's thread.
  var vaultTurns: StepExecutor.Turns {
    StepExecutor.Turns { [store] body in try? await store.onDiskThread(body) }
  }

  /// The turns of the key thread.
  func keyTurns(
    isFirst: Bool = false, _ isDue: @escaping (StepExecutor.Halt) -> Bool = { _ in true }
  ) -> StepExecutor.Turns {
    StepExecutor.Turns(submit: { [keyThread] body in try? await keyThread.run(body) }, isDue: isDue, isFirst: isFirst)
  }

  /// Stops gracefully, as by SIGTERM.
  func stop() async { await group.triggerGracefulShutdown() }

  /// Resumes every waiter whose result will never come, and ends the vault's threads. Nothing of
  /// this has an effect.
  func tearDown() async {
    await accounts.finish()
    await access.close()
  }

  // MARK: - Keys

  /// The passphrase, which opens the vault as the key file does.
  static var passphrase: KeySource { get throws { .passphrase(try Passphrase("correct horse")) } }

  /// A derivation at the lowest cost that libsodium accepts. Each derivation calls `halt`.
  private static func derivation(_ halt: @escaping @Sendable () -> Void) -> PassphraseDerivation {
    PassphraseDerivation(
      derive: { (passphrase, parameters) throws(VaultError) in
        halt()
        return try PassphraseDerivation.argon2id.derive(passphrase, parameters)
      },
      newCost: { PassphraseCost(passes: 1, memory: 8192) })
  }
}

/// The state that outlives a process.
struct SimulatedMachine: Sendable {
  let clock: ManualClock
  let server: SimulatedServer
  let ledger: Ledger
  let files: MemoryStorage
  let executor: StepExecutor
  let places: VaultPaths
}

/// The configuration file, as a person edits it.
enum ProjectSetting: CaseIterable {
  case plain, otherAPI, removed

  var apiOrigin: String { self == .otherAPI ? "http://127.0.0.1:8" : SimulatedAgent.origin }

  var configuration: Configuration {
    get throws {
      let project = "[projects.prod]\nurl = \"\(SimulatedAgent.origin)\"\nanon_key = \"anon\"\n"
      let api = self == .otherAPI ? "api_url = \"\(apiOrigin)\"\n" : ""
      return try Configuration.parse(self == .removed ? "" : project + api, file: "simulation.toml")
    }
  }
}

/// The events that one subscriber got from one process, checked as they arrive.
final class EventRecord: Sendable {
  private struct State: Sendable {
    var last: UInt64?
    var states: [String: AccountState] = [:]
  }

  private let state = Mutex(State())
  private let ledger: Ledger
  private let clock: ManualClock
  private let life: ProcessLifetime

  init(ledger: Ledger, clock: ManualClock, life: ProcessLifetime) {
    self.ledger = ledger
    self.clock = clock
    self.life = life
  }

  /// The state of each account, as the subscriber knows it.
  var states: [String: AccountState] { state.withLock { $0.states } }

  func add(_ event: AgentEvent) {
    guard !life.isOver else { return }
    ledger.trace("event \(event.type.rawValue) \(event.account ?? "") \(event.status?.state.rawValue ?? "")")
    let gap = state.withLock { state -> Bool in
      let isFirst = event.type == .initialSession || event.type == .resync
      let expected = state.last.map { isFirst ? $0 : $0 + 1 } ?? event.sequence
      state.last = event.sequence
      if let status = event.status { state.states[status.name] = status.state }
      return event.sequence != expected
    }
    if gap { ledger.report(.eventsWithoutGaps, "event \(event.sequence) does not follow the one before") }
    if let token = event.token {
      ledger.tokenIssued(token.accessToken, of: token.account, expiresIn: token.expiresIn, by: "event", clock)
    }
  }
}

/// An account as it is in the memory of the process.
struct Observed: Sendable {
  let name: String
  let refreshToken: String?
  let accessToken: String?
  let status: AccountStatus
  let factors: [String]
  let owner: SessionOwner?
}

extension Accounts {
  /// What a locked agent must not hold.
  var secrets: [String] {
    let held: [(String, [String])] = [
      ("sessions", accounts.keys.sorted()), ("unconfirmed sessions", pendingUndos.keys.sorted()),
      ("people", people.keys.sorted()),
    ]
    return held.filter { !$0.1.isEmpty }.map { "\($0.0) of \($0.1)" }
  }

  /// True if no refresh of the account ended since `moment`, and none has begun or been queued.
  func isIdle(_ name: String, since moment: BootTime) -> Bool {
    guard lockState.isOpen, let account = accounts[name], account.session != nil, !account.isBeingRenamed,
      account.unsaved == nil, account.lastAttemptEnded.map({ $0 < moment }) ?? true
    else { return false }
    return account.flight == nil && account.queuedReason == nil && account.verification == nil
      && !account.isBetweenQuickAttempts
  }

  func observed() -> [Observed] {
    accounts.values.map { account in
      let newest = account.newest
      return Observed(
        name: account.name, refreshToken: newest?.refreshToken, accessToken: newest?.accessToken,
        status: describe(account), factors: account.factors.map(\.id), owner: newest.map { SessionOwner($0) })
    }.sorted { $0.name < $1.name }
  }
}
