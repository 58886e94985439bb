package import AgentProtocol
import FoundationEssentials
import Logging
package import SupabaseAuth
import SystemSupport

/// Ends sessions: locally at once, at the server as soon as it is reachable.
extension Accounts {
  package func signOut(_ params: SessionSignOut.Params) async throws(AgentError) -> SessionSignOut.Result {
    try requireOpen()
    let scope = params.scope ?? .local
    guard [.local, .global, .others].contains(scope) else {
      throw AgentError(.invalidParams, "The sign-out scope must be local, global or others.")
    }
    if params.discard != true, scope != .others { try refuseLosingUsers(of: params) }
    guard params.all == true else {
      let name = try resolve(params.account).name
      return await revoke([(name, try await end(name, scope, discard: params.discard ?? false))], failed: [])
    }
    return await signOutAll(scope, discard: params.discard ?? false)
  }

  /// Refuses to sign out anonymous users, before anything is signed out.
  private func refuseLosingUsers(of params: SessionSignOut.Params) throws(AgentError) {
    let names = params.all == true ? accounts.keys.sorted() : [try resolve(params.account).name]
    let command = params.all == true ? "ritualctl sign-out --all --yes" : nil
    for name in names { try refuseLosingUser(of: name, command: command) }
  }

  /// Refuses to end the session of an anonymous user, who has no other way to sign in.
  /// - Parameter command: what signs out anyway; by default for this account alone.
  func refuseLosingUser(of name: String, command: String? = nil) throws(AgentError) {
    // A copied session is ended only by its own machine.
    guard let account = accounts[name], account.isAnonymous, !account.isCopied else { return }
    throw AgentError(
      .invalidParams,
      "Account \(name) is anonymous: signing out loses its user, and everything that belongs to this user, for good.",
      hint: "to sign out anyway: \(command ?? "ritualctl sign-out --account \(name) --yes")", account: name)
  }

  /// Ends all accounts locally before contacting a server. A failing account does not prevent the
  /// others from ending.
  private func signOutAll(_ scope: SignOutScope, discard: Bool) async -> SessionSignOut.Result {
    var ended: [(name: String, revocation: Revocation?)] = []
    var failed: [SessionSignOut.Failure] = []
    for name in accounts.keys.sorted() {
      do {
        ended.append((name, try await end(name, scope, discard: discard)))
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

  /// Ends the session locally, or stores the request to end the user's other sessions.
  ///
  /// - Throws: `invalidParams` for an anonymous user, unless `discard` is true.
  /// - Returns: The revocation for the server; nil if there was no session.
  private func end(_ name: String, _ scope: SignOutScope, discard: Bool) async throws(AgentError) -> Revocation? {
    // This machine must not end a session that another machine uses.
    if accounts[name]?.isCopied == true { throw AgentError(.vaultCopied, account: name) }
    return try await committed(name) { draft throws(AgentError) in
      if scope == .others { return try othersEnded(name, &draft) }
      // Another user may have signed in before the gate was entered.
      if !discard { try refuseLosingUser(of: name) }
      return try signedOut(name, scope, &draft)
    }
  }

  /// - Returns: The revocation for the server, to be submitted; nil if there was no session.
  func signedOut(
    _ name: String, _ scope: SignOutScope, _ draft: inout Draft
  ) throws(AgentError) -> Revocation? {
    guard let account = draft.account else { throw gone(name) }
    guard !account.isLater else { throw later(name) }
    // Pending revocations of the user's other sessions need this session's token, so they are now
    // done together with its own.
    let scope = draft.concernsOthers ? .global : scope
    let revocation = account.newest.map { self.revocation(of: $0, account: name, account.project, scope) }
    draft.revocations = [revocation].compactMap { $0 }
    draft.change { $0.signedOut() }
    let wasSignedIn = account.session != nil
    draft.then = { [self] in
      tell(wasSignedIn ? .signedOut : .stateChanged, name, reason: "signed out")
      if wasSignedIn { report(.signedOut(account: name, scope: scope)) }
      waiters.resume(name, returning: .failure(signInNeeded(name)))
    }
    return revocation
  }

  /// Ends the user's other sessions and keeps this one. Offline, the revocation stays pending like
  /// every sign-out.
  private func othersEnded(_ name: String, _ draft: inout Draft) throws(AgentError) -> Revocation {
    let target = try apiTarget(name)
    guard let session = draft.account?.newest else { throw AgentError(.signInNeeded, account: name) }
    var revocation = revocation(of: session, account: name, target.project.name, .others)
    // This session continues and its tokens change, so the queue must not refresh them.
    revocation.accessToken = ""
    revocation.refreshToken = ""
    draft.revocations = [revocation]
    draft.then = { [self] in report(.signedOut(account: name, scope: .others)) }
    return revocation
  }

  /// Ends an unwanted session: one of the wrong user, or one that arrived too late. Does not wait for the server.
  package func discard(_ session: Session, of project: Project) async {
    let stored = StoredSession(
      session, origin: project.origin, provider: "", signedInAt: clock.wall, clock: clock)
    let revocation = revocation(of: stored, account: "", project.name, .local)
    // While the vault is locked, nothing is sent or kept in memory.
    guard !lockState.isLocked else { return }
    await revocations.add(revocation, isStored: false)
    guard await !revocations.storeIfNeeded(revocation.id) else { return }
    logger.error("the end of a discarded session could not be recorded yet")
  }

  func revocation(
    of session: StoredSession, account: String, _ project: String, _ scope: SignOutScope
  ) -> Revocation {
    Revocation(
      id: UUID().uuidString.lowercased(), account: account, project: project, origin: session.origin,
      accessToken: session.accessToken, refreshToken: session.refreshToken, received: session.received,
      expiresIn: session.expiresIn, scope: scope.rawValue, since: clock.wall, replacesRefused: session.replacesRefused,
      session: session.id)
  }
}
