package import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// What people and scripts see.
extension Accounts {
  /// All accounts by name. Needs no network.
  package func list() -> [AccountStatus] {
    if case .locked(let known, _) = door { return known.statuses }
    return accounts.values.sorted { $0.name < $1.name }.map(describe)
  }

  /// `session.list`.
  ///
  /// - Throws: why the vault cannot be read, and `vaultLocked` where the names are not known while it is locked: an empty list would
  ///   say that nobody is signed in.
  package func listKnown() throws(AgentError) -> [AccountStatus] {
    guard case .locked(let known, let refusal) = door else {
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

  /// Where this machine's clock and a server's differ by so much that people and certificates notice.
  package func clockComplaints() -> [String] {
    let skews = accounts.values.compactMap { account in account.clockSkew(clock).map { (account.project, $0) } }
    return Dictionary(skews) { abs($0) > abs($1) ? $0 : $1 }.filter { abs($0.value) > Self.shownSkew }
      .sorted { $0.key < $1.key }
      .map { project, skew in
        "this machine's clock is \(abs(skew)) s \(skew > 0 ? "behind" : "ahead of") the server of project "
          + "\(project); tokens are not harmed, but set it: timedatectl set-ntp true"
      }
  }

  /// Seconds: an answer may take 12 s, and `Date` counts whole ones.
  private static let shownSkew: Int64 = 30

  /// The configuration was read again: origins may have changed, and what was hopeless may not be so now.
  package func configurationChanged() {
    for name in accounts.keys.sorted() {
      accounts[name]?.configurationChanged(clock.now)
      guard let account = accounts[name] else { continue }
      if let session = account.session {
        publish(session, of: name, received: session.received.bootTime(on: clock))
      }
      announce(account)
    }
    wake.signal()
  }

  /// What the refresher will do next and why, and its last tries (`ritualctl why`).
  package func explain(_ name: String?) throws(AgentError) -> SessionExplain.Result {
    let account = try resolve(name)
    let status = describe(account)
    return SessionExplain.Result(
      account: status, explanation: RefreshExplanation(account, status, clock).sentences, tries: account.tries)
  }
}

/// What subscribers and the journal are told.
extension Accounts {
  /// The present state, then every change (SE-5).
  package func subscribe(_ params: EventsSubscribe.Params) -> EventSubscription {
    let tokens = params.tokens ?? false
    let present = list().map { status in
      AgentEvent(
        sequence: events.sequence, type: .initialSession, at: clock.wall, account: status.name, status: status,
        token: tokens ? token(of: status.name) : nil)
    }
    return events.subscribe(since: params.since, tokens: tokens, at: clock.wall, present: present)
  }

  /// About how long an answer about all accounts is, and the first state of a subscriber, in bytes: as far as room for it can
  /// be had at once.
  package var answerSize: Int { min(accounts.count * 1024, Wire.bodyLimit) }

  /// Publishes an event about an account, and with it the state that the account has now.
  func tell(_ type: EventType, _ name: String, reason: String? = nil) {
    guard let account = accounts[name] else { return }
    accounts[name]?.announced = state(of: account)
    events.publish(
      type, at: clock.wall, account: name, status: describe(account), reason: reason, token: token(of: name))
  }

  /// Publishes `STATE_CHANGED` where the state is another than subscribers know.
  func announce(_ account: Account) {
    let state = state(of: account)
    guard account.announced != state else { return }
    tell(.stateChanged, account.name, reason: account.lastError?.message)
  }

  /// Publishes that a program waits for a person, or does not any more.
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
    accounts[attempt.account]?.note(
      RefreshTry(
        at: clock.wallTime(of: attempt.begun), reason: attempt.reason.rawValue, outcome: word,
        status: error == nil ? 200 : error?.status, error: error.map { AgentError.from($0).kind },
        latency: (latency * 1000).rounded() / 1000))
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
  /// The outcome in one word, and the error if there was one.
  var summary: (word: String, error: AuthError?) {
    switch self {
    case .refreshed: ("refreshed", nil)
    case .fatal(_, let error): ("ended", error)
    case .transient(let error, _): ("failed", error)
    case .misconfigured(let error): ("misconfigured", error)
    case .banned(let error): ("banned", error)
    case .paused(let error): ("paused", error)
    }
  }
}
