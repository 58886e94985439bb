import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// One try to end a session.
extension RevocationQueue {
  /// What the server is told with.
  private enum Means {
    case token(BearerToken, LogoutScope)
    /// The session is gone already.
    case nothing
    /// Not before this moment: the origin's budget is used up.
    case later(BootTime)
  }

  func attempt(_ revocation: Revocation) async {
    guard rest == .none else { return putOff(revocation, until: clock.now) }
    guard let project = project(for: revocation) else { return await failedOrGivenUp(revocation) }
    do throws(AuthError) {
      if let later = try await end(revocation, at: project) { return putOff(revocation, until: later) }
      await forget(revocation)
    } catch {
      logger.info("a revocation waits", metadata: ["account": "\(revocation.account)", "error": "\(error.code)"])
      await failedOrGivenUp(revocation)
    }
  }

  /// Ends the session; returns when to try instead, where the origin's budget has no room. The server may take a token for
  /// expired although our clock does not, for a clock can be set over a reboot, there or here: then it is renewed.
  private func end(_ revocation: Revocation, at project: Project) async throws(AuthError) -> BootTime? {
    do throws(AuthError) {
      return try await end(by: try await means(for: revocation, at: project), at: project)
    } catch {
      guard error.code == .badJWT, !revocation.isForOthers else { throw error }
      return try await end(by: try await renewed(revocation, at: project), at: project)
    }
  }

  private func end(by means: Means, at project: Project) async throws(AuthError) -> BootTime? {
    switch means {
    case .nothing: return nil
    case .later(let moment): return moment
    case .token(let token, let scope):
      try await requests.run { () async -> Result<Void, AuthError> in
        do throws(AuthError) {
          return .success(try await project.server.logout(token, scope: scope))
        } catch {
          return .failure(error)
        }
      }.get()
      return nil
    }
  }

  private func failedOrGivenUp(_ revocation: Revocation) async {
    if hasWaitedLongEnough(revocation) { await giveUp(revocation) } else { failed(revocation) }
  }

  private func means(for revocation: Revocation, at project: Project) async throws(AuthError) -> Means {
    if revocation.isForOthers { return try others(of: revocation) }
    let received = revocation.received.bootTime(on: clock)
    if let received, clock.now < received.advanced(by: .seconds(min(max(0, revocation.expiresIn), 31_536_000))) {
      return .token(revocation.bearer, revocation.logoutScope)
    }
    return try await renewed(revocation, at: project)
  }

  /// The session that stays ends the others. Without a living token of its own it waits for the next refresh.
  private func others(of revocation: Revocation) throws(AuthError) -> Means {
    guard let token = tokens.freshest(account: revocation.account, rejected: nil, now: clock.now) else {
      throw AuthError(.network, "the account has no living token just now")
    }
    return .token(BearerToken(token.entry.accessToken.exposed), .others)
  }

  /// The server refuses a dead access token, so a refresh comes first.
  private func renewed(_ revocation: Revocation, at project: Project) async throws(AuthError) -> Means {
    if let later = budgets.take(project.origin, .background, now: clock.now) { return .later(later) }
    switch await requests.run({ await project.server.refresh(revocation.refresh) }) {
    case .refreshed(let session): return await stored(revocation, session)
    case .fatal: return .nothing
    case .transient(let error, _), .misconfigured(let error), .banned(let error), .paused(let error): throw error
    }
  }

  /// The renewed tokens are stored before they are used: only the newest refresh token is good for another try.
  private func stored(_ revocation: Revocation, _ session: Session) async -> Means {
    var next = revocation
    next.accessToken = session.accessToken.exposed
    next.refreshToken = session.refreshToken.exposed
    next.received = Receipt(clock)
    next.expiresIn = session.expiresIn
    update(next)
    do {
      try await store?.save(next)
    } catch {
      // The older token is still the parent of this one, which the server takes.
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

  /// The server could not be told for a week. Said honestly: the session may still live there.
  private func giveUp(_ revocation: Revocation) async {
    logger.error(
      "a sign-out was given up: the server could not be told for seven days, and the session may still live there",
      metadata: ["account": "\(revocation.account)", "origin": "\(ForeignText.shown(revocation.origin))"])
    givenUp.insert(revocation.account)
    await forget(revocation)
  }

  /// The accounts whose sign-out the server is still to be told of; nil where the vault is locked.
  package var waiting: [String]? {
    rest == .locked ? nil : Set(items.values.map(\.revocation.account)).sorted()
  }

  /// What a person should know of the queue.
  package var complaints: [String] {
    let waiting = count == 0 ? [] : ["\(count) sign-outs wait for the server to be reachable"]
    let lost = givenUp.sorted().map {
      "the sign-out of \($0) could not be told to the server for seven days and was given up; "
        + "sign in again and use `ritualctl sign-out --scope global` to end what is left there"
    }
    return waiting + lost
  }

  /// By the wall clock, and after some tries of this run: a clock that is wrong by months gives up nothing at once.
  private func hasWaitedLongEnough(_ revocation: Revocation) -> Bool {
    clock.wall.unixSeconds - revocation.since.unixSeconds > Self.givesUpAfter
      && failures(of: revocation) >= Self.triesBeforeGivingUp
  }

  /// A session goes to the origin that issued it, whatever the project is called now.
  private func project(for revocation: Revocation) -> Project? {
    let named = projects.named(revocation.project)
    return named?.origin == revocation.origin ? named : projects.all.first { $0.origin == revocation.origin }
  }
}

extension Revocation {
  /// A scope that this version does not know ends the one session that is known.
  var logoutScope: LogoutScope { LogoutScope(rawValue: scope) ?? .local }

  /// The account stays signed in, and its present token ends the other sessions: none is kept here.
  var isForOthers: Bool { logoutScope == .others }
}
