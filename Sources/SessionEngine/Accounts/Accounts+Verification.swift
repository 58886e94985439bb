import AgentConfiguration
package import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// The verification of a second factor.
///
/// Invariant: a session is never lost by a verification whose answer is lost. Therefore a durable
/// marker precedes each one, and while a verification runs or its marker stands, no refresh starts:
/// the old refresh token would end the session. The old access token stays good for another
/// verification, with a new code, until it expires.
extension Accounts {
  /// Raises the session to `aal2`. The engine performs the verification, so that the caller's
  /// disconnect changes nothing. Every other session of the user without a second factor ends.
  /// - Parameter maxAttempts: the maximum number of codes of the user in an hour.
  package func verifyFactor(
    _ params: MFAVerify.Params, maxAttempts: Int = SignInConfiguration().passwordAttemptsPerHour
  ) async throws(AgentError) -> AccountStatus {
    let handedIn = clock.now
    let code = try FactorCode(entered: params.code)
    let name = try apiTarget(params.account).account
    let (factor, userID) = try await chooseFactor(params.factor, of: name)
    let id = try await begin(
      factor, code, of: name, userID: userID, handedIn: handedIn, maxAttempts: maxAttempts)
    return try await outcome(of: id, name, handedIn: handedIn)
  }

  /// Starts the verification as soon as no rotation is in flight or of unknown outcome.
  private func begin(
    _ factor: AccountFactor, _ code: FactorCode, of name: String, userID: String, handedIn: BootTime, maxAttempts: Int
  ) async throws(AgentError) -> Revision {
    var hasRefreshed = false
    while true {
      let account = try resolve(name)
      try refuseUnlessSignedIn(account)
      guard let session = account.session, session.user.id == userID, let project = project(of: account) else {
        throw signInNeeded(name)
      }
      guard account.verification == nil else {
        throw AgentError(.flowBusy, "A verification is already running for this account.", account: name)
      }
      try requireAwake(name)
      if account.mayVerify(remaining: remaining(account), hasRefreshed: hasRefreshed, now: clock.now) {
        let phoneChallenge = try phoneChallenge(for: factor, of: account)
        try takeVerification(name)
        let attempt = try attempts.begin(
          [.code], address: userID, of: project, isKnown: true, maxGuesses: maxAttempts, account: name, now: clock.now)
        // Up to here since the state was read, nothing was awaited.
        let id = Revision()
        update(name) { $0.beginVerification(id) }
        submit(
          .verify(
            VerificationAttempt(
              id: id, account: name, project: project, token: session.bearer, session: session.id,
              factor: factor, code: code, counted: attempt, handedIn: handedIn, phoneChallenge: phoneChallenge,
              asked: clock.now)))
        return id
      }
      guard !hasRefreshed else {
        throw account.lastError ?? AgentError(.serviceUnavailable, account: name)
      }
      let last = handedIn.advanced(by: VerificationPolicy.maxWait)
      try await refreshNow(name, .demand, until: min(last, clock.now.advanced(by: RefreshPolicy.maxWait)))
      hasRefreshed = true
    }
  }

  /// A rename moves the account to another name, and during a sleep an answer would be lost.
  private func requireAwake(_ name: String) throws(AgentError) {
    guard accounts[name]?.isBeingRenamed != true, !isHeldForSleep else {
      throw AgentError(.notReady, "The account is not ready for this. Please try again.", account: name)
    }
  }

  private var isHeldForSleep: Bool { sleepHold.map { clock.now < $0 } ?? false }

  private func takeVerification(_ name: String) throws(AgentError) {
    guard let later = update(name, { $0.takeVerification(now: clock.now) }) ?? nil else { return }
    throw AgentError(
      .rateLimited, "Too many codes were tried in a short time.", account: name
    ).retry(at: later, now: clock.now)
  }

  private func remaining(_ account: Account) -> Duration {
    guard let session = account.session, let received = account.received else { return .zero }
    return clock.now.duration(to: received.advanced(by: session.life))
  }

