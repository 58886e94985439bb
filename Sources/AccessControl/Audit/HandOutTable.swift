package import AgentProtocol
package import SessionEngine
import Synchronization
package import SystemSupport

/// Tokens issued, and requests sent with a token, since the last `take`, counted by process. Noted on
/// the event loop, at the cost of a dictionary lookup. Safe from any thread.
package final class HandOutTable: Sendable {
  /// A connection and the process at its other end.
  package struct Connection: Sendable, Hashable {
    package let id: UInt64
    package let pid: Int32
    /// `PeerProcess.id`, if it is known.
    let process: UInt64?

    package init(id: UInt64, pid: Int32, process: UInt64? = nil) {
      (self.id, self.pid, self.process) = (id, pid, process)
    }
  }

  /// An issued token, and the way by which it was issued.
  package struct Token: Sendable, Hashable {
    package let account: String
    package let way: HandOutWay
    /// The first 8 bytes of the token's SHA-256.
    package let fingerprint: UInt64

    package init(account: String, way: HandOutWay, fingerprint: UInt64) {
      (self.account, self.way, self.fingerprint) = (account, way, fingerprint)
    }
  }

  /// A token that was issued to one process, and how often.
  struct Noted: Sendable {
    let token: Token
    /// The first of the connections, whose caller lookup describes the process.
    let connection: Connection
    var count: UInt64
    let first: Timestamp
    var last: Timestamp
  }

  /// Maximum number of entries between two calls of `take`, a second apart. Many times the maximum
  /// number of connections.
  static let bound = 16_384

  /// Without an identity of the process, each connection counts for itself.
  private enum Origin: Hashable {
    case process(UInt64), connection(UInt64)

    init(_ connection: Connection) {
      self = connection.process.map { .process($0) } ?? .connection(connection.id)
    }
  }

  private struct Key: Hashable {
    let origin: Origin
    let token: Token

    init(_ connection: Connection, _ token: Token) { (origin, self.token) = (Origin(connection), token) }

    /// The two that tell almost all keys apart: this runs for each token request.
    func hash(into hasher: inout Hasher) {
      hasher.combine(origin)
      hasher.combine(token.fingerprint)
    }
  }

  private struct RequestKey: Hashable {
    let origin: Origin
    let series: EgressUse.Series
  }

  private enum Lookup {
    case pending
    case found(Caller)

    var caller: Caller? { if case .found(let caller) = self { caller } else { nil } }
  }

  private struct State {
    var noted: [Key: Noted] = [:]
    /// Also has series that only have requests in flight.
    var requests: [RequestKey: EgressUse] = [:]
    /// True if there is something to take.
    var isChanged = false
    var lost: UInt64 = 0
    /// Tokens that are not in `noted` any more.
    var served: [HandOutWay: UInt64] = [:]
    /// The caller lookups that have begun, by connection.
    var lookups: [UInt64: Lookup] = [:]
    /// Closed connections whose lookup is kept until the next `take`.
    var closed: Set<UInt64> = []

    var isEmpty: Bool { noted.isEmpty && requests.isEmpty }

    /// Returns true once until the next `take`.
    mutating func change() -> Bool {
      defer { isChanged = true }
      return !isChanged
    }

    func isPending(_ connection: UInt64) -> Bool {
      if case .pending? = lookups[connection] { true } else { false }
    }
  }

  private let state = Mutex(State())
  private let lookUp: CallerLookup?
  private let changed: WakeSignal
  private let lastConnection = Atomic<UInt64>(0)

  /// Returns an ID that no other connection of the agent has, on whatever socket.
  package func nextConnectionID() -> UInt64 { lastConnection.add(1, ordering: .relaxed).newValue }

  package init(lookUp: CallerLookup? = nil, changed: WakeSignal = WakeSignal()) {
    self.lookUp = lookUp
    self.changed = changed
  }

  /// Notes that a token was issued at `time`.
  ///
  /// - Returns: True if the log needs to know the connection's caller, whose lookup has not begun.
  ///   One lookup serves all connections of a process until the next `take`.
  @discardableResult
  package func note(_ token: Token, to connection: Connection, at time: Timestamp) -> Bool {
    let key = Key(connection, token)
    let (isFirst, needsCaller) = state.withLock { state in
      if let index = state.noted.index(forKey: key) {
        state.noted.values[index].count += 1
        state.noted.values[index].last = time
        return (false, false)
      }
      let isFirst = state.change()
      guard state.noted.count < Self.bound else {
        state.lost += 1
        state.served[token.way, default: 0] += 1
        return (false, false)
      }
      state.noted[key] = Noted(token: token, connection: connection, count: 1, first: time, last: time)
      return (isFirst, state.lookups[connection.id] == nil)
    }
    if isFirst { changed.signal() }
    return needsCaller && lookUp != nil
  }

  /// Notes that a request is sent with a token at `time`.
  ///
  /// - Returns: As for a token.
  func send(_ series: EgressUse.Series, to connection: Connection, at time: Timestamp) -> Bool {
    let key = RequestKey(origin: Origin(connection), series: series)
    let (isFirst, needsCaller) = state.withLock { state in
      let isFirst = state.change()
      if let index = state.requests.index(forKey: key) {
        state.requests.values[index].send(at: time)
        return (isFirst, false)
      }
      guard state.requests.count < Self.bound else {
        state.lost += 1
        return (isFirst, false)
      }
      var use = EgressUse(series: series, connection: connection, at: time)
      use.send(at: time)
      state.requests[key] = use
      return (isFirst, state.lookups[connection.id] == nil)
    }
    if isFirst { changed.signal() }
    return needsCaller && lookUp != nil
  }

  /// Notes how a request of `series` has ended.
  func end(_ series: EgressUse.Series, to connection: Connection, _ status: StatusClass) {
    let isFirst = state.withLock { state in
      guard let index = state.requests.index(forKey: RequestKey(origin: Origin(connection), series: series)) else {
        return false
      }
      state.requests.values[index].end(status)
      return state.change()
    }
    if isFirst { changed.signal() }
  }

  /// Starts the lookup of a connection's caller, once for each connection. Call before the answer
  /// is sent: a command that only requests a token exits right after it.
  ///
  /// - Returns: Whether `whenFound` will be called, on the lookup's thread.
  @discardableResult
  package func lookUpCaller(
    of connection: Connection, _ peer: PeerProcess? = nil, _ opener: ConnectionOpener? = nil,
    whenFound: (@Sendable (Caller) -> Void)? = nil
  ) -> Bool {
    guard let lookUp else { return false }
    let isNew = state.withLock { state in
      guard state.lookups[connection.id] == nil else { return false }
      state.lookups[connection.id] = .pending
      return true
    }
    guard isNew else { return false }
    lookUp.begin(pid: connection.pid, peer, opener) { [self] caller in
      found(caller, connection.id)
      whenFound?(caller)
    }
    return true
  }

  /// The number of callers still to be looked up, each of which holds a descriptor.
  package var waiting: Int { lookUp?.waiting ?? 0 }

  /// Returns a connection's caller once its lookup has finished; nil if none has begun, or if the
  /// caller is no longer kept.
  package func caller(of connection: UInt64) async -> Caller? {
    if let caller = state.withLock({ $0.lookups[connection]?.caller }) { return caller }
    await lookUp?.completeBegun()
    return state.withLock { $0.lookups[connection]?.caller }
  }

  /// Registers the caller of a connection for `grant` as well, until `grant` closes.
  ///
  /// - Returns: The caller; nil if it is no longer kept, and then nothing is registered.
  func shareCaller(of connection: UInt64, with grant: UInt64) async -> Caller? {
    guard let caller = await caller(of: connection) else { return nil }
    state.withLock { $0.lookups[grant] = .found(caller) }
    return caller
  }

  /// Returns the program at a connection's other end for display, with its unit; nil if the kernel did
  /// not tell.
  package func program(of connection: UInt64) async -> String? {
    guard let caller = await caller(of: connection) else { return nil }
    let facts = [caller.executable, caller.unit].compactMap { $0 }
    return facts.isEmpty ? nil : facts.joined(separator: ", ")
  }

  /// Notes that a connection has closed. Its caller is kept until the next `take` if anything is
  /// noted.
  package func closed(_ connection: UInt64) {
    state.withLock { state in
      guard state.lookups[connection] != nil else { return }
      // Bounded like `noted`, so that short-lived processes cannot fill the memory.
      if state.isEmpty || state.closed.count >= Self.bound {
        state.lookups[connection] = nil
      } else {
        state.closed.insert(connection)
      }
    }
  }

  func found(_ caller: Caller, _ connection: UInt64) {
    state.withLock { if $0.lookups[connection] != nil { $0.lookups[connection] = .found(caller) } }
  }

  /// What was noted, each with the caller.
  struct Taken: Sendable {
    var handOuts: [(Noted, Caller?)]
    var requests: [(EgressUse, Caller?)]
    /// The number of tokens and requests that did not fit.
    var lost: UInt64
  }

  /// Returns everything noted since the last call. What is noted of a process whose caller is still
  /// being looked up is left for the next call. The caller of a request in flight is kept, so that its
  /// status is counted with it.
  func take() async -> Taken {
    await lookUp?.completeBegun()
    return state.withLock { state in
      let left = state.noted.filter { state.isPending($0.value.connection.id) }
      let taken = state.noted.filter { left[$0.key] == nil }
        .map { ($0.value, state.lookups[$0.value.connection.id]?.caller) }
      for (noted, _) in taken { state.served[noted.token.way, default: 0] += noted.count }
      var leftRequests = state.requests.filter { state.isPending($0.value.connection.id) }
      state.isChanged = !left.isEmpty || leftRequests.values.contains(where: \.hasCounts)
      let ready = state.requests.filter { leftRequests[$0.key] == nil }
      let requests = ready.values.filter(\.hasCounts).map { ($0, state.lookups[$0.connection.id]?.caller) }
      leftRequests.merge(ready.compactMapValues(\.remainder)) { left, _ in left }
      let needed = Set(left.values.map(\.connection.id) + leftRequests.values.map(\.connection.id))
      for connection in state.closed.subtracting(needed) { state.lookups[connection] = nil }
      let lost = state.lost
      (state.noted, state.requests, state.lost) = (left, leftRequests, 0)
      state.closed.formIntersection(needed)
      if state.isChanged { changed.signal() }
      return Taken(
        handOuts: taken.sorted { ($0.0.first, $0.0.connection.id) < ($1.0.first, $1.0.connection.id) },
        requests: requests.sorted { ($0.0.first, $0.0.connection.id) < ($1.0.first, $1.0.connection.id) }, lost: lost)
    }
  }

  /// Tokens issued since the start, by way.
  package var served: [HandOutWay: UInt64] {
    state.withLock { state in
      state.noted.values.reduce(into: state.served) { $0[$1.token.way, default: 0] += $1.count }
    }
  }
}

