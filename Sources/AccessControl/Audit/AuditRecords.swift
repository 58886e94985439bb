package import AgentProtocol
package import SessionEngine
import SupabaseAuth
package import SystemSupport

/// The audit log's queue and the telemetry. Works in memory and never waits; `AuditLog` writes the
/// queue to disk.
package struct Records: Sendable {
  let audit: AuditQueue
  package let handOuts: HandOutTable
  package let egress: EgressUses
  package let telemetry: Telemetry

  package init(clock: any AgentClock = SystemClock(), lookUp: CallerLookup? = nil) {
    let changed = WakeSignal()
    audit = AuditQueue(clock: clock, changed: changed)
    handOuts = HandOutTable(lookUp: lookUp, changed: changed)
    egress = EgressUses(table: handOuts, clock: clock)
    telemetry = Telemetry(clock: clock)
  }

  /// Queues an audit log entry, which is written within a second unless the vault is locked or the
  /// disk is full.
  package func record(_ facts: AuditFacts) { audit.record(facts) }

  /// Counts a grant of the program that made it. The entry has the ID of the first.
  package func grantMade(account: String, id: String, by connection: HandOutTable.Connection, _ caller: Caller) {
    audit.count(.grantMade(account: account, id: id), by: connection, caller)
  }

  /// Counts the end of a grant. `reason` is text of the agent, such as `expired`.
  package func grantEnded(
    account: String, id: String, reason: String, by connection: HandOutTable.Connection, _ caller: Caller
  ) {
    audit.count(.grantEnded(account: account, id: id, reason: reason), kind: reason, by: connection, caller)
  }

  package func count(_ event: TelemetryEvent) { telemetry.count(event) }
}

/// Records engine facts in the audit log and the counters (LK-3, OP-5).
extension Records {
  package func note(_ fact: EngineFact) {
    switch fact {
    case .signedIn(let account, let project, let method):
      record(.signedIn(account: account, project: project, provider: method))
    case .signedOut(let account, let scope): record(.signedOut(account: account, scope: scope.rawValue))
    case .sessionEnded(let account, let reason): record(.sessionEnded(account: account, reason: reason))
    case .ownerChanged: break
    case .apiAccepted(let account, let origin): record(.apiAccepted(account: account, origin: origin))
    case .renamed(let account, let old): record(.renamed(account: account, from: old))
    case .removed(let account): record(.removed(account: account))
    case .identity(let notice): note(notice)
    case .factor(let account, let change, let type): record(.factor(account: account, change, type: type))
    case .decided(let account, let kind, let accepted):
      record(.decided(account: account, kind: kind, accepted: accepted))
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
      record(.linked(account: account, provider: provider, automatic: notice.way == .automatic))
      count(.accountLinked(AuthMethod(notice.provider)))
    case .declined, .unlinked: record(.unlinked(account: account, provider: provider))
    // The identity remains linked: declining had no effect.
    case .declinedInVain: break
    }
  }
}

/// Audit entries by event. An account's name may appear in the log (VA-1); email addresses and user
/// IDs may not.
extension AuditFacts {
  package static var agentStarted: AuditFacts { made(.agentStarted) { $0.detail = "version \(AgentVersion.current)" } }
  package static var agentStopped: AuditFacts { AuditFacts(.agentStopped) }

  package static func signedIn(account: String, project: String, provider: String) -> AuditFacts {
    made(.signedIn, account, provider) { $0.project = project }
  }

  /// `scope` is `local`, `global` or `others`.
  package static func signedOut(account: String, scope: String) -> AuditFacts {
    made(.signedOut, account) { $0.detail = "scope \(scope)" }
  }

  /// The server ended the session. `reason` is text of the agent, not of the server.
  package static func sessionEnded(account: String, reason: String) -> AuditFacts {
    made(.sessionEnded, account) { $0.detail = reason }
  }

  /// `automatic` is true if the server linked the identity because the email address is the same
  /// (LK-1).
  static func linked(account: String, provider: String, automatic: Bool) -> AuditFacts {
    made(.linked, account, provider) { $0.detail = automatic ? "by the server" : "manually" }
  }

  static func unlinked(account: String, provider: String) -> AuditFacts { made(.unlinked, account, provider) }

  /// `type` is text of the server.
  static func factor(account: String, _ change: FactorChange, type: String?) -> AuditFacts {
    let event: AuditEvent =
      switch change {
      case .enrolled: .factorEnrolled
      case .verified: .factorVerified
      case .removed: .factorRemoved
      }
    return made(event, account) { $0.detail = type.map { ForeignText.shown($0, limit: 40) } }
  }

  /// The user answered a decision of the kind `newAccount`, `link` …
  package static func decided(account: String, kind: String, accepted: Bool) -> AuditFacts {
    made(.decided, account) {
      $0.detail = ForeignText.shown(kind, limit: 40)
      $0.accepted = accepted
    }
  }

  /// The user accepted another API origin for the account's token.
  package static func apiAccepted(account: String, origin: String) -> AuditFacts {
    made(.apiAccepted, account) { $0.detail = ForeignText.shown(origin) }
  }

  /// A program made a grant. `Records.grantMade` adds the program.
  static func grantMade(account: String, id: String) -> AuditFacts {
    made(.grantMade, account) { $0.detail = "grant \(ForeignText.shown(id, limit: 40))" }
  }

  static func grantEnded(account: String, id: String, reason: String) -> AuditFacts {
    made(.grantEnded, account) { $0.detail = "grant \(ForeignText.shown(id, limit: 40)): \(reason)" }
  }

  static func renamed(account: String, from old: String) -> AuditFacts {
    made(.accountRenamed, account) { $0.detail = "from \(ForeignText.shown(old, limit: 40))" }
  }

  static func removed(account: String) -> AuditFacts { made(.accountRemoved, account) }

  /// `cause` is text of the agent.
  package static func vaultLocked(_ cause: String) -> AuditFacts { made(.vaultLocked) { $0.detail = cause } }
  package static func vaultUnlocked(key: String) -> AuditFacts { made(.vaultUnlocked) { $0.detail = "by \(key)" } }
  package static func keyAdded(_ kind: String) -> AuditFacts { made(.keyAdded) { $0.detail = kind } }
  package static func keyRemoved(_ kind: String?) -> AuditFacts { made(.keyRemoved) { $0.detail = kind } }
  package static var rekeyed: AuditFacts { AuditFacts(.rekeyed) }
  package static var vaultAdopted: AuditFacts { AuditFacts(.vaultAdopted) }

  private static func made(
    _ event: AuditEvent, _ account: String? = nil, _ provider: String? = nil,
    _ fill: (inout AuditFacts) -> Void = { _ in }
  ) -> AuditFacts {
    var facts = AuditFacts(event)
    facts.account = account.map { ForeignText.shown($0, limit: 40) }
    // The provider's name comes from the server.
    facts.provider = provider.map { ForeignText.shown($0, limit: 40) }
    fill(&facts)
    return facts
  }
}