  private func phoneChallenge(for factor: AccountFactor, of account: Account) throws(AgentError) -> String? {
    guard factor.type == AccountFactor.phone else { return nil }
    guard let challenge = account.phoneChallenge, challenge.factor == factor.id,
      challenge.userID == account.userID, clock.now < challenge.ends
    else {
      throw AgentError(
        .invalidParams, "No code was sent to this phone, or it has expired. Request a code first.",
        hint: VerificationMessages.command(account.name) + " --factor \(factor.id)", account: account.name)
    }
    return challenge.id
  }

  /// Waits for the engine. The verification goes on if the caller does not.
  private func outcome(of id: Revision, _ name: String, handedIn: BootTime) async throws(AgentError) -> AccountStatus {
    let result: Result<AccountStatus, AgentError>
    do {
      result = try await verificationWaiters.wait(
        for: "\(id)", until: clock.deadline(after: VerificationPolicy.maxWait - handedIn.duration(to: clock.now)))
    } catch .timedOut {
      throw AgentError(
        .timedOut, "The server has not answered yet. The verification goes on.",
        hint: "ritualctl status --account \(name)", account: name)
    } catch {
      throw AgentError(.cancelled)
    }
    return try result.get()
  }

  /// Waits for the end of the account's running verification, for which `verifyFactor` did not wait.
  /// - Returns: its result; nil if none is running, or the wait was cancelled.
  package func lateVerification(_ name: String) async -> Result<AccountStatus, AgentError>? {
    guard let id = accounts[name]?.verification?.id else { return nil }
    return try? await verificationWaiters.wait(for: "\(id)")
  }

  // MARK: - Before sending

  /// Makes the marker durable. The only place after which a verification is sent.
  ///
  /// - Returns: The challenge; nil if the verification has ended.
  func prepare(_ attempt: VerificationAttempt, _ challenge: Result<String, AuthError>) async -> String? {
    let name = attempt.account
    switch challenge {
    case .failure(let error):
      let refusal = refusal(error, attempt)
      attempts.withdraw(attempt.counted)
      try? await commit(name) { draft throws(AgentError) in applyRefusedChallenge(error, of: attempt, &draft) }
      end(attempt, .failure(refusal))
      return nil
    case .success(let challenge):
      do throws(AgentError) {
        try await mark(attempt)
        return challenge
      } catch {
        attempts.withdraw(attempt.counted)
        end(attempt, .failure(error))
        return nil
      }
    }
  }

  /// A session that the server no longer knows shows at the challenge, which comes first.
  private func applyRefusedChallenge(_ error: AuthError, of attempt: VerificationAttempt, _ draft: inout Draft) {
    guard let account = current(attempt) else { return }
    switch VerificationOutcome(.failure(error)) {
    case .sessionGone:
      clearMarker(&draft)
      // There is nothing left to lose.
      draft.ifUnstored = .isKept
      draft.then = { [self] in refreshAfter(attempt) }
    case .refused where error.code == .badJWT && !account.isInDoubt:
      if update(attempt.account, { $0.tokenRefused() }) == true { refreshAfter(attempt) }
    // The known list of factors is too old.
    case .refused where error.serverCode == "mfa_factor_not_found": askServer(about: account)
    default: break
    }
  }

  /// Stores the marker.
  ///
  /// - Throws: Why nothing is sent.
  private func mark(_ attempt: VerificationAttempt) async throws(AgentError) {
    let name = attempt.account
    try await committed(name) { draft throws(AgentError) in
      try requireSendable(attempt)
      guard let session = draft.account?.session, draft.account?.marker == nil else { return }
      let marker = StoredVerification(factor: attempt.factor.id, at: clock.wall, token: session.fingerprint)
      let received = draft.account?.received
      draft.change { [clock] in $0.marked(marker, until: session.lastChance(received: received) ?? clock.now) }
    }
    do throws(AgentError) { try requireSendable(attempt) } catch {
      // Nothing was sent yet.
      try? await commit(name) { draft throws(AgentError) in
        if current(attempt)?.isInDoubt == false { clearMarker(&draft) }
      }
      throw error
    }
  }

