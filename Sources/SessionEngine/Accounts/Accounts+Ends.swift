import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// Ends of sessions by the server (TK-6, SL-1).
extension Accounts {
  /// Ends the session, unless the vault holds a newer one. Called inside the write gate.
  func applyFatal(
    _ reason: FatalReason, _ error: AuthError, _ attempt: RefreshAttempt, _ account: Account
  ) async {
    if reason.mayMeanNewerInStorage, await takeNewer(than: attempt, account) { return }
    // A lock may have come first; the unlock asks the server again.
    guard attempt.locks == locks, let session = account.session else { return }
    // The server names a deleted user's token only as unknown.
    let reason = account.isUserGone && reason.endReason == .endedElsewhere ? .userNotFound : reason
    let words = VerificationMessages.end(reason, session)
    let end = StoredEnd(
      at: clock.wall, reason: words, userID: session.user.id, email: session.user.email, kind: reason.endReason,
      aliveAt: session.received.wall, isAnonymous: session.user.isAnonymous)
    accounts[account.name]?.end(end)
    tokens.publish(nil, for: account.name)
    // If this write fails, the next start finds the session ended again.
    await storeRecord(account.name)
    logger.notice(
      "session ended by the server", metadata: JournalEvent.sessionEnded.with(metadata(account.name, error)))
    tell(.signedOut, account.name, reason: words)
    report(.sessionEnded(account: account.name, reason: words))
    let needed = AgentError(.signInNeeded, hint: signInCommand(account.name), account: account.name)
    waiters.resume(account.name, returning: .failure(needed))
    await learnLimit(reason.endReason, of: session, endedAt: end.at)
    // The token that could have ended the user's other sessions is gone.
    _ = await revocations.takeOthers(of: account.name)
  }

  /// Checks whether the vault holds a newer token than the one sent. If so, uses it and ends
  /// nothing.
  private func takeNewer(than attempt: RefreshAttempt, _ account: Account) async -> Bool {
    guard let stored = try? await store().load(account.name), let session = stored.session,
      session.refreshToken != attempt.token.exposed, attempt.locks == locks
    else { return false }
    let received = session.received.bootTime(on: clock)
    accounts[account.name]?.refreshed(session, received: received, now: clock.now, policy: policy)
    publish(session, of: account.name, received: received)
    waiters.resume(account.name, returning: .success(()))
    return true
  }
}

/// Limits for sessions (SL-2).
extension Accounts {
  /// Learns a limit of the server from a session that it ended.
  private func learnLimit(_ reason: SessionEndReason, of session: StoredSession, endedAt end: Timestamp) async {
    guard let life = life(of: session, at: end) else { return }
    await changeLimits(of: session.origin) { $0.note(reason, life: life) }
  }

  /// Forgets the limits of the server that a session has outlived.
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
