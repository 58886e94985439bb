import AgentProtocol
import FoundationEssentials
import Logging
import SessionVault
import SystemSupport

/// The vault's door (VA-4): who may open it, when it closes, and what the sessions do meanwhile.
///
/// Whoever locks or unlocks takes a turn, so that the two cannot cross; passphrases are derived outside of the turns.
actor VaultAccess {
  /// How long a lock waits for refreshes that were sent.
  static let grace: Duration = .seconds(3)

  enum Door: Sendable {
    case open(by: KeySlotKind?)
    case locked(LockCause)
  }

  let attached: Result<AttachedVault, AgentError>
  let accounts: Accounts
  let revocations: RevocationQueue
  let clock: any AgentClock
  let logger: Logger
  let keyWork = KeyWork()
  let idleTime: @Sendable () -> Duration?
  let machineTag: String?
  let records: Records
  /// Keeps the key of the open vault for the next start, where that is wanted.
  let restartKey: RestartKey?
  let staysUnlocked: @Sendable () -> Bool
  private let audit: AuditLog?
  private let endSignIns: @Sendable () async -> Void

  private(set) var door: Door
  /// Why files do not open a vault that has no other key.
  private(set) var refusal: AgentError?
  /// How often it was locked by hand: an unlock that was asked for before does not undo it.
  private var handLocks: UInt64 = 0
  private var turns: [CheckedContinuation<Void, Never>] = []
  private var isTurnTaken = false

  /// - Parameters:
  ///   - idleTime: what the configuration says now.
  ///   - restartKey: where a key waits for the next start.
  ///   - staysUnlocked: whether the configuration wants that now.
  ///   - audit: follows the vault's door.
  ///   - endSignIns: ends the sign-ins that are under way.
  init(
    _ attached: Result<AttachedVault, AgentError>, accounts: Accounts, revocations: RevocationQueue,
    clock: any AgentClock, logger: Logger, machineTag: String? = ThisMachine.tag(),
    idleTime: @escaping @Sendable () -> Duration? = { nil }, records: Records = Records(),
    restartKey: RestartKey? = nil, staysUnlocked: @escaping @Sendable () -> Bool = { false }, audit: AuditLog? = nil,
    endSignIns: @escaping @Sendable () async -> Void = {}
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
    let vault = try? attached.get()
    door = vault?.openedBy.map { .open(by: $0) } ?? .locked(vault?.cause ?? .start)
    refusal = vault?.refusal
  }

  /// Hands the sessions out of the vault to the accounts, or their names where it is locked. Once, before anything is served.
  func start() async throws(AgentError) {
    guard case .success(let attached) = attached else { return }
    if case .open = door {
      try await readSessions()
      if let used = restartKey?.used { accounts.tokens.use(at: used) }
      audit?.vaultIsOpen()
      return
    }
    logger.notice("the vault is locked", metadata: JournalEvent.vaultLocked.with(["detail": "\(lockWords)"]))
    await revocations.forgetSessions()
    await accounts.startLocked(attached.places.names.read(), refusal: refusal)
  }

  /// Waits for keys that are being tried, then lets go of the vault.
  func close() async {
    await keyWork.close()
    restartKey?.note(used: accounts.tokens.used)
    await audit?.vaultCloses()
    await audit?.close()
    if case .success(let attached) = attached { await attached.store.close() }
  }

  private var lockWords: String {
    guard case .locked(let cause) = door else { return "" }
    return refusal?.data.hint ?? cause.words
  }

  /// The revocations first: they say which sessions were being ended. Those of another machine are its own.
  private func readSessions() async throws(AgentError) {
    let home = VaultHome(here: machineTag, isElsewhere: try isElsewhere)
    if home.isElsewhere { await revocations.begin() } else { try await revocations.restore() }
    try await accounts.restore(home: home)
    if home.isElsewhere { logger.warning("the vault was copied from another machine: nothing is refreshed") }
  }

  var isElsewhere: Bool {
    get throws(AgentError) { try attached.get().vault.condition.machine == .other }
  }

  // MARK: - Locking

  /// Locks it; one that is locked already keeps the stronger cause.
  ///
  /// - Throws: where there is no vault.
  func lock(_ cause: LockCause) async throws(AgentError) -> VaultLock.Result {
    let attached = try attached.get()
    // A task of its own: who asked may go away, and it is locked all the same, wholly.
    return await Task { await lock(attached, cause) }.value
  }

  private func lock(_ attached: AttachedVault, _ cause: LockCause) async -> VaultLock.Result {
    let opensByFile = attached.vault.condition.opensByFile
    var warning: String?
    if cause == .hand {
      handLocks += 1
      warning = await noteHandLock(attached.places)
    }
    await takeTurn()
    // An unlock that had the turn before may have taken the note away.
    if cause == .hand { warning = await noteHandLock(attached.places) }
    if case .locked = door {
      if cause == .hand {
        door = .locked(.hand)
        await endKeyWork(attached)
        keyWork.endLock()
      }
    } else {
      await closeDoor(attached, cause)
    }
    endTurn()
    return VaultLock.Result(opensByFile: opensByFile, warning: warning)
  }

  /// The note comes first: an agent that is killed half-way finds it.
  private func noteHandLock(_ places: VaultPlaces) async -> String? {
    do {
      try await onDiskThread { try places.handLock.write(Data()) }
      return nil
    } catch {
      logger.error("a lock by hand could not be noted", metadata: ["detail": "\(error)"])
      return "the vault is locked, but a restart of the agent may open it again: \(error)"
    }
  }

  private func closeDoor(_ attached: AttachedVault, _ cause: LockCause) async {
    // First of all: an agent that is killed half-way must not come back unlocked.
    restartKey?.forget("the vault is locked")
    await accounts.beginLock()
    await revocations.beginLock()
    await endSignIns()
    async let keysAreLeft: Void = endKeyWork(attached)
    await waitForAnswers()
    await keysAreLeft
    await accounts.writeUnsaved()
    accounts.requests.cancelAll()
    revocations.requests.cancelAll()
    await accounts.forgetSessions()
    await revocations.forgetSessions()
    records.record(.vaultLocked(cause))
    await audit?.vaultCloses()
    await attached.store.lock()
    keyWork.endLock()
    door = .locked(cause)
    logger.notice("the vault is locked", metadata: JournalEvent.vaultLocked.with(["detail": "\(cause.words)"]))
    await accounts.tellLocked(cause.words)
  }

  /// Whoever tries or adds a key has it in memory until then.
  private func endKeyWork(_ attached: AttachedVault) async {
    attached.vault.interruptKeyWork()
    await keyWork.beginLock()
  }

  /// What was sent is answered and stored, or `grace` is over.
  private func waitForAnswers() async {
    let (clock, accounts, revocations) = (clock, accounts, revocations)
    let timer = Task {
      guard (try? await clock.sleep(for: Self.grace)) != nil else { return }
      await accounts.giveUpOnAnswers()
      await revocations.giveUpOnAnswers()
      accounts.requests.cancelAll()
      revocations.requests.cancelAll()
    }
    async let stored: Void = accounts.answersAreStored()
    await revocations.answersAreStored()
    await stored
    timer.cancel()
  }

  // MARK: - Unlocking

  /// Opens it with `source`, or without one by the agent's key file and the credential.
  ///
  /// - Throws: `wrongKey`; `vaultLocked` where only a passphrase could help, or where a lock by hand came later; `tooMany`.
  @discardableResult
  func unlock(_ source: KeySource?) async throws(AgentError) -> KeySlotInfo {
    let attached = try attached.get()
    let asked = handLocks
    let (slot, key) = try await tryKeys(source, attached)
    // A task of its own: the vault is open already, and who asked may go away.
    try await Task { await open(attached, slot, key, asked) }.value.get()
    return slot
  }

  private func open(
    _ attached: AttachedVault, _ slot: KeySlotInfo, _ key: ProvenKey, _ asked: UInt64
  ) async -> Result<Void, AgentError> {
    await takeTurn()
    let result = await openDoor(attached, slot, asked)
    if case .success = result { keepForRestart(key, attached) }
    endTurn()
    return result
  }

  private func tryKeys(
    _ source: KeySource?, _ attached: AttachedVault
  ) async throws(AgentError) -> (slot: KeySlotInfo, key: ProvenKey) {
    guard source != nil || attached.vault.condition.opensByFile else {
      throw AgentError(.vaultLocked, "The vault opens by a passphrase.", hint: "ritualctl unlock")
    }
    let sources = if let source { [source] } else { try attached.places.files(opening: attached.vault.condition) }
    do {
      return try await keyWork.run { try attached.vault.unlockProving(with: sources) }
    } catch {
      guard error.kind == .wrongKey, case .passphrase? = source else { throw error }
      throw AgentError(.wrongKey, "This passphrase does not open the vault.", hint: "ritualctl unlock")
    }
  }

  private func openDoor(_ attached: AttachedVault, _ key: KeySlotInfo, _ asked: UInt64) async -> Result<
    Void, AgentError
  > {
    guard asked == handLocks else {
      // It was locked by hand while the key was tried. A door that is open was opened by somebody else since.
      if case .locked = door { await attached.store.lock() }
      return .failure(AgentError(.vaultLocked, "The vault was locked again meanwhile."))
    }
    // A lock had the turn first.
    guard attached.vault.condition.door == .open else {
      return .failure(AgentError(.vaultLocked, "The vault was locked again meanwhile."))
    }
    if case .open = door { return .success(()) }
    do {
      try await readSessions()
    } catch {
      await accounts.forgetSessions()
      await revocations.forgetSessions()
      await attached.store.lock()
      return .failure(error)
    }
    await forgetHandLock(attached.places)
    door = .open(by: key.kind)
    refusal = nil
    accounts.tokens.use()
    records.record(.vaultUnlocked(key: "\(key.kind)"))
    await audit?.vaultOpened()
    logger.notice("the vault is unlocked", metadata: JournalEvent.vaultUnlocked.with(["key": "\(key.kind)"]))
    await accounts.tellUnlocked()
    return .success(())
  }

  private func forgetHandLock(_ places: VaultPlaces) async {
    do {
      try await onDiskThread { try places.handLock.remove() }
    } catch {
      logger.error("the note of a lock by hand could not be removed", metadata: ["detail": "\(error)"])
    }
  }

  // MARK: - The desktop session

  /// The desktop session was locked: the entry point for whoever watches it.
  func sessionLocked() async throws(AgentError) { _ = try await lock(.session) }

  /// The desktop session was unlocked: so is the vault, if that is why it was locked, and a key file or credential opens it.
  func sessionUnlocked() async throws(AgentError) {
    guard case .locked(.session) = door, try attached.get().vault.condition.opensByFile else { return }
    try await unlock(nil)
  }

  // MARK: - Turns

  private func takeTurn() async {
    guard isTurnTaken else {
      isTurnTaken = true
      return
    }
    await withCheckedContinuation { turns.append($0) }
  }

  private func endTurn() {
    if turns.isEmpty { isTurnTaken = false } else { turns.removeFirst().resume() }
  }

  /// Runs `body`, which waits for the disk, where nobody else waits for it.
  private func onDiskThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await attached.get().store.onDiskThread(body)
  }
}
