import AccessControl
import AgentProtocol
import Logging
import SessionEngine
import SessionVault
import SystemSupport

/// Unlocking (VA-4).
extension VaultAccess {
  /// Opens the vault with `source`, or without one by the agent's key file and the credential.
  ///
  /// - Throws: `wrongKey`; `vaultLocked` where only a passphrase could help, or when a lock was asked for since; `tooMany`.
  @discardableResult
  func unlock(_ source: KeySource?) async throws(AgentError) -> KeySlotInfo {
    let attached = try attached.get()
    let begun = try generation.begin()
    let (slot, key) = try await tryKeys(source, attached, begun)
    // A task of its own: the vault is open already, and the caller may go away.
    try await Task { await open(attached, slot, key, begun) }.value.get()
    return slot
  }

  private func tryKeys(
    _ source: KeySource?, _ attached: AttachedVault, _ generation: UInt64
  ) async throws(AgentError) -> (slot: KeySlotInfo, key: ProvenKey) {
    guard source != nil || attached.vault.condition.opensByFile else {
      throw AgentError(.vaultLocked, "The vault opens by a passphrase.", hint: "ritualctl unlock")
    }
    let sources = if let source { [source] } else { try attached.places.files(opening: attached.vault.condition) }
    do {
      return try await keyWork.run(in: generation) { try attached.vault.unlockProving(with: sources) }
    } catch {
      guard error.kind == .wrongKey, case .passphrase? = source else { throw error }
      throw AgentError(.wrongKey, "This passphrase does not open the vault.", hint: "ritualctl unlock")
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
    // The lock that came meanwhile had the gate before, or waits for it, and locks what the key has opened.
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
    copiesAreDue.signal()
    records.record(.vaultUnlocked(key: "\(key.kind)"))
    await audit?.vaultOpened()
    logger.notice("the vault is unlocked", metadata: JournalEvent.vaultUnlocked.with(["key": "\(key.kind)"]))
    await accounts.tellUnlocked()
    return .success(())
  }

  private func removeManualLockNote(_ places: VaultPlaces) async {
    do {
      try await onDiskThread { try places.manualLockNote.remove() }
    } catch {
      logger.error("the note of a manual lock could not be removed", metadata: ["detail": "\(error)"])
    }
  }

  // MARK: - The desktop session

  /// The desktop session was unlocked. So is the vault, if the session's lock is why it is locked, and a key file or
  /// credential opens it.
  func sessionUnlocked() async throws(AgentError) {
    guard state.cause == .session, !generation.isLocking, try attached.get().vault.condition.opensByFile else { return }
    try await unlock(nil)
  }
}
