import Synchronization

/// The callers of open connections, each looked up once for policy rules and the audit log. Safe from any
/// thread.
package final class ConnectionCallers: Sendable {
  /// A caller lookup. The notes of a connection keep it after the connection has closed.
  final class Lookup: Sendable {
    private enum State { case notNeeded, needed, found(Caller) }

    private let state: Mutex<State>

    init(_ caller: Caller? = nil) { state = Mutex(caller.map { .found($0) } ?? .notNeeded) }

    var isPending: Bool { state.withLock { if case .needed = $0 { true } else { false } } }
    var caller: Caller? { state.withLock { if case .found(let caller) = $0 { caller } else { nil } } }

    /// Marks the lookup as pending. Returns false if it is pending or complete.
    fileprivate func need() -> Bool {
      state.withLock { state in
        guard case .notNeeded = state else { return false }
        state = .needed
        return true
      }
    }

    func found(_ caller: Caller) { state.withLock { $0 = .found(caller) } }
  }

  private let lookups = Mutex<[UInt64: Lookup]>([:])
  private let lookUp: CallerLookup?
  private let lastID = Atomic<UInt64>(0)

  /// - Parameter lookUp: The thread for what follows a lookup; nil to look up nothing.
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

  /// Returns true if a lookup is needed, once; a call of `lookUpCaller` must follow.
  func need(_ lookup: Lookup) -> Bool { lookUp != nil && lookup.need() }

  /// Looks up a connection's caller, once for each connection. Call before the answer is sent: a
  /// command that only requests a token exits right after it.
  ///
  /// - Returns: Whether `whenFound` will be called, on a thread where it may block.
  @discardableResult
  package func lookUpCaller(
    of connection: IssuedTokens.Connection, _ peer: PeerProcess? = nil, _ opener: ConnectionOpener? = nil,
    whenFound: (@Sendable (Caller) -> Void)? = nil
  ) -> Bool {
    guard let lookUp, let lookup = lookup(of: connection.id), lookup.caller == nil else { return false }
    let caller = Caller(pid: connection.pid, peer: peer, opener: opener)
    lookup.found(caller)
    if let whenFound { lookUp.begin { whenFound(caller) } }
    return whenFound != nil
  }

  /// Returns the caller of an open connection; nil if it was not looked up.
  package func caller(of connection: UInt64) -> Caller? { lookup(of: connection)?.caller }

  /// Registers the caller of a connection for `grant` as well, until `grant` closes.
  ///
  /// - Returns: The caller; nil if it is not known, and then nothing is registered.
  func shareCaller(of connection: UInt64, with grant: UInt64) -> Caller? {
    guard let caller = caller(of: connection) else { return nil }
    opened(grant, caller)
    return caller
  }

  /// Returns the program at a connection's other end for display, with its unit; nil if the kernel did
  /// not tell.
  package func program(of connection: UInt64) -> String? {
    guard let caller = caller(of: connection) else { return nil }
    let facts = [caller.executable ?? caller.comm.map { "calls itself \($0)" }, caller.unit].compactMap { $0 }
    return facts.isEmpty ? nil : facts.joined(separator: ", ")
  }
}
