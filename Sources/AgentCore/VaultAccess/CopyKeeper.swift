import AgentProtocol
import Logging
import ServiceLifecycle
import SessionEngine
import SessionVault
import SystemSupport

/// Compares the two copies of each file of the vault, of the key file and of the accounts' names,
/// and restores a lost copy. The comparison runs when the agent serves, and after each
/// unlock, so that a start does not wait for it.
struct CopyKeeper: Service {
  let vault: VaultAccess

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await vault.compareCopies()
        await vault.copyCheckNeeded.wait()
      }
    }
  }
}

extension VaultAccess {
  /// Compares the copies, and reports the findings to the journal and to `doctor`.
  func compareCopies() async {
    guard case .success(let attached) = attached else { return }
    let found = await attached.store.compareCopies(attached.places)
    let new = found.vault.dropFirst(restoredInVault) + found.names
    restoredInVault = max(restoredInVault, found.vault.count)
    restored += new
    for copy in new { tell(copy) }
    for record in found.damaged where !reportedDamage.contains(record) {
      reportedDamage.append(record)
      logger.error(
        record.setAsideAs == nil ? "a record of the vault cannot be used" : "a record of the vault is damaged",
        metadata: JournalEvent.vaultDamaged.with([
          "file": "\(record.file)", "detail": "\(record.reason)", "kept_as": "\(record.setAsideAs ?? record.file)",
        ]))
    }
  }

  private func tell(_ copy: RestoredCopy) {
    guard let failure = copy.failure else {
      logger.warning(
        "a file was restored from its other copy",
        metadata: JournalEvent.vaultRestored.with(["file": "\(copy.file)", "detail": "\(copy.reason)"]))
      return
    }
    logger.error(
      "a file could not be restored from its other copy",
      metadata: JournalEvent.vaultDamaged.with([
        "file": "\(copy.file)", "detail": "\(copy.reason)", "error": "\(failure)",
      ]))
  }
}

extension SessionStore {
  /// Compares the copies on the vault's thread, one file after another, so that records are written
  /// in between.
  ///
  /// - Returns: the copies restored in the vault since the start and in the accounts' names just
  ///   now, and the records that are damaged in both copies.
  func compareCopies(
    _ places: VaultPaths
  ) async -> (vault: [RestoredCopy], names: [RestoredCopy], damaged: [DamagedRecord]) {
    while (try? await run({ $0.compareNextCopies() })) == true, !Task.isCancelled {}
    let rest = try? await run { vault in
      try? vault.compareKeyFile(places.keyFile)
      return (vault.restored, places.names.restore(), vault.damaged)
    }
    return rest ?? ([], [], [])
  }
}
