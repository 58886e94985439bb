import AccessControl
import AgentProtocol
import FoundationEssentials
import Logging
import SessionEngine
import SessionVault
import SystemSupport

extension VaultAccess {
  /// Maximum time that a lock waits for answers to requests in flight, before it cancels them.
  static let answerTime: Duration = .seconds(2)
  /// Maximum time that a lock waits for cancelled requests to end, so that the lock is complete
  /// within 3 s.
  static let cancellationTime: Duration = .milliseconds(500)

  /// Locks the vault, and ends every unlock that began before. A vault that is already locked keeps
  /// its cause, unless this is a manual lock.
  ///
  /// - Throws: if there is no vault.
  func lock(_ cause: LockCause) async throws(AgentError) -> VaultLock.Result {
    let attached = try attached.get()
    generation.beginLock()
    attached.vault.interruptKeyWork()
    // An unstructured task, so that the lock is completed even if its caller is cancelled.
    return await Task { await lock(attached, cause) }.value
  }

  /// Refuses the work with keys that has begun, because a lock or the end of the agent follows. A
  /// running derivation is completed, and no other one begins.
  nonisolated func interruptKeyWork() {
    guard case .success(let attached) = attached else { return }
    generation.advance()
    attached.vault.interruptKeyWork()
  }

  private func lock(_ attached: AttachedVault, _ cause: LockCause) async -> VaultLock.Result {
    let opensByFile = attached.vault.condition.opensByFile
    // The note comes first, so that an agent that is killed during the lock finds it at its next
    // start.
    var warning = cause == .manual ? await noteManualLock(attached.places) : nil
    await gate.enter()
    // An unlock that passed the gate before may have removed the note.
    if cause == .manual { warning = await noteManualLock(attached.places) }
    if state.isOpen {
      await close(attached, cause)
    } else {
      await keyWork.finishRunning()
      // An unlock that was refused may already have opened the vault with its key.
      await attached.store.lock()
      state.lock(cause)
    }
    generation.endLock()
    gate.leave()
    return VaultLock.Result(opensByFile: opensByFile, warning: warning)
  }

  private func noteManualLock(_ places: VaultPaths) async -> String? {
    do {
      try await onDiskThread { try places.manualLockNote.write(Data()) }
      return nil
    } catch {
      logger.error("the manual lock could not be recorded", metadata: ["detail": "\(error)"])
      return "the vault is locked, but a restart of the agent may unlock it again: \(error)"
    }
  }

  private func close(_ attached: AttachedVault, _ cause: LockCause) async {
    // Done first: an agent that is killed during the lock must not start unlocked.
    restartKey?.forget("the vault is locked")
    await accounts.beginLock()
    await revocations.beginLock()
    await endRequests()
    await accounts.writeUnsaved()
    await accounts.forgetSessions()
    await revocations.forgetSessions()
    // A request that began meanwhile may wait for its server with a token.
    await endSignIns()
    records.record(.vaultLocked, detail: cause.message)
    await audit?.vaultCloses()
    await attached.store.lock()
    state.lock(cause)
    logger.notice("the vault is locked", metadata: JournalEvent.vaultLocked.with(["detail": "\(cause.message)"]))
    await accounts.tellLocked(cause.message)
  }

  /// Returns when all requests in flight are answered and stored, or cancelled, and no work with
  /// keys runs.
  private func endRequests() async {
    let timer = Task {
      guard (try? await clock.sleep(for: Self.answerTime)) != nil else { return }
      cancelRequests()
      guard (try? await clock.sleep(for: Self.cancellationTime)) != nil else { return }
      await accounts.stopWaitingForResponses()
      await revocations.giveUpOnAnswers()
    }
    async let signInsEnded: Void = endSignIns()
    async let keysUnused: Void = keyWork.finishRunning()
    async let answered: Void = accounts.waitForResponses()
    await revocations.answersAreStored()
    await answered
    // The remaining requests belong to no session, such as API requests.
    cancelRequests()
    await requestsHaveEnded()
    await signInsEnded
    timer.cancel()
    await keysUnused
  }

