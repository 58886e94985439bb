import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// Ends of sessions by the server (TK-6, SL-1).
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
      waiters.resume(
        name, returning: .failure(AgentError(.signInNeeded, hint: signInCommand(name), account: name)))
    }
    return EndedByServer(session: session, reason: reason.endReason, at: end.at)
  }
}

/// A session that the server ended.
struct EndedByServer {
  let session: StoredSession
  let reason: SessionEndReason
  let at: Timestamp
}

/// Limits for sessions (SL-2).
extension Accounts {
  /// Learns a limit of the server from a session that it ended.
  func learnLimit(_ end: EndedByServer) async {
    guard let life = life(of: end.session, at: end.at) else { return }
    await changeLimits(of: end.session.origin) { $0.note(end.reason, life: life) }
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
