import AccessControl
import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import Logging
import ServiceLifecycle
import SessionEngine
import SessionVault
import SystemSupport

/// Locks and unlocks the vault (VA-4), and has the sessions follow.
///
/// One lock or unlock at a time passes the gate, in the order in which they came. Keys are tried before it, because that takes
/// time. `generation` tells an unlock that a lock was asked for since it began.
actor VaultAccess {
  let attached: Result<AttachedVault, AgentError>
  let accounts: Accounts
  let revocations: RevocationQueue
  let clock: any AgentClock
  let logger: Logger
  let generation: LockGeneration
  let keyWork: KeyWork
  let gate = AsyncGate()
  let idleTime: @Sendable () -> Duration?
  let machineTag: String?
  let records: Records
  /// Keeps the key of the open vault for the next start, if the configuration asks for it.
  let restartKey: RestartKey?
  let staysUnlocked: @Sendable () -> Bool
  /// Signalled when the vault was opened or attached: its second copies are to be compared.
  let copiesAreDue = WakeSignal()
  /// What was found wrong with copies and was made again, since the start.
  var restored: [RestoredCopy] = []
  /// How many of them the vault itself has told.
  var restoredInVault = 0
  /// Damaged records that the journal was told of.
  var reportedDamage: [DamagedRecord] = []
  let audit: AuditLog?
  let endSignIns: @Sendable () async -> Void

  var state: LockState
  /// Why files do not open a vault that has no other key.
  var refusal: AgentError?

  /// - Parameters:
  ///   - idleTime: what the configuration says now.
  ///   - restartKey: where a key is kept for the next start.
  ///   - staysUnlocked: whether the configuration asks for that now.
  ///   - audit: is told when the vault opens and closes.
  ///   - endSignIns: ends the sign-ins that wait for a person.
  init(
    _ attached: Result<AttachedVault, AgentError>, accounts: Accounts, revocations: RevocationQueue,
    clock: any AgentClock, logger: Logger, machineTag: String? = ThisMachine.tag(),
    idleTime: @escaping @Sendable () -> Duration? = { nil }, records: Records = Records(),
    restartKey: RestartKey? = nil, staysUnlocked: @escaping @Sendable () -> Bool = { false }, audit: AuditLog? = nil,
    keyWork: KeyWork = KeyWork(), endSignIns: @escaping @Sendable () async -> Void = {}
  ) {
    (self.restartKey, self.staysUnlocked) = (restartKey, staysUnlocked)
    (self.records, self.audit) = (records, audit)
    self.attached = attached
    self.accounts = accounts
    self.revocations = revocations
    self.clock = clock
    self.logger = logger
    self.machineTag = machineTag
    self.idleTime = idleTime
    self.endSignIns = endSignIns
    self.keyWork = keyWork
    generation = keyWork.generation
    let vault = try? attached.get()
    state = vault?.openedBy.map { .open(by: $0) } ?? .locked(vault?.cause ?? .start)
    refusal = vault?.refusal
  }

  /// Gives the accounts their sessions, or their names where the vault is locked. Called once, before anything is served.
  func start() async throws(AgentError) {
    guard case .success(let attached) = attached else { return }
    if state.isOpen {
      try await readSessions()
      if let used = restartKey?.used { accounts.tokens.use(at: used) }
      audit?.vaultIsOpen()
      return
    }
    logger.notice("the vault is locked", metadata: JournalEvent.vaultLocked.with(["detail": "\(lockWords)"]))
    await revocations.forgetSessions()
    await accounts.startLocked(attached.places.names.read(), refusal: refusal)
  }

  /// Waits for a lock or unlock that is under way, and for the key that is being tried, then closes the vault.
  func close() async {
    interruptKeyWork()
    await keyWork.close()
    await gate.enter()
    restartKey?.note(used: accounts.tokens.used)
    await audit?.vaultCloses()
    await audit?.close()
    if case .success(let attached) = attached { await attached.store.close() }
    gate.leave()
  }

  private var lockWords: String { refusal?.data.hint ?? state.cause?.words ?? "" }

  /// The revocations first: they say which sessions were being ended. Those of another machine are its own.
  func readSessions() async throws(AgentError) {
    accounts.requests.resume()
    revocations.requests.resume()
    let home = VaultHome(here: machineTag, isElsewhere: try isElsewhere)
    var ended: Set<String> = []
    if home.isElsewhere { await revocations.begin() } else { ended = try await revocations.restore() }
    try await accounts.restore(home: home, ended: ended)
    if home.isElsewhere { logger.warning("the vault was copied from another machine: nothing is refreshed") }
  }

  var isElsewhere: Bool {
    get throws(AgentError) { try attached.get().vault.condition.machine == .other }
  }

  /// Runs `body`, which waits for the disk, on the thread of the vault.
  func onDiskThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await attached.get().store.onDiskThread(body)
  }
}

/// `[vault] keep_unlocked_over_restart` (VA-4).
extension VaultAccess {
  /// Keeps the key that has opened the vault, if that is wanted, and if a start would not open it by itself.
  func keepForRestart(_ key: ProvenKey, _ attached: AttachedVault) {
    guard staysUnlocked(), !attached.vault.condition.opensByFile else { return }
    restartKey?.keep(key)
  }

  /// The configuration was read again: what is not wanted any more is forgotten. What is wanted from now on begins with the next
  /// `unlock`, for the key is not here.
  func settingsChanged() {
    if !staysUnlocked() { restartKey?.forget("keep_unlocked_over_restart is off") }
  }

  /// A kept key whose slot is gone opens nothing.
  func keysChanged(_ attached: AttachedVault) { restartKey?.keepOnly(attached.vault.condition.keys.map(\.id)) }

  /// What of the configuration has no effect.
  func restartComplaint() -> String? {
    guard staysUnlocked(), let restartKey, let obstacle = restartKey.obstacle else { return nil }
    return "keep_unlocked_over_restart has no effect: \(obstacle)"
  }
}

/// Locks the vault when no token was used for as long as the configuration says (VA-4). Only a vault that a person has to
/// unlock: a key file or credential would open it again for every program of the user.
struct IdleLock: Service {
  private let access: VaultAccess
  private let clock: any AgentClock

  init(_ access: VaultAccess, clock: any AgentClock) {
    self.access = access
    self.clock = clock
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        // Recomputed at least every 30 s: the configuration may have changed.
        let latest = clock.now.advanced(by: .seconds(30))
        let next = await access.lockIfIdle()
        try? await clock.sleep(until: min(next ?? latest, latest))
      }
    }
  }
}

extension VaultAccess {
  /// Locks the vault if it is time.
  ///
  /// - Returns: when it will be time, as far as is known now.
  func lockIfIdle() async -> BootTime? {
    restartKey?.note(used: accounts.tokens.used)
    guard let idleTime = idleTime(), state.isOpen, let vault = try? attached.get().vault, !vault.condition.opensByFile
    else { return nil }
    let due = accounts.tokens.used.advanced(by: idleTime)
    guard due <= clock.now else { return due }
    _ = try? await lock(.idle)
    return nil
  }
}
