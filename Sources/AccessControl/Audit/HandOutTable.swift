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

  /// Requests that are sent with a token, in one hour (EG-8). Neither method nor path is kept.
  struct Requests: Sendable, Hashable {
    let account: String
    /// The id of the grant that the requests are made with.
    let grant: String?
    let hour: Int64
  }

  /// The key of events that are counted together for one process.
  enum Series: Sendable, Hashable {
    case token(Token), requests(Requests)

    /// Hashes only the members that distinguish almost all keys: this runs for each token request.
    func hash(into hasher: inout Hasher) {
      switch self {
      case .token(let token): hasher.combine(token.fingerprint)
      case .requests(let requests): hasher.combine(requests)
      }
    }
  }

  /// The notes of one series and process.
  struct Noted: Sendable {
    let series: Series
    /// The first of the connections, whose caller lookup describes the process.
    let connection: Connection
    /// The number of tokens that were issued, or of requests that were sent.
    var count: UInt64
    /// The number of requests that have ended, by status. They may be of an earlier `count`.
    var statuses: [StatusClass: UInt64] = [:]
    var inFlight: UInt64 = 0
    let first: Timestamp
    var last: Timestamp

    /// True if there is something to write.
    var hasCounts: Bool { count > 0 || !statuses.isEmpty }

    /// The part that stays when the counts are taken; nil if no request is in flight.
    var remainder: Noted? {
      guard inFlight > 0 else { return nil }
      var rest = self
      (rest.count, rest.statuses) = (0, [:])
      return rest
    }

    var isToken: Bool { if case .token = series { true } else { false } }
  }

  /// Maximum number of series of tokens, and of requests, between two calls of `take`, a second apart.
  /// Many times the maximum number of connections.
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
    let series: Series
  }

  private enum Lookup {
    case pending
    case found(Caller)

    var caller: Caller? { if case .found(let caller) = self { caller } else { nil } }
  }

  private struct State {
    /// Also has series that only have requests in flight.
    var noted: [Key: Noted] = [:]
    /// The number of series of tokens in `noted`.
    var tokens = 0
    /// True if there is something to take.
    var isChanged = false
    var lost: UInt64 = 0
    /// Tokens that are not in `noted` any more, or did not fit.
    var served: [HandOutWay: UInt64] = [:]
    /// The caller lookups that have begun, by connection.
    var lookups: [UInt64: Lookup] = [:]
    /// Closed connections whose lookup is kept until the next `take`.
    var closed: Set<UInt64> = []

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
    note(.token(token), connection, time)
  }

  /// Notes that a request is sent with a token at `time`.
  ///
  /// - Returns: As for a token.
  func send(_ requests: Requests, to connection: Connection, at time: Timestamp) -> Bool {
    note(.requests(requests), connection, time)
  }

  private func note(_ series: Series, _ connection: Connection, _ time: Timestamp) -> Bool {
    let key = Key(origin: Origin(connection), series: series)
    let (isFirst, needsCaller) = state.withLock { state in
      let isFirst = state.change()
      if let index = state.noted.index(forKey: key) {
        state.noted.values[index].count += 1
        state.noted.values[index].last = time
        if !state.noted.values[index].isToken { state.noted.values[index].inFlight += 1 }
        return (isFirst, false)
      }
      var noted = Noted(series: series, connection: connection, count: 1, first: time, last: time)
      guard (noted.isToken ? state.tokens : state.noted.count - state.tokens) < Self.bound else {
        state.lost += 1
        if case .token(let token) = series { state.served[token.way, default: 0] += 1 }
        return (isFirst, false)
      }
      if noted.isToken { state.tokens += 1 } else { noted.inFlight = 1 }
      state.noted[key] = noted
      return (isFirst, state.lookups[connection.id] == nil)
    }
    if isFirst { changed.signal() }
    return needsCaller && lookUp != nil
  }

  /// Notes how a request has ended, also for a request that did not fit.
  func end(_ requests: Requests, to connection: Connection, _ status: StatusClass) {
    let isFirst = state.withLock { state in
      let key = Key(origin: Origin(connection), series: .requests(requests))
      guard let index = state.noted.index(forKey: key), state.noted.values[index].inFlight > 0 else { return false }
      state.noted.values[index].inFlight -= 1
      state.noted.values[index].statuses[status, default: 0] += 1
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
      if state.noted.isEmpty || state.closed.count >= Self.bound {
        state.lookups[connection] = nil
      } else {
        state.closed.insert(connection)
      }
    }
  }

  func found(_ caller: Caller, _ connection: UInt64) {
    state.withLock { if $0.lookups[connection] != nil { $0.lookups[connection] = .found(caller) } }
  }

  /// Returns everything noted since the last call, each with the caller, and the number of tokens and
  /// requests that did not fit. What is noted of a process whose caller is still being looked up is left
  /// for the next call. The caller of a request in flight is kept, so that its status is counted with it.
  func take() async -> (noted: [(Noted, Caller?)], lost: UInt64) {
    await lookUp?.completeBegun()
    return state.withLock { state in
      var left = state.noted.filter { state.isPending($0.value.connection.id) }
      state.isChanged = left.values.contains(where: \.hasCounts)
      let ready = state.noted.filter { left[$0.key] == nil }
      let taken = ready.values.filter(\.hasCounts).map { ($0, state.lookups[$0.connection.id]?.caller) }
      for (noted, _) in taken {
        if case .token(let token) = noted.series { state.served[token.way, default: 0] += noted.count }
      }
      left.merge(ready.compactMapValues(\.remainder)) { left, _ in left }
      let needed = Set(left.values.map(\.connection.id))
      for connection in state.closed.subtracting(needed) { state.lookups[connection] = nil }
      state.closed.formIntersection(needed)
      let lost = state.lost
      (state.noted, state.tokens, state.lost) = (left, left.values.count(where: \.isToken), 0)
      if state.isChanged { changed.signal() }
      return (taken.sorted { ($0.0.first, $0.0.connection.id) < ($1.0.first, $1.0.connection.id) }, lost)
    }
  }

  /// Tokens issued since the start, by way.
  package var served: [HandOutWay: UInt64] {
    state.withLock { state in
      state.noted.values.reduce(into: state.served) { served, noted in
        if case .token(let token) = noted.series { served[token.way, default: 0] += noted.count }
      }
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
