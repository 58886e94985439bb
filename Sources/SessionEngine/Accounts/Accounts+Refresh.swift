import AgentProtocol
import FoundationEssentials
import Logging
import SupabaseAuth
import SystemSupport

/// Starts due refreshes and applies their outcomes.
extension Accounts {
  /// Starts due work and returns when to call again. The engine calls it at least every 30 s.
  func tick() -> BootTime {
    let now = clock.now
    guard lockState.isOpen else { return now.advanced(by: RefreshPolicy.tick) }
    for (name, retry) in accounts.compactMapValues(\.writeRetry) where retry.at <= now { retryWrite(name) }
    let turn = startDue(now)
    return nextDeadline(now, turn: turn)
  }

  private func retryWrite(_ name: String) {
    update(name) { $0.beginWriteRetry() }
    submit(.store(account: name))
  }

  /// Starts due refreshes: first those for which a caller waits, then by expiry of the token.
  /// Returns when the next one fits its origin's budget. A project whose budget is exhausted is not
  /// asked again in this pass, so the cost is one look at each account.
  private func startDue(_ now: BootTime) -> BootTime? {
    var due = accounts.values.filter { $0.nextAttempt.map { $0 <= now } ?? false }
    var turns: [BootTime] = []
    for account in due where isAwaited(account) { turns += [startDue(account)].compactMap { $0 } }
    due.removeAll(where: isAwaited)
    for (_, accounts) in Dictionary(grouping: due, by: \.project) {
      var waiting = accounts.map { (end: tokens.end(of: $0.name), account: $0) }
      while let next = waiting.indices.min(by: {
        (waiting[$0].end, waiting[$0].account.name) < (waiting[$1].end, waiting[$1].account.name)
      }) {
        if let turn = startDue(waiting.remove(at: next).account) {
          turns.append(turn)
          break
        }
      }
    }
    return turns.min()
  }

  private func startDue(_ account: Account) -> BootTime? {
    start(account, account.queuedReason ?? (account.failures > 0 ? .retry : .ahead))
  }

  private func isAwaited(_ account: Account) -> Bool {
    account.queuedReason?.isAwaited ?? false || waiters.hasWaiters(account.name)
  }

  private func nextDeadline(_ now: BootTime, turn: BootTime?) -> BootTime {
    var next = now.advanced(by: RefreshPolicy.tick)
    if let turn { next = min(next, turn) }
    for account in accounts.values {
      // A due account that could not start, for example without a configured origin, waits for the
      // tick.
      if let at = account.nextAttempt, at > now { next = min(next, at) }
      if let at = account.writeRetry?.at, at > now { next = min(next, at) }
    }
    return next
  }

  /// Submits one refresh as soon as the origin's budget allows. Does nothing if the account may not
  /// refresh or its origin is not configured.
  ///
  /// - Returns: When to call again if the refresh is delayed by the budget or a sleep.
  @discardableResult
  func start(_ account: Account, _ reason: RefreshReason) -> BootTime? {
    let now = clock.now
    guard lockState.isOpen, let session = account.session, account.mayRefresh(now: now),
      let project = project(of: account)
    else { return nil }
    update(account.name) { $0.queueRefresh(reason, now: now) }
    // A rename that fails leaves the account as it is, and the callers wait for its refresh.
    if account.isBeingRenamed { return nil }
    if let held = sleepHold, now < held { return held }
    let priority: RequestBudgets.Priority = reason.isAwaited || isAwaited(account) ? .caller : .background
    if let later = budgets.take(project.origin, priority, now: now) { return later }
    update(account.name) { $0.beginFlight(reason) }
    report(.counted(.tokenRefreshAttempted(reason)))
    submit(
      .refresh(
        RefreshAttempt(
          account: account.name, project: project, token: session.refresh, session: session.id,
          revision: account.revision,
          reason: reason, begun: now)))
    return nil
  }

  /// Retries failed refreshes and recomputes deadlines after a wake-up, a clock change, or a
  /// network change.
  package func worldChanged(_ event: KernelEvent) {
    if event == .clock { noteWake() }
    for name in accounts.keys { update(name) { $0.worldChanged(event, clock.now) } }
    wake.signal()
  }

