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
      if let session = account.session {
        publish(session, of: name, received: session.received.bootTime(on: clock))
      }
      announce(account)
    }
    wake.signal()
  }

  /// Returns the next refresh, its reason, and the recent attempts (`ritualctl why`).
  package func explain(_ name: String?) throws(AgentError) -> SessionExplain.Result {
    let account = try resolve(name)
    let status = describe(account)
    return SessionExplain.Result(
      account: status, explanation: RefreshExplanation(account, status, clock).sentences, tries: account.attempts)
  }
}

/// Events for subscribers and the journal.
extension Accounts {
  /// Subscribes a client (SE-5). A tool that follows one account must not receive the tokens of others with it.
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
  /// The outcome as one word, and its error, if any.
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
