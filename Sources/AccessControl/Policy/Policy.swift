package import AgentConfiguration
package import AgentProtocol
package import Logging
import SessionEngine
import Synchronization
package import SystemSupport

/// Decides which programs may use which account (PR-3). It prevents accidents and leaves a record;
/// it is no boundary against hostile code of the same user (docs/threat-model.md).
///
/// Decisions are cached for each connection and account until the rules or the approvals change.
/// The event loop makes those that need no blocking call and allow the caller; all others are made
/// off the event loop. Safe from any thread; the lock is held only for in-memory lookups.
package final class Policy: Sendable {
  /// Maximum number of decisions cached for a connection: more accounts than any user has.
  private static let maxRemembered = 1024

  /// A cached decision for a connection and account.
  struct Remembered {
    let isAllowed: Bool
    let until: BootTime?
  }

  struct State {
    var rules: [PolicyRule] { didSet { subjects = rules.subjects } }
    private(set) var subjects: ConnectionOpener.Subjects
    /// Incremented by every change that can affect a decision.
    var generation: UInt64 = 0
    /// Cached decisions by connection and account. Has an entry for each open connection.
    var decided: [UInt64: [String: Remembered]] = [:]
    /// Outcomes of the current rules, by open connection.
    var rulings: [UInt64: Rulings] = [:]
    var book = ApprovalBook()
    /// Accounts for which the audit log already notes too many pending requests, by open
    /// connection.
    var full: [UInt64: Set<String>] = [:]

    init(_ rules: [PolicyRule]) { (self.rules, subjects) = (rules, rules.subjects) }

    /// Returns true once for each connection and account.
    mutating func noteFull(_ connection: UInt64, _ account: String) -> Bool {
      guard decided[connection] != nil, full[connection, default: []].count < Policy.maxRemembered else {
        return false
      }
      return full[connection, default: []].insert(account).inserted
    }

    mutating func closed(_ connection: UInt64) {
      decided[connection] = nil
      rulings[connection] = nil
      full[connection] = nil
    }

    mutating func changed() {
      generation += 1
      for id in decided.keys { decided[id] = [:] }
      rulings = [:]
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
  }

  /// The request to decide about: method, connection and process.
  package struct Question: Sendable {
    let method: String
    let connection: UInt64
    let pid: Int32
    /// The API request that the caller makes, for rules that are limited to methods or paths.
    let request: RequestTarget?

    package init(method: String, connection: UInt64, pid: Int32, request: RequestTarget? = nil) {
      (self.method, self.connection, self.pid, self.request) = (method, connection, pid, request)
    }
  }

  /// The method and the path of an API request, without its query.
  package struct RequestTarget: Sendable, Hashable {
    package let method: String
    package let path: String

    package init(method: String, path: String) { (self.method, self.path) = (method, path) }
  }

  let records: Records
  let clock: any AgentClock
  let logger: Logger
  let lookUp: CallerLookup
  /// Approval changes for the event subscribers.
  package let changes = ApprovalChanges()
  /// The state under the lock. Only this class's own files access it.
  let state: Mutex<State>
  /// False if there are no rules; then nothing is looked up or cached.
  private let hasRules: Atomic<Bool>

  package init(_ rules: [PolicyRule], records: Records, lookUp: CallerLookup, clock: any AgentClock, logger: Logger) {
    (self.records, self.lookUp, self.clock, self.logger) = (records, lookUp, clock, logger)
    state = Mutex(State(rules))
    hasRules = Atomic(!rules.isEmpty)
  }

  /// True if there are rules to apply.
  package var isInForce: Bool { hasRules.load(ordering: .acquiring) }

  /// Replaces the rules after a configuration reload. Answers of the user stay.
  package func replace(_ rules: [PolicyRule]) {
    state.withLock { state in
      guard state.rules != rules else { return }
      state.rules = rules
      state.changed()
      hasRules.store(!rules.isEmpty, ordering: .releasing)
    }
  }

  /// Problems with the rules, for the status.
  package func complaints() async -> [String] {
    let paths = state.withLock { state in
      state.rules.compactMap { rule -> String? in
        if case .executable(let path) = rule.subject { path } else { nil }
      }
    }
    guard !paths.isEmpty else { return [] }
    return await lookUp.run { paths.filter { ProgramFile($0) == nil } }?.map {
      "a policy rule names \(ForeignText.shown($0)), which does not exist: the rule has no effect"
    } ?? []
  }

  // MARK: - Connections

  package func opened(_ connection: UInt64) { state.withLock { $0.decided[connection] = [:] } }

  package func closed(_ connection: UInt64) { state.withLock { $0.closed(connection) } }

  /// Opens `grant` as a connection that is judged as `connection` is: its caller is the same.
  ///
  /// - Returns: The caller; nil if the caller is not known, and then nothing is opened.
  package func open(_ grant: UInt64, onBehalfOf connection: UInt64) async -> Caller? {
    guard let caller = await records.handOuts.shareCaller(of: connection, with: grant) else { return nil }
    opened(grant)
    if isInForce { _ = await lookUp.run { [self] in found(caller, grant) } }
    return caller
  }

  /// Computes the outcomes of the rules for a connection whose caller is known. Blocks on stat(2).
  package func found(_ caller: Caller, _ connection: UInt64) {
    let (rules, generation) = state.withLock { ($0.rules, $0.generation) }
    let rulings = Rulings(rules, caller)
    state.withLock { state in
      guard state.generation == generation, state.decided[connection] != nil else { return }
      state.rulings[connection] = rulings
    }
  }

  /// True if no rules exist, or if a cached decision lets this connection use the account.
  package func isAllowed(
    _ connection: UInt64, _ account: String, _ request: RequestTarget? = nil, now: BootTime
  ) -> Bool {
    guard isInForce else { return true }
    return state.withLock { state in
      if let known = state.remembered(connection, account, now) { return known.isAllowed }
      return state.rulings[connection]?.allows(account) ?? false
    }
  }

  /// Reads what the rules need to know of the process that opens a connection; nil if there are no
  /// rules, or if it takes a lookup.
  package func opener(_ process: PeerProcess, pid: Int32) -> ConnectionOpener? {
    ConnectionOpener(process, pid: pid, state.withLock { $0.subjects })
  }

  /// True if the rules allow the opener of a connection to use the account. For the event loop; does
  /// not block. Any other decision is left to `check`.
  package func allowsAtOnce(
    _ account: String, _ connection: UInt64, _ opener: ConnectionOpener, _ request: RequestTarget? = nil
  ) -> Bool {
    let (rules, generation) = state.withLock { ($0.rules, $0.generation) }
    guard rules.allowAtOnce(opener, account) else { return false }
    return state.withLock { state in
      guard state.generation == generation else { return false }
      state.remember(true, until: nil, connection, account)
      return true
    }
  }

  // MARK: - Deciding

  /// Returns if the caller may use the account.
  ///
  /// - Throws: `denied`; `approvalNeeded` with the approval's ID, at once; `tooMany` if too many
  ///   requests are pending; `cancelled`.
  package func check(_ account: String, _ question: Question) async throws(AgentError) {
    guard isInForce else { return }
    while !Task.isCancelled {
      if let known = state.withLock({ $0.remembered(question.connection, account, clock.now) }) {
        guard known.isAllowed else { throw .refusedByPolicy(account) }
        return
      }
      if let outcome = await decide(account, question, mayAsk: true) { return try act(on: outcome, account) }
    }
    throw AgentError(.cancelled)
  }

  /// Like `check`, for data sent unprompted, such as events. Never requests approval.
  package func passes(_ account: String, _ question: Question) async -> Bool {
    guard isInForce else { return true }
    while !Task.isCancelled {
      if let known = state.withLock({ $0.remembered(question.connection, account, clock.now) }) {
        return known.isAllowed
      }
      if let outcome = await decide(account, question, mayAsk: false) { return outcome == .allowed }
    }
    return false
  }

  private enum Outcome: Equatable {
    case allowed, denied, full
    case asked(id: String)
  }

  /// Returns nil if the rules or the approvals changed meanwhile.
  private func decide(_ account: String, _ question: Question, mayAsk: Bool) async -> Outcome? {
    let (rules, generation) = state.withLock { ($0.rules, $0.generation) }
    let caller = await records.handOuts.caller(of: question.connection) ?? Caller()
    // The thread is gone only at shutdown.
    let (action, isByProgram) =
      await lookUp.run {
        let rule = rules.rule(for: caller, account)
        return (rule?.action ?? .allow, rule?.namesExecutable == true)
      } ?? (.deny, false)
    let (outcome, facts): (Outcome?, AuditFacts?) = state.withLock { state in
      guard state.generation == generation else { return (nil, nil) }
      switch action {
      case .allow:
        state.remember(true, until: nil, question.connection, account)
        return (.allowed, nil)
      case .deny:
        state.remember(false, until: nil, question.connection, account)
        return (.denied, .policy(.denied, account, question, caller))
      case .ask: return ask(&state, account, question, caller, mayAsk: mayAsk)
      }
    }
    if var facts {
      if isByProgram { facts.detail = (facts.detail ?? "") + Self.worthOfExecutable }
      note(facts, question, caller)
    }
    if facts?.event == .approvalAsked, case .asked(let id)? = outcome { publishRequest(id) }
    return outcome
  }

  private func ask(
    _ state: inout State, _ account: String, _ question: Question, _ caller: Caller, mayAsk: Bool
  ) -> (Outcome, AuditFacts?) {
    guard let asker = Asker(caller, pid: question.pid), let start = caller.start else {
      state.remember(false, until: nil, question.connection, account)
      return (.denied, .policy(.denied, account, question, caller))
    }
    let now = clock.now
    let process = ProcessIdentity(pid: question.pid, start: start)
    let ruling = state.book.ask(asker, account, process, now: now, isNewWanted: mayAsk) { id in
      Approval(
        id: id, account: account, state: .pending, method: question.method, pid: question.pid,
        executable: caller.executable, unit: caller.unit, askedAt: clock.wall,
        until: clock.wallTime(of: now.advanced(by: ApprovalBook.requestTimeout)))
    }
    switch ruling {
    case .allowed(let until):
      state.remember(true, until: until, question.connection, account)
      return (.allowed, nil)
    case .denied(let until):
      state.remember(false, until: until, question.connection, account)
      return (.denied, .policy(.denied, account, question, caller))
    case .asked(let id, let isNew):
      return (.asked(id: id), isNew ? .policy(.approvalAsked, account, question, caller, id: id) : nil)
    case .full:
      let isNoted = !mayAsk || !state.noteFull(question.connection, account)
      return (.full, isNoted ? nil : .policy(.denied, account, question, caller))
    }
  }

  private func act(on outcome: Outcome, _ account: String) throws(AgentError) {
    switch outcome {
    case .allowed: return
    case .denied: throw .refusedByPolicy(account)
    case .full:
      throw AgentError(
        .tooMany, "Too many access requests are pending.", hint: "ritualctl approvals", account: account)
    case .asked(let id):
      var error = AgentError(.approvalNeeded, hint: "ritualctl approvals allow \(id)", account: account)
      error.data.approval = id
      throw error
    }
  }

  /// Added to each entry caused by a rule about an executable: what was compared, and what the rule
  /// cannot detect.
  private static let worthOfExecutable =
    "; matched by executable at connection time: the connection may have passed to another program or survived execve"

  /// Records a decision in the audit log and the journal.
  func note(_ facts: AuditFacts, _ question: Question, _ caller: Caller) {
    records.record(facts)
    logger.notice(
      "policy",
      metadata: [
        "decision": "\(facts.event.rawValue)", "account": "\(facts.account ?? "")", "method": "\(question.method)",
        "pid": "\(question.pid)", "unit": "\(caller.unit ?? "")",
      ])
  }
}

extension AgentError {
  fileprivate static func refusedByPolicy(_ account: String) -> AgentError {
    AgentError(
      .denied, "A policy rule denies this program access to account \(account).",
      hint: "see [[policy.rules]] in the configuration, and: ritualctl approvals", account: account)
  }
}

extension AuditFacts {
  /// The entry for a decision about a caller. For an answer or a revocation, `caller` is the
  /// program that sent it.
  static func policy(
    _ event: AuditEvent, _ account: String, _ question: Policy.Question, _ caller: Caller, id: String? = nil
  ) -> AuditFacts {
    var facts = AuditFacts(event)
    facts.account = ForeignText.shown(account, limit: 40)
    facts.detail = id.map { "\(question.method) \(ForeignText.shown($0, limit: 40))" } ?? question.method
    (facts.pid, facts.executable, facts.unit) = (question.pid, caller.executable, caller.unit)
    return facts
  }
}
