/// One `[[policy.rules]]` (PR-3): for whom, about which account, and what then.
package struct PolicyRule: Sendable, Equatable {
  package enum Action: String, Sendable, CaseIterable { case allow, deny, ask }

  /// The callers that a rule is about.
  package enum Subject: Sendable, Equatable {
    case everybody
    /// The caller's unit as systemd counts (`Caller.unit`), byte by byte.
    case unit(String)
    /// The file that this path leads to at the time of the call.
    case executable(String)
  }

  /// Nil for every account.
  package var account: String?
  package var subject: Subject
  package var action: Action

  package init(account: String? = nil, subject: Subject = .everybody, action: Action) {
    (self.account, self.subject, self.action) = (account, subject, action)
  }
}