  /// Applies a refresh outcome if the session has not changed since the request.
  func finish(_ attempt: RefreshAttempt, _ outcome: RefreshOutcome) async {
    let name = attempt.account
    do throws(CommitFailure) {
      switch outcome {
      case .refreshed(let session):
        try await commit(name, expecting: attempt.revision) { draft throws(AgentError) in
          note(attempt, outcome)
          refreshed(session, attempt, &draft)
        }
        await tokensRenewed(name)
        await noticeLinks(session.user, of: name, .elsewhere)
      case .fatal(let reason, let error):
        let end = try await commit(name, expecting: attempt.revision, readsRecord: reason.mayMeanNewerInStorage) {
          draft throws(AgentError) in
          note(attempt, outcome)
          return ended(reason, error, attempt, &draft)
        }
        if let end { await learnLimit(end) }
      case .transient(let error, let retryAfter):
        failed(attempt, outcome, RefreshFailure(kind: .transient, error: error, retryAfter: retryAfter))
      case .misconfigured(let error): failed(attempt, outcome, RefreshFailure(kind: .misconfigured, error: error))
      case .banned(let error): failed(attempt, outcome, RefreshFailure(kind: .banned, error: error))
      case .refused(let error): failed(attempt, outcome, RefreshFailure(kind: .refused, error: error))
      case .paused(let error): failed(attempt, outcome, RefreshFailure(kind: .paused, error: error))
      }
    } catch {
      await unapplied(attempt, outcome, error)
    }
    if let account = accounts[name] { announce(account) }
    resumeIdleWaiters()
    wake.signal()
  }

  private func unapplied(_ attempt: RefreshAttempt, _ outcome: RefreshOutcome, _ failure: CommitFailure) async {
    guard case .superseded = failure else {
      return waiters.resume(attempt.account, returning: .failure(failure.error(attempt.account)))
    }
    update(attempt.account) { $0.flightSuperseded(attempt.revision) }
    let session: Session? = if case .refreshed(let session) = outcome { session } else { nil }
    await late(session, of: attempt.session, attempt.revision, attempt.project)
  }

  /// A response that arrives after a sign-out, a sign-in or a lock changes nothing. The session that it
  /// carries is ended, unless an account still holds it.
  ///
  /// - Parameters:
  ///   - session: The session in the response, if any.
  ///   - id: of the session that the request was made for.
  func late(_ session: Session?, of id: String?, _ revision: Revision, _ project: Project) async {
    guard revision > epoch else {
      // The lock did not wait for this response. The server returns the same session again for the token
      // in the vault.
      return logger.notice("a response arrived after the vault was locked", metadata: ["project": "\(project.name)"])
    }
    let isHeld = id != nil && accounts.values.contains { $0.newest?.id == id }
    guard let session, !isHeld else { return }
    await discard(session, of: project)
  }

  // MARK: - Refreshed

  private func refreshed(_ session: Session, _ attempt: RefreshAttempt, _ draft: inout Draft) {
    guard let account = draft.account, let old = account.session, session.user.id == old.user.id else {
      let error = AuthError(.unreadable, "the server returned another user's session")
      return failed(attempt.account, RefreshFailure(kind: .misconfigured, error: error))
    }
    noteServerClock(session, attempt.account)
    var new = old.refreshed(by: session, asked: attempt.begun, clock: clock)
    new.user = account.updated(old.user, by: session.user, asked: attempt.begun)
    new.replacesRefused = account.isTokenRefused ? true : nil
    take(new, instead: old, &draft)
  }

  /// `moment` is the approximate time of the response; nil means now.
  func noteServerClock(_ session: Session, _ name: String, at moment: BootTime? = nil) {
    guard let date = session.serverDate else { return }
    update(name) { $0.noteServerClock(Int64(date.timeIntervalSince1970), now: moment ?? clock.now) }
  }

  /// Continues an account's session with new tokens. If they cannot be stored, they are kept in
  /// memory, and the write is retried.
  ///
  /// - Parameter isVerified: True for the answer to a verification of a second factor.
  func take(_ new: StoredSession, instead old: StoredSession, isVerified: Bool = false, _ draft: inout Draft) {
    guard let name = draft.account?.name else { return }
    let (clock, policy) = (clock, policy)
    draft.change {
      $0.refreshed(new, received: new.received.bootTime(on: clock), now: clock.now, policy: policy)
    }
    draft.ifUnstored = .becomes {
      $0.refreshedUnsaved(new, isVerified: isVerified, error: $1, now: clock.now)
    }
    draft.then = { [self] in
      tellTokens(new, name, instead: old, isVerified: isVerified)
      if new.user != old.user { tell(.userUpdated, name) }
      waiters.resume(name, returning: .success(()))
      askForStaleProfile(name)
      // Only an accepted token may cause another refresh when it is refused.
      if new.replacesRefused == true, let account = accounts[name] { askServer(about: account) }
    }
  }

  /// What follows new tokens outside the account.
  func tokensRenewed(_ name: String) async {
    await revocations.tokenRenewed(name)
    if let session = accounts[name]?.session { await forgetOutlivedLimits(session) }
  }

