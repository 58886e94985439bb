package import AgentProtocol
package import SessionEngine
import SupabaseAuth
package import SystemSupport

/// The audit log's queue and the telemetry. Works in memory and never waits; `AuditLog` writes the
/// queue to disk.
package struct Records: Sendable {
  let audit: AuditQueue
  package let issuedTokens: IssuedTokens
  package let telemetry: Telemetry
  private let clock: any AgentClock

  package init(clock: any AgentClock = SystemClock(), lookUp: CallerLookup? = nil) {
    let changed = WakeSignal()
    self.clock = clock
    issuedTokens = IssuedTokens(ConnectionCallers(lookUp), changed: changed)
    audit = AuditQueue(issuedTokens, clock: clock, changed: changed)
    telemetry = Telemetry(clock: clock)
  }

  /// Queues an audit log entry, which is written within a second unless the vault is locked or the
  /// disk is full. An account's name may appear in the log; email addresses and user IDs may not.
  package func record(
    _ event: AuditEvent, account: String? = nil, provider: String? = nil, project: String? = nil,
    detail: String? = nil, accepted: Bool? = nil
  ) {
    var facts = AuditFacts(event)
    facts.account = account.map { ForeignText.shown($0, limit: 40) }
    // The provider's name, and the type of a factor in `detail`, come from the server.
    facts.provider = provider.map { ForeignText.shown($0, limit: 40) }
    facts.detail = detail.map { ForeignText.shown($0) }
    (facts.project, facts.accepted) = (project, accepted)
    audit.record(facts)
  }

  /// Counts the beginning or the end of a grant of a program. The entry has the ID of the first.
  ///
  /// - Parameter reason: Text of the agent, such as `expired`, for an end.
  package func recordGrant(
    _ event: AuditEvent, account: String, id: String, reason: String? = nil, by connection: IssuedTokens.Connection,
    _ caller: Caller
  ) {
    var facts = AuditFacts(event)
    facts.account = ForeignText.shown(account, limit: 40)
    facts.detail = "grant \(ForeignText.shown(id, limit: 40))" + (reason.map { ": \($0)" } ?? "")
    issuedTokens.note(facts, kind: reason ?? "", by: connection, caller, at: clock.wall)
  }

  package func count(_ event: TelemetryEvent) { telemetry.count(event) }
}

extension Records {
  package func note(_ fact: EngineFact) {
    switch fact {
    case .signedIn(let account, let project, let method):
      record(.signedIn, account: account, provider: method, project: project)
    case .signedOut(let account, let scope): record(.signedOut, account: account, detail: "scope \(scope.rawValue)")
    case .sessionEnded(let account, let reason): record(.sessionEnded, account: account, detail: reason)
    case .ownerChanged: break
    case .apiAccepted(let account, let origin): record(.apiAccepted, account: account, detail: origin)
    case .renamed(let account, let old):
      record(.accountRenamed, account: account, detail: "from \(ForeignText.shown(old, limit: 40))")
    case .removed(let account): record(.accountRemoved, account: account)
    case .identity(let notice): note(notice)
    case .factor(let account, let change, let type):
      let event: AuditEvent =
        switch change {
        case .enrolled: .factorEnrolled
        case .verified: .factorVerified
        case .removed: .factorRemoved
        }
      record(event, account: account, detail: type.map { ForeignText.shown($0, limit: 40) })
    case .decided(let account, let kind, let accepted):
      record(.decided, account: account, detail: ForeignText.shown(kind, limit: 40), accepted: accepted)
    case .counted(let event): count(event)
    case .refreshEnded(let outcome, let error):
      telemetry.countRefresh(outcome)
      if let error { count(.tokenRefreshFailed(error)) }
    }
  }

  /// The user's decision itself is recorded by `EngineFact.decided`.
  private func note(_ notice: LinkNotice) {
    let (account, provider) = (notice.account, notice.provider.rawValue)
    switch notice.way {
    case .automatic, .elsewhere, .byHand, .confirmed:
      // The server links by itself if the email address is the same.
      let way = notice.way == .automatic ? "by the server" : "manually"
      record(.linked, account: account, provider: provider, detail: way)
      count(.accountLinked(AuthMethod(notice.provider)))
    case .declined, .unlinked: record(.unlinked, account: account, provider: provider)
    // The identity remains linked: declining had no effect.
    case .declinedInVain: break
    }
  }
}
