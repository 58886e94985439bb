import AgentConfiguration
package import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// The state as shown to users and scripts.
extension Accounts {
  /// All accounts, sorted by name. Needs no network.
  package func list() -> [AccountStatus] {
    if case .locked(let known, _) = lockState { return known.statuses }
    return accounts.values.sorted { $0.name < $1.name }.map(describe)
  }

  /// `session.list`.
  ///
  /// - Throws: The reason why the vault cannot be read; `vaultLocked` if the vault is locked and
  ///   the names are unknown, because an empty list would mean that no account exists.
  package func listKnown() throws(AgentError) -> [AccountStatus] {
    guard case .locked(let known, let refusal) = lockState else {
      _ = try store()
      return list()
    }
    if let refusal, refusal.kind == .vaultDamaged || known.names.isEmpty { throw refusal }
    guard !known.names.isEmpty else {
      throw AgentError(.vaultLocked, "The vault is locked; names not known while locked.")
    }
    return known.statuses
  }

  package func status(_ name: String?) throws(AgentError) -> AccountStatus { describe(try resolve(name)) }

  /// Problems for the status: clock differences that users and certificate checks notice.
  package func clockComplaints() -> [String] {
    let skews = accounts.values.compactMap { account in account.clockSkew(clock).map { (account.project, $0) } }
    return Dictionary(skews) { abs($0) > abs($1) ? $0 : $1 }.filter { abs($0.value) > Self.shownSkew }
      .sorted { $0.key < $1.key }
      .map { project, skew in
        "this machine's clock is \(abs(skew)) s \(skew > 0 ? "behind" : "ahead of") the server of project "
          + "\(project); tokens are not affected. To fix it: timedatectl set-ntp true"
      }
  }

  /// Seconds. A response may take 12 s, and `Date` has a resolution of one second.
  private static let shownSkew: Int64 = 30

  /// Applies a new configuration: origins may have changed, and a refresh that could not succeed
  /// may now.
  package func configurationChanged() {
    for name in accounts.keys.sorted() {
      update(name) { $0.configurationChanged(clock.now) }
      guard let account = accounts[name] else { continue }
      publish(name)
      announce(account)
    }
    wake.signal()
  }

  /// Returns the next refresh, its reason, and the recent attempts (`ritualctl why`).
  package func explain(_ name: String?) throws(AgentError) -> SessionExplain.Result {
    let account = try resolve(name)
    let status = describe(account)
    return SessionExplain.Result(
      account: status, explanation: RefreshExplanation(account: account, status: status, clock: clock).sentences,
      tries: account.attempts)
  }
}

/// Events for subscribers and the journal.
extension Accounts {
  /// Subscribes a client. A tool that follows one account must not receive the tokens of others with it.
  /// - Throws: `invalidParams` for tokens of accounts that are not named; `unknownAccount`, and `vaultLocked` for any
  ///   name while the vault is locked.
  package func subscription(_ params: EventsSubscribe.Params) throws(AgentError) -> EventSubscription {
    guard params.tokens != true || params.accounts != nil else {
      throw AgentError(
        .invalidParams, "Tokens are sent only for accounts that are named.",
        hint: #"add the names of the accounts, such as "accounts": ["default"]"#)
    }
    guard params.accounts?.isEmpty != true else {
      throw AgentError(.invalidParams, "`accounts` is empty.", hint: "leave it out for the events of all accounts")
    }
    for name in params.accounts ?? [] { _ = try resolve(name) }
    return subscribe(params)
  }

  /// Subscribes to the current state, then every change. The names of accounts are followed through renames.
  package func subscribe(_ params: EventsSubscribe.Params) -> EventSubscription {
    let tokens = params.tokens ?? false
    let chosen = params.accounts.map { Set($0) }
    let present = list().filter { chosen?.contains($0.name) ?? true }.map { status in
      AgentEvent(
        sequence: events.sequence, type: .initialSession, at: clock.wall, account: status.name, status: status,
        token: tokens ? token(of: status.name) : nil)
    }
    return events.subscribe(
      since: params.since, accounts: chosen, tokens: tokens, at: clock.wall, present: present)
  }

  /// Publishes an event about an account, with the account's current state.
  func tell(_ type: EventType, _ name: String, reason: String? = nil) {
    guard let account = accounts[name] else { return }
    let state = state(of: account)
    update(name) {
      $0.announced = state
      $0.announcedRefusal = account.refusal
    }
    events.publish(
      type, at: clock.wall, account: name, status: describe(account), reason: reason, token: token(of: name))
  }

  /// Publishes `STATE_CHANGED` if the state, or the project's refusal to continue the session, differs
  /// from the one last published.
  func announce(_ account: Account) {
    let state = state(of: account)
    guard account.announced != state || account.announcedRefusal != account.refusal else { return }
    tell(.stateChanged, account.name, reason: account.lastError?.message)
  }

  /// Publishes that an approval request is pending, or no longer is.
  package func tell(_ type: EventType, _ approval: Approval) {
    events.publish(type, at: clock.wall, account: approval.account, approval: approval)
  }

  private func token(of name: String) -> SessionToken.Result? {
    tokens.freshest(account: name, rejected: nil, now: clock.now)?.result
  }

  func note(_ attempt: RefreshAttempt, _ outcome: RefreshOutcome) {
    let (word, error) = outcome.summary
    report(.refreshEnded(outcome: word, error: error.map { AgentError.from($0).kind }))
    let latency = attempt.begun.duration(to: clock.now).seconds
    update(attempt.account) {
      $0.note(
        RefreshTry(
          at: clock.wallTime(of: attempt.begun), reason: attempt.reason.rawValue, outcome: word,
          status: error == nil ? 200 : error?.status, error: error.map { AgentError.from($0).kind },
          latency: (latency * 1000).rounded() / 1000))
    }
    logger.info(
      "refresh",
      metadata: JournalEvent.refresh.with([
        "account": "\(attempt.account)", "reason": "\(attempt.reason.rawValue)", "outcome": "\(word)",
      ]))
  }

  func metadata(_ name: String, _ error: AgentError) -> Logger.Metadata {
    ["account": "\(name)", "kind": "\(error.kind.rawValue)", "detail": "\(error.data.hint ?? "")"]
  }

  func metadata(_ name: String, _ error: AuthError) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "account": "\(name)", "error": "\(error.code)", "kind": "\(AgentError.from(error).kind.rawValue)",
    ]
    if let status = error.status { metadata["status"] = "\(status)" }
    if let detail = error.connectionFailure { metadata["detail"] = "\(detail)" }
    if let code = error.serverCode { metadata["code"] = "\(ForeignText.shown(code, limit: 60))" }
    return metadata
  }
}

