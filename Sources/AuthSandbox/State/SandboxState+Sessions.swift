/// A session that was begun or refreshed, all that its answer needs; the access token is signed outside the lock.
struct Grant: Sendable {
  var user: UserRecord
  var session: SessionRecord
  var refreshToken: String
  var headers: [(name: String, value: String)] = []
  var providerTokens: ProviderTokens?
}

extension SandboxState {
  /// Begins a session for a user that has proved who it is.
  mutating func beginSession(userID: String, method: String, userAgent: String?) throws(APIError) -> Grant {
    let now = self.now
    guard let user = users[userID] else {
      throw APIError(403, "user_not_found", "User from sub claim in JWT does not exist")
    }
    users.update(user.id) {
      $0.lastSignInAt = now
      $0.updatedAt = now.truncatedToMicroseconds
    }
    var session = SessionRecord(userID: user.id, createdAt: now, method: method, userAgent: userAgent)
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

  /// `grant_type=refresh_token`, committed on return and on throw.
  mutating func refresh(_ token: String) throws(APIError) -> Grant {
    do throws(RefreshRefusal) {
      let outcome = try rotate(token)
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

  /// Ban, time box and inactivity, in the server's order.
  private func check(_ session: SessionRecord) throws(RefreshRefusal) {
    func expired(_ detail: String) -> RefreshRefusal {
      RefreshRefusal(
        error: APIError(400, "session_expired", "Invalid Refresh Token: Session Expired" + detail))
    }
    guard let user = users[session.userID] else { throw .notFound }
    if user.isBanned(at: now) {
      throw RefreshRefusal(error: APIError(400, "user_banned", "Invalid Refresh Token: User Banned"))
    }
    if let limit = settings.sessionTimebox, now > session.createdAt.adding(seconds: limit) { throw expired("") }
    let lastUse = session.refreshedAt ?? session.createdAt
    if let limit = settings.inactivityTimeout, now > lastUse.adding(seconds: limit) {
      throw expired(" (Inactivity)")
    }
  }
}
