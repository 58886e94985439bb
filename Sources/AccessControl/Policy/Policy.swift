package import AgentConfiguration
package import AgentProtocol
package import Logging
import SessionEngine
import Synchronization
package import SystemSupport

/// Decides which programs may use which account. It prevents accidents and leaves a record;
/// it is no boundary against hostile code of the same user (docs/threat-model.md).
///
/// Decisions are cached for each connection and account until the rules or the approvals change.
/// The event loop makes those that need no blocking call and allow the caller; all others are made
/// off the event loop. Safe from any thread; the lock is held only for in-memory lookups.
package final class Policy: Sendable {
  /// The request to decide about: method, connection and process.
  package struct Question: Sendable {
    let method: String
    let connection: UInt64
    let pid: Int32
    /// The API request that the caller makes, for rules with methods or paths.
    let request: RequestTarget?
    /// True if the caller makes a grant, whose requests are decided one by one.
    let isForGrant: Bool
    /// True if the caller waits for a person's answer: a call of `hold` follows `approvalNeeded`.
    let isHeld: Bool

    package init(
      method: String, connection: UInt64, pid: Int32, request: RequestTarget? = nil, isForGrant: Bool = false,
      isHeld: Bool = false
    ) {
      (self.method, self.connection, self.pid) = (method, connection, pid)
      (self.request, self.isForGrant, self.isHeld) = (request, isForGrant, isHeld)
    }

    /// True if rules with methods or paths make a difference.
    var isScopable: Bool { request != nil || isForGrant }

    var use: RuleUse { request.map { .request($0.compared) } ?? (isForGrant ? .grant : .account) }
  }

  /// The method and the path of an API request, without its query, as it is sent.
  package struct RequestTarget: Sendable, Hashable {
    package let method: String
    package let path: String
    /// The path under which the project's origin serves Supabase; empty for its root, and for another
    /// origin.
    package let base: String
    /// The maximum length of a path in words: a notification shows no more.
    private static let shownPath = 120

    package init(method: String, path: String, base: String = "") {
      (self.method, self.path, self.base) = (method, path, base)
    }

    /// The target as a person reads it.
    var words: String { "\(method) \(ForeignText.shown(path, limit: Self.shownPath))" }

    /// The target in the form in which rules and grants compare it.
    package var compared: RequestScope.Request { RequestScope.Request(method: method, path: path, base: base) }
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
  private let hooks = Mutex<[@Sendable () -> Void]>([])

  package init(_ rules: [PolicyRule], records: Records, lookUp: CallerLookup, clock: any AgentClock, logger: Logger) {
    (self.records, self.lookUp, self.clock, self.logger) = (records, lookUp, clock, logger)
    state = Mutex(State(rules))
    hasRules = Atomic(!rules.isEmpty)
  }

  /// True if there are rules to apply.
  package var isInForce: Bool { hasRules.load(ordering: .acquiring) }

  /// Replaces the rules after a configuration reload. Answers of the user stay.
  package func replace(_ rules: [PolicyRule]) {
    let isChanged = state.withLock { state in
      guard state.rules != rules else { return false }
      state.rules = rules
      state.changed()
      hasRules.store(!rules.isEmpty, ordering: .releasing)
      return true
    }
    if isChanged { tellOfChange() }
  }

  /// Adds `body` to what runs after each change of the rules and the approvals, on any thread, but not
  /// when an approval expires by time. It must not block.
  package func onChange(_ body: @escaping @Sendable () -> Void) { hooks.withLock { $0.append(body) } }

  func tellOfChange() { for hook in hooks.withLock({ $0 }) { hook() } }

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
    guard let caller = records.issuedTokens.callers.shareCaller(of: connection, with: grant) else { return nil }
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

  /// True if no rules exist, or if a cached decision lets this connection use the account, for
  /// `request` if it is not nil. Never blocks.
  package func isAllowed(
    _ connection: UInt64, _ account: String, _ request: RequestTarget? = nil, now: BootTime
  ) -> Bool {
    guard isInForce else { return true }
    let isAllowed: Bool? = state.withLock { state in
      if request != nil, state.scopedAccounts.contains(account) { return nil }
      if let known = state.remembered(connection, account, now) { return known.isAllowed }
      return state.rulings[connection]?.allows(account) ?? false
    }
    if let isAllowed { return isAllowed }
    guard let request = request?.compared else { return false }
    return state.withLock { $0.decision(connection, account, request, now) ?? false }
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
    let (rules, generation, isScoped) = state.withLock {
      ($0.rules, $0.generation, request != nil && $0.scopedAccounts.contains(account))
    }
    let use = isScoped ? request.map { RuleUse.request($0.compared) } ?? .account : .account
    guard rules.allowAtOnce(opener, account, use) else { return false }
    return state.withLock { state in
      guard state.generation == generation else { return false }
      if !isScoped { state.remember(true, until: nil, connection, account) }
      return true
    }
  }

  // MARK: - Deciding

  /// Returns if the caller may use the account.
  ///
  /// - Throws: `denied`; `approvalNeeded` with the approval's ID, at once; `tooMany` if too many
  ///   requests are pending; `cancelled`.
  package func check(_ account: String, _ question: Question) async throws(AgentError) {
    while let once = try await checkOnce(account, question), !use(once) {}
  }

  /// Like `check`. Leaves an approval that is valid for one request to a call of `use`.
  ///
  /// - Returns: The id of such an approval.
  package func checkOnce(_ account: String, _ question: Question) async throws(AgentError) -> String? {
    guard isInForce else { return nil }
    while !Task.isCancelled {
      if let isAllowed = known(account, question) {
        guard isAllowed else { throw .refusedByPolicy(account) }
        return nil
      }
      if let outcome = await decide(account, question, mayAsk: true) { return try act(on: outcome, account) }
    }
    throw AgentError(.cancelled)
  }

  /// Like `check`, for data sent unprompted, such as events. Never requests approval.
  ///
  /// - Parameter isApproved: True for a request that had an approval of its own: only a denial ends it.
  package func passes(_ account: String, _ question: Question, isApproved: Bool = false) async -> Bool {
    guard isInForce else { return true }
    while !Task.isCancelled {
      if let isAllowed = known(account, question) { return isAllowed }
      switch await decide(account, question, mayAsk: false) {
      case .allowed(once: nil): return true
      case .denied: return false
      case .allowed, .full, .asked: return isApproved
      case nil: break
      }
    }
    return false
  }

  /// The decision, if it is known without a lookup. A denied API request is known once the audit log
  /// notes it.
  private func known(_ account: String, _ question: Question) -> Bool? {
    let (connection, now) = (question.connection, clock.now)
    let (isScoped, isAllowed) = state.withLock { state -> (Bool, Bool?) in
      if question.isScopable, state.scopedAccounts.contains(account) { return (true, nil) }
      return (false, state.remembered(connection, account, now)?.isAllowed)
    }
    guard isScoped, let request = question.request?.compared else { return isAllowed }
    return state.withLock { state in
      let isAllowed = state.decision(connection, account, request, now)
      return isAllowed == false && !state.isDenialNoted(connection, account) ? nil : isAllowed
    }
  }

  private enum Outcome {
    /// `once` is the id of an approval for one request.
    case allowed(once: String?)
    case denied, full
    case asked(id: String, unit: String?)
  }

  /// Returns nil if the rules or the approvals changed meanwhile.
  private func decide(_ account: String, _ question: Question, mayAsk: Bool) async -> Outcome? {
    let (rules, generation, isScoped) = state.withLock {
      ($0.rules, $0.generation, $0.scopedAccounts.contains(account))
    }
    // If no rule makes a difference, the decision is cached for all uses.
    let use = isScoped ? question.use : .account
    let known = records.issuedTokens.callers.caller(of: question.connection)
    let caller = known ?? Caller()
    let needsRulings = use.isRequest && known != nil
    // The thread is gone only at shutdown.
    let (action, scope, isByProgram, rulings) =
      await lookUp.run {
        let rule = rules.rule(for: caller, account, use)
        let action = rule.map { $0.scope != nil && use.isGrant ? .allow : $0.action }
        let rulings = needsRulings ? Rulings(rules, caller) : nil
        return (action ?? .allow, rule?.scope, rule?.namesExecutable == true, rulings)
      } ?? (.deny, nil, false, nil)
    let (outcome, facts): (Outcome?, AuditFacts?) = state.withLock { state in
      guard state.generation == generation else { return (nil, nil) }
      if let rulings, state.decided[question.connection] != nil { state.rulings[question.connection] = rulings }
      switch action {
      case .allow:
        if case .account = use { state.remember(true, until: nil, question.connection, account) }
        return (.allowed(once: nil), nil)
      case .deny: return (.denied, deny(&state, account, question, caller, use))
      case .ask: return ask(&state, Asked(account: account, scope: scope), question, caller, use, mayAsk: mayAsk)
      }
    }
    if var facts {
      if isByProgram { facts.detail = (facts.detail ?? "") + Self.worthOfExecutable }
      note(facts, question, caller)
    }
    if facts?.event == .approvalAsked, case .asked(let id, _)? = outcome { publishRequest(id) }
    return outcome
  }

  /// Caches a denial by a rule.
  ///
  /// - Returns: The audit entry, once for a connection and account.
  private func deny(
    _ state: inout State, _ account: String, _ question: Question, _ caller: Caller, _ use: RuleUse
  ) -> AuditFacts? {
    if case .account = use {
      state.remember(false, until: nil, question.connection, account)
    } else if !state.noteDenied(question.connection, account) {
      return nil
    }
    return .policy(.denied, account, question, caller)
  }

  /// Applies the user's answer, which is for the program, the account and the rule's methods and paths.
  private func ask(
    _ state: inout State, _ asked: Asked, _ question: Question, _ caller: Caller, _ use: RuleUse, mayAsk: Bool
  ) -> (Outcome, AuditFacts?) {
    let account = asked.account
    func remember(_ isAllowed: Bool, until: BootTime?) {
      switch use {
      case .account: state.remember(isAllowed, until: until, question.connection, account)
      case .request: state.rememberAnswer(isAllowed, until: until, question.connection, asked)
      case .grant: break
      }
    }
    func denial() -> AuditFacts? {
      if case .account = use { return .policy(.denied, account, question, caller) }
      return state.noteDenied(question.connection, account) ? .policy(.denied, account, question, caller) : nil
    }
    guard let asker = ApprovalSubject(caller, pid: question.pid), let start = caller.start else {
      remember(false, until: nil)
      return (.denied, denial())
    }
    let now = clock.now
    let process = ProcessIdentity(pid: question.pid, start: start)
    let ruling = state.book.ask(
      asker, account, asked.scope, process, now: now, isNewWanted: mayAsk, isHeld: question.isHeld
    ) { id in
      Approval(
        id: id, account: account, state: .pending, method: question.method,
        request: asked.scope.flatMap { _ in question.request?.words }, pattern: asked.scope?.words, pid: question.pid,
        executable: caller.executable, comm: caller.comm, unit: caller.unit, askedAt: clock.wall,
        until: clock.wallTime(of: now.advanced(by: ApprovalBook.requestTimeout)))
    }
    switch ruling {
    case .allowed(let until, let once):
      if once == nil { remember(true, until: until) }
      return (.allowed(once: once), nil)
    case .denied(let until):
      remember(false, until: until)
      return (.denied, denial())
    case .asked(let id, let isNew):
      return (
        .asked(id: id, unit: caller.unitName),
        isNew ? .policy(.approvalAsked, account, question, caller, id: id, pattern: asked.scope?.words) : nil
      )
    case .full:
      let isNoted = !mayAsk || !state.noteFull(question.connection, account)
      return (.full, isNoted ? nil : .policy(.denied, account, question, caller))
    }
  }

  /// Returns the id of an approval for one request.
  private func act(on outcome: Outcome, _ account: String) throws(AgentError) -> String? {
    switch outcome {
    case .allowed(let once): return once
    case .denied: throw .refusedByPolicy(account)
    case .full:
      throw AgentError(
        .tooMany, "Too many access requests are pending.", hint: "ritualctl approvals", account: account)
    case .asked(let id, let unit):
      // The error is shown where the program runs, mostly in its own unit, which may not answer.
      let place = unit == nil ? "" : "systemd-run --user --pty "
      var error = AgentError(.approvalNeeded, hint: "\(place)ritualctl approvals allow \(id)", account: account)
      error.data.approval = id
      throw error
    }
  }

  /// Added to each entry caused by a rule about an executable: what was compared, and what the rule
  /// cannot detect.
  private static let worthOfExecutable =
    "; matched by executable at connection time: the connection may have passed to another program or survived execve"

  /// Records a decision in the audit log and the journal. Denials are counted, because a program can
  /// cause any number of them with new connections.
  func note(_ facts: AuditFacts, _ question: Question, _ caller: Caller) {
    if facts.event == .denied {
      let connection = IssuedTokens.Connection(id: question.connection, pid: question.pid)
      records.issuedTokens.note(facts, kind: facts.detail ?? "", by: connection, caller, at: clock.wall)
    } else {
      records.audit.record(facts)
    }
    logger.notice(
      "policy",
      metadata: [
        "decision": "\(facts.event.rawValue)", "account": "\(facts.account ?? "")", "method": "\(question.method)",
        "pid": "\(question.pid)", "unit": "\(caller.unit ?? "")",
      ])
  }
}

extension AgentError {
  package static func refusedByPolicy(_ account: String) -> AgentError {
    AgentError(
      .denied, "A policy rule denies this program access to account \(account).",
      hint: "see [[policy.rules]] in the configuration, and: ritualctl approvals", account: account)
  }
}

extension AuditFacts {
  /// The entry for a decision about a caller. For an answer or a revocation, `caller` is the
  /// program that sent it.
  ///
  /// - Parameter pattern: the methods and paths of the rule that asks. The request's own path is not noted.
  static func policy(
    _ event: AuditEvent, _ account: String, _ question: Policy.Question, _ caller: Caller, id: String? = nil,
    pattern: String? = nil
  ) -> AuditFacts {
    var facts = AuditFacts(event)
    facts.account = ForeignText.shown(account, limit: 40)
    let words = [question.method, id.map { ForeignText.shown($0, limit: 40) }, pattern.map { ForeignText.shown($0) }]
    facts.detail = words.compactMap { $0 }.joined(separator: " ")
    facts.take(.init(id: question.connection, pid: question.pid), caller)
    return facts
  }
}
