package import AgentProtocol
package import SessionEngine
import Synchronization
package import SystemSupport

/// Tokens issued, requests sent with a token, grants and denials since the last `take`, counted by
/// process. Noted on the event loop, at the cost of a dictionary lookup. Safe from any thread.
package final class IssuedTokens: Sendable {
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
    package let way: TokenDelivery
    /// The first 8 bytes of the token's SHA-256.
    package let fingerprint: UInt64

    package init(account: String, way: TokenDelivery, fingerprint: UInt64) {
      (self.account, self.way, self.fingerprint) = (account, way, fingerprint)
    }

    /// Hashes only the member that distinguishes almost all tokens: this runs for each token request.
    package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
  }

  /// Events of one process that are counted together.
  enum Series: Sendable, Hashable {
    case token(Token)
    /// Requests that are sent with a token, in one hour. Neither method nor path is kept.
    case requests(account: String, grant: String?, hour: Int64)
    /// `kind` distinguishes what is counted of the same event and account.
    case event(AuditEvent, account: String?, kind: String)
  }

  /// The notes of one series and process.
  struct Noted: Sendable {
    let series: Series
    /// The first of the connections, whose caller lookup describes the process.
    let connection: Connection
    let lookup: ConnectionCallers.Lookup
    /// Increases with each series.
    let order: UInt64
    /// The entry of these alone, with their count; without the process.
    var facts: AuditFacts

    /// Counts one more, or one that has ended. Nothing is copied, because each request is counted twice.
    fileprivate mutating func count(_ time: Timestamp, _ status: StatusClass?) -> ConnectionCallers.Lookup {
      facts.add(time, status)
      return lookup
    }
  }

  /// A request that is noted, and whose status is still to be noted.
  package struct Request: Sendable {
    fileprivate let key: Key
    fileprivate let connection: Connection
    /// Nil if the request did not fit.
    fileprivate let lookup: ConnectionCallers.Lookup?
  }

  /// Maximum number of series of tokens and requests, between two calls of `take`, a second apart. Many
  /// times the maximum number of connections. Other rooms have `AuditQueue.bound`.
  static let bound = 16_384

  fileprivate struct Key: Hashable {
    private let process: UInt64?
    /// Without an identity of the process, each connection counts for itself.
    private let connection: UInt64?
    let series: Series

    init(_ connection: Connection, _ series: Series) {
      process = connection.process
      self.connection = process == nil ? connection.id : nil
      self.series = series
    }

    /// Hashes few members, because each request is looked up twice. A process has few grants.
    func hash(into hasher: inout Hasher) {
      hasher.combine(process ?? connection)
      switch series {
      case .token(let token): hasher.combine(token)
      case .requests(let account, _, _): hasher.combine(account)
      case .event: hasher.combine(series)
      }
    }
  }

  private struct State {
    var noted: [Key: Noted] = [:]
    var order: UInt64 = 0
    /// The number of series in `noted`, and of events that did not fit.
    var sizes: [AuditRoom: Int] = [:]
    var lost: [AuditRoom: UInt64] = [:]
    var served: [TokenDelivery: UInt64] = [:]
  }

  private let state = Mutex(State())
  /// The callers of the connections that things are noted of.
  package let callers: ConnectionCallers
  private let changed: WakeSignal

  package init(_ callers: ConnectionCallers = ConnectionCallers(), changed: WakeSignal = WakeSignal()) {
    (self.callers, self.changed) = (callers, changed)
  }

  // MARK: - Noting

  /// Notes that a token was issued at `time`.
  ///
  /// - Returns: True if the log needs to know the connection's caller: a call of `lookUpCaller` must
  ///   follow. One lookup serves all connections of a process until the next `take`.
  @discardableResult
  package func note(_ token: Token, to connection: Connection, at time: Timestamp) -> Bool {
    note(Key(connection, .token(token)), connection, at: time).needsCaller
  }

  /// Notes a request. Call before its head is sent: the program may end with its response. Each call
  /// must be followed by one `end`.
  ///
  /// - Parameters:
  ///   - grant: the id of the grant, if the request is made with one.
  ///   - connection: the connection of the program, or of the grant.
  /// - Returns: The request, and whether the caller is needed, as for a token.
  package func send(
    account: String, grant: String? = nil, to connection: Connection, at time: Timestamp
  ) -> (request: Request, needsCaller: Bool) {
    let key = Key(connection, .requests(account: account, grant: grant, hour: Self.hour(of: time)))
    let (lookup, needsCaller) = note(key, connection, at: time)
    return (Request(key: key, connection: connection, lookup: lookup), needsCaller)
  }

  /// Notes the status of the response to a request, in the hour in which the request was sent; nil if
  /// there was no response.
  package func end(_ request: Request, status: Int?, at time: Timestamp) {
    guard let lookup = request.lookup else { return }
    note(request.key, request.connection, lookup, at: time, status: StatusClass(status))
  }

  /// Counts an event of a program.
  func note(_ facts: AuditFacts, kind: String = "", by connection: Connection, _ caller: Caller, at time: Timestamp) {
    let key = Key(connection, .event(facts.event, account: facts.account, kind: kind))
    note(key, connection, ConnectionCallers.Lookup(caller), at: time, facts)
  }

  /// The hour of a time, in UTC.
  static func hour(of time: Timestamp) -> Int64 { time.unixSeconds / 3600 }

  /// Counts one more of a series, or with a `status` one that has ended.
  @discardableResult
  private func note(
    _ key: Key, _ connection: Connection, _ lookup: ConnectionCallers.Lookup? = nil, at time: Timestamp,
    status: StatusClass? = nil,
    _ facts: AuditFacts? = nil
  ) -> (lookup: ConnectionCallers.Lookup?, needsCaller: Bool) {
    let own = lookup == nil ? callers.lookup(of: connection.id) : nil
    let (found, needsCaller, isFirst) = state.withLock { state -> (ConnectionCallers.Lookup?, Bool, Bool) in
      if case .token(let token) = key.series { state.served[token.way, default: 0] += 1 }
      if let index = state.noted.index(forKey: key) {
        return (state.noted.values[index].count(time, status), false, false)
      }
      let (room, isFirst) = (AuditRoom(key.series), state.noted.isEmpty)
      guard state.sizes[room, default: 0] < (room == .issuedTokens ? Self.bound : AuditQueue.bound) else {
        state.lost[room, default: 0] += 1
        return (nil, false, false)
      }
      state.sizes[room, default: 0] += 1
      state.order += 1
      let lookup = lookup ?? own ?? .init()
      state.noted[key] = Noted(
        series: key.series, connection: connection, lookup: lookup, order: state.order,
        facts: (facts ?? key.series.facts).counted(time, status))
      // Before `take` can see it.
      return (lookup, own.map(callers.need) == true, isFirst)
    }
    if isFirst { changed.signal() }
    return (found, needsCaller)
  }

  // MARK: - Taking

  /// Returns everything noted since the last call, each with the caller, and the number of events that
  /// did not fit. Notes of a process whose caller is about to be looked up are left for the next
  /// call.
  func take() -> (noted: [(Noted, Caller?)], lost: [AuditRoom: UInt64]) {
    let (taken, lost) = state.withLock { state in
      let left = state.noted.filter { $0.value.lookup.isPending }
      let taken = state.noted.filter { left[$0.key] == nil }.values
      defer {
        (state.noted, state.lost) = (left, [:])
        state.sizes = left.keys.reduce(into: [:]) { $0[AuditRoom($1.series), default: 0] += 1 }
        if !left.isEmpty { changed.signal() }
      }
      return (taken, state.lost)
    }
    return (taken.sorted { $0.order < $1.order }.map { ($0, $0.lookup.caller) }, lost)
  }

  /// Tokens issued since the start, by way.
  package var served: [TokenDelivery: UInt64] { state.withLock { $0.served } }
}

