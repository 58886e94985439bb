import AgentProtocol
import Logging
import SupabaseAuth

/// The refresher's side: what is due, and what an answer means for the session.
extension Accounts {
  /// Starts what is due and says when to come back; the engine calls it at least every 30 s.
  func tick() -> BootTime {
    let now = clock.now
    waiters.expire(now: now)
    for account in accounts.values { startIfDue(account, now) }
    let deadlines = accounts.values.flatMap { [$0.nextTry, $0.writeRetry?.at] }.compactMap { $0 }
    // What is due and could not start (no configured origin) waits for the tick.
    return ([waiters.nextDeadline].compactMap { $0 } + deadlines).filter { $0 > now }.min()
      ?? now.advanced(by: RefreshPolicy.tick)
  }

  private func startIfDue(_ account: Account, _ now: BootTime) {
    if let retry = account.writeRetry, retry.at <= now {
      accounts[account.name]?.beginWriteRetry()
      submit(.store(account: account.name))
    }
    if let due = account.nextTry, due <= now {
      start(account, account.failures > 0 ? .retry : .ahead)
    }
  }

  /// Applies the answer to a refresh, if the session is still the one that it was asked for.
  func finish(_ attempt: RefreshAttempt, _ outcome: RefreshOutcome) async {
    let name = attempt.account
    await enterGate(name)
    if let account = accounts[name], account.isCurrent(attempt.generation) {
      note(attempt, outcome)
      await apply(outcome, of: attempt, to: account)
    } else {
      await supersede(attempt, outcome)
    }
    leaveGate(name)
    if let account = accounts[name] { announce(account) }
    wake.signal()
  }

  private func apply(_ outcome: RefreshOutcome, of attempt: RefreshAttempt, to account: Account) async {
    switch outcome {
    case .refreshed(let session): await apply(session, to: account)
    case .fatal(let reason, let error): await applyFatal(reason, error, attempt, account)
    case .transient(let error, let retryAfter): failed(account, error, retryAfter: retryAfter)
    case .misconfigured(let error):
      failed(account, error, pause: RefreshPolicy.hopelessPause)
    case .banned(let error): failed(account, error, pause: RefreshPolicy.hopelessPause)
    case .paused(let error): failed(account, error, pause: RefreshPolicy.pausedPause)
    }
  }

  // MARK: - Refreshed

  private func apply(_ session: Session, to account: Account) async {
    guard let old = account.session, session.user.id == old.user.id else {
      let error = AuthError(.unreadable, "the server answered with the session of another user")
      return failed(account, error, pause: RefreshPolicy.hopelessPause)
    }
    await keep(old.refreshed(by: session, clock: clock), of: account.name, instead: old)
  }

  /// Durable first, then handed out (TK-7). Called inside the write gate.
  private func keep(_ new: StoredSession, of name: String, instead old: StoredSession) async {
    var record = StoredAccount(name: name, project: accounts[name]?.project ?? "")
    record.session = new
    do {
      try await store().save(record)
    } catch {
      logger.error("a refreshed session could not be stored; it is kept in memory", metadata: metadata(name, error))
      accounts[name]?.refreshedUnsaved(new, error: error, now: clock.now)
      return waiters.resume(name, .failure(error))
    }
    accounts[name]?.refreshed(new, now: clock.now, policy: policy)
    publish(new, of: name, received: new.received.boot)
    tell(.tokenRefreshed, name)
    if new.user != old.user { tell(.userUpdated, name) }
    waiters.resume(name, .success(()))
  }

  /// Tries a failed write again.
  func retryStore(_ name: String) async {
    await enterGate(name)
    if let account = accounts[name], let unsaved = account.unsaved, let old = account.session {
      await keep(unsaved, of: name, instead: old)
    }
    leaveGate(name)
    if let account = accounts[name] { announce(account) }
    wake.signal()
  }

  // MARK: - Failed