extension HandOutTable.Token {
  package init(_ answer: TokenAnswer) {
    self.init(account: answer.entry.account, way: .token, fingerprint: answer.entry.shortFingerprint)
  }
}

extension TokenAnswer {
  package var handedOutAt: Timestamp { Timestamp(unixSeconds: expiresAt.unixSeconds - Int64(expiresIn)) }
}

extension SessionToken.Result {
  /// When the token was issued: its expiry minus its remaining lifetime.
  package var handedOutAt: Timestamp { Timestamp(unixSeconds: expiresAt.unixSeconds - Int64(expiresIn)) }
}

/// The series that are still counted: issued tokens, one for each process, account, token and way
/// (PR-3), and requests sent with a token, one for each process, account, grant and hour (EG-8).
///
/// For a token, an entry is written for the first token. The count after that is kept in the seal, and written
/// as a second entry once the series is idle. A program that requests a token every second for an
/// hour costs two entries, and a crash loses one second's count. For requests, one entry is written
/// when the hour is over, and a second one when those have ended that were in flight then.
struct HandOutLedger: Codable, Sendable, Equatable {
  /// Maximum number of open series. The oldest is closed to make room. With executable paths, all
  /// fit into one vault record.
  static let maxOpen = 256
  /// Idle time, in seconds, after which a series of tokens is closed and its count written.
  static let idleTimeout: Int64 = 600

