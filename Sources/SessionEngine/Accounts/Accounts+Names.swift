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
    update(old) { $0.isBeingRenamed = true }
    let result: Result<Void, AgentError>
    do throws(AgentError) {
      try await committed(old, hasSettings: true) { draft throws(AgentError) in try renamed(old, to: new, &draft) }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    update(old) { $0.isBeingRenamed = false }
    release(claim, old, new)
    // Starts a refresh that was asked for meanwhile, if there is still an account of the old name.
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
    do throws(AgentError) {
      revocation = try await committed(name, hasSettings: true) { draft throws(AgentError) in
        try removed(name, discard: discard, &draft)
      }
    } catch {
      release(claim, name)
      throw error
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

  private func renamed(_ old: String, to new: String, _ draft: inout Draft) throws(AgentError) {
    guard let account = draft.account else { throw gone(old) }
    guard !account.isLater else { throw later(old) }
    guard accounts[new] == nil else {
      throw AgentError(.invalidParams, "There is already an account named \(new).")
    }
    guard account.flight == nil, account.verification == nil, account.unsaved == nil, pendingUndos[old] == nil,
      !draft.concernsOthers
    else {
      throw AgentError(
        .notReady, "Account \(old) is busy with a refresh or a sign-out.", hint: "try again", account: old)
    }
    draft.newName = new
    draft.settings.rename(old, to: new)
    draft.then = { [self] in
      tellGone(account, reason: "renamed to \(new)")
      events.renamed(old, to: new)
      askForStaleProfile(new)
      waiters.resume(old, returning: .failure(AgentError(.unknownAccount, account: old)))
      tell(account.session == nil ? .stateChanged : .signedIn, new, reason: "renamed from \(old)")
      report(.renamed(account: new, from: old))
    }
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
    draft.then = { [self, end = draft.then, left = draft.account ?? account] in
      end()
      // `end` tells nothing of an account that is gone.
      if !account.isCopied { tellGone(account, reason: "signed out") }
      tellGone(left, reason: "removed")
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
  static var invalid: AgentError {
    AgentError(.invalidParams, "An account name \(AccountName.rule)\(AccountName.newRule).")
  }
}