  private nonisolated func cancelRequests() {
    accounts.requests.suspend()
    revocations.requests.suspend()
  }

  private func requestsHaveEnded() async {
    let deadline = clock.deadline(after: Self.cancellationTime)
    await accounts.requests.waitUntilIdle(until: deadline)
    await revocations.requests.waitUntilIdle(until: deadline)
  }
}

extension VaultAccess {
  /// Opens the vault with `source`, or with the agent's key file and credential if `source` is nil.
  ///
  /// - Throws: `wrongKey`; `vaultLocked` if only a passphrase could help, or if a lock was
  ///   requested since; `tooMany`.
  @discardableResult
  func unlock(_ source: KeySource?) async throws(AgentError) -> KeySlotInfo {
    let attached = try attached.get()
    let begun = try generation.begin()
    let (slot, key) = try await tryKeys(source, attached, begun)
    // An unstructured task, because the vault is already open and the caller may be cancelled.
    try await Task { await open(attached, slot, key, begun) }.value.get()
    return slot
  }

  private func tryKeys(
    _ source: KeySource?, _ attached: AttachedVault, _ generation: UInt64
  ) async throws(AgentError) -> (slot: KeySlotInfo, key: ProvenKey) {
    guard source != nil || attached.vault.condition.opensByFile else {
      throw AgentError(.vaultLocked, "The vault requires a passphrase.", hint: "ritualctl unlock")
    }
    let sources = if let source { [source] } else { try attached.places.files(opening: attached.vault.condition) }
    do {
      return try await keyWork.run(in: generation) {
        try attached.vault.unlockProving(with: sources, readsRecords: false)
      }
    } catch {
      guard error.kind == .wrongKey, case .passphrase? = source else { throw error }
      throw AgentError(.wrongKey, "This passphrase does not unlock the vault.", hint: "ritualctl unlock")
    }
  }

  private func open(
    _ attached: AttachedVault, _ slot: KeySlotInfo, _ key: ProvenKey, _ begun: UInt64
  ) async -> Result<Void, AgentError> {
    await gate.enter()
    let result = await openInsideGate(attached, slot, begun)
    if case .success = result { keepForRestart(key, attached) }
    gate.leave()
    return result
  }

  private func openInsideGate(
    _ attached: AttachedVault, _ key: KeySlotInfo, _ begun: UInt64
  ) async -> Result<Void, AgentError> {
    // A lock that was requested meanwhile has passed the gate or waits for it, and locks the vault
    // that the key has opened.
    guard generation.isCurrent(begun), !attached.vault.isLocked else { return .failure(LockGeneration.lockedMeanwhile) }
    if state.isOpen { return .success(()) }
    do {
      try await readSessions()
    } catch {
      await accounts.forgetSessions()
      await revocations.forgetSessions()
      await attached.store.lock()
      return .failure(error)
    }
    await removeManualLockNote(attached.places)
    state = .open(by: key.kind)
    refusal = nil
    accounts.tokens.use()
    copyCheckNeeded.signal()
    records.record(.vaultUnlocked, detail: "by \(key.kind)")
    audit?.vaultOpened()
    logger.notice("the vault is unlocked", metadata: JournalEvent.vaultUnlocked.with(["key": "\(key.kind)"]))
    await accounts.tellUnlocked()
    return .success(())
  }

  private func removeManualLockNote(_ places: VaultPaths) async {
    do {
      try await onDiskThread { try places.manualLockNote.remove() }
    } catch {
      logger.error("the record of the manual lock could not be removed", metadata: ["detail": "\(error)"])
    }
  }

  // MARK: - The desktop session

  /// Called when the desktop session was unlocked. Unlocks the vault if the lock of the session is
  /// its cause, and a key file or credential opens it.
  func sessionUnlocked() async throws(AgentError) {
    guard state.cause == .session, !generation.isLocking, try attached.get().vault.condition.opensByFile else { return }
    try await unlock(nil)
  }
}
