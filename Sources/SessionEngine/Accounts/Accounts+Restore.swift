package import AgentProtocol
import Logging
import SystemSupport

/// What an unlock reads from the vault, and a lock forgets. Besides `commit`, only these functions write
/// accounts: they complete what a crash interrupted.
extension Accounts {
  /// Reads every session from the vault at a start and after an unlock. Needs no network;
  /// the engine performs due refreshes.
  ///
  /// - Parameters:
  ///   - records: The vault's records, if they were read already.
  ///   - ended: Refresh tokens of sessions that were being ended, in addition to those still in the
  ///     queue.
  package func restore(
    _ records: StoredRecords? = nil, machine: VaultMachine = VaultMachine(), ended: Set<String> = []
  ) async throws(AgentError) {
    let stored = if let records { records } else { try await vault.get().loadAll() }
    let records = await withoutInterruptedRenames(stored)
    let ended = await revocations.endedTokens.union(ended)
    var restored: [Account] = []
    for record in records.accounts {
      var account = Account(record)
      // Completes a sign-out that a crash interrupted between its two writes.
      if let session = record.session, ended.contains(session.refreshToken) { account = await signedOut(account) }
      restored.append(account)
    }
    self.machine = machine
    let names = records.accounts.map(\.name)
    // Settings that a failing disk kept out of the vault are not forgotten by a lock.
    let areKept = unwritten.contains(.settings) && settings.defaultAccount.map(names.contains) ?? true
    apply(areKept ? settings : records.settings)
    lockState = .open
    people = records.people ?? [:]
    let all = (restored + records.laterAccounts.map(Account.init(later:))).map(takenIn)
    table.restore(all)
    for account in all { opened(account) }
    if areKept { try? await changeSettings(isKept: true) { _ in } }
    await bindAPIOrigins()
    if records.people != nil { await peopleKnown() }
    wake.signal()
  }

  private func takenIn(_ restored: Account) -> Account {
    var account = restored
    account.restored(
      received: account.session?.received.bootTime(on: clock), isCopied: isCopied(account), now: clock.now,
      policy: policy)
    account.announced = state(of: account)
    return account
  }

  private func opened(_ account: Account) {
    publish(account.name)
    askServer(about: account)
  }

  private func signedOut(_ account: Account) async -> Account {
    var account = account
    account.signedOut()
    do {
      try await vault.get().save(account.stored)
    } catch {
      // The next start finds the same state and retries.
      unwritten.insert(.account(account.name))
      logger.error("a sign-out could not be completed in the vault", metadata: metadata(account.name, error))
    }
    return account
  }

  /// Reads the users' facts that `restore` was given without. Until it returns, an account's facts
  /// appear unknown: the caller admits nothing that uses them.
  package func restorePeople() async throws(AgentError) {
    let stored = try await store().loadPeople()
    try requireOpen()
    people.merge(stored) { known, _ in known }
    await peopleKnown()
  }

  /// Drops the new record of each rename that a crash interrupted before its old record was deleted.
  func withoutInterruptedRenames(_ records: StoredRecords) async -> StoredRecords {
    var records = records
    for new in records.accounts {
      guard let old = records.accounts.first(where: { $0.name == new.renamedFrom }),
        old.session?.id == new.session?.id
      else { continue }
      records.accounts.removeAll { $0.name == new.name }
      do {
        let settings = records.settings
        records.settings.rename(new.name, to: old.name)
        if records.settings != settings { try await vault.get().save(records.settings) }
        try await vault.get().delete(account: new.name)
      } catch {
        // The next start finds both records again.
        logger.error("an interrupted rename could not be undone", metadata: metadata(new.name, error))
      }
    }
    return records
  }

  // MARK: - Locking

  /// Forgets the sessions. The names and the default account stay.
  package func forgetSessions() {
    epoch = Revision()
    beLocked(KnownAccounts(names: accounts.keys.sorted(), defaultAccount: settings.defaultAccount))
  }

  /// Enters the locked state when the vault is locked at a start.
  package func startLocked(_ known: KnownAccounts, refusal: AgentError?) {
    beLocked(known)
    lockState = .locked(known, refusal: refusal)
  }

  private func beLocked(_ known: KnownAccounts) {
    lockState = .locked(known, refusal: nil)
    table.restore([])
    signIns = [:]
    pendingUndos = [:]
    unwritten.formIntersection([.settings])
    isWritingForSleep = false
    people = [:]
    settings.defaultAccount = known.defaultAccount
    tokens.lock()
    events.forgetRecent()
    waiters.resumeAll(returning: .failure(AgentError(.vaultLocked)))
    verificationWaiters.resumeAll(returning: .failure(AgentError(.vaultLocked)))
    idleWaiters.resumeAll()
    landingWaiters.resumeAll()
  }
}
