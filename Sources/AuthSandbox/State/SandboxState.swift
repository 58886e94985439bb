import Glibc

/// The complete state of a sandbox. A request changes it in one step, under one lock.
struct SandboxState: Sendable {
  var settings: SandboxSettings
  var clock = SandboxClock()
  /// `http://127.0.0.1:PORT`, set once the port is bound.
  var origin = ""
  var users = UserTable()
  var sessions = SessionTable()
  var flows = FlowTable()
  var providers = ProviderDirectory()
  var sso = SSOTable()
  var codes = CodeTable()
  var outbox = Outbox()
  var ledger = RefreshLedger()
  var accessTokens = AccessTokenLedger()
  var limiter = RateLimiter()
  var profiles: [String: [String: JSON]] = [:]
  /// The tables of `/rest/v1`, by name.
  var tables = Backend.tables

  var now: Moment { clock.now }
  var writer: UserJSON { UserJSON(digits: settings.timestampDigits) }

  init(settings: SandboxSettings) {
    self.settings = settings
    clock.setFrozen(settings.frozenClock)
  }

  /// SITE_URL; the default is the sandbox's own front page.
  var siteURL: String { settings.siteURL ?? origin }

  /// Returns a user.
  /// - Throws: 403 `user_not_found`.
  func liveUser(_ id: String) throws(APIError) -> UserRecord {
    guard let user = users[id] else {
      throw APIError(403, "user_not_found", "User from sub claim in JWT does not exist")
    }
    return user
  }
}

/// Issued access tokens, by SHA-256, so that all of them can be expired at once.
struct AccessTokenLedger: Sendable {
  private var valid: Set<String> = []
  private var expired: Set<String> = []

  mutating func note(_ token: String) { valid.insert(Text.sha256Hex(token)) }

  mutating func expireAll() {
    expired.formUnion(valid)
    valid = []
  }

  func isExpired(_ token: String) -> Bool { expired.contains(Text.sha256Hex(token)) }
}

/// A session that was created or refreshed, with everything its response needs. The access token is
/// signed outside the lock.
struct Grant: Sendable {
  var user: UserRecord
  var session: SessionRecord
  var refreshToken: String
  var headers: [(name: String, value: String)] = []
  var providerTokens: ProviderTokens?
}

extension SandboxState {
  /// Changes a user, at the present time.
  mutating func changeUser(_ id: String, _ change: (inout UserRecord, Moment) -> Void) {
    let now = self.now
    users.update(id) { change(&$0, now) }
  }

  /// Creates a session for an authenticated user.
  mutating func beginSession(
    userID: String, method: String, provider: String? = nil, notAfter: Moment? = nil, userAgent: String?
  ) throws(APIError) -> Grant {
    let now = self.now
    guard let user = users[userID] else {
      throw APIError(403, "user_not_found", "User from sub claim in JWT does not exist")
    }
    try checkHook()
    users.update(user.id) {
      $0.lastSignInAt = now
      $0.updatedAt = now.truncatedToMicroseconds
    }
    var session = SessionRecord(
      userID: user.id, createdAt: now, method: method, methodProvider: provider, notAfter: notAfter,
      userAgent: userAgent)
    let token: String
    switch settings.refreshAlgorithm {
    case .v1:
      let row = OpaqueToken(updatedAt: now)
      session.opaqueTokens = [row]
      token = row.value
    case .v2:
      let state = CounterState()
      session.counter = state
      token = CounterToken(session: session.id, counter: 0, key: state.key).text
    }
    sessions.put(session)
    ledger.note(issued: token, of: session.id)
    return Grant(user: users[userID] ?? user, session: session, refreshToken: token)
  }

  /// `grant_type=refresh_token`. The change is committed on return and on throw.
  mutating func refresh(_ token: String) throws(APIError) -> Grant {
    do throws(RefreshRefusal) {
      let outcome = try rotate(token)
      try checkHookForRefresh()
      sessions.put(outcome.session)
      ledger.note(granted: outcome)
      guard let user = users[outcome.session.userID] else { throw RefreshRefusal.notFound }
      return Grant(
        user: user, session: outcome.session, refreshToken: outcome.token, headers: outcome.headers)
    } catch {
      switch error.consequence {
      case .none: break
      case .put(let session): sessions.put(session)
      case .delete(let id): sessions.remove(id)
      }
      throw error.error
    }
  }

