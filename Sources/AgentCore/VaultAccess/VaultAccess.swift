import AccessControl
import AgentConfiguration
import AgentProtocol
import FoundationEssentials
import Logging
import ServiceLifecycle
import SessionEngine
import SessionVault
import SystemSupport

/// Locks and unlocks the vault, and updates the sessions accordingly.
///
/// Locks and unlocks pass the gate one at a time, in the order of their arrival. Keys are tried
/// before the gate, because that takes time. `generation` lets an unlock detect a lock that was
/// requested after it began.
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
  /// Signalled when the vault was opened, so that its second copies are compared.
  let copyCheckNeeded = WakeSignal()
  /// The copies that were found damaged or missing since the start, and what failed if they could
  /// not be restored.
  var restored: [RestoredCopy] = []
  /// Number of copies in `restored` that the vault itself reported.
  var restoredInVault = 0
  /// Damaged records that are already in the journal.
  var reportedDamage: [DamagedRecord] = []
  let audit: AuditLog?
  let endSignIns: @Sendable () async -> Void

  var state: LockState
  /// The error that keeps key files from opening a vault that has no other key.
  var refusal: AgentError?

  /// - Parameters:
  ///   - idleTime: returns the configured idle time.
  ///   - restartKey: keeps the key of the vault for the next start.
  ///   - staysUnlocked: returns true if the configuration asks for `restartKey`.
  ///   - audit: is notified when the vault opens and closes.
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

  /// Loads the accounts' sessions, or only their names if the vault is locked. Must be called once,
  /// before anything is served.
  ///
  /// - Parameter leavesPeople: True if `completeStart` loads the users' facts, which no token needs.
  func start(leavesPeople: Bool = false) async {
    guard case .success(let attached) = attached else { return }
    if state.isOpen {
      do { try await readSessions(leavesPeople: leavesPeople) } catch { return await refuse(error, attached) }
      if let used = restartKey?.lastUsed { accounts.tokens.use(at: used) }
      audit?.vaultOpened()
      return
    }
    logger.notice("the vault is locked", metadata: JournalEvent.vaultLocked.with(["detail": "\(lockWords)"]))
    await revocations.forgetSessions()
    await accounts.startLocked(attached.places.names.read(), refusal: refusal)
  }

  /// Loads what `start(leavesPeople: true)` left. Nothing but tokens may be served before.
  func completeStart() async {
    await gate.enter()
    if state.isOpen, case .success(let attached) = attached {
      do { try await accounts.restorePeople() } catch { await refuse(error, attached) }
    }
    gate.leave()
  }

  /// Locks a vault whose records could not be read at the start. Every request then fails with
  /// `error`.
  private func refuse(_ error: AgentError, _ attached: AttachedVault) async {
    logger.error(
      "the vault cannot be opened",
      metadata: JournalEvent.vaultUnavailable.with([
        "kind": "\(error.kind.rawValue)", "detail": "\(error.data.hint ?? "")",
      ]))
    await attached.store.lock()
    state = .locked(.start)
    refusal = error
    await revocations.forgetSessions()
    await accounts.startLocked(attached.places.names.read(), refusal: error)
  }

  /// Waits for a lock or unlock in progress, and for the key that is being tried, stores what could not
  /// be stored before, and closes the vault. Only a disk that does not answer makes this hang, which
  /// `AgentStop` ends.
  func close() async {
    interruptKeyWork()
    await keyWork.close()
    await gate.enter()
    restartKey?.note(used: accounts.tokens.used)
    if state.isOpen { await accounts.writeUnsaved() }
    await audit?.vaultCloses()
    await audit?.close()
    if case .success(let attached) = attached { await attached.store.close() }
    gate.leave()
  }

  private var lockWords: String { refusal?.data.hint ?? state.cause?.message ?? "" }

  /// Loads the sessions. The revocations come first, because they name the sessions that were being
  /// ended. Revocations of another machine are not loaded.
  func readSessions(leavesPeople: Bool = false) async throws(AgentError) {
    accounts.requests.resume()
    revocations.requests.resume()
    let machine = VaultMachine(here: machineTag, isElsewhere: try isElsewhere)
    let records = try await attached.get().store.loadAll(leavesPeople: leavesPeople)
    var ended: Set<String> = []
    if machine.isCopy { await revocations.begin() } else { ended = try await revocations.restore(records) }
    try await accounts.restore(records, machine: machine, ended: ended)
    if machine.isCopy { logger.warning("the vault was copied from another machine: nothing is refreshed") }
  }

  var isElsewhere: Bool {
    get throws(AgentError) { try attached.get().vault.condition.machine == .other }
  }

  /// Runs `body`, which waits for the disk, on the vault's thread.
  func onDiskThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await attached.get().store.onDiskThread(body)
  }
}

/// `[vault] keep_unlocked_over_restart`.
extension VaultAccess {
  /// Keeps the key that opened the vault, if the configuration asks for it and a start would not
  /// open the vault anyway.
  func keepForRestart(_ key: ProvenKey, _ attached: AttachedVault) {
    guard staysUnlocked(), !attached.vault.condition.opensByFile else { return }
    restartKey?.keep(key)
  }

  /// Called after a reload of the configuration. Forgets a kept key that is no longer wanted. If a
  /// key is wanted from now on, the next `unlock` keeps it, because the current key is not
  /// available here.
  func settingsChanged() {
    if !staysUnlocked() { restartKey?.forget("keep_unlocked_over_restart is off") }
  }

  /// Forgets a kept key whose slot is gone.
  func keysChanged(_ attached: AttachedVault) { restartKey?.keepOnly(attached.vault.condition.keys.map(\.id)) }

  /// A complaint if the setting is on but has no effect.
  func restartComplaint() -> String? {
    guard staysUnlocked(), let restartKey, let obstacle = restartKey.obstacle else { return nil }
    return "keep_unlocked_over_restart has no effect: \(obstacle)"
  }
}

/// Locks the vault when no token was used for the configured idle time. Applies only to a
/// vault that a person must unlock, because a key file or credential would open it again for any
/// program of the user.
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
        // Recomputed at least every 30 s, because the configuration may have changed.
        let latest = clock.now.advanced(by: .seconds(30))
        let next = await access.lockIfIdle()
        try? await clock.sleep(until: min(next ?? latest, latest))
      }
    }
  }
}

extension VaultAccess {
  /// Locks the vault if its idle time is over.
  ///
  /// - Returns: the end of the idle time, as far as it is known now; nil if there is none.
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
