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

/// How the policy applies to each method (PR-3). Each registration says it.
package enum PolicyUse: Sendable, Equatable {
  /// It uses or changes no account; why, in words.
  case none(String)
  /// The account that is named, else the default one.
  case account
  /// The account that a sign-in would be for: it need not be there yet.
  case signIn
  /// The account of a sign-in that runs.
  case flow
  /// The account that is named, or with `all` every one.
  case signOut
  /// Its answer holds nothing; each event that brings a token is decided about by itself.
  case eachToken
}

/// What the rules say about one caller, for every account: made when the caller is found, off the event loop, so that the
/// loop can look it up.
struct Rulings: Sendable {
  /// Of the accounts that rules name.
  private let named: [String: PolicyRule.Action]
  private let others: PolicyRule.Action

  /// Blocks for a file's status.
  init(_ rules: [PolicyRule], _ caller: Caller) {
    let names = Set(rules.compactMap(\.account))
    named = Dictionary(uniqueKeysWithValues: names.map { ($0, rules.action(for: caller, $0)) })
    // No account has this name.
    others = rules.action(for: caller, "")
  }

  /// Whether the caller is let in without anybody being asked.
  func allows(_ account: String) -> Bool { (named[account] ?? others) == .allow }
}
