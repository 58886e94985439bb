import Synchronization

/// A stand-in for Supabase Auth v2.196 on a loopback port, with Google and Apple look-alikes, a profile API and a
/// control API. A handle: copies mean the same sandbox. All members may be used from any task; nothing is shared
/// between sandboxes.
public struct AuthSandbox: Sendable {
  let backend: Backend
  private let server: Task<Void, any Error>?

  /// `server` is nil in the control API's handle, which stops nothing.
  init(backend: Backend, server: Task<Void, any Error>?) {
    self.backend = backend
    self.server = server
  }

  /// Ends all connections, hanging ones too, and returns when the port is free. More calls do nothing.
  public func stop() async {
    server?.cancel()
    backend.hangs.open()
    _ = await server?.result
  }

  /// `http://127.0.0.1:PORT`: Supabase Auth is under `/auth/v1`, the profile API under `/api/v1`.
  public var url: String { backend.state.withLock { $0.origin } }

  /// The project's public key, which the gateway wants in `apikey`.
  public var anonKey: String { backend.anonKey }

  /// The key of the service role, for `/auth/v1/admin`. As on a real project, not for clients.
  public var serviceRoleKey: String { backend.serviceRoleKey }
}

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

extension AuthSandbox {
  /// Makes an identity token as Google or Apple would.
  public func mintIDToken(_ request: IDTokenRequest) async throws -> String {
    let name = request.provider.rawValue
    let (now, known) = backend.state.withLock { state in
      (state.now, request.email.flatMap { state.providers.account($0, at: name) })
    }
    var claims: [String: JSON] = [
      "iss": .string(request.issuer ?? ProviderFacts.issuers[name]?.first ?? ""),
      "aud": .string(request.audience ?? ProviderFacts.audiences[name]?.last ?? ""),
      "sub": .string(request.subject ?? known?.subject ?? ProviderDirectory.subject(for: name)),
      "iat": .int(now.unixSeconds), "exp": .int(now.unixSeconds + request.expiresIn),
    ]
    claims["email"] = request.email.map(JSON.string)
    claims["email_verified"] = request.email.map { _ in .bool(request.emailVerified) }
    claims["name"] = request.name.map(JSON.string)
    claims["nonce"] = request.nonce.map(JSON.string)
    return try backend.keys.signIdentity(.object(claims), broken: request.badSignature)
  }

  /// Adds an account at a provider, to be chosen on its consent page; the result is its subject.
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

  /// Apple forgets that the account has ever consented: the next time is a first time again.
  public func forgetAppleConsent(_ email: String) {
    backend.state.withLock { state in
      guard var account = state.providers.account(email, at: "apple") else { return }
      account.toldEmail = nil
      state.providers.put(account)
    }
  }
}

/// A user, as the sandbox's owner sees it.
public struct SandboxUser: Sendable, Codable, Equatable {
  /// The uuid.
  public let id: String
  /// "" for none.
  public let email: String
  /// Whether the address is confirmed.
  public let isConfirmed: Bool
  /// Whether a ban holds now.
  public let isBanned: Bool
  /// Names of the identities' providers, in order of linking.
  public let providers: [String]
  /// Ids of the sessions that live.
  public let sessions: [String]
}

/// A mail that was not sent.
public struct SandboxMail: Sendable, Codable, Equatable {
  /// "signup" or "recovery".
  public let type: String
  /// To whom.
  public let email: String
  /// The six digits, for `POST /verify` with `email` and `token`.
  public let code: String
  /// The link's `token_hash`.
  public let tokenHash: String
}

/// Users and sessions.
extension AuthSandbox {
  /// Adds a user with a password, past all checks of a sign-up; the result is its id.
  @discardableResult
  public func addUser(email: String, password: String, confirmed: Bool = true) -> String {
    backend.state.withLock { state in
      state.createUser(email: email, password: password, metadata: [:], confirmed: confirmed).id
    }
  }

  /// All users, in the order of their creation.
  public var users: [SandboxUser] {
    backend.state.withLock { state in
      state.users.all.map { user in
        SandboxUser(
          id: user.id, email: user.email, isConfirmed: user.isConfirmed, isBanned: user.isBanned(at: state.now),
          providers: user.identities.map(\.provider),
          sessions: state.sessions.sessions(ofUser: user.id).map(\.id).sorted())
      }
    }
  }

  /// Confirms the address. Throws `SandboxError` `.unknownUser`, as all that name a user do.
  public func confirmUser(_ email: String) throws {
    try change(email) { state, id in state.confirmEmail(of: id) }
  }

  /// Bans the user for so long, by the sandbox's clock; ten years by default.
  public func banUser(_ email: String, for duration: Duration = .seconds(315_360_000)) throws {
    let seconds = Double(duration.components.seconds)
    try change(email) { state, id in
      let until = state.now.adding(seconds: seconds)
      state.users.update(id) { $0.bannedUntil = until }
    }
  }

  /// Ends a ban.
  public func unbanUser(_ email: String) throws {
    try change(email) { state, id in state.users.update(id) { $0.bannedUntil = nil } }
  }

  /// Deletes the user with all sessions.
  public func deleteUser(_ email: String) throws {
    try change(email) { state, id in state.deleteUser(id) }
  }

  /// Deletes all sessions of the user: its refresh tokens become `refresh_token_not_found`.
  public func revokeSessions(of email: String) throws {
    try change(email) { state, id in state.sessions.removeAll(ofUser: id) }
  }

  /// Deletes all sessions of all users.
  public func revokeAllSessions() {
    backend.state.withLock { state in
      for session in state.sessions.all { state.sessions.remove(session.id) }
    }
  }

  /// Every access token handed out until now counts as expired, everywhere; refresh tokens stay.
  public func expireAccessTokens() { backend.state.withLock { $0.accessTokens.expireAll() } }

  /// The mails that wait for somebody to follow them.
  public var mails: [SandboxMail] {
    backend.state.withLock { state in
      state.mail.mails.map { SandboxMail(type: $0.type, email: $0.email, code: $0.code, tokenHash: $0.tokenHash) }
    }
  }

  private func change(_ email: String, _ step: @Sendable (inout SandboxState, String) -> Void) throws {
    let isKnown = backend.state.withLock { state in
      guard let user = state.users.withEmail(email) else { return false }
      step(&state, user.id)
      return true
    }
    if !isKnown {
      throw SandboxError(code: .unknownUser, message: "no user has the address \(email); add it first", cause: nil)
    }
  }
}
