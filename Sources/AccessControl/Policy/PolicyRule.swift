import AgentConfiguration

extension PolicyRule {
  /// Whether the rule is about this caller. Where it cannot be known, a rule that gives something away is not, and every
  /// other is: nobody gets more by being unreadable. Blocks for a file's status.
  func applies(to caller: Caller, _ account: String) -> Bool {
    // Bytes: to Swift some different texts are equal.
    guard self.account.map({ $0.utf8.elementsEqual(account.utf8) }) ?? true else { return false }
    switch subject {
    case .everybody: return true
    case .unit(let unit):
      guard caller.start != nil else { return action != .allow }
      return caller.unitName.map { $0.utf8.elementsEqual(unit.utf8) } ?? false
    case .executable(let path):
      guard caller.start != nil, let file = caller.file else { return action != .allow }
      return ProgramFile(path) == file
    }
  }
}

extension [PolicyRule] {
  /// The first rule that applies decides; without one the user's own processes are let in.
  func action(for caller: Caller, _ account: String) -> PolicyRule.Action {
    rule(for: caller, account)?.action ?? .allow
  }

  /// Blocks for a file's status.
  func rule(for caller: Caller, _ account: String) -> PolicyRule? { first { $0.applies(to: caller, account) } }
}

extension PolicyRule {
  /// Whether the rule names a program: what that is worth is said in the audit log.
  var namesExecutable: Bool { if case .executable = subject { true } else { false } }
}
