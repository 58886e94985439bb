import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// One attempt to end a session at the server.
extension RevocationQueue {
  /// How a session can be ended.
  private enum Means {
    case token(BearerToken, LogoutScope)
    /// The session has already ended.
    case nothing
    /// The origin's budget is used up until this time.
    case later(BootTime)
  }

  func attempt(_ revocation: Revocation) async {
    guard runState == .running else { return putOff(revocation, until: clock.now) }
    guard let project = project(for: revocation) else { return await failedOrGivenUp(revocation, nil) }
    do throws(AuthError) {
      if let later = try await end(revocation, at: project) { return putOff(revocation, until: later) }
      await forget(revocation)
    } catch {
      logger.info("a revocation is pending", metadata: ["account": "\(revocation.account)", "error": "\(error.code)"])
      await failedOrGivenUp(revocation, error.code)
    }
  }

  /// Ends the session. Returns when to retry if the origin's budget is used up.
  ///
  /// The server may consider a token expired that is valid by the local clock, since either clock
  /// can be set over a reboot. The token is then renewed, unless it was just renewed, or replaced a
  /// refused one: then the server refuses the tokens that it issues.
  private func end(_ revocation: Revocation, at project: Project) async throws(AuthError) -> BootTime? {
    do throws(AuthError) {
      return try await end(by: try await means(for: revocation, at: project), at: project)
    } catch {
      guard error.code == .badJWT, !revocation.isForOthers, let current = items[revocation.id]?.revocation,
        current.accessToken == revocation.accessToken, current.replacesRefused != true
      else { throw error }
      return try await end(by: try await renewed(revocation, at: project, isRefused: true), at: project)
    }
  }

  private func end(by means: Means, at project: Project) async throws(AuthError) -> BootTime? {
    switch means {
    case .nothing: return nil
    case .later(let moment): return moment
    case .token(let token, let scope):
      try await requests.result { () throws(AuthError) in
        try await project.server.logout(token, scope: scope)
      }.get()
      return nil
    }
  }

  private func failedOrGivenUp(_ revocation: Revocation, _ error: AuthError.Code?) async {
    if hasWaitedLongEnough(revocation) { await giveUp(revocation) } else { failed(revocation, error) }
  }

  private func means(for revocation: Revocation, at project: Project) async throws(AuthError) -> Means {
    if revocation.isForOthers { return try others(of: revocation) }
    let received = revocation.received.bootTime(on: clock)
    if let received, clock.now < received.advanced(by: .seconds(min(max(0, revocation.expiresIn), 31_536_000))) {
      return .token(revocation.bearer, revocation.logoutScope)
    }
    return try await renewed(revocation, at: project)
  }

  /// The remaining session ends the others. Without a valid token of its own, the revocation waits
  /// for the next refresh.
  private func others(of revocation: Revocation) throws(AuthError) -> Means {
    guard let token = tokens.freshest(account: revocation.account, rejected: nil, now: clock.now) else {
      throw AuthError(.unexpected, "the account has no valid token")
    }
    return .token(BearerToken(token.entry.accessToken.exposed), .others)
  }

  /// Refreshes first, because the server rejects an expired access token.
  private func renewed(
    _ revocation: Revocation, at project: Project, isRefused: Bool = false
  ) async throws(AuthError) -> Means {
    // One rotation that is not stored can be recovered, two cannot.
    guard await storeIfNeeded(revocation.id) else { throw AuthError(.unexpected, "the revocation is not stored") }
    if let later = budgets.take(project.origin, .background, now: clock.now) { return .later(later) }
    switch await requests.run({ await project.server.refresh(revocation.refresh) }) {
    case .refreshed(let session): return await stored(revocation, session, isRefused: isRefused)
    case .fatal: return .nothing
    case .transient(let error, _), .misconfigured(let error), .banned(let error), .refused(let error),
      .paused(let error):
      throw error
    }
  }

