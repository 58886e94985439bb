import Synchronization

/// Faults, clock and settings.
extension AuthSandbox {
  /// Places a fault on the next `count` requests for `endpoint`, nil for all to come. Each request meets at most one
  /// fault: the first placed that fits.
  public func inject(_ fault: Fault, at endpoint: SandboxEndpoint, count: Int? = 1) {
    backend.faults.withLock { $0.add(fault, at: endpoint, count: count) }
  }

  /// Takes back the faults that have not struck yet. Requests that hang already need `releaseHangs()`.
  public func clearFaults() { backend.faults.withLock { $0.clear() } }

  /// Lets all requests go that hang now.
  public func releaseHangs() { backend.hangs.open() }

  /// Requests that hang now.
  public var hangingRequests: Int { backend.hangs.count }

  /// Moves the sandbox's clock; backwards with a negative duration. Tokens, flows and intervals age with it.
  public func advanceClock(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    backend.state.withLock { $0.clock.advance(seconds: Double(seconds) + Double(attoseconds) / 1e18) }
  }

  /// Seconds since 1970 by the sandbox's clock.
  public var unixTime: Int { backend.now.unixSeconds }

  /// The settings as they are now.
  public var settings: SandboxSettings { backend.settings }

  /// Changes settings in one step; requests that come in later see them.
  public func configure(_ change: @Sendable (inout SandboxSettings) -> Void) {
    backend.state.withLock { state in
      change(&state.settings)
      state.clock.setFrozen(state.settings.frozenClock)
    }
  }

  /// The next `times` requests to `/api/v1/guarded` are answered 401 whatever their token.
  public func refuseAPI(times: Int) { backend.state.withLock { $0.apiRefusals = times } }
}

/// What came in.
extension AuthSandbox {
  /// Requests for `endpoint` since the start, faulted ones included.
  public func requestCount(_ endpoint: SandboxEndpoint = .any) -> Int {
    backend.journal.withLock { $0.count(endpoint) }
  }

  /// Requests to refresh, faulted ones included.
  public var refreshCount: Int { requestCount(.refresh) }

  /// Refreshes that took effect: a token was to be handed out, new or again, even if a fault then ate the answer.
  public var refreshGrants: Int { backend.state.withLock { $0.ledger.grants } }

  /// Refreshes that made a token which did not exist before.
  public var refreshRotations: Int { backend.state.withLock { $0.ledger.rotations } }

  /// How often that refresh token reached the tables.
  public func presentations(ofRefreshToken token: String) -> Int {
    presentations(ofRefreshTokenSHA256: Text.sha256Hex(token))
  }

  /// The same by the token's SHA-256 in lower-case hexadecimal digits.
  public func presentations(ofRefreshTokenSHA256 digest: String) -> Int {
    backend.state.withLock { $0.ledger.presentations[digest] ?? 0 }
  }

  /// The oldest refresh token ever presented, over all sessions: 0 was the newest of its session, 1 the direct parent
  /// of the newest, and so on. A careful client never goes beyond 1.
  public var oldestAncestorPresented: Int { backend.state.withLock { $0.ledger.oldestAncestor } }

  /// The same for one session, by its `session_id`.
  public func oldestAncestorPresented(session id: String) -> Int {
    backend.state.withLock { $0.ledger.oldestAncestor(ofSession: id) }
  }

  /// The last 500 requests, oldest first, with hashes in the place of secrets.
  public var recentRequests: [RequestRecord] { backend.journal.withLock { $0.recent } }

  /// Returns when `count` requests for `endpoint` have come in since the start; throws `CancellationError` with its
  /// task.
  public func waitForRequests(_ endpoint: SandboxEndpoint = .any, count: Int) async throws {
    let backend = backend
    let id = UInt64.random(in: .min ... .max)
    await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        let isWaiting = backend.journal.withLock { journal in
          !Task.isCancelled && journal.wait(for: endpoint, count: count, id: id, wake)
        }
        if !isWaiting { wake.resume() }
      }
    } onCancel: {
      backend.journal.withLock { $0.stopWaiting(id) }?.resume()
    }
    try Task.checkCancellation()
  }
}