  private func requireSendable(_ attempt: VerificationAttempt) throws(AgentError) {
    let name = attempt.account
    guard let account = current(attempt), lockState.isOpen else { throw ended(attempt) }
    if attempt.isStale(clock.now) { throw AgentError(.timedOut, account: name) }
    if account.unsaved != nil { throw account.lastError ?? AgentError(.vaultUnavailable, account: name) }
  }

  /// The account, if the verification still is its own: no sign-out, sign-in or lock came first.
  private func current(_ attempt: VerificationAttempt) -> Account? {
    accounts[attempt.account].flatMap { $0.isVerifying(attempt.id) ? $0 : nil }
  }

  private func ended(_ attempt: VerificationAttempt) -> AgentError {
    guard attempt.id > epoch, lockState.isOpen else { return AgentError(.vaultLocked, account: attempt.account) }
    guard accounts[attempt.account] != nil else { return gone(attempt.account) }
    return AgentError(
      .signInNeeded, "The session was replaced or ended during the verification.",
      hint: signInCommand(attempt.account), account: attempt.account)
  }

  /// If the write fails, it is retried, and no refresh starts before it succeeds: after a crash, the marker in the vault
  /// would mean that nothing was refreshed since.
  private func clearMarker(_ draft: inout Draft, refreshes: Bool = false) {
    guard draft.account?.marker != nil else { return }
    draft.change { $0.unmarked() }
    draft.ifUnstored = .becomes { [clock] account, error in
      account.unmarked()
      if let session = account.newest { account.keepUnsaved(session, error: error, now: clock.now) }
      if refreshes { account.queueRefresh(.rejected, now: clock.now) }
    }
  }

  // MARK: - After sending

  /// Applies the response.
  ///
  /// - Returns: True if the same code is to be sent once more, with a new challenge.
  func finish(_ attempt: VerificationAttempt, _ result: Result<Session, AuthError>, isStopping: Bool) async -> Bool {
    let name = attempt.account
    let end: Result<AccountStatus, AgentError>
    var refusal: AgentError?
    do throws(CommitFailure) {
      let next = try await commit(name) { draft throws(AgentError) in
        guard current(attempt) != nil else { throw ended(attempt) }
        let next = apply(result, of: attempt, isStopping: isStopping, &draft)
        if case .refused(let error) = next { refusal = error }
        return next
      }
      switch next {
      case .again: return true
      case .refused(let error): end = .failure(error)
      case .verified(let session):
        let status = accounts[name].map(describe)
        await tokensRenewed(name)
        await noticeLinks(session.user, of: name, .elsewhere)
        for other in lowerAccounts(than: name) { askServer(about: other) }
        end = if let status { .success(status) } else { .failure(gone(name)) }
      }
    } catch {
      if case .unstored(let error) = error {
        waiters.resume(name, returning: .failure(error))
        end = .failure(refusal ?? error)
      } else {
        await supersede(attempt, result)
        end = .failure(ended(attempt))
      }
    }
    switch result {
    case .success: attempts.guessed(attempt.counted)
    case .failure(let error): attempts.failed(attempt.counted, error)
    }
    self.end(attempt, end)
    return false
  }

  private enum Next {
    case again
    case refused(AgentError)
    case verified(Session)
  }

  private func apply(
    _ result: Result<Session, AuthError>, of attempt: VerificationAttempt, isStopping: Bool, _ draft: inout Draft
  ) -> Next {
    let name = attempt.account
    forgetPhoneChallenge(attempt, result)
    switch VerificationOutcome(result) {
    case .verified(let session):
      guard let account = draft.account, let old = account.session, session.user.id == old.user.id else {
        let error = AuthError(.unreadable, "the server returned another user's session")
        let lost = VerificationMessages.lost(explained(error, name), name)
        update(name) { $0.verificationInDoubt(lost) }
        return .refused(lost)
      }
      noteServerClock(session, name)
      update(name) { $0.secondFactorNoticeAt = nil }
      report(.factor(account: name, .verified, type: attempt.factor.type))
      var new = old.refreshed(by: session, asked: attempt.asked, clock: clock)
      new.user = account.updated(old.user, by: session.user, asked: attempt.asked)
      take(new, instead: old, isVerified: true, &draft)
      return .verified(session)
    case .unknown(let error):
      update(name) { $0.verificationInDoubt(nil) }
      logger.warning("the outcome of a verification is unknown", metadata: metadata(name, error))
      if mayRepeat(attempt, error), !isStopping { return .again }
      let lost = VerificationMessages.lost(explained(error, name), name)
      update(name) { $0.verificationInDoubt(lost) }
      return .refused(lost)
    case .refused(let error):
      let refusal = refusal(error, attempt)
      guard accounts[name]?.isInDoubt == false else { return .refused(refusal) }
      let refreshes = error.code == .badJWT && update(name) { $0.tokenRefused() } == true
      clearMarker(&draft, refreshes: refreshes)
      if refreshes { draft.then = { [self] in refreshAfter(attempt) } }
      return .refused(refusal)
    case .sessionGone(let error):
      clearMarker(&draft)
      draft.ifUnstored = .isKept
      draft.then = { [self] in refreshAfter(attempt) }
      return .refused(secondFactorError(error, name))
    }
  }

