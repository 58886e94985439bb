package import AgentProtocol
package import SessionEngine
import Synchronization
package import SystemSupport

/// Tokens issued since the last `take`. Noted on the event loop, at the cost of a dictionary
/// lookup. Safe from any thread.
package final class HandOutTable: Sendable {
  /// A connection and the process at its other end.
  package struct Connection: Sendable, Hashable {
    package let id: UInt64
    package let pid: Int32

    package init(id: UInt64, pid: Int32) {
      (self.id, self.pid) = (id, pid)
    }
  }

  /// An issued token: the way and the connection by which it was issued.
  package struct Key: Sendable, Hashable {
    package let connection: Connection
    package let account: String
    package let way: HandOutWay
    /// The first 8 bytes of the token's SHA-256.
    package let token: UInt64

    package init(connection: Connection, account: String, way: HandOutWay, token: UInt64) {
      (self.connection, self.account, self.way, self.token) = (connection, account, way, token)
    }
  }

  struct Noted: Sendable {
    var count: UInt64
    let first: Timestamp
    var last: Timestamp
  }

  /// Maximum number of keys between two calls of `take`, a second apart. Many times the maximum
  /// number of connections.
  static let bound = 16_384

  private struct State {
    var noted: [Key: Noted] = [:]
    var lost: UInt64 = 0
    var served: [HandOutWay: UInt64] = [:]
    /// Open connections.
    var known: Set<UInt64> = []
    var callers: [UInt64: Caller] = [:]
    var closed: Set<UInt64> = []

    /// True while the connection's caller is being looked up.
    func isLookupPending(_ connection: UInt64) -> Bool {
      callers[connection] == nil && (known.contains(connection) || closed.contains(connection))
    }
  }

  private let state = Mutex(State())
  private let lookUp: CallerLookup?
  private let changed: WakeSignal

  package init(lookUp: CallerLookup? = nil, changed: WakeSignal = WakeSignal()) {
    self.lookUp = lookUp
    self.changed = changed
  }

  /// Notes that a token was issued at `time`.
  package func note(_ key: Key, at time: Timestamp) {
    let isFirst = state.withLock { state in
      state.served[key.way, default: 0] += 1
      let isFirst = state.noted.isEmpty
      if state.noted[key] != nil {
        state.noted[key]?.count += 1
        state.noted[key]?.last = time
      } else if state.noted.count < Self.bound {
        state.noted[key] = Noted(count: 1, first: time, last: time)
      } else {
        state.lost += 1
      }
      return isFirst
    }
    if isFirst { changed.signal() }
  }

  /// Starts the caller lookup for an accepted connection. It starts at once because a command that
  /// only requests a token exits right after the response.
  ///
  /// - Returns: Whether `whenFound` will be called, on the lookup's thread.
  @discardableResult
  package func opened(
    _ connection: Connection, _ peer: PeerProcess? = nil, whenFound: (@Sendable (Caller) -> Void)? = nil
  ) -> Bool {
    guard let lookUp else { return false }
    _ = state.withLock { $0.known.insert(connection.id) }
    lookUp.begin(pid: connection.pid, peer) { [self] caller in
      found(caller, connection.id)
      whenFound?(caller)
    }
    return whenFound != nil
  }

  /// The number of callers still to be looked up, each of which holds a descriptor.
  package var waiting: Int { lookUp?.waiting ?? 0 }

  /// Returns a connection's caller once the lookup has finished; nil if the caller is no longer
  /// kept.
  func caller(of connection: UInt64) async -> Caller? {
    if let caller = state.withLock({ $0.callers[connection] }) { return caller }
    await lookUp?.completeBegun()
    return state.withLock { $0.callers[connection] }
  }

  /// Notes that a connection has closed. Its caller is kept until the next `take` if any tokens are
  /// noted.
  package func closed(_ connection: UInt64) {
    state.withLock { state in
      guard state.known.remove(connection) != nil else { return }
      // Bounded like `noted`, so that short-lived processes cannot fill the memory.
      if state.noted.isEmpty || state.closed.count >= Self.bound {
        state.callers[connection] = nil
      } else {
        state.closed.insert(connection)
      }
    }
  }

  func found(_ caller: Caller, _ connection: UInt64) {
    state.withLock { state in
      guard state.known.contains(connection) || state.closed.contains(connection) else { return }
      state.callers[connection] = caller
    }
  }

  /// Returns everything noted since the last call, with the callers, and the number of tokens that
  /// did not fit. Tokens whose caller is still being looked up are left for the next call.
  func take() async -> (handOuts: [(Key, Noted, Caller?)], lost: UInt64) {
    await lookUp?.completeBegun()
    return state.withLock { state in
      let left = state.noted.filter { state.isLookupPending($0.key.connection.id) }
      let taken = state.noted.filter { left[$0.key] == nil }
        .map { ($0.key, $0.value, state.callers[$0.key.connection.id]) }
      let needed = Set(left.keys.map(\.connection.id))
      for connection in state.closed.subtracting(needed) { state.callers[connection] = nil }
      let lost = state.lost
      (state.noted, state.lost) = (left, 0)
      state.closed.formIntersection(needed)
      if !left.isEmpty { changed.signal() }
      return (taken.sorted { ($0.1.first, $0.0.connection.id) < ($1.1.first, $1.0.connection.id) }, lost)
    }
  }

  /// Tokens issued since the start, by way.
  package var served: [HandOutWay: UInt64] { state.withLock { $0.served } }
}