extension RefreshOutcome {
  var summary: (word: String, error: AuthError?) {
    switch self {
    case .refreshed: ("refreshed", nil)
    case .fatal(_, let error): ("ended", error)
    case .transient(let error, _): ("failed", error)
    case .misconfigured(let error): ("misconfigured", error)
    case .banned(let error): ("banned", error)
    case .refused(let error): ("refused", error)
    case .paused(let error): ("paused", error)
    }
  }
}

extension Account {
  /// The account's `status`. `configuredOrigin` is the project's currently configured origin, nil
  /// if there is none.
  func status(
    configuredOrigin: String?, isDefault: Bool, isSigningIn: Bool, usable: TokenAnswer?, limits: SessionLimits,
    clock: any AgentClock
  ) -> AccountStatus {
    AccountStatus(
      name: name, isDefault: isDefault, project: project, origin: session?.origin ?? configuredOrigin,
      state: state(configuredOrigin: configuredOrigin),
      activity: activity(isSigningIn: isSigningIn), tokenUsable: usable != nil,
      user: shownUser, identities: session?.user.identities ?? [],
      expiresAt: usable?.expiresAt ?? tokenEnd(clock), refresh: refreshStatus(clock), ended: endedSession,
      assurance: assurance, session: life(limits))
  }

  /// When the session started, when it is expected to end, and why it ended or is not continued.
  private func life(_ limits: SessionLimits) -> SessionLife {
    switch phase {
    case .unauthenticated: SessionLife(endReason: .signedOut)
    case .later: SessionLife()
    case .ended(let end): SessionLife(endReason: end.kind ?? .unknown)
    case .authenticated(let session): life(of: newest ?? session, limits)
    }
  }

  private func life(of session: StoredSession, _ limits: SessionLimits) -> SessionLife {
    let end = session.startedAt.flatMap { limits.end(of: $0, needsSecondFactor: session.needsSecondFactor) }
    return SessionLife(
      startedAt: session.startedAt, endsAt: end?.at, isEstimate: end?.isEstimate == true ? true : nil,
      endReason: refusal == .newerSignIn ? .newerSignIn : nil)
  }

  /// The level of the newest token, and the level that the user can reach.
  var assurance: AccountAssurance? {
    guard let session = newest else { return nil }
    let factors = session.user.factors ?? []
    return AccountAssurance(
      current: session.level,
      possible: factors.contains(where: \.isVerified) ? AccountAssurance.aal2 : AccountAssurance.aal1)
  }

  private func activity(isSigningIn: Bool) -> AccountActivity {
    if isSigningIn || verification != nil { return .authenticating }
    return flight == nil ? .none : .refreshing
  }

  /// The expiry of the access token; nil if the token's age is unknown.
  private func tokenEnd(_ clock: any AgentClock) -> Timestamp? {
    guard let session, let received else { return nil }
    return clock.wallTime(of: received.advanced(by: .seconds(session.expiresIn)))
  }

  func state(configuredOrigin: String?) -> AccountState {
    switch phase {
    case .unauthenticated: .unauthenticated
    case .ended: .signInNeeded
    case .later: .formatTooNew
    case .authenticated where isCopied: .copied
    case .authenticated(let session) where session.origin != configuredOrigin: .misconfigured
    case .authenticated: isDegraded || unsaved != nil ? .degraded : .authenticated
    }
  }