extension IssuedTokens.Series {
  /// The entry of the first of a series of tokens or requests.
  fileprivate var facts: AuditFacts {
    switch self {
    case .token(let token):
      var facts = AuditFacts(.tokenIssued)
      (facts.account, facts.way) = (token.account, token.way.rawValue)
      facts.token = TokenFingerprint.text(token.fingerprint)
      return facts
    case .requests(let account, let grant, _):
      var facts = AuditFacts(.egressUsed)
      facts.account = account
      facts.detail = grant.map { "grant \(ForeignText.shown($0, limit: 40))" }
      return facts
    case .event(let event, _, _): return AuditFacts(event)
    }
  }
}

extension AuditFacts {
  /// Counts one more, or one that has ended.
  fileprivate mutating func add(_ time: Timestamp, _ status: StatusClass?) {
    if let status {
      statuses = statuses ?? [:]
      statuses?[status.rawValue, default: 0] += 1
    } else {
      (count, last, at) = ((count ?? 0) &+ 1, time, time)
    }
  }

  fileprivate func counted(_ time: Timestamp, _ status: StatusClass?) -> AuditFacts {
    var facts = self
    (facts.at, facts.count) = (time, 0)
    if status == nil { facts.first = time }
    facts.add(time, status)
    return facts
  }
}

extension IssuedTokens.Token {
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
