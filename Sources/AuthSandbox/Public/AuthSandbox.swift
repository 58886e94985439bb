import Synchronization

/// A substitute for Supabase Auth v2.196 on a loopback port, with look-alikes of the providers, a profile
/// API and a control API. A value is a handle: copies refer to the same sandbox. All
/// members may be used from any task. Sandboxes share no state.
public struct AuthSandbox: Sendable {
  let backend: Backend
  private let server: RunningServer?

  /// `server` is nil in the control API's handle, which cannot stop the server.
  init(backend: Backend, server: RunningServer?) {
    self.backend = backend
    self.server = server
  }

  /// Closes all connections, including held ones, and returns when the port is free. Further calls
  /// do nothing.
  public func stop() async {
    await server?.cancel()
    backend.hangs.open()
    await server?.end()
  }

  /// The sandbox's URL, `http://127.0.0.1:PORT`. Supabase Auth is under `/auth/v1`, the profile API
  /// under `/api/v1`.
  public var url: String { backend.state.withLock { $0.origin } }

  /// The project's public key, which the gateway expects in `apikey`.
  public var anonKey: String { backend.anonKey }

  /// The service role key, for `/auth/v1/admin`. As in a real project, it is not for clients.
  public var serviceRoleKey: String { backend.serviceRoleKey }
}

/// Faults, clock and settings.
extension AuthSandbox {
  /// Places a fault on the next `count` requests for `endpoint`; nil means all later requests. At
  /// most one fault applies to a request: the first one placed that matches.
  public func inject(_ fault: Fault, at endpoint: SandboxEndpoint, count: Int? = 1) {
    backend.faults.withLock { $0.add(fault, at: endpoint, count: count) }
  }

  /// Removes all faults that have not been applied. Requests that are already held need
  /// `releaseHangs()`.
  public func clearFaults() { backend.faults.withLock { $0.clear() } }

  /// Releases all held requests.
  public func releaseHangs() { backend.hangs.open() }

  /// The number of held requests.
  public var hangingRequests: Int { backend.hangs.count }

  /// Moves the sandbox's clock, backward if `duration` is negative. Tokens, flows and intervals age
  /// with it.
  public func advanceClock(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    backend.state.withLock { $0.clock.advance(seconds: Double(seconds) + Double(attoseconds) / 1e18) }
  }

  /// Seconds since 1970 by the sandbox's clock.
  public var unixTime: Int { backend.now.unixSeconds }

  /// The current settings.
  public var settings: SandboxSettings { backend.settings }

  /// Changes settings in one step. Later requests see the change.
  public func configure(_ change: @Sendable (inout SandboxSettings) -> Void) {
    backend.state.withLock { state in
      change(&state.settings)
      state.clock.setFrozen(state.settings.frozenClock)
    }
  }
}

/// Requests that the sandbox received.
extension AuthSandbox {
  /// The number of requests for `endpoint` since the start, including those with a fault.
  public func requestCount(_ endpoint: SandboxEndpoint = .any) -> Int {
    backend.journal.withLock { $0.count(endpoint) }
  }

  /// The number of refresh requests, including those with a fault.
  public var refreshCount: Int { requestCount(.refresh) }

  /// The number of refreshes that took effect, with a new token or an existing one, even if a fault
  /// lost the response.
  public var refreshGrants: Int { backend.state.withLock { $0.ledger.grants } }

  /// The number of refreshes that created a new refresh token.
  public var refreshRotations: Int { backend.state.withLock { $0.ledger.rotations } }

  /// The number of times that a refresh token reached the tables.
  public func presentations(ofRefreshToken token: String) -> Int {
    presentations(ofRefreshTokenSHA256: Text.sha256Hex(token))
  }

  /// The number of times that a refresh token reached the tables, by the token's SHA-256 in
  /// lowercase hexadecimal digits.
  public func presentations(ofRefreshTokenSHA256 digest: String) -> Int {
    backend.state.withLock { $0.ledger.presentations[digest] ?? 0 }
  }

  /// The age of the oldest refresh token ever presented, over all sessions: 0 is the newest token
  /// of its session, 1 the direct parent of the newest, and so on. A correct client never exceeds
  /// 1.
  public var oldestAncestorPresented: Int { backend.state.withLock { $0.ledger.oldestAncestor } }

  /// The age of the oldest refresh token presented in one session, by its `session_id`.
  public func oldestAncestorPresented(session id: String) -> Int {
    backend.state.withLock { $0.ledger.oldestAncestor(ofSession: id) }
  }

  /// The last 500 requests, oldest first, with secrets replaced by hashes.
  public var recentRequests: [RequestRecord] { backend.journal.withLock { $0.recent } }

  /// Returns when `count` requests for `endpoint` have arrived since the start.
  /// - Throws: `CancellationError` if the task is cancelled.
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

extension AuthSandbox {
  /// Signs an identity token as the provider would.
  public func mintIDToken(_ request: IDTokenRequest) async throws -> String {
    let name = request.provider.rawValue
    let (now, known) = backend.state.withLock { state in
      (state.now, request.email.flatMap { state.providers.account($0, at: name) })
    }
    var claims: [String: JSON] = [
      "iss": .string(request.issuer ?? ProviderFacts.issuers(of: name)[0]),
      "aud": .string(request.audience ?? ProviderFacts.audiences(of: name).last ?? ""),
      "sub": .string(request.subject ?? known?.subject ?? ProviderDirectory.subject(for: name)),
      "iat": .int(now.unixSeconds), "exp": .int(now.unixSeconds + request.expiresIn),
    ]
    claims["email"] = request.email.map(JSON.string)
    claims["email_verified"] = request.email.map { _ in .bool(request.emailVerified) }
    claims["name"] = request.name.map(JSON.string)
    claims["nonce"] = request.nonce.map(JSON.string)
    return try backend.keys.signIdentity(.object(claims), broken: request.badSignature)
  }

  /// Adds an account at a provider, to be chosen on its consent page, and returns its subject.
  @discardableResult
  public func addProviderAccount(
    _ provider: SandboxProvider, email: String, firstName: String = "", lastName: String = "",
    emailVerified: Bool = true
  ) -> String {
    let account = ProviderAccount(
      provider: provider.rawValue, subject: ProviderDirectory.subject(for: provider.rawValue),
      email: email.lowercased(), isEmailVerified: emailVerified, givenName: firstName, familyName: lastName)
    backend.state.withLock { $0.providers.put(account) }
    return account.subject
  }

  /// Makes Apple forget that the account has ever consented: the next consent counts as the first.
  public func forgetAppleConsent(_ email: String) {
    backend.state.withLock { state in
      guard var account = state.providers.account(email, at: "apple") else { return }
      account.reportedEmail = nil
      state.providers.put(account)
    }
  }
}