  private func checkHookForRefresh() throws(RefreshRefusal) {
    do { try checkHook() } catch { throw RefreshRefusal(error: error) }
  }

  private mutating func rotate(_ token: String) throws(RefreshRefusal) -> RefreshOutcome {
    guard token.utf8.count >= CounterToken.opaqueLength else {
      throw .validation("Refresh token is not valid")
    }
    ledger.note(presented: token)
    if token.utf8.count == CounterToken.opaqueLength {
      guard let session = sessions.owner(ofOpaqueToken: token) else { throw .notFound }
      try check(session)
      let upgrades = settings.refreshAlgorithm == .v2
      return try OpaqueRotation(now: now, reuseInterval: settings.reuseInterval, upgrades: upgrades)
        .refresh(session, presenting: token)
    }
    guard let parsed = CounterToken(parsing: token) else { throw .validation("Refresh token is not valid") }
    guard let session = sessions[parsed.session] else { throw .notFound }
    try check(session)
    return try CounterRotation(now: now, reuseInterval: settings.reuseInterval)
      .refresh(session, presenting: parsed)
  }
}

/// State changes of a provider's callback.
extension SandboxState {
  /// Returns the flow of a `state`, which is valid for one callback.
  mutating func consumeState(_ value: String) throws(APIError) -> Flow {
    if value.isEmpty { throw APIError(400, "bad_oauth_callback", "OAuth state parameter missing") }
    guard value.utf8.count == Text.uuid().utf8.count else {
      throw APIError(400, "bad_oauth_state", "OAuth state parameter is invalid")
    }
    guard let flow = flows[value] else {
      throw APIError(400, "bad_oauth_state", "OAuth state not found or expired")
    }
    if flow.isStateUsed { throw APIError(400, "flow_state_already_used", "State has already been used") }
    if flow.isExpired(at: now) { throw APIError(400, "bad_oauth_state", "OAuth state has expired") }
    flows[value]?.isStateUsed = true
    return flow
  }

  /// Redeems the provider's code and finds, links or creates the user.
  mutating func complete(_ flow: Flow, code: String, firstTimeName: String?) throws(APIError) {
    if code.isEmpty {
      throw APIError(400, "bad_oauth_callback", "OAuth callback with missing authorization code missing")
    }
    guard let grant = providers.redeem(code), grant.account.provider == flow.provider, !grant.isBroken else {
      throw APIError(500, "unexpected_failure", "Unable to exchange external code: \(code.prefix(4))")
    }
    let person = grant.account.identity(name: flow.provider == "apple" ? firstTimeName : grant.account.name)
    if person.email.isEmpty {
      throw APIError(500, "unexpected_failure", "Error getting user email from external provider")
    }
    let userID: String
    if let target = flow.linkingUser {
      try link(person, to: target)
      userID = target
    } else {
      userID = try signIn(person)
    }
    flows[flow.state]?.userID = userID
    flows[flow.state]?.authCode = Text.uuid()
    flows[flow.state]?.providerTokens = ProviderTokens()
  }
}

/// The sandbox's clock: the system clock plus an offset, optionally frozen.
struct SandboxClock: Sendable {
  /// In nanoseconds: a `Double` of seconds occasionally loses a nanosecond, and a limit that
  /// refills in two seconds would then not be full.
  private var offset: Int64 = 0
  private var frozenAt: Moment?

  var now: Moment { Moment(nanoseconds: (frozenAt ?? Self.machineNow).nanoseconds + offset) }

  mutating func advance(seconds: Double) { offset += Int64((seconds * 1_000_000_000).rounded()) }

  /// Stops or restarts the clock, without a jump.
  mutating func setFrozen(_ frozen: Bool) {
    let before = now
    frozenAt = frozen ? Self.machineNow : nil
    offset += before.nanoseconds - now.nanoseconds
  }

  private static var machineNow: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
