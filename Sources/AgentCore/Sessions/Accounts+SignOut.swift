import AgentProtocol
import FoundationEssentials
import Logging
import SupabaseAuth
import SystemSupport

/// Ending sessions: here at once, at the server as soon as it can be reached (SE-4).
extension Accounts {
  func signOut(_ params: SessionSignOut.Params) async throws(AgentError) -> SessionSignOut.Result {
    try requireOpen()
    let names = params.all == true ? accounts.keys.sorted() : [try resolve(params.account).name]
    // What another machine uses is not this one's to end.
    if let name = names.first(where: { accounts[$0]?.isCopied == true }) {
      throw AgentError(.vaultCopied, account: name)
    }
    var pending: [String] = []
    for name in names where try await !signOut(name, params.scope ?? .local) { pending.append(name) }
    return SessionSignOut.Result(accounts: names, pending: pending)
  }

  /// Whether the server has been told.
  private func signOut(_ name: String, _ scope: SignOutScope) async throws(AgentError) -> Bool {
    switch scope {
    case .local, .global: try await endHere(name, scope)
    case .others: try await endOthers(name)
    default: throw AgentError(.invalidParams, "The scope of a sign-out is local, global or others.")
    }
  }

  private func endHere(_ name: String, _ scope: SignOutScope) async throws(AgentError) -> Bool {
    await enterGate(name)
    // What was to end the other sessions with this one's token can only be done together with it now.
    let scope = await revocations.takeOthers(of: name) ? .global : scope
    let result = await endInsideGate(name, scope)
    leaveGate(name)
    if let account = accounts[name] { announce(account) }
    wake.signal()
    guard let revocation = try result.get() else { return true }
    return await revocations.submit(revocation)
  }

  /// The revocation first: a crash between the two writes leaves a session that is signed out twice, not one that
  /// nobody ends.
  private func endInsideGate(_ name: String, _ scope: SignOutScope) async -> Result<Revocation?, AgentError> {
    guard var account = accounts[name] else { return .success(nil) }
    let wasSignedIn = account.session != nil
    let revocation = account.newest.map { self.revocation(of: $0, account: name, account.project, scope) }
    account.signedOut()
    do {
      if let revocation { try await store().save(revocation) }
      try await store().save(account.stored)
    } catch {
      _ = await putBack(name)
      if let revocation { try? await store().delete(revocation) }
      return .failure(error)
    }
    accounts[name]?.signedOut()
    tokens.publish(nil, for: name)
    tell(wasSignedIn ? .signedOut : .stateChanged, name, reason: "signed out")
    if wasSignedIn { records.record(.signedOut(account: name, scope: scope.rawValue)) }
    let needed = AgentError(.signInNeeded, hint: signInCommand(name), account: name)
    waiters.resume(name, .failure(needed))
    return .success(revocation)
  }

  /// Ends the user's other sessions; this one stays. Without network it is kept, as every sign-out.
  private func endOthers(_ name: String) async throws(AgentError) -> Bool {
    let target = try apiTarget(name)
    guard let session = accounts[target.account]?.newest else { throw AgentError(.signInNeeded, account: name) }
    var revocation = revocation(of: session, account: name, target.project.name, .others)
    // This session goes on: its tokens change, and are not the queue's to refresh.
    revocation.accessToken = ""
    revocation.refreshToken = ""
    try await store().save(revocation)
    records.record(.signedOut(account: name, scope: SignOutScope.others.rawValue))
    return await revocations.submit(revocation)
  }

  /// Ends a session that is not wanted: one of the wrong user, or one that came too late.
  func discard(_ session: Session, of project: Project) async {
    let stored = StoredSession(
      session, origin: project.origin, provider: "", signedInAt: clock.wall, clock: clock)
    await revoke(stored, of: "", project: project.name)
  }

  /// Queues the end of a session that was replaced; nobody waits for it.
  func revoke(_ session: StoredSession, of name: String, project: String) async {
    let revocation = revocation(of: session, account: name, project, .local)
    do {
      try await store().save(revocation)
    } catch {
      logger.error("the end of a session that is not kept could not be noted", metadata: metadata(name, error))
      // Nothing is sent, nor kept in memory, for a locked vault.
      if error.kind == .vaultLocked { return }
    }
    await revocations.add(revocation)
  }

  private func revocation(
    of session: StoredSession, account: String, _ project: String, _ scope: SignOutScope
  ) -> Revocation {
    Revocation(
      id: UUID().uuidString.lowercased(), account: account, project: project, origin: session.origin,
      accessToken: session.accessToken, refreshToken: session.refreshToken, received: session.received,
      expiresIn: session.expiresIn, scope: scope.rawValue, since: clock.wall)
  }
}
