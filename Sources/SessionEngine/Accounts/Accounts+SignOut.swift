package import AgentProtocol
import FoundationEssentials
import Logging
package import SupabaseAuth
import SystemSupport

/// Ending sessions: here at once, at the server as soon as it can be reached (SE-4).
extension Accounts {
  package func signOut(_ params: SessionSignOut.Params) async throws(AgentError) -> SessionSignOut.Result {
    try requireOpen()
    let scope = params.scope ?? .local
    guard [.local, .global, .others].contains(scope) else {
      throw AgentError(.invalidParams, "The scope of a sign-out is local, global or others.")
    }
    guard params.all == true else {
      let name = try resolve(params.account).name
      return await revoke([(name, try await end(name, scope))], failed: [])
    }
    return await signOutAll(scope)
  }

  /// Every account is ended here before a server is asked, and an account that fails keeps no other from ending.
  private func signOutAll(_ scope: SignOutScope) async -> SessionSignOut.Result {
    var ended: [(name: String, revocation: Revocation?)] = []
    var failed: [SessionSignOut.Failure] = []
    for name in accounts.keys.sorted() {
      do {
        ended.append((name, try await end(name, scope)))
      } catch {
        failed.append(SessionSignOut.Failure(account: name, kind: error.kind, message: error.message))
      }
    }
    return await revoke(ended, failed: failed)
  }

  /// Submits all revocations and waits for them once.
  private func revoke(
    _ ended: [(name: String, revocation: Revocation?)], failed: [SessionSignOut.Failure]
  ) async -> SessionSignOut.Result {
    let untold = await revocations.submit(ended.compactMap(\.revocation))
    let pending = ended.filter { $0.revocation.map { untold.contains($0.id) } ?? false }.map(\.name)
    return SessionSignOut.Result(
      accounts: ended.map(\.name), pending: pending, failed: failed.isEmpty ? nil : failed)
  }

  /// Ends the session here, or notes that the user's others are to be ended.
  ///
  /// - Returns: what the server is to be told; nil where there was no session.
  private func end(_ name: String, _ scope: SignOutScope) async throws(AgentError) -> Revocation? {
    // What another machine uses is not this one's to end.
    if accounts[name]?.isCopied == true { throw AgentError(.vaultCopied, account: name) }
    return scope == .others ? try await endOthers(name) : try await endHere(name, scope)
  }

  private func endHere(_ name: String, _ scope: SignOutScope) async throws(AgentError) -> Revocation? {
    await writeGate.enter(name)
    // What was to end the other sessions with this one's token can only be done together with it now.
    let scope = await revocations.takeOthers(of: name) ? .global : scope
    let result = await endInsideGate(name, scope)
    writeGate.leave(name)
    if let account = accounts[name] { announce(account) }
    wake.signal()
    return try result.get()
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
    if wasSignedIn { report(.signedOut(account: name, scope: scope)) }
    let needed = AgentError(.signInNeeded, hint: signInCommand(name), account: name)
    waiters.resume(name, returning: .failure(needed))
    return .success(revocation)
  }

  /// Ends the user's other sessions; this one stays. Without network it is kept, as every sign-out.
  private func endOthers(_ name: String) async throws(AgentError) -> Revocation? {
    let target = try apiTarget(name)
    guard let session = accounts[target.account]?.newest else { throw AgentError(.signInNeeded, account: name) }
    var revocation = revocation(of: session, account: name, target.project.name, .others)
    // This session goes on: its tokens change, and are not the queue's to refresh.
    revocation.accessToken = ""
    revocation.refreshToken = ""
    try await store().save(revocation)
    report(.signedOut(account: name, scope: .others))
    return revocation
  }

  /// Ends a session that is not wanted: one of the wrong user, or one that came too late.
  package func discard(_ session: Session, of project: Project) async {
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
