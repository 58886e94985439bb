package import AgentProtocol
import SupabaseAuth
import SystemSupport

/// Issues tokens that the hot path cannot answer from memory.
extension Accounts {
  /// Returns the token, after a refresh if its remaining lifetime is too short or it was rejected.
  /// A caller waits 15 s at most.
  ///
  /// - Parameters:
  ///   - isUse: Whether the call counts as use of the vault, which postpones its idle lock. A failed
  ///     call never counts.
  package func token(_ params: SessionToken.Params, isUse: Bool = true) async throws(AgentError) -> SessionToken.Result
  {
    let handedOut = try await answer(params)
    try refuseBelow(params.assurance, handedOut)
    var answer = handedOut.result
    if params.endpoints == true { answer.endpoints = try endpoints(of: answer.account) }
    if isUse { tokens.use() }
    return answer
  }

  private func answer(_ params: SessionToken.Params) async throws(AgentError) -> TokenAnswer {
    let name = try resolve(params.account).name
    if let level = params.assurance, ![AccountAssurance.aal1, AccountAssurance.aal2].contains(level) {
      throw AgentError(.invalidParams, "`assurance` must be aal1 or aal2.")
    }
    if let rejected = params.rejected, !SessionToken.isFingerprint(rejected) {
      throw AgentError(.invalidParams, "`rejected` must be the token's SHA-256: 64 lowercase hex digits.")
    }
    let deadline = clock.now.advanced(by: RefreshPolicy.maxWait)
    while true {
      let account = try resolve(name)
      if let answer = tokens.answer(
        account: name, minTTL: params.minTTL, rejected: params.rejected, now: clock.now)
      {
        return answer
      }
      try refuseUnlessSignedIn(account)
      if isFresh(account) || isLifetimeAtMaximum(account, params),
        let answer = tokens.freshest(account: name, rejected: params.rejected, now: clock.now)
      {
        return answer
      }
      do {
        try await refreshNow(name, params.rejected == nil ? .demand : .rejected, until: deadline)
      } catch {
        return try stillGood(account: name, params, after: error)
      }
    }
  }

  /// Refreshes now, unless a refresh ended less than 5 s ago.
  package func refresh(_ name: String?) async throws(AgentError) -> AccountStatus {
    let account = try resolve(name)
    try refuseUnlessSignedIn(account)
    if !isFresh(account) {
      let deadline = clock.now.advanced(by: RefreshPolicy.maxWait)
      try await refreshNow(account.name, .forced, until: deadline)
    }
    return describe(try resolve(account.name))
  }

  /// The account and project of an API request. The project's origin must be the one that
  /// issued the session.
  package func apiTarget(_ name: String?) throws(AgentError) -> (account: String, project: Project) {
    let account = try resolve(name)
    try refuseUnlessSignedIn(account)
    guard let project = project(of: account) else { throw misconfigured(account) }
    return (account.name, project)
  }

  /// The account's project as it is configured now, whether or not the account is signed in.
  package func configuredProject(of name: String) throws(AgentError) -> Project? {
    projects.named(try resolve(name).project)
  }

  /// Without a requested minimum, a token with a short remaining lifetime is better than an error.
  private func stillGood(
    account name: String, _ params: SessionToken.Params, after error: AgentError
  ) throws(AgentError) -> TokenAnswer {
    // A refusal of the project leaves the token valid to its end.
    guard error.data.retryable || accounts[name]?.refusal != nil, error.kind != .cancelled, params.minTTL == nil,
      params.rejected == nil,
      let answer = tokens.freshest(account: name, rejected: nil, now: clock.now), answer.expiresIn > 0
    else { throw error }
    return answer
  }

  /// Judges the very token that would be handed out.
  private func refuseBelow(_ level: String?, _ answer: TokenAnswer) throws(AgentError) {
    guard level == AccountAssurance.aal2, answer.entry.assurance != AccountAssurance.aal2 else { return }
    throw secondFactorNeeded(answer.entry.account)
  }

  func refuseUnlessSignedIn(_ account: Account) throws(AgentError) {
    switch state(of: account) {
    case .unauthenticated:
      throw AgentError(
        .signInNeeded, "Account \(account.name) is not signed in.", hint: signInCommand(account.name),
        account: account.name)
    case .signInNeeded:
      throw signInNeeded(account.name)
    case .misconfigured: throw misconfigured(account)
    case .copied: throw AgentError(.vaultCopied, account: account.name)
    case .formatTooNew: throw later(account.name)
    default: break
    }
  }

