import AgentConfiguration

extension PolicyRule {
  /// Whether the rule applies to this caller. If the caller cannot be identified, `allow` rules do
  /// not apply and all others do, so an unidentifiable caller gains nothing. Blocks on stat(2).
  func applies(to caller: Caller, _ account: String, _ use: RuleUse = .account) -> Bool {
    isAbout(account) && covers(use) && isAbout(caller)
  }

  /// Whether the rule is about this caller. Blocks on stat(2).
  fileprivate func isAbout(_ caller: Caller) -> Bool {
    switch subject {
    case .anyCaller: return true
    case .unit(let unit):
      guard caller.start != nil else { return action != .allow }
      return caller.unitName.map { $0.utf8.elementsEqual(unit.utf8) } ?? false
    case .executable(let path):
      guard caller.start != nil, let file = caller.file else { return action != .allow }
      return ProgramFile(path) == file
    }
  }

  /// Whether the rule has a say in such a use of an account. Where a path is unclear, `allow`
  /// rules do not apply and all others do.
  fileprivate func covers(_ use: RuleUse) -> Bool {
    guard let scope else { return true }
    switch use {
    case .account: return false
    case .request(let request): return action == .allow ? scope.includes(request) : scope.mayInclude(request)
    case .grant: return action != .deny
    }
  }

  /// Compares bytes, because `String` equality treats canonically equivalent texts as equal.
  func isAbout(_ account: String) -> Bool {
    self.account.map { $0.utf8.elementsEqual(account.utf8) } ?? true
  }
}

extension [PolicyRule] {
  /// The action of the first rule that applies. If none applies, the user's own processes are
  /// allowed.
  func action(for caller: Caller, _ account: String) -> PolicyRule.Action {
    rule(for: caller, account)?.action ?? .allow
  }

  var subjects: ConnectionOpener.Subjects {
    reduce(into: ConnectionOpener.Subjects()) { subjects, rule in
      switch rule.subject {
      case .anyCaller: break
      case .unit: subjects.units = true
      case .executable: subjects.executables = true
      }
    }
  }

  /// True if the first rule that applies to the opener of a connection, or the lack of one, allows
  /// it to use the account, as far as that can be told without a blocking call.
  func allowAtOnce(_ opener: ConnectionOpener, _ account: String, _ use: RuleUse = .account) -> Bool {
    for rule in self where rule.isAbout(account) && rule.covers(use) {
      switch rule.subject {
      case .anyCaller: return rule.action == .allow
      case .unit(let name):
        guard let unit = opener.unit else { return false }
        if unit.name.map({ $0.utf8.elementsEqual(name.utf8) }) ?? false { return rule.action == .allow }
      case .executable(let path):
        guard let program = opener.program, let file = ProgramFile(inMemory: path) else { return false }
        if file == program { return rule.action == .allow }
      }
    }
    return true
  }

  /// The first rule that applies. Blocks on stat(2).
  func rule(for caller: Caller, _ account: String, _ use: RuleUse = .account) -> PolicyRule? {
    first { $0.applies(to: caller, account, use) }
  }
}

/// What an account is used for, as far as rules differ.
enum RuleUse: Sendable {
  /// For its token, or for anything but a single API request: rules with methods or paths do not
  /// apply.
  case account
  case request(RequestScope.Request)
  /// To make a grant, whose requests are decided one by one: it suffices that one of them may be
  /// allowed.
  case grant

  var isRequest: Bool { if case .request = self { true } else { false } }
  var isGrant: Bool { if case .grant = self { true } else { false } }
}

/// The accounts that rules with methods or paths are about.
struct ScopedAccounts: Sendable {
  private var names: Set<String> = []
  private var hasAll = false

  init(_ rules: [PolicyRule]) {
    for rule in rules where rule.scope != nil {
      if let account = rule.account { names.insert(account) } else { hasAll = true }
    }
  }

  func contains(_ account: String) -> Bool { hasAll || names.contains(account) }
}

extension PolicyRule {
  /// True if the rule names an executable. The audit log states the limits of such a rule.
  var namesExecutable: Bool { if case .executable = subject { true } else { false } }
}

/// How the policy applies to a method. Each method registration states it.
package enum PolicyUse: Sendable, Equatable {
  /// Uses and changes no account. The text gives the reason.
  case none(String)
  /// The named account, else the default account.
  case account
  /// Like `account`, for a grant, whose requests are decided one by one.
  case grant
  /// The account that a sign-in is for, which need not exist yet.
  case signIn
  /// The account of a running sign-in.
  case flow
  /// The account of the named flow, else the account that a sign-in is for.
  case flowOrSignIn
  /// The named account, or every account with `all`.
  case signOut
  /// The response carries no account data; each event that carries a token is decided separately.
  case eachToken
}

/// The outcomes of the rules for one caller and every account. Computed off the event loop when the
/// caller is known, so that the event loop only looks them up.
struct Rulings: Sendable {
  /// Actions for the accounts that rules name.
  private let named: [String: PolicyRule.Action]
  private let others: PolicyRule.Action
  /// The rules about the caller that have methods or paths, and the rule that decides about all other
  /// requests, by account. Only for accounts that rules with methods or paths name.
  private let scoped: [String: [PolicyRule]]
  private let othersScoped: [PolicyRule]?

  /// Blocks on stat(2).
  init(_ rules: [PolicyRule], _ caller: Caller) {
    let names = Set(rules.compactMap(\.account))
    named = Dictionary(uniqueKeysWithValues: names.map { ($0, rules.action(for: caller, $0)) })
    // No account has an empty name.
    others = rules.action(for: caller, "")
    let accounts = ScopedAccounts(rules)
    scoped = Dictionary(
      uniqueKeysWithValues: names.filter(accounts.contains).map { ($0, rules.scoped(for: caller, $0)) })
    othersScoped = accounts.contains("") ? rules.scoped(for: caller, "") : nil
  }

  /// True if the caller is allowed without asking for approval.
  func allows(_ account: String) -> Bool { (named[account] ?? others) == .allow }

  /// The action for an API request, and the methods and paths of its rule.
  func action(
    _ account: String, _ request: RequestScope.Request
  ) -> (action: PolicyRule.Action, scope: RequestScope?) {
    guard let rules = scoped[account] ?? othersScoped else { return (named[account] ?? others, nil) }
    let rule = rules.first { $0.covers(.request(request)) }
    return (rule?.action ?? .allow, rule?.scope)
  }
}

extension [PolicyRule] {
  /// The rules that can decide about an API request of the caller: those that apply, up to the first
  /// one without methods and paths. Blocks on stat(2).
  fileprivate func scoped(for caller: Caller, _ account: String) -> [PolicyRule] {
    var found: [PolicyRule] = []
    for rule in self where rule.isAbout(account) && rule.isAbout(caller) {
      found.append(rule)
      if rule.scope == nil { break }
    }
    return found
  }
}
