package import AgentProtocol
import SupabaseAuth
import SystemSupport

/// Handing out tokens: what the hot path could not answer from memory.
extension Accounts {
  /// The token, refreshed first where it is too short-lived or was rejected. A caller waits 15 s at most.
  ///
  /// - Parameters:
  ///   - isUse: whether the vault is used, which puts its idle lock off. An error never does that.
  package func token(_ params: SessionToken.Params, isUse: Bool = true) async throws(AgentError) -> SessionToken.Result
  {
    let answer = try await answer(params)
    if isUse { tokens.use() }
    return answer
  }

  private func answer(_ params: SessionToken.Params) async throws(AgentError) -> SessionToken.Result {
    let name = try resolve(params.account).name
    if let rejected = params.rejected, !RejectedToken.isFingerprint(rejected) {
      throw AgentError(.invalidParams, "The rejected token is named by its SHA-256: 64 lowercase hex digits.")
    }
    let deadline = clock.now.advanced(by: RefreshPolicy.longestWait)
    while true {
      let account = try resolve(name)
      if let answer = tokens.answer(
        account: name, minTTL: params.minTTL, rejected: params.rejected, now: clock.now)
      {
        return answer.result
      }
      try refuseUnlessSignedIn(account)
      if isFresh(account) || isAsLongAsItGets(account, params),
        let answer = tokens.freshest(account: name, rejected: params.rejected, now: clock.now)
      {
        return answer.result
      }
      do {
        try await refreshNow(name, params.rejected == nil ? .demand : .rejected, until: deadline)
      } catch {
        return try stillGood(account: name, params, after: error)
      }
    }
  }

  /// A refresh now, unless one ended less than 5 s ago (TK-4).
  package func refresh(_ name: String?) async throws(AgentError) -> AccountStatus {
    let account = try resolve(name)
    try refuseUnlessSignedIn(account)
    if !isFresh(account) {
      let deadline = clock.now.advanced(by: RefreshPolicy.longestWait)
      try await refreshNow(account.name, .forced, until: deadline)
    }
    return describe(try resolve(account.name))
  }

  /// Which account and project an API request is for (TK-9), under the rule of the origin (SE-2).
  package func apiTarget(_ name: String?) throws(AgentError) -> (account: String, project: Project) {
    let account = try resolve(name)
    try refuseUnlessSignedIn(account)
    guard let project = project(of: account) else { throw misconfigured(account) }
    return (account.name, project)
  }

  /// A caller who named no minimum is better served by a token that lives a little than by none.
  private func stillGood(
    account name: String, _ params: SessionToken.Params, after error: AgentError
  ) throws(AgentError) -> SessionToken.Result {
    guard error.data.retryable, error.kind != .cancelled, params.minTTL == nil, params.rejected == nil,
      let answer = tokens.freshest(account: name, rejected: nil, now: clock.now), answer.expiresIn > 0
    else { throw error }
    return answer.result
  }

  private func refuseUnlessSignedIn(_ account: Account) throws(AgentError) {
    switch state(of: account) {
    case .unauthenticated:
      throw AgentError(
        .signInNeeded, "Nobody is signed in as \(account.name).", hint: signInCommand(account.name),
        account: account.name)
    case .signInNeeded:
      throw AgentError(.signInNeeded, hint: signInCommand(account.name), account: account.name)
    case .misconfigured: throw misconfigured(account)
    case .copied: throw AgentError(.vaultCopied, account: account.name)
    default: break
    }
  }

  func signInCommand(_ name: String) -> String { "ritualctl sign-in --account \(name)" }

  func misconfigured(_ account: Account) -> AgentError {
    let origin = account.session?.origin ?? "another address"
    return AgentError(
      .misconfigured, "The session belongs to \(origin), which the project \(account.project) does not name any more.",
      hint: "set url of [projects.\(account.project)] back, or sign in again", account: account.name)
  }

  /// Whether a refresh ended just now. One whose token comes to its end all the same, as a life of seconds does, serves
  /// nobody.
  private func isFresh(_ account: Account) -> Bool {
    guard let until = account.freshUntil, clock.now < until else { return false }
    return tokens.answer(account: account.name, minTTL: nil, rejected: nil, now: clock.now) != nil
  }

  /// Whether no refresh would bring more than the token has: a caller may ask for more life than there is (TK-4).
  private func isAsLongAsItGets(_ account: Account, _ params: SessionToken.Params) -> Bool {
    guard params.rejected == nil, let minTTL = params.minTTL, let session = account.session,
      let refreshed = account.lastRefresh
    else { return false }
    let life = session.life
    let slack = RefreshPolicy.usualMinimumLife(of: life)
    return minTTL > (life - slack).seconds && refreshed.duration(to: clock.now) < slack
  }

  // MARK: - Joining or starting a refresh

  /// Returns when a refresh ended well; joins the one that runs, else starts one (TK-3).
  private func refreshNow(_ name: String, _ reason: RefreshReason, until deadline: BootTime) async throws(AgentError) {
    try startUnlessRunning(try resolve(name), reason)
    try await waitForRefresh(of: name, until: deadline)
  }

  private func startUnlessRunning(_ account: Account, _ reason: RefreshReason) throws(AgentError) {
    if account.flight != nil || account.isBetweenQuickTries { return }
    let now = clock.now
    guard account.mayRefresh(now: now), isSpaced(account, now) else {
      let error = account.lastError ?? AgentError(.serviceUnavailable, account: account.name)
      throw error.retry(at: [account.notBefore, account.nextWrite].compactMap { $0 }.max(), now: now)
    }
    try allowForced(account, now)
    start(account, reason)
  }

  private func isSpaced(_ account: Account, _ now: BootTime) -> Bool {
    guard account.failures > 0, let last = account.lastTryEnded else { return true }
    return last.duration(to: now) >= RefreshPolicy.spacing
  }

  /// While the token lives, callers cannot have it renewed again and again: one of them would use up what all accounts
  /// of the origin have.
  private func allowForced(_ account: Account, _ now: BootTime) throws(AgentError) {
    guard account.failures == 0, tokens.freshest(account: account.name, rejected: nil, now: now) != nil,
      let later = accounts[account.name]?.takeForced(now: now)
    else { return }
    throw AgentError(
      .rateLimited, "The session was refreshed many times in a short while, and the server still gets refused tokens.",
      hint: "look why with: ritualctl why --account \(account.name)", account: account.name
    ).retry(at: later, now: now)
  }

  private func waitForRefresh(of name: String, until deadline: BootTime) async throws(AgentError) {
    // The refresh may be queued: one that a caller waits for goes first. The loop looks once this task waits.
    if accounts[name]?.wanted != nil { wake.signal() }
    let result: Result<Void, AgentError>
    do {
      result = try await waiters.wait(for: name, until: Deadline(moment: deadline, clock: clock))
    } catch .timedOut {
      throw AgentError(.timedOut, account: name)
    } catch {
      throw AgentError(.cancelled)
    }
    try result.get()
  }
}

extension AgentError {
  /// The same error with the time after which another try can help.
  fileprivate func retry(at moment: BootTime?, now: BootTime) -> AgentError {
    var error = self
    error.data.retryAfter = moment.map { max(1, now.duration(to: $0).seconds.rounded(.up)) }
    return error
  }
}
