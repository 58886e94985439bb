import AgentProtocol
import Dispatch
import FoundationEssentials
import Logging
import ServiceLifecycle
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit
import Testing

@testable import AgentCore
@testable import SessionEngine
@testable import SessionVault

/// The state that survives a restart: the storage, the clock, the directory with key file and
/// notes, the machine.
struct LockEnvironment: Sendable {
  let folder: String
  var storage = MemoryStorage()
  var clock = ManualClock()
  var server = ScriptedAuthServer()
  var derivation = CountedDerivation()
  var machine: UInt8 = 1

  var places: VaultPaths { VaultPaths(keyFile: folder + "/vault.key", credential: nil, state: folder) }

  /// The same home on another machine, with a server of its own.
  func copied(to machine: UInt8) -> LockEnvironment {
    var copy = self
    copy.machine = machine
    copy.server = ScriptedAuthServer()
    return copy
  }
}

/// An agent without its socket: sessions, vault and their services.
struct LockFixture: SessionStage {
  let home: LockEnvironment
  let accounts: Accounts
  let revocations: RevocationQueue
  let access: VaultAccess
  let vault: Vault
  let idleTime: Mutexed<Duration?>
  let pulse = RefreshPulse()

  var server: ScriptedAuthServer { home.server }
  var clock: ManualClock { home.clock }

  func token(_ account: String? = nil) async throws -> String {
    try await accounts.token(SessionToken.Params(account: account)).accessToken
  }

  func unlock(_ passphrase: String? = nil) async throws {
    try await access.unlock(try passphrase.map { .passphrase(try Passphrase($0)) })
  }

  /// Makes this passphrase the only key of the vault.
  func usePassphrase(_ text: String) async throws {
    _ = try await access.addKey(
      VaultAddKey.Params(
        kind: .passphrase, passphrase: SecretText(text), present: PresentKeys(keyFile: true)))
  }
}

/// A value that a test shares with the tested code. Thread-safe.
final class Mutexed<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>
  init(_ value: Value) { mutex = Mutex(value) }
  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}

extension MemoryStorage {
  /// Holds one write until `release`, and then makes it fail with `failure`, if that is given. The first
  /// `skip` writes pass.
  func holdWrite(
    skipping skip: Int = 0, failing failure: VaultError.Code? = nil
  ) -> (isHeld: SettledValue<Void>, release: DispatchSemaphore) {
    let (isHeld, release) = (SettledValue<Void>(), DispatchSemaphore(value: 0))
    beforeWrite(skipping: skip) {
      isHeld.settle(())
      release.wait()
      return failure
    }
    return (isHeld, release)
  }
}

extension LockEnvironment {
  static let running = TestFixture<LockEnvironment>()
  static var current: LockEnvironment { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test an environment: `LockEnvironment.current`.
  static var lockEnvironment: Self { LockEnvironment.running.trait { try await withLockEnvironment($0) } }
}

func withLockEnvironment(_ body: (LockEnvironment) async throws -> Void) async throws {
  try await withScratchDirectory { folder in try await body(LockEnvironment(folder: folder.path)) }
}

extension LockFixture {
  /// The parts of an agent on `home` before its start, with the vault that they have attached.
  static func unstarted(on home: LockEnvironment, idle: Duration? = nil) throws -> (LockFixture, AttachedVault) {
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    let machine = MachineID(bytes: [UInt8](repeating: home.machine, count: 16))
    let attached = try AttachedVault(Vault.attach(home.storage, machine, home.derivation.derivation), home.places)
    let projects = Projects(try AccountsFixture.configuration(), makeServer: { _ in home.server })
    let tokens = TokenSnapshot(clock: home.clock)
    let budgets = RequestBudgets(random: { 0.5 })
    let revocations = RevocationQueue(
      store: attached.store, projects: projects, tokens: tokens, budgets: budgets, clock: home.clock, logger: logger)
    let accounts = Accounts(
      vault: .success(attached.store), projects: projects, tokens: tokens, revocations: revocations, budgets: budgets,
      clock: home.clock, policy: RefreshPolicy(random: { 0.5 }), logger: logger)
    let idleTime = Mutexed(idle)
    let access = VaultAccess(
      .success(attached), accounts: accounts, revocations: revocations, clock: home.clock, logger: logger,
      machineTag: "machine-\(home.machine)", idleTime: { idleTime.value })
    let fixture = LockFixture(
      home: home, accounts: accounts, revocations: revocations, access: access, vault: attached.vault,
      idleTime: idleTime)
    return (fixture, attached)
  }
}

extension LockFixture {
  static let running = TestFixture<LockFixture>()
  static var current: LockFixture { running.current }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test an environment, and an agent without its socket: `LockFixture.current`.
  static var lock: Self { lock(idle: nil) }

  static func lock(idle: Duration?) -> Self {
    Self { test in
      try await withLockEnvironment { home in
        try await LockEnvironment.running.run(home) {
          try await withLock(home, idle: idle) { try await LockFixture.running.run($0, test) }
        }
      }
    }
  }
}

/// Runs `body` with a fixture that starts from `home` as an agent does, and ends with `body`.
func withLock(
  _ home: LockEnvironment, idle: Duration? = nil, _ body: @Sendable (LockFixture) async throws -> Void
) async throws {
  let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
  let (fixture, _) = try LockFixture.unstarted(on: home, idle: idle)
  let (accounts, revocations, access) = (fixture.accounts, fixture.revocations, fixture.access)
  await access.start()
  let services = ServiceGroup(
    services: [
      RefreshEngine(accounts: accounts, clock: home.clock, pulse: fixture.pulse), revocations,
      IdleLock(access, clock: home.clock),
    ], logger: logger)
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await services.run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    // An unanswered refresh would keep the services from ending.
    home.server.switchOff(true)
    group.cancelAll()
    while let ended = await group.nextResult() { _ = ended }
    home.server.switchOff(false)
    await accounts.finish()
    home.derivation.release()
    await access.close()
    try result.get()
  }
}

/// Counts derivations at the lowest cost that libsodium accepts. After `hold` each of them waits
/// for `release`.
final class CountedDerivation: Sendable {
  private let counter = Atomic(0)
  private let holds = Atomic(false)
  private let gate = DispatchSemaphore(value: 0)

  var count: Int { counter.load(ordering: .sequentiallyConsistent) }

  func hold() { holds.store(true, ordering: .sequentiallyConsistent) }

  /// Releases up to `count` waiting derivations, and all later ones.
  func release(_ count: Int = 10) {
    holds.store(false, ordering: .sequentiallyConsistent)
    for _ in 0..<count { gate.signal() }
  }

  var derivation: PassphraseDerivation {
    PassphraseDerivation(
      derive: { [self] (passphrase, parameters) throws(VaultError) in
        counter.wrappingAdd(1, ordering: .sequentiallyConsistent)
        if holds.load(ordering: .sequentiallyConsistent) { gate.wait() }
        return try PassphraseDerivation.argon2id.derive(passphrase, parameters)
      },
      newCost: { PassphraseCost(passes: 1, memory: 8192) })
  }
}
