package import AgentProtocol
import Logging
import SystemSupport

/// Renames and removes accounts.
extension Accounts {
  /// Gives an account another name. Its session, the facts about its user and its role as the default
  /// account follow. Durable on return; a crash leaves the old or the new name.
  ///
  /// - Throws: `flowBusy` during a sign-in, `notReady` during a refresh, `invalidParams` if the new
  ///   name is invalid or taken.
  package func rename(_ account: String, to new: String) async throws(AgentError) -> AccountStatus {
    let old = try resolve(account).name
    guard AccountName.isValidForNew(new) else { throw AccountName.invalid }
    let claim = try claim(old, new)
    // The person's record and the settings are written as well.
    let gates = [old, Self.personGate(old), Self.settingsGate]
    let result = await writeGate.inside(gates) { (gate: borrowing AsyncGate.Held) async -> Result<Void, AgentError> in
      renaming.insert(old)
      defer { renaming.remove(old) }
      return await rename(old, to: new, inside: gate)
    }
    release(claim, old, new)
    changed(old)
    try result.get()
    await rememberNames()
    return try status(new)
  }

  /// Signs an account out and removes all that is stored about it.
  ///
  /// - Throws: `invalidParams` for an anonymous user, unless `discard` is true.
  package func remove(_ account: String, discard: Bool = false) async throws(AgentError) -> SessionRemove.Result {
    let name = try resolve(account).name
    if !discard { try refuseLosingUser(of: name) }
    let claim = try claim(name)
    let revocation: Revocation?
    do throws(CommitFailure) {
      revocation = try await commit(name, hasSettings: true) { draft throws(AgentError) in
        try removed(name, discard: discard, &draft)
      }
    } catch {
      release(claim, name)
      throw error.error(name)
    }
    release(claim, name)
    await rememberNames()
    let unconfirmed = await revocations.submit([revocation].compactMap { $0 })
    // An earlier sign-out of the account may still be pending.
    let isPending = await revocations.waiting?.contains(name) ?? !unconfirmed.isEmpty
    return SessionRemove.Result(account: name, isPending: isPending)
  }

  // MARK: - Claims

  /// Prevents sign-ins to the accounts, and locks from completing, until `release`.
  private func claim(_ names: String...) throws(AgentError) -> Revision {
    for name in names where signIns[name] != nil {
      throw AgentError(.flowBusy, hint: "finish or cancel the sign-in first", account: name)
    }
    let claim = Revision()
    for name in names { signIns[name] = claim }
    return claim
  }

  private func release(_ claim: Revision, _ names: String...) {
    for name in names where signIns[name] == claim { signIns[name] = nil }
    resumeIdleWaiters()
  }

  // MARK: - Renaming

  /// Called inside the write gates of the account, its person and the settings.
  ///
  /// The record of the new name is written first. If anything fails, it is deleted last, and only if
  /// the old record is known to be there. While both exist, a start drops the new one
  /// (`withoutInterruptedRenames`), so that one session never has two names.
  private func rename(
    _ old: String, to new: String, inside gate: borrowing AsyncGate.Held
  ) async -> Result<Void, AgentError> {
    guard let account = accounts[old] else { return .failure(gone(old)) }
    guard !account.isLater else { return .failure(later(old)) }
    guard accounts[new] == nil else {
      return .failure(AgentError(.invalidParams, "There is already an account named \(new)."))
    }
    guard account.flight == nil, account.verification == nil, account.unsaved == nil, pendingUndos[old] == nil,
      await !revocations.concernsOthers(of: old)
    else {
      return .failure(
        AgentError(.notReady, "Account \(old) is busy with a refresh or a sign-out.", hint: "try again", account: old))
    }
    let (epoch, person) = (self.epoch, people[old])
    do {
      try await write(account, as: new)
    } catch {
      // After a lock, the unlock drops the new record, if both exist.
      guard epoch == self.epoch else { return .failure(error) }
      // A failed deletion may have removed the old record, so the new one may be the only one.
      if await rewrite(old, epoch, inside: gate) {
        try? await store().save(settings)
        try? await store().delete(account: new)
      }
      return .failure(error)
    }
    guard epoch == self.epoch else { return .failure(AgentError(.vaultLocked, account: old)) }
    move(old, to: new)
    if people[new] != person.map({ $0.named(new) }) { await savePerson(new) }
    report(.renamed(account: new, from: old))
    return .success(())
  }

  private func write(_ account: Account, as new: String) async throws(AgentError) {
    let epoch = self.epoch
    var record = account.stored
    record.name = new
    record.renamedFrom = account.name
    if let person = people[account.name] { try await store(since: epoch).save(person.named(new)) }
    try await store(since: epoch).save(record)
    if settings.defaultAccount == account.name {
      var changed = settings
      changed.defaultAccount = new
      try await store(since: epoch).save(changed)
    }
    try await store(since: epoch).delete(account: account.name)
    // The account is renamed. A failure below leaves data that the next write or start ignores.
    record.renamedFrom = nil
    try? await store(since: epoch).save(record)
    try? await store(since: epoch).delete(person: account.name)
  }

  private func move(_ old: String, to new: String) {
    guard var account = accounts.removeValue(forKey: old) else { return }
    tokens.publish(nil, for: old)
    tellGone(account, reason: "renamed to \(new)")
    events.renamed(old, to: new)
    account.renamed(to: new)
    accounts[new] = account
    phoneChallenges[new] = phoneChallenges.removeValue(forKey: old)
    people[new] = people.removeValue(forKey: old)
    people[new]?.account = new
    if staleProfiles.remove(old) != nil { askForProfile(new) }
    if settings.defaultAccount == old { settings.defaultAccount = new }
    tokens.setDefault(settings.defaultAccount)
    waiters.resume(old, returning: .failure(AgentError(.unknownAccount, account: old)))
    if let session = account.session { publish(session, of: new, received: session.received.bootTime(on: clock)) }
    tell(account.session == nil ? .stateChanged : .signedIn, new, reason: "renamed from \(old)")
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
        if records.settings.defaultAccount == new.name {
          records.settings.defaultAccount = old.name
          try await vault.get().save(records.settings)
        }
        try await vault.get().delete(account: new.name)
      } catch {
        // The next start finds both records again.
        logger.error("an interrupted rename could not be undone", metadata: metadata(new.name, error))
      }
    }
    return records
  }

  // MARK: - Removing

  /// - Returns: The revocation for the server, to be submitted; nil if there is nothing to end.
  private func removed(_ name: String, discard: Bool, _ draft: inout Draft) throws(AgentError) -> Revocation? {
    guard let account = draft.account else { throw gone(name) }
    // Another user may have signed in before the gate was entered.
    if !discard { try refuseLosingUser(of: name) }
    // Another machine may use a copied session, so it is not ended.
    let revocation = account.isCopied ? nil : try signedOut(name, .local, &draft)
    draft.isRemoval = true
    if draft.settings.defaultAccount == name { draft.settings.defaultAccount = nil }
    draft.then = { [self, end = draft.then] in
      end()
      tellGone(account, reason: "removed")
      report(.removed(account: name))
    }
    return revocation
  }

  /// Publishes that no account has this name any more.
  private func tellGone(_ account: Account, reason: String) {
    let gone = Account(name: account.name, project: account.project)
    events.publish(
      account.session == nil ? .stateChanged : .signedOut, at: clock.wall, account: gone.name, status: describe(gone),
      reason: reason)
  }
}

extension AccountName {
  /// The error for an invalid name.
  static var invalid: AgentError {
    AgentError(.invalidParams, "An account name \(AccountName.rule)\(AccountName.newRule).")
  }
}