extension HandOutTable.Key {
  package init(_ connection: HandOutTable.Connection, _ answer: TokenAnswer) {
    self.init(
      connection: connection, account: answer.entry.account, way: .token, token: answer.entry.shortFingerprint)
  }
}

extension TokenAnswer {
  package var handedOutAt: Timestamp { Timestamp(unixSeconds: expiresAt.unixSeconds - Int64(expiresIn)) }
}

extension SessionToken.Result {
  /// When the token was issued: its expiry minus its remaining lifetime.
  package var handedOutAt: Timestamp { Timestamp(unixSeconds: expiresAt.unixSeconds - Int64(expiresIn)) }
}

/// The series of issued tokens that are still counted, one for each process, account, token and way
/// (PR-3).
///
/// An entry is written for the first token. The count after that is kept in the seal, and written
/// as a second entry once the series is idle. A program that requests a token every second for an
/// hour costs two entries, and a crash loses one second's count.
struct HandOutLedger: Codable, Sendable, Equatable {
  /// Maximum number of open series. The oldest is closed to make room. With executable paths, all
  /// fit into one vault record.
  static let maxOpen = 256
  /// Idle time, in seconds, after which a series is closed and its count written.
  static let idleTimeout: Int64 = 600

  struct Open: Codable, Sendable, Equatable {
    var number: UInt64
    var process: String
    var facts: AuditFacts
    /// The count that is already in the log.
    var written: UInt64
  }

  private(set) var open: [Open] = []
  private var last: UInt64 = 0

  /// Counts issued tokens and returns the entries to write.
  mutating func take(_ key: HandOutTable.Key, _ noted: HandOutTable.Noted, _ caller: Caller?) -> [AuditFacts] {
    let process = caller?.start.map { "\(key.connection.pid) \($0)" } ?? "connection \(key.connection.id)"
    let token = TokenFingerprint.text(key.token)
    let index = open.firstIndex {
      $0.process == process && $0.facts.account == key.account && $0.facts.token == token
        && $0.facts.way == key.way.rawValue
    }
    if let index {
      open[index].facts.count = (open[index].facts.count ?? 0) &+ noted.count
      open[index].facts.last = noted.last
      return []
    }
    last &+= 1
    var facts = AuditFacts(.tokenIssued, at: noted.last)
    (facts.handOut, facts.account, facts.token, facts.way) = (last, key.account, token, key.way.rawValue)
    (facts.count, facts.first, facts.last) = (noted.count, noted.first, noted.last)
    facts.pid = key.connection.pid > 0 ? key.connection.pid : nil
    (facts.executable, facts.unit) = (caller?.executable, caller?.unit)
    open.append(Open(number: last, process: process, facts: facts, written: noted.count))
    return [facts] + (open.count > Self.maxOpen ? close(oldest: open.count - Self.maxOpen) : [])
  }

  /// Closes the series idle for `idleTimeout` seconds and returns the entries to write.
  mutating func closeIdle(now: Timestamp) -> [AuditFacts] {
    close { now.unixSeconds - ($0.facts.last?.unixSeconds ?? 0) >= Self.idleTimeout }
  }

  /// Closes all series and returns the entries to write.
  mutating func closeAll() -> [AuditFacts] { close { _ in true } }

  private mutating func close(oldest count: Int) -> [AuditFacts] {
    let oldest = Set(
      open.sorted { ($0.facts.last ?? $0.facts.at) < ($1.facts.last ?? $1.facts.at) }.prefix(count).map(\.number))
    return close { oldest.contains($0.number) }
  }

  /// A series whose count is already in the log needs no second entry.
  private mutating func close(_ which: (Open) -> Bool) -> [AuditFacts] {
    let closed = open.filter(which)
    open.removeAll(where: which)
    return closed.filter { $0.facts.count != $0.written }.map { open in
      var facts = open.facts
      facts.at = facts.last ?? facts.at
      return facts
    }
  }
}
