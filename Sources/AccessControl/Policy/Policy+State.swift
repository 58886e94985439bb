import AgentConfiguration
import SystemSupport

extension Policy {
  /// Maximum number of decisions cached for a connection: more accounts than any user has.
  private static let maxRemembered = 1024

  /// A cached decision for a connection and account.
  struct Remembered {
    let isAllowed: Bool
    let until: BootTime?
  }

  /// The account and the requests that an answer of the user is for, beside the program.
  struct Asked: Hashable {
    let account: String
    /// The methods and paths of the rule that asks; nil for a rule about the account.
    let scope: RequestScope?
  }

  struct State {
    var rules: [PolicyRule] {
      didSet { (subjects, scopedAccounts) = (rules.subjects, ScopedAccounts(rules)) }
    }
    private(set) var subjects: ConnectionOpener.Subjects
    /// The accounts for which a decision about one API request says nothing about another.
    private(set) var scopedAccounts: ScopedAccounts
    /// Incremented by every change that can affect a decision.
    var generation: UInt64 = 0
    /// Cached decisions by connection and account. Has an entry for each open connection.
    var decided: [UInt64: [String: Remembered]] = [:]
    /// Outcomes of the current rules, by open connection.
    var rulings: [UInt64: Rulings] = [:]
    /// The user's answers, by open connection, for API requests with scoped accounts.
    var answers: [UInt64: [Asked: Remembered]] = [:]
    /// Accounts for which the audit log already notes a denied API request, by open connection.
    var denied: [UInt64: Set<String>] = [:]
    var book = ApprovalBook()
    /// Accounts for which the audit log already notes too many pending requests, by open
    /// connection.
    var full: [UInt64: Set<String>] = [:]

    init(_ rules: [PolicyRule]) {
      (self.rules, subjects, scopedAccounts) = (rules, rules.subjects, ScopedAccounts(rules))
    }

    /// Returns true once for each connection and account.
    mutating func noteFull(_ connection: UInt64, _ account: String) -> Bool { note(connection, account, in: \.full) }

    /// Returns true once for each connection and account, until the rules or the approvals change.
    mutating func noteDenied(_ connection: UInt64, _ account: String) -> Bool {
      note(connection, account, in: \.denied)
    }

    func isDenialNoted(_ connection: UInt64, _ account: String) -> Bool {
      denied[connection]?.contains(account) ?? false
    }

    private mutating func note(
      _ connection: UInt64, _ account: String, in table: WritableKeyPath<State, [UInt64: Set<String>]>
    ) -> Bool {
      guard decided[connection] != nil, self[keyPath: table][connection, default: []].count < Policy.maxRemembered
      else { return false }
      return self[keyPath: table][connection, default: []].insert(account).inserted
    }

    mutating func closed(_ connection: UInt64) {
      decided[connection] = nil
      rulings[connection] = nil
      answers[connection] = nil
      denied[connection] = nil
      full[connection] = nil
    }

    mutating func changed() {
      generation += 1
      for id in decided.keys { decided[id] = [:] }
      (rulings, answers, denied) = ([:], [:], [:])
    }

    /// The decision about an API request with a scoped account; nil if the caller is not known yet, or
    /// if a person may have to be asked.
    func decision(
      _ connection: UInt64, _ account: String, _ request: RequestScope.Request, _ now: BootTime
    ) -> Bool? {
      guard let (action, scope) = rulings[connection]?.action(account, request) else { return nil }
      switch action {
      case .allow: return true
      case .deny: return false
      case .ask:
        let asked = Asked(account: account, scope: scope)
        guard let known = answers[connection]?[asked], known.until.map({ now < $0 }) ?? true else { return nil }
        return known.isAllowed
      }
    }

    func remembered(_ connection: UInt64, _ account: String, _ now: BootTime) -> Remembered? {
      guard let known = decided[connection]?[account], known.until.map({ now < $0 }) ?? true else { return nil }
      return known
    }

    mutating func remember(_ isAllowed: Bool, until: BootTime?, _ connection: UInt64, _ account: String) {
      guard let known = decided[connection] else { return }
      // During a sign-in, callers choose the account name, so the number of names has no bound.
      if known.count >= Policy.maxRemembered { decided[connection] = [:] }
      decided[connection]?[account] = Remembered(isAllowed: isAllowed, until: until)
    }

    /// Caches the user's answer for all API requests of the connection that the same rule asks about.
    mutating func rememberAnswer(_ isAllowed: Bool, until: BootTime?, _ connection: UInt64, _ asked: Asked) {
      guard decided[connection] != nil else { return }
      if answers[connection, default: [:]].count >= Policy.maxRemembered { answers[connection] = [:] }
      answers[connection, default: [:]][asked] = Remembered(isAllowed: isAllowed, until: until)
    }
  }
}