  /// Stores the renewed tokens before they are used: only the newest refresh token is valid for
  /// another attempt.
  private func stored(_ revocation: Revocation, _ session: Session, isRefused: Bool) async -> Means {
    var next = revocation
    next.accessToken = session.accessToken.exposed
    next.refreshToken = session.refreshToken.exposed
    next.received = Receipt(clock)
    next.expiresIn = session.expiresIn
    if isRefused { next.replacesRefused = true }
    update(next, isStored: false)
    do {
      try await store?.save(next)
      update(next, isStored: true)
    } catch {
      // The stored token is the parent of this one, which the server still accepts.
      logger.error("a renewed revocation could not be stored", metadata: ["kind": "\(error.kind.rawValue)"])
    }
    return .token(next.bearer, next.logoutScope)
  }

  func forget(_ revocation: Revocation) async {
    do {
      try await store?.delete(revocation)
    } catch {
      logger.error("a finished revocation could not be deleted", metadata: ["kind": "\(error.kind.rawValue)"])
    }
    done(revocation)
  }

  /// Gives up after a week without success, and logs that the session may still exist at the
  /// server.
  private func giveUp(_ revocation: Revocation) async {
    logger.error(
      "a sign-out was abandoned: the server did not confirm it for seven days, and the session may still be active there",
      metadata: ["account": "\(revocation.account)", "origin": "\(ForeignText.shown(revocation.origin))"])
    givenUp.insert(revocation.account)
    await forget(revocation)
  }

  /// The accounts with pending sign-outs; nil while the vault is locked.
  package var waiting: [String]? {
    runState == .locked ? nil : Set(items.values.map(\.revocation.account)).sorted()
  }

  /// Problems with the queue, for the status.
  package var complaints: [String] {
    // A revocation without a failed attempt is in progress, which is no problem.
    let failed = items.values.filter { $0.failures > 0 }
    let signOuts = failed.count == 1 ? "1 sign-out is" : "\(failed.count) sign-outs are"
    let isOffline = failed.contains { [.network, .timeout, .tls].contains($0.lastError) }
    let reason = isOffline ? "server unreachable" : "not confirmed by the server, and repeated later"
    let waiting = failed.isEmpty ? [] : ["\(signOuts) pending (\(reason))"]
    let lost = givenUp.sorted().map {
      "the sign-out of \($0) was abandoned: the server did not confirm it for seven days; "
        + "sign in again and run `ritualctl sign-out --scope global` to end the remaining sessions"
    }
    return waiting + lost
  }

  /// Uses the wall clock, and requires some attempts in this run, so that a clock that is months
  /// off does not drop a revocation at once.
  private func hasWaitedLongEnough(_ revocation: Revocation) -> Bool {
    clock.wall.unixSeconds - revocation.since.unixSeconds > Self.givesUpAfter
      && failures(of: revocation) >= Self.minAttemptsBeforeDrop
  }

  /// A session is sent only to the origin that issued it, whatever the project's current name.
  private func project(for revocation: Revocation) -> Project? {
    let named = projects.named(revocation.project)
    return named?.origin == revocation.origin ? named : projects.all.first { $0.origin == revocation.origin }
  }
}

extension Revocation {
  /// The scope. An unknown scope ends only this session.
  var logoutScope: LogoutScope { LogoutScope(rawValue: scope) ?? .local }

  /// True if the account stays signed in and its current token ends the other sessions. No token is
  /// stored here.
  var isForOthers: Bool { logoutScope == .others }

  /// True for a revocation that was withdrawn and could not be deleted. An account then still has the session: one
  /// that a sign-in was to replace, or one that was refreshed since a sign-out of it failed. Or a sign-out came later,
  /// with a revocation of its own.
  func isVoid(_ held: [StoredSession], _ all: [Revocation] = []) -> Bool {
    guard !isForOthers, let session else { return false }
    if let holder = held.first(where: { $0.id == session }) {
      return isReplaced == true || holder.refreshToken != refreshToken
    }
    return isReplaced == true && all.contains { $0.session == session && $0.isReplaced != true && !$0.isForOthers }
  }
}
