import AgentConfiguration

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
