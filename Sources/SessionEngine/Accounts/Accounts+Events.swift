package import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

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
