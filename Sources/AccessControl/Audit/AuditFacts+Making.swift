package import AgentProtocol

/// The entries, by what happened. An account's name may stand in the log (VA-1); e-mail addresses and user ids may not.
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

  /// The server ended the session; `reason` are words of ours.
  package static func sessionEnded(account: String, reason: String) -> AuditFacts {
    made(.sessionEnded, account) { $0.detail = reason }
  }

  /// `automatic`: the server linked it by itself, on the same e-mail address (LK-1).
  static func linked(account: String, provider: String, automatic: Bool) -> AuditFacts {
    made(.linked, account, provider) { $0.detail = automatic ? "by the server" : "by hand" }
  }

  static func unlinked(account: String, provider: String) -> AuditFacts { made(.unlinked, account, provider) }

  /// A question of the kind `newAccount`, `link` … was answered.
  package static func decided(account: String, kind: String, accepted: Bool) -> AuditFacts {
    made(.decided, account) {
      $0.detail = ForeignText.shown(kind, limit: 40)
      $0.accepted = accepted
    }
  }

  /// A person let the account's token go to another origin of the API.
  package static func apiAccepted(account: String, origin: String) -> AuditFacts {
    made(.apiAccepted, account) { $0.detail = ForeignText.shown(origin) }
  }

  /// `cause` are words of ours.
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
    // A provider's name is the server's word.
    facts.provider = provider.map { ForeignText.shown($0, limit: 40) }
    fill(&facts)
    return facts
  }
}
