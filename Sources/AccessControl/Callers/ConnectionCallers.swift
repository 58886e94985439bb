import Synchronization

/// The callers of open connections, each looked up once for policy rules and the audit log. Safe from any
/// thread.
package final class ConnectionCallers: Sendable {
  /// A caller lookup. The notes of a connection keep it after the connection has closed.
  final class Lookup: Sendable {
    private enum State { case notBegun, pending, found(Caller) }

    private let state: Mutex<State>

    init(_ caller: Caller? = nil) { state = Mutex(caller.map { .found($0) } ?? .notBegun) }

    var isBegun: Bool { state.withLock { if case .notBegun = $0 { false } else { true } } }
    var isPending: Bool { state.withLock { if case .pending = $0 { true } else { false } } }
    var caller: Caller? { state.withLock { if case .found(let caller) = $0 { caller } else { nil } } }

    /// Returns false if the lookup has begun before.
    func begin() -> Bool {
      state.withLock { state in
        guard case .notBegun = state else { return false }
        state = .pending
        return true
      }
    }

    func found(_ caller: Caller) { state.withLock { $0 = .found(caller) } }
  }

  private let lookups = Mutex<[UInt64: Lookup]>([:])
  private let lookUp: CallerLookup?
  private let lastID = Atomic<UInt64>(0)

  /// - Parameter lookUp: The thread for the lookups; nil to look up nothing.
  package init(_ lookUp: CallerLookup? = nil) { self.lookUp = lookUp }

  /// Returns an ID that no other connection of the agent has, on whatever socket. A call of `closed`
  /// must follow.
  package func nextConnectionID() -> UInt64 {
    let id = lastID.add(1, ordering: .relaxed).newValue
    opened(id)
    return id
  }

  /// Registers a connection, whose caller may be known already.
  func opened(_ connection: UInt64, _ caller: Caller? = nil) {
    lookups.withLock { $0[connection] = Lookup(caller) }
  }

  /// Forgets the caller of a connection that has closed.
  package func closed(_ connection: UInt64) { lookups.withLock { $0[connection] = nil } }

  func lookup(of connection: UInt64) -> Lookup? { lookups.withLock { $0[connection] } }

  /// True if a lookup has not begun and can begin.
  func isNeeded(_ lookup: Lookup) -> Bool { lookUp != nil && !lookup.isBegun }

  /// Starts the lookup of a connection's caller, once for each connection. Call before the answer
  /// is sent: a command that only requests a token exits right after it.
  ///
  /// - Returns: Whether `whenFound` will be called, on the lookup's thread.
  @discardableResult
  package func lookUpCaller(
    of connection: HandOutTable.Connection, _ peer: PeerProcess? = nil, _ opener: ConnectionOpener? = nil,
    whenFound: (@Sendable (Caller) -> Void)? = nil
  ) -> Bool {
    guard let lookUp, let lookup = lookup(of: connection.id), lookup.begin() else { return false }
    lookUp.begin(pid: connection.pid, peer, opener) { caller in
      lookup.found(caller)
      whenFound?(caller)
    }
    return true
  }

  /// The number of callers still to be looked up, each of which holds a descriptor.
  package var waiting: Int { lookUp?.waiting ?? 0 }

  /// Returns when the lookups that have begun are complete.
  func completeLookups() async { await lookUp?.completeBegun() }

  /// Returns the caller of an open connection once its lookup has finished; nil if none has begun.
  package func caller(of connection: UInt64) async -> Caller? {
    let lookup = lookup(of: connection)
    if lookup?.caller == nil { await completeLookups() }
    return lookup?.caller
  }

  /// Registers the caller of a connection for `grant` as well, until `grant` closes.
  ///
  /// - Returns: The caller; nil if it is not known, and then nothing is registered.
  func shareCaller(of connection: UInt64, with grant: UInt64) async -> Caller? {
    guard let caller = await caller(of: connection) else { return nil }
    opened(grant, caller)
    return caller
  }

  /// Returns the program at a connection's other end for display, with its unit; nil if the kernel did
  /// not tell.
  package func program(of connection: UInt64) async -> String? {
    guard let caller = await caller(of: connection) else { return nil }
    let facts = [caller.executable, caller.unit].compactMap { $0 }
    return facts.isEmpty ? nil : facts.joined(separator: ", ")
  }
}
