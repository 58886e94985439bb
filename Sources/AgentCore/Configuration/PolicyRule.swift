/// One `[[policy.rules]]` (PR-3): for whom, about which account, and what then.
struct PolicyRule: Sendable, Equatable {
  enum Action: String, Sendable, CaseIterable { case allow, deny, ask }

  /// Whom it is about.
  enum Subject: Sendable, Equatable {
    case everybody
    /// The caller's unit as systemd counts (`Caller.unit`), byte by byte.
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