  struct Open: Codable, Sendable, Equatable {
    var number: UInt64
    var process: String
    var facts: AuditFacts
    /// The `progress` that is already in the log.
    var written: UInt64
  }

  private(set) var open: [Open] = []
  private var last: UInt64 = 0

  /// Counts issued tokens and returns the entries to write.
  mutating func take(_ noted: HandOutTable.Noted, _ caller: Caller?) -> [AuditFacts] {
    let process = Self.process(noted.connection, caller)
    let token = TokenFingerprint.text(noted.token.fingerprint)
    let index = open.firstIndex {
      $0.process == process && $0.facts.account == noted.token.account && $0.facts.token == token
        && $0.facts.way == noted.token.way.rawValue
    }
    if let index {
      open[index].facts.count = (open[index].facts.count ?? 0) &+ noted.count
      open[index].facts.last = noted.last
      return []
    }
    last &+= 1
    var facts = AuditFacts(.tokenIssued, at: noted.last)
    (facts.handOut, facts.account, facts.token) = (last, noted.token.account, token)
    facts.way = noted.token.way.rawValue
    (facts.count, facts.first, facts.last) = (noted.count, noted.first, noted.last)
    facts.take(noted.connection, caller)
    open.append(Open(number: last, process: process, facts: facts, written: noted.count))
    return [facts] + closeSurplus()
  }