  private func failed(
    _ account: Account, _ error: AuthError, retryAfter: Duration? = nil, pause slow: Duration? = nil
  ) {
    let limited = error.code == .rateLimited && retryAfter == nil ? RefreshPolicy.limitedPause : nil
    let enforced = retryAfter ?? limited
    let pause =
      (enforced ?? slow).map { policy.spread($0) } ?? policy.pause(afterFailures: account.failures + 1)
    accounts[account.name]?.refreshFailed(
      AgentError.from(error, account: account.name), pause: pause, enforced: enforced != nil, now: clock.now)
    logger.warning("refresh failed", metadata: metadata(account.name, error))
    guard let now = accounts[account.name], slow != nil || enforced != nil || now.isDegraded else { return }
    waiters.resume(account.name, .failure(now.lastError ?? AgentError(.serviceUnavailable)))
  }

  // MARK: - Ended

  private func applyFatal(
    _ reason: FatalReason, _ error: AuthError, _ attempt: RefreshAttempt, _ account: Account
  ) async {
    if reason.mayMeanNewerInStorage, await takeNewer(than: attempt, account) { return }
    guard let session = account.session else { return }
    let end = StoredEnd(
      at: clock.wall, reason: reason.words, userID: session.user.id, email: session.user.email)
    accounts[account.name]?.end(end)
    tokens.publish(nil, for: account.name)
    if let ended = accounts[account.name] { await saveEnded(ended) }
    logger.notice("session ended by the server", metadata: metadata(account.name, error))
    tell(.signedOut, account.name, reason: reason.words)
    let needed = AgentError(.signInNeeded, hint: signInCommand(account.name), account: account.name)
    waiters.resume(account.name, .failure(needed))
  }

  /// A dead session that cannot be written down is found dead again after a restart: no more than a log line.
  private func saveEnded(_ account: Account) async {
    do {
      try await store().save(account.stored)
    } catch {
      logger.error("the end of a session could not be stored", metadata: metadata(account.name, error))
    }
  }

  /// The vault may hold a newer token than the one that was sent; then nothing ends.
  private func takeNewer(than attempt: RefreshAttempt, _ account: Account) async -> Bool {
    guard let stored = try? await store().load(account.name), let session = stored.session,
      session.refreshToken != attempt.token.exposed
    else { return false }
    accounts[account.name]?.refreshed(session, now: clock.now, policy: policy)
    publish(session, of: account.name, received: session.received.bootTime(on: clock))
    waiters.resume(account.name, .success(()))
    return true
  }

  // MARK: - Superseded

  /// A late answer, after a sign-out or a new sign-in, changes nothing; a session that it brings is ended.
  private func supersede(_ attempt: RefreshAttempt, _ outcome: RefreshOutcome) async {
    accounts[attempt.account]?.flightSuperseded(attempt.generation)
    guard case .refreshed(let session) = outcome else { return }
    await discard(session, of: attempt.project)
  }

  // MARK: - Asked in the background

  /// What the server said about a restored session. Only the refresh grant can end one, so a refusal causes a refresh.
  func checked(_ check: SessionCheck, _ result: Result<User, AuthError>) async {
    guard let account = accounts[check.account], account.isCurrent(check.generation) else { return }
    switch result {
    case .success(let user): await userSeen(user, account, check.generation)
    case .failure(let error) where error.status == 401 || error.status == 403: start(account, .start)
    case .failure: break
    }
  }

  private func userSeen(_ user: User, _ account: Account, _ generation: UInt64) async {
    guard let known = account.session?.user, user.id == known.id, known.updated(by: user) != known else { return }
    await enterGate(account.name)
    if accounts[account.name]?.isCurrent(generation) == true, accounts[account.name]?.unsaved == nil {
      accounts[account.name]?.userChanged(known.updated(by: user))
      if let changed = accounts[account.name] { try? await store().save(changed.stored) }
      tell(.userUpdated, account.name)
    }
    leaveGate(account.name)
  }
}
