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
    accounts[name]?.beginWriteRetry()
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
    guard lockState.isOpen, !renaming.contains(account.name), let session = account.session,
      account.mayRefresh(now: now),
      let project = project(of: account)
    else { return nil }
    accounts[account.name]?.queueRefresh(reason, now: now)
    if let held = sleepHold, now < held { return held }
    let priority: RequestBudgets.Priority = reason.isAwaited || isAwaited(account) ? .caller : .background
    if let later = budgets.take(project.origin, priority, now: now) { return later }
    accounts[account.name]?.beginFlight(reason)
    report(.counted(.tokenRefreshAttempted(reason)))
    submit(
      .refresh(
        RefreshAttempt(
          account: account.name, project: project, token: session.refresh, generation: account.generation,
          reason: reason, begun: now, locks: locks)))
    return nil
  }

  /// Retries failed refreshes and recomputes deadlines after a wake-up, a clock change, or a
  /// network change.
  package func worldChanged(_ event: KernelEvent) {
    if event == .clock { noteWake() }
    for name in accounts.keys { accounts[name]?.worldChanged(event, clock.now) }
    wake.signal()
  }

  /// Applies a refresh outcome if the session has not changed since the request.
  func finish(_ attempt: RefreshAttempt, _ outcome: RefreshOutcome) async {
    let name = attempt.account
    await writeGate.enter(name)
    if attempt.locks != locks {
      // The lock did not wait for this response. The server returns the same session again for the
      // token in the vault.
      logger.notice("the response to a refresh arrived after the vault was locked", metadata: ["account": "\(name)"])
    } else if let account = accounts[name], account.isCurrent(attempt.generation) {
      note(attempt, outcome)
      await apply(outcome, of: attempt, to: account)
    } else {
      await supersede(attempt, outcome)
    }
    writeGate.leave(name)
    if let account = accounts[name] { announce(account) }
    resumeIdleWaiters()
    wake.signal()
  }

  private func apply(_ outcome: RefreshOutcome, of attempt: RefreshAttempt, to account: Account) async {
    switch outcome {
    case .refreshed(let session): await apply(session, to: account, asked: attempt.begun)
    case .fatal(let reason, let error): await applyFatal(reason, error, attempt, account)
    case .transient(let error, let retryAfter):
      failed(account, RefreshFailure(kind: .transient, error: error, retryAfter: retryAfter))
    case .misconfigured(let error): failed(account, RefreshFailure(kind: .misconfigured, error: error))
    case .banned(let error): failed(account, RefreshFailure(kind: .banned, error: error))
    case .refused(let error): failed(account, RefreshFailure(kind: .refused, error: error))
    case .paused(let error): failed(account, RefreshFailure(kind: .paused, error: error))
    }
  }

  // MARK: - Refreshed

  private func apply(_ session: Session, to account: Account, asked begun: BootTime) async {
    guard let old = account.session, session.user.id == old.user.id else {
      let error = AuthError(.unreadable, "the server returned another user's session")
      return failed(account, RefreshFailure(kind: .misconfigured, error: error))
    }
    noteServerClock(session, account.name)
    var new = old.refreshed(by: session, asked: begun, clock: clock)
    new.replacesRefused = account.isTokenRefused ? true : nil
    _ = await keep(new, of: account.name, instead: old)
    await noticeLinks(session.user, of: account.name, .elsewhere)
  }

  /// `moment` is the approximate time of the response; nil means now.
  func noteServerClock(_ session: Session, _ name: String, at moment: BootTime? = nil) {
    guard let date = session.serverDate else { return }
    accounts[name]?.noteServerClock(Int64(date.timeIntervalSince1970), now: moment ?? clock.now)
  }

  /// Stores the session, then publishes it (TK-7). Called inside the write gate.
  ///
  /// - Parameter isVerified: True for the answer to a verification of a second factor.
  /// - Returns: The error, if the session could not be stored and is kept in memory.
  func keep(
    _ new: StoredSession, of name: String, instead old: StoredSession, isVerified: Bool = false
  ) async -> AgentError? {
    let locks = self.locks
    do {
      try await save(new, of: name)
    } catch {
      guard locks == self.locks else { return error }
      logger.error("a refreshed session could not be stored; it is kept in memory", metadata: metadata(name, error))
      accounts[name]?.refreshedUnsaved(new, isVerified: isVerified, error: error, now: clock.now)
      waiters.resume(name, returning: .failure(error))
      return error
    }
    // After a lock, the unlock reads what was stored, and goes on from there.
    guard locks == self.locks else { return AgentError(.vaultLocked, account: name) }
    let received = new.received.bootTime(on: clock)
    accounts[name]?.refreshed(new, received: received, now: clock.now, policy: policy)
    publish(new, of: name, received: received)
    tellTokens(new, name, instead: old, isVerified: isVerified)
    if new.user != old.user { tell(.userUpdated, name) }
    waiters.resume(name, returning: .success(()))
    askForStaleProfile(name)
    // Only an accepted token may cause another refresh when it is refused.
    if new.replacesRefused == true, let account = accounts[name] { askServer(about: account) }
    await revocations.tokenRenewed(name)
    await discardUnconfirmed(name)
    await forgetOutlivedLimits(new)
    return nil
  }

  func save(_ session: StoredSession, of name: String) async throws(AgentError) {
    guard let account = accounts[name] else { throw AgentError(.vaultLocked, account: name) }
    var record = StoredAccount(name: name, project: account.project)
    record.session = session
    try await store().save(record)
  }

  /// Stores the account's record as it is in memory. After a failure, the next write makes up for it, at
  /// the latest that of a lock or a stop. Called inside the write gate, without an unsaved session.
  func storeRecord(_ name: String) async {
    guard let account = accounts[name] else { return }
    let locks = self.locks
    do {
      try await store().save(account.stored)
    } catch {
      guard locks == self.locks else { return }
      unwritten.insert(.account(name))
      logger.error("an account could not be stored", metadata: metadata(name, error))
    }
  }

  /// Retries a failed write.
  func retryStore(_ name: String) async {
    await writeGate.enter(name)
    if let account = accounts[name], let unsaved = account.unsaved, let old = account.session {
      if unsaved.accessToken == old.accessToken {
        await writeBack(unsaved, of: name)
      } else {
        _ = await keep(unsaved, of: name, instead: old, isVerified: account.isUnsavedVerified)
      }
    }
    writeGate.leave(name)
    if let account = accounts[name] { announce(account) }
    wake.signal()
  }

  /// Retries a failed write of an unchanged session. A refresh of the session may be in flight
  /// meanwhile.
  private func writeBack(_ session: StoredSession, of name: String) async {
    do {
      try await save(session, of: name)
    } catch {
      accounts[name]?.keepUnsaved(session, error: error, now: clock.now)
      return
    }
    accounts[name]?.writtenBack()
    await discardUnconfirmed(name)
  }

  /// Rewrites the record from memory after a failed write, which may have left the old or the new
  /// record in the vault (VA-5). If this fails too, the write is retried: with a session after a pause,
  /// else by a lock or a stop. Called inside the write gate.
  ///
  /// - Returns: Whether the record is durable.
  func rewriteRecord(_ name: String) async -> Bool {
    let locks = self.locks
    do {
      if let session = accounts[name]?.newest {
        try await save(session, of: name)
      } else if let account = accounts[name] {
        try await store().save(account.stored)
      } else {
        try await store().delete(account: name)
      }
      return true
    } catch {
      guard locks == self.locks else { return false }
      logger.error("a failed write could not be undone yet", metadata: metadata(name, error))
      if let session = accounts[name]?.newest {
        accounts[name]?.keepUnsaved(session, error: error, now: clock.now)
      } else {
        unwritten.insert(.account(name))
      }
      return false
    }
  }

  /// Ends the sessions that a crash could have left in the vault until now.
  func discardUnconfirmed(_ name: String) async {
    for (session, project) in unconfirmedSessions.removeValue(forKey: name) ?? [] {
      await discard(session, of: project)
    }
  }

  // MARK: - Failed

  private func failed(_ account: Account, _ failure: RefreshFailure) {
    let pause = policy.pause(after: failure, step: account.backoffStep + 1)
    let error = AgentError.from(failure.error, account: account.name)
    // A server that cannot be reached takes no refusal back.
    let refusal = failure.kind == .transient ? account.refusal : SessionRefusal(failure.error.code)
    accounts[account.name]?.refreshFailed(error, pause: pause, refusal: refusal, now: clock.now)
    if failure.error.code == .rateLimited, let project = project(of: account) {
      budgets.empty(project.origin, now: clock.now)
    }
    logger.warning(
      "refresh failed", metadata: JournalEvent.refreshFailed.with(metadata(account.name, failure.error)))
    if pause.kind != .quick { waiters.resume(account.name, returning: .failure(error)) }
  }

  // MARK: - Superseded

  /// Discards a response that arrives after a sign-out or a new sign-in, and ends the session it
  /// carries.
  private func supersede(_ attempt: RefreshAttempt, _ outcome: RefreshOutcome) async {
    accounts[attempt.account]?.flightSuperseded(attempt.generation)
    guard case .refreshed(let session) = outcome else { return }
    await discard(session, of: attempt.project)
  }
}
