package import AccessControl
import AgentProtocol
import ServiceLifecycle
package import SessionEngine
import Synchronization
package import SystemSupport

/// The grants that are valid, in memory only. Thread-safe.
///
/// Invariant: a grant never outlives the session for which it was made. Each end of a session
/// increments `generation`, and a grant is added only if nothing has ended since its session was
/// read.
package final class Grants: Sendable {
  /// More than a person can keep track of.
  static let maxCount = 256
  /// Maximum number of grants that a process can make in a minute: a tool that makes one for each of
  /// its own programs needs far fewer, and each has a log entry or is counted in one.
  static let maxPerMinute = 120

  private struct Entry {
    let grant: Grant
    /// SHA-256 of the placeholder token.
    let digest: [UInt8]
    let number: UInt64
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var generation: UInt64 = 0
    var last: UInt64 = 0
    /// The number of grants made in the present minute, by process.
    var made: [Int32: Int] = [:]
    var minuteEnd: BootTime?
    var isClosed = false
  }

  private let state = Mutex(State())
  private let hooks = Mutex<[@Sendable (Grant) -> Void]>([])
  private let sessionHooks = Mutex<[@Sendable (_ account: String) -> Void]>([])
  private let policy: Policy
  private let records: Records
  private let clock: any AgentClock
  /// Signalled when a grant was added.
  let changed = WakeSignal()

  package init(policy: Policy, records: Records, clock: any AgentClock) {
    (self.policy, self.records, self.clock) = (policy, records, clock)
  }

  /// Adds `body` to what runs when a grant has ended, on any thread. It must not block.
  package func onEnd(_ body: @escaping @Sendable (Grant) -> Void) { hooks.withLock { $0.append(body) } }

  /// Adds `body` to what runs when the session of an account has ended or changed, also if it has no
  /// grant. It must not block.
  func onSessionEnd(_ body: @escaping @Sendable (_ account: String) -> Void) {
    sessionHooks.withLock { $0.append(body) }
  }

  // MARK: - Making

  /// The moment for `add`, to be read before the session.
  var generation: UInt64 { state.withLock { $0.generation } }

  /// Adds a grant, unless the vault was locked or a session has ended since `generation`.
  ///
  /// - Parameters:
  ///   - token: its placeholder token, new.
  /// - Returns: false if something has ended.
  /// - Throws: `tooMany`, also if the program has its share already; `cancelled` while the agent stops.
  func add(_ grant: Grant, since generation: UInt64, token: String) throws(AgentError) -> Bool {
    endOverdue()
    let (added, count) = state.withLock { state -> (Result<Bool, AgentError>, Int) in
      (Self.add(&state, grant, generation, token, now: clock.now), state.entries.count)
    }
    guard try added.get() else { return false }
    records.telemetry.setEgressGrants(count)
    records.recordGrant(
      .grantMade, account: grant.account, id: grant.id, by: grant.connection, grant.asker.caller)
    changed.signal()
    return true
  }

  private static func add(
    _ state: inout State, _ grant: Grant, _ generation: UInt64, _ token: String, now: BootTime
  ) -> Result<Bool, AgentError> {
    guard !state.isClosed else { return .failure(AgentError(.cancelled)) }
    guard state.generation == generation else { return .success(false) }
    guard state.entries.count < maxCount else {
      return .failure(AgentError(.tooMany, "There are \(maxCount) grants already.", hint: "ritualctl grants"))
    }
    let share = EgressLimits.share(of: maxCount)
    guard state.entries.values.count(where: { $0.grant.connection.pid == grant.connection.pid }) < share else {
      return .failure(AgentError(.tooMany, "A program can have at most \(share) grants.", hint: "ritualctl grants"))
    }
    if state.minuteEnd.map({ $0 <= now }) ?? true {
      (state.made, state.minuteEnd) = ([:], now.advanced(by: .seconds(60)))
    }
    guard state.made[grant.connection.pid, default: 0] < maxPerMinute else {
      return .failure(
        AgentError(
          .tooMany, "A program can make at most \(maxPerMinute) grants in a minute. Use one for several requests."))
    }
    state.made[grant.connection.pid, default: 0] += 1
    state.last += 1
    state.entries[grant.id] = Entry(grant: grant, digest: PlaceholderToken.digest(token), number: state.last)
    return .success(true)
  }

  // MARK: - Using

  /// Returns the grant of a placeholder token, if it is valid now. Takes the same time for every token of
  /// a length. Does not block.
  package func lookUp(token: String) -> Grant? {
    let digest = PlaceholderToken.digest(token)
    let found = state.withLock { state in
      var found: Grant?
      for entry in state.entries.values where Self.isEqual(entry.digest, digest) { found = entry.grant }
      return found
    }
    guard let found else { return nil }
    if let end = Self.end(of: found, at: clock.now) {
      self.end(found.id, end)
      return nil
    }
    return found
  }

  /// True for another host of some valid grant.
  func isHost(_ name: String) -> Bool { state.withLock { $0.entries.values.contains { $0.grant.host == name } } }

  private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The valid grants, oldest first, each with the number of its requests.
  func list() -> [(grant: Grant, requests: UInt64)] {
    endOverdue()
    return state.withLock { state in
      state.entries.values.sorted { $0.number < $1.number }.map { ($0.grant, $0.grant.requests) }
    }
  }

  // MARK: - Ends

  /// Ends one grant.
  ///
  /// - Returns: False if there is no such grant.
  @discardableResult
  package func end(_ id: String, _ reason: Grant.End) -> Bool {
    guard let entry = state.withLock({ $0.entries.removeValue(forKey: id) }) else { return false }
    ended([entry.grant], reason)
    return true
  }

  /// Ends the grants of one account, or all, and every one that is being made.
  package func endAll(of account: String? = nil, _ reason: Grant.End) {
    let grants = state.withLock { state in
      state.generation += 1
      let ended = state.entries.values.map(\.grant).filter { account == nil || $0.account == account }
      for grant in ended { state.entries[grant.id] = nil }
      return ended
    }
    ended(grants, reason)
  }

  /// Ends all grants; none is added after it.
  package func close() {
    state.withLock { $0.isClosed = true }
    endAll(.agentStopped)
  }

  /// Ends the grants of a session that has ended or changed. Called synchronously with each fact.
  package func note(_ fact: EngineFact) {
    switch fact {
    case .signedOut(let account, let scope) where scope != .others: sessionEnded(account, .signedOut)
    case .sessionEnded(let account, _): sessionEnded(account, .signedOut)
    case .ownerChanged(let account): sessionEnded(account, .ownerChanged)
    case .renamed(_, from: let account): sessionEnded(account, .renamed)
    case .removed(let account): sessionEnded(account, .removed)
    default: break
    }
  }

  private func sessionEnded(_ account: String, _ reason: Grant.End) {
    endAll(of: account, reason)
    for hook in sessionHooks.withLock({ $0 }) { hook(account) }
  }

  /// Ends the grants whose time or process has ended.
  func endOverdue() {
    let now = clock.now
    let grants = state.withLock { $0.entries.values.map(\.grant) }
    for grant in grants {
      if let reason = Self.end(of: grant, at: now) { end(grant.id, reason) }
    }
  }

  private static func end(of grant: Grant, at now: BootTime) -> Grant.End? {
    if grant.until <= now { return .expired }
    return grant.asker.hasEnded ? .processEnded : nil
  }

  private func ended(_ grants: [Grant], _ reason: Grant.End) {
    guard !grants.isEmpty else { return }
    records.telemetry.setEgressGrants(state.withLock { $0.entries.count })
    let hooks = hooks.withLock { $0 }
    for grant in grants {
      records.recordGrant(
        .grantEnded, account: grant.account, id: grant.id, reason: reason.rawValue, by: grant.connection,
        grant.asker.caller)
      for hook in hooks { hook(grant) }
      policy.closed(grant.connection.id)
      records.issuedTokens.callers.closed(grant.connection.id)
    }
  }
}

// MARK: - Time

extension Grants: Service {
  /// Interval of checks whether processes still run, so that an end closes a grant's streams within
  /// 3 s. A request is checked at once.
  private static let processCheck = Duration.seconds(2)

  /// When the next grant may be over; nil if there is none.
  private var nextCheck: BootTime? {
    let grants = state.withLock { $0.entries.values.map(\.grant) }
    guard let end = grants.map(\.until).min() else { return nil }
    guard grants.contains(where: { $0.asker.process != nil }) else { return end }
    return min(end, clock.now.advanced(by: Self.processCheck))
  }

  /// Ends grants when their time or their process ends, also if no request is made.
  package func run() async {
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        endOverdue()
        await changed.wait(until: nextCheck.map { Deadline(moment: $0, clock: clock) })
      }
    }
  }
}