  /// Counts requests and returns the entries to write.
  mutating func take(_ use: EgressUse, _ caller: Caller?) -> [AuditFacts] {
    let process = Self.process(use.connection, caller)
    let detail = use.series.grant.map { "grant \(ForeignText.shown($0, limit: 40))" }
    let index = open.firstIndex {
      $0.process == process && $0.facts.event == .egressUsed && $0.facts.account == use.series.account
        && $0.facts.detail == detail && $0.hour == use.series.hour
    }
    if let index {
      open[index].facts.add(use)
      return []
    }
    last &+= 1
    var facts = AuditFacts(.egressUsed, at: use.last)
    (facts.account, facts.detail, facts.first) = (use.series.account, detail, use.first)
    facts.add(use)
    facts.take(use.connection, caller)
    open.append(Open(number: last, process: process, facts: facts, written: 0))
    return closeSurplus()
  }

  private static func process(_ connection: HandOutTable.Connection, _ caller: Caller?) -> String {
    caller?.start.map { "\(connection.pid) \($0)" } ?? "connection \(connection.id)"
  }

  /// Closes the series of tokens idle for `idleTimeout` seconds and the series of requests whose hour
  /// is over, and returns the entries to write. A series with requests in flight stays open after its
  /// first entry, whose number the last one repeats.
  mutating func closeIdle(now: Timestamp) -> [AuditFacts] {
    let hour = EgressUse.hour(of: now)
    var entries = close {
      if $0.facts.event == .egressUsed { return $0.hour != hour && $0.inFlight == 0 }
      return now.unixSeconds - ($0.facts.last?.unixSeconds ?? 0) >= Self.idleTimeout
    }
    for index in open.indices where open[index].inFlight > 0 && open[index].hour != hour {
      guard open[index].facts.handOut == nil else { continue }
      open[index].facts.handOut = open[index].number
      open[index].written = open[index].progress
      entries.append(open[index].entry)
    }
    return entries
  }

  /// Closes all series and returns the entries to write. A request that has not ended gets no response
  /// any more: the vault is locked, or the agent stops or has crashed.
  mutating func closeAll() -> [AuditFacts] {
    for index in open.indices where open[index].inFlight > 0 {
      open[index].facts.statuses = (open[index].facts.statuses ?? [:]).merging(
        [StatusClass.none.rawValue: open[index].inFlight], uniquingKeysWith: &+)
    }
    return close { _ in true }
  }

  private mutating func closeSurplus() -> [AuditFacts] {
    open.count > Self.maxOpen ? close(oldest: open.count - Self.maxOpen) : []
  }

  private mutating func close(oldest count: Int) -> [AuditFacts] {
    let oldest = Set(
      open.sorted { ($0.facts.last ?? $0.facts.at) < ($1.facts.last ?? $1.facts.at) }.prefix(count).map(\.number))
    return close { oldest.contains($0.number) }
  }

  /// A series that is already in the log as it is needs no second entry.
  private mutating func close(_ which: (Open) -> Bool) -> [AuditFacts] {
    let closed = open.filter(which)
    open.removeAll(where: which)
    return closed.filter { $0.progress != $0.written }.map(\.entry)
  }
}

extension HandOutLedger.Open {
  /// The hour of a series of requests.
  fileprivate var hour: Int64 { EgressUse.hour(of: facts.first ?? facts.at) }

  /// The number of requests that have ended.
  private var ended: UInt64 { facts.statuses?.values.reduce(0, &+) ?? 0 }

  /// The number of requests that have not ended.
  fileprivate var inFlight: UInt64 {
    let count = facts.count ?? 0
    return facts.event == .egressUsed && count > ended ? count - ended : 0
  }

  /// Increases with everything that is counted.
  fileprivate var progress: UInt64 { (facts.count ?? 0) &+ ended }

  fileprivate var entry: AuditFacts {
    var facts = facts
    facts.at = facts.last ?? facts.at
    return facts
  }
}

extension AuditFacts {
  /// Adds the counts of `use` to this entry of the same series.
  fileprivate mutating func add(_ use: EgressUse) {
    var statuses = statuses ?? [:]
    for (status, count) in use.statuses { statuses[status.rawValue] = (statuses[status.rawValue] ?? 0) &+ count }
    self.statuses = statuses.isEmpty ? nil : statuses
    (count, last) = ((count ?? 0) &+ use.count, use.last)
  }

  /// Names the process at the other end of `connection`.
  mutating func take(_ connection: HandOutTable.Connection, _ caller: Caller?) {
    pid = connection.pid > 0 ? connection.pid : nil
    (executable, unit) = (caller?.executable, caller?.unit)
  }
}