  private var shownUser: AccountUser? {
    switch phase {
    case .unauthenticated, .later: nil
    case .authenticated(let session):
      AccountUser(
        id: session.user.id, email: session.user.email, name: session.user.name, provider: shownProvider(session),
        phone: session.user.phone, isAnonymous: session.user.isAnonymous)
    case .ended(let end):
      AccountUser(id: end.userID, email: end.email, name: nil, provider: nil, isAnonymous: end.isAnonymous)
    }
  }

  /// The method of the sign-in. A user who was anonymous then, and has a sign-in method since, is
  /// shown with that one.
  private func shownProvider(_ session: StoredSession) -> String {
    guard session.provider == Provider.anonymous.rawValue, session.user.isAnonymous != true else {
      return session.provider
    }
    let linked = session.user.identities.first?.provider
    return linked ?? (session.user.email == nil ? Provider.phone : .email).rawValue
  }

  private var endedSession: EndedSession? {
    guard case .ended(let end) = phase else { return nil }
    return EndedSession(at: end.at, reason: end.reason)
  }

  private func refreshStatus(_ clock: any AgentClock) -> RefreshStatus? {
    guard session != nil else { return nil }
    let next = flight == nil ? nextAttempt.map { clock.wallTime(of: $0) } : nil
    return RefreshStatus(
      nextAt: next, attempts: failures, lastError: lastError, clockSkew: clockSkew(clock).map(Int.init))
  }

  /// The server's clock minus this machine's, in seconds; nil if unknown. Only for what is shown: no
  /// decision depends on it.
  func clockSkew(_ clock: any AgentClock) -> Int64? {
    serverClock.map { $0.seconds + $0.at.duration(to: clock.now).components.seconds - clock.wall.unixSeconds }
  }
}

/// Restricts a session's token to the API origin that was configured at sign-in, or that the user
/// accepted since. Does not affect tokens for local tools, or refreshes.
extension Accounts {
  /// - Throws: `misconfigured`, with the command that accepts the new origin, if the configured API
  ///   origin has changed.
  package func requireAPIOrigin(_ name: String, _ project: Project) throws(AgentError) {
    guard let account = accounts[name], let change = apiChange(account, project) else { return }
    throw AgentError(
      .misconfigured,
      "The API of \(name) is now \(change.new); its session was created for \(change.old). Nothing was sent.",
      hint: "if you trust it: ritualctl use-api --account \(name)", account: name)
  }

  /// The URLs and the key for a tool that uses the token of `name` itself. Without the API URL until
  /// the user accepts a changed one, because the tool would send the token there.
  ///
  /// - Throws: `misconfigured` if the session belongs to another origin than the project's.
  func endpoints(of name: String) throws(AgentError) -> SessionToken.Endpoints {
    let account = try resolve(name)
    guard let project = project(of: account) else { throw misconfigured(account) }
    let api = project.settings.apiURL == nil ? project.endpoint.url : project.apiOrigin
    return SessionToken.Endpoints(
      projectURL: project.endpoint.url, anonKey: project.settings.anonKey,
      apiURL: apiChange(account, project) == nil ? api : nil)
  }

  /// The change of the API origin, if any. The origin that issued the session is always allowed.
  private func apiChange(_ account: Account, _ project: Project) -> (old: String, new: String)? {
    guard let session = account.session, let old = session.apiOrigin, old != project.apiOrigin,
      project.apiOrigin != session.origin
    else { return nil }
    return (old, project.apiOrigin)
  }

  /// Accepts the currently configured API origin (`ritualctl use-api`). Durable on return.
  package func useAPI(_ name: String?) async throws(AgentError) -> AccountStatus {
    let target = try apiTarget(name)
    let origin = target.project.apiOrigin
    try await committed(target.account) { draft throws(AgentError) in
      guard let session = draft.account?.session, session.apiOrigin != origin else { return }
      draft.change { $0.apiOriginChanged(origin) }
      draft.then = { [self] in report(.apiAccepted(account: target.account, origin: origin)) }
    }
    return try status(target.account)
  }

  /// Binds sessions of an older version to the currently configured API origin when they are first
  /// read.
  func bindAPIOrigins() async {
    for name in accounts.keys.sorted() where accounts[name]?.session.map({ $0.apiOrigin == nil }) == true {
      try? await commit(name) { draft throws(AgentError) in
        guard let account = draft.account, let session = account.session, session.apiOrigin == nil, !account.isCopied,
          let project = project(of: account)
        else { return }
        draft.change { $0.apiOriginChanged(project.apiOrigin) }
        draft.ifUnstored = .isKept
      }
    }
  }

  /// Problems for the status: accounts whose API origin has changed since the sign-in.
  package func apiComplaints() -> [String] {
    accounts.values.sorted { $0.name < $1.name }.compactMap { account in
      guard let project = project(of: account), let change = apiChange(account, project) else { return nil }
      return "the API of \(account.name) is now \(change.new), but its session was created for \(change.old): "
        + "ritualctl use-api --account \(account.name)"
    }
  }
}
