/// One `[[policy.rules]]` (PR-3): for whom, about which account, and what then.
struct PolicyRule: Sendable, Equatable {
  enum Action: String, Sendable, CaseIterable { case allow, deny, ask }

  /// Whom it is about.
  enum Subject: Sendable, Equatable {
    case everybody
    /// The last service or scope of the caller's cgroup, letter by letter.
    case unit(String)
    /// The file that this path leads to when it is asked about.
    case executable(String)
  }

  /// Nil for every account.
  var account: String?
  var subject: Subject = .everybody
  var action: Action

  /// Whether the rule is about this caller. Where it cannot be known, a rule that gives something away is not, and every
  /// other is: nobody gets more by being unreadable. Blocks for a file's status.
  func applies(to caller: Caller, _ account: String) -> Bool {
    guard self.account == nil || self.account == account else { return false }
    switch subject {
    case .everybody: return true
    case .unit(let unit):
      guard caller.start != nil else { return action != .allow }
      return caller.unitName == unit
    case .executable(let path):
      guard caller.start != nil, let file = caller.file else { return action != .allow }
      return ProgramFile(path) == file
    }
  }
}

extension [PolicyRule] {
  /// The first rule that applies decides; without one the user's own processes are let in.
  func action(for caller: Caller, _ account: String) -> PolicyRule.Action {
    first { $0.applies(to: caller, account) }?.action ?? .allow
  }
}