  func tellTokens(_ new: StoredSession, _ name: String, instead old: StoredSession, isVerified: Bool) {
    // A refresh raises the level only if it brought the lost answer of a verification.
    if isVerified || new.level > old.level {
      tell(.mfaChallengeVerified, name)
    } else if new.refreshToken != old.refreshToken {
      tell(.tokenRefreshed, name)
    }
    if new.level < old.level {
      tell(.stateChanged, name, reason: "the session's second factor no longer counts")
    }
  }

  private func mayRepeat(_ attempt: VerificationAttempt, _ error: AuthError) -> Bool {
    !attempt.isPhone && !error.isOwnEnd && lockState.isOpen && attempt.sends < VerificationPolicy.maxSends
      && !isHeldForSleep && attempt.handedIn.duration(to: clock.now) < VerificationPolicy.codeLife
  }

  /// A challenge stays usable after a refusal that does not concern it, such as a wrong code.
  private func forgetPhoneChallenge(_ attempt: VerificationAttempt, _ result: Result<Session, AuthError>) {
    guard attempt.isPhone, accounts[attempt.account]?.phoneChallenge?.id == attempt.phoneChallenge else { return }
    if case .refused(let error) = VerificationOutcome(result),
      !["mfa_challenge_expired", "mfa_factor_not_found"].contains(error.serverCode)
    {
      return
    }
    update(attempt.account) { $0.phoneChallenge = nil }
  }

  private func supersede(_ attempt: VerificationAttempt, _ result: Result<Session, AuthError>) async {
    guard case .success(let session) = result else { return }
    await late(session, of: attempt.session, attempt.id, attempt.project)
    // The verification ended every other session without a second factor, also a newer one of this account.
    if attempt.id > epoch, let account = accounts[attempt.account] { askServer(about: account) }
  }

  /// Ends the verification, resumes its caller and the callers that waited for a refresh.
  private func end(_ attempt: VerificationAttempt, _ result: Result<AccountStatus, AgentError>) {
    let name = attempt.account
    if current(attempt) != nil {
      update(name) { $0.endVerification() }
      waiters.resume(name, returning: .success(()))
    }
    if attempt.id > epoch, let account = accounts[name] { announce(account) }
    verificationWaiters.resume("\(attempt.id)", returning: result)
    resumeIdleWaiters()
    wake.signal()
  }

  /// Refreshes as soon as the verification has ended, so that the session's state is true.
  private func refreshAfter(_ attempt: VerificationAttempt) {
    guard current(attempt) != nil else { return }
    update(attempt.account) { $0.endVerification() }
    if let account = accounts[attempt.account] { start(account, .rejected) }
    // Callers that waited go on by themselves if nothing was started.
    if let account = accounts[attempt.account], account.flight == nil, account.queuedReason == nil {
      waiters.resume(attempt.account, returning: .success(()))
    }
  }

  private func refusal(_ error: AuthError, _ attempt: VerificationAttempt) -> AgentError {
    let refusal = secondFactorError(error, attempt.account)
    guard accounts[attempt.account]?.isInDoubt == true else { return refusal }
    return VerificationMessages.stillInDoubt(refusal, attempt.account)
  }
}