  /// The error for an account whose record a later version of the agent wrote.
  func later(_ name: String) -> AgentError {
    AgentError(
      .formatTooNew, "A newer ritual-agent wrote the record of account \(name), which was not changed.",
      hint: "update ritual-agent", account: name)
  }

  func signInNeeded(_ name: String) -> AgentError {
    AgentError(.signInNeeded, hint: signInCommand(name), account: name)
  }

  func signInCommand(_ name: String) -> String { "ritualctl sign-in --account \(name)" }

  func misconfigured(_ account: Account) -> AgentError {
    let origin = account.session?.origin ?? "another URL"
    return AgentError(
      .misconfigured, "The session belongs to \(origin), which is no longer the URL of project \(account.project).",
      hint: "restore url in [projects.\(account.project)], or sign in again", account: account.name)
  }

  /// True if a refresh has just ended and its token still has the default minimum lifetime. A token
  /// with a lifetime of seconds may not.
  private func isFresh(_ account: Account) -> Bool {
    guard let until = account.freshUntil, clock.now < until else { return false }
    return tokens.answer(account: account.name, minTTL: nil, rejected: nil, now: clock.now) != nil
  }

  /// True if a refresh would not bring a longer lifetime: a caller may ask for more than the server
  /// grants.
  private func isLifetimeAtMaximum(_ account: Account, _ params: SessionToken.Params) -> Bool {
    guard params.rejected == nil, let minTTL = params.minTTL, let session = account.session,
      let refreshed = account.lastRefresh
    else { return false }
    let life = session.life
    let slack = RefreshPolicy.defaultMinLifetime(of: life)
    return minTTL > (life - slack).seconds && refreshed.duration(to: clock.now) < slack
  }

  // MARK: - Joining or starting a refresh

  /// Returns when a refresh has succeeded. Joins the running refresh or starts one. The tokens
  /// of a verification that runs are as new as a refresh's.
  func refreshNow(_ name: String, _ reason: RefreshReason, until deadline: BootTime) async throws(AgentError) {
    let revision = try resolve(name).revision
    while try resolve(name).verification != nil {
      try await waitForRefresh(of: name, until: deadline)
      guard try resolve(name).revision == revision else { return }
    }
    try startUnlessRunning(try resolve(name), reason)
    try await waitForRefresh(of: name, until: deadline)
  }

  private func startUnlessRunning(_ account: Account, _ reason: RefreshReason) throws(AgentError) {
    if account.flight != nil || account.isBetweenQuickAttempts { return }
    let now = clock.now
    if account.isHeld(now) {
      throw VerificationMessages.held(account.name).retry(at: account.heldUntil, now: now)
    }
    guard account.mayRefresh(now: now), isSpaced(account, now) else {
      let error = account.lastError ?? AgentError(.serviceUnavailable, account: account.name)
      throw error.retry(at: [account.notBefore, account.nextWrite].compactMap { $0 }.max(), now: now)
    }
    try allowForced(account, now)
    start(account, reason)
  }

  private func isSpaced(_ account: Account, _ now: BootTime) -> Bool {
    guard account.failures > 0, let last = account.lastAttemptEnded else { return true }
    return last.duration(to: now) >= RefreshPolicy.spacing
  }

  /// While the token is valid, limits forced refreshes: one caller must not use up the budget of
  /// all accounts of the origin.
  private func allowForced(_ account: Account, _ now: BootTime) throws(AgentError) {
    guard account.failures == 0, tokens.freshest(account: account.name, rejected: nil, now: now) != nil,
      let later = update(account.name, { $0.takeForced(now: now) }) ?? nil
    else { return }
    throw AgentError(
      .rateLimited, "The session was refreshed too often in a short time, and its tokens are still rejected.",
      hint: "to see the reason: ritualctl why --account \(account.name)", account: account.name
    ).retry(at: later, now: now)
  }

  private func waitForRefresh(of name: String, until deadline: BootTime) async throws(AgentError) {
    // A queued refresh moves ahead of others once a caller waits for it. The loop sees the waiter
    // after this task suspends.
    if accounts[name]?.queuedReason != nil { wake.signal() }
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
  /// This error with the time after which a retry can succeed.
  func retry(at moment: BootTime?, now: BootTime) -> AgentError {
    var error = self
    error.data.retryAfter = moment.map { max(1, now.duration(to: $0).seconds.rounded(.up)) }
    return error
  }
}