  /// Retries a failed write.
  func retryStore(_ name: String) async {
    guard let account = accounts[name], let unsaved = account.unsaved, let old = account.session else { return }
    // A refresh of an unchanged session may be in flight meanwhile.
    guard unsaved.accessToken != old.accessToken else { return await rewrite(name) }
    do throws(CommitFailure) {
      try await commit(name, expecting: account.revision) { draft throws(AgentError) in
        guard let account = draft.account, let unsaved = account.unsaved, let old = account.session else { return }
        take(unsaved, instead: old, isVerified: account.isUnsavedVerified, &draft)
      }
      await tokensRenewed(name)
    } catch {
      waiters.resume(name, returning: .failure(error.error(name)))
    }
  }

  // MARK: - Failed

  private func failed(_ attempt: RefreshAttempt, _ outcome: RefreshOutcome, _ failure: RefreshFailure) {
    guard let account = accounts[attempt.account], account.isCurrent(attempt.revision) else { return }
    note(attempt, outcome)
    failed(attempt.account, failure)
  }

  private func failed(_ name: String, _ failure: RefreshFailure) {
    guard let account = accounts[name] else { return }
    let pause = policy.pause(after: failure, step: account.backoffStep + 1)
    let error = AgentError.from(failure.error, account: name)
    // A server that cannot be reached takes no refusal back.
    let refusal = failure.kind == .transient ? account.refusal : SessionRefusal(failure.error.code)
    update(name) { $0.refreshFailed(error, pause: pause, refusal: refusal, now: clock.now) }
    if failure.error.code == .rateLimited, let project = project(of: account) {
      budgets.empty(project.origin, now: clock.now)
    }
    logger.warning("refresh failed", metadata: JournalEvent.refreshFailed.with(metadata(name, failure.error)))
    if pause.kind != .quick { waiters.resume(name, returning: .failure(error)) }
  }
}

/// Ends of sessions by the server.
extension Accounts {
  /// Ends the session, unless the vault holds a newer one.
  ///
  /// - Returns: The session that ended, and why.
  func ended(
    _ reason: FatalReason, _ error: AuthError, _ attempt: RefreshAttempt, _ draft: inout Draft
  ) -> EndedByServer? {
    guard let account = draft.account, let session = account.session else { return nil }
    let name = account.name
    // If this write fails, the next start finds the session ended again.
    draft.ifUnstored = .isKept
    if let newer = draft.stored?.session, newer.refreshToken != attempt.token.exposed {
      take(newer, instead: session, &draft)
      return nil
    }
    // The server names a deleted user's token only as unknown.
    let reason = account.isUserGone && reason.endReason == .endedElsewhere ? .userNotFound : reason
    let words = VerificationMessages.end(reason, session)
    let end = StoredEnd(
      at: clock.wall, reason: words, userID: session.user.id, email: session.user.email, kind: reason.endReason,
      aliveAt: session.received.wall, isAnonymous: session.user.isAnonymous)
    draft.change { $0.end(end) }
    draft.then = { [self] in
      logger.notice("session ended by the server", metadata: JournalEvent.sessionEnded.with(metadata(name, error)))
      tell(.signedOut, name, reason: words)
      report(.sessionEnded(account: name, reason: words))
      waiters.resume(name, returning: .failure(signInNeeded(name)))
    }
    return EndedByServer(session: session, reason: reason.endReason, at: end.at)
  }
}

struct EndedByServer {
  let session: StoredSession
  let reason: SessionEndReason
  let at: Timestamp
}

/// Limits for sessions.
extension Accounts {
  func learnLimit(_ end: EndedByServer) async {
    guard let life = life(of: end.session, at: end.at) else { return }
    await changeLimits(of: end.session.origin) { $0.note(end.reason, life: life) }
  }

  func forgetOutlivedLimits(_ session: StoredSession) async {
    guard let life = life(of: session, at: session.received.wall) else { return }
    await changeLimits(of: session.origin) { $0.outlived(life: life, isLowAssurance: session.needsSecondFactor) }
  }

  /// Seconds from the session's start to `moment`, if they are known. Not to the current time: the
  /// account's writes come first, and may take long.
  private func life(of session: StoredSession, at moment: Timestamp) -> Int? {
    session.startedAt.flatMap { Int(exactly: moment.unixSeconds - $0.unixSeconds) }
  }

  /// Keeps the change also if it cannot be stored.
  private func changeLimits(of origin: String, _ change: (inout LearnedLimits) -> Bool) async {
    // Most refreshes change nothing.
    var copy = settings
    guard lockState.isOpen, copy.changeLimits(of: origin, change) else { return }
    do {
      try await changeSettings(isKept: true) { _ = $0.changeLimits(of: origin, change) }
    } catch {
      logger.error("a learned limit could not be stored", metadata: ["kind": "\(error.kind.rawValue)"])
    }
  }
}
