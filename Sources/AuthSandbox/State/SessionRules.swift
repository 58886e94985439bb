/// The rules by which sessions and tokens end.
extension SandboxState {
  /// Checks ban, the identity provider's end, timebox, inactivity, assurance level and newer
  /// sessions, in the server's order.
  func check(_ session: SessionRecord) throws(RefreshRefusal) {
    guard let user = users[session.userID] else { throw .notFound }
    if user.isBanned(at: now) {
      throw RefreshRefusal(error: APIError(400, "user_banned", "Invalid Refresh Token: User Banned"))
    }
    guard let detail = expiry(of: session, user) ?? newerLogin(than: session, user) else { return }
    throw RefreshRefusal(
      error: APIError(400, "session_expired", "Invalid Refresh Token: Session Expired" + detail))
  }

  /// The end of the message for a session that has expired by itself; nil if it has not.
  private func expiry(of session: SessionRecord, _ user: UserRecord) -> String? {
    if let end = session.notAfter, now > end { return "" }
    if let limit = settings.sessionTimebox, now > session.createdAt.adding(seconds: limit) { return "" }
    if let limit = settings.inactivityTimeout, now > session.lastRefresh.adding(seconds: limit) {
      return " (Inactivity)"
    }
    if let end = lowAssuranceEnd(of: session, user), now > end {
      return " (Low AAL: User Needs MFA Verification)"
    }
    return nil
  }

  /// The end of the message if the project allows one session and another one is newer. It is not
  /// final: once the other one has ended, the session works again.
  private func newerLogin(than session: SessionRecord, _ user: UserRecord) -> String? {
    guard settings.singleSession else { return nil }
    let others = sessions.sessions(ofUser: user.id).filter { $0.id != session.id && expiry(of: $0, user) == nil }
    return others.contains { $0.lastRefresh > session.lastRefresh } ? " (Revoked by Newer Login)" : nil
  }

  /// The time until which a user with a second factor must have verified it; nil if there is no
  /// limit.
  private func lowAssuranceEnd(of session: SessionRecord, _ user: UserRecord) -> Moment? {
    guard let limit = settings.lowAssuranceLimit, user.hasVerifiedFactor, !session.isAAL2 else { return nil }
    return session.createdAt.adding(seconds: limit)
  }

  /// The lifetime of a new access token. The other limits of a session do not shorten it.
  func tokenLifetime(_ grant: Grant) -> Int {
    guard let end = lowAssuranceEnd(of: grant.session, grant.user) else { return settings.tokenLifetime }
    return min(settings.tokenLifetime, max(0, end.unixSeconds - now.unixSeconds))
  }

  /// Refuses a new access token if the project's hook does.
  func checkHook() throws(APIError) {
    guard var error = hookFailure else { return }
    error.isByHook = true
    throw error
  }

  private var hookFailure: APIError? {
    let place = "Error running hook URI: pg-functions://postgres/auth/custom_access_token"
    var error = APIError(500, "unexpected_failure", place)
    switch settings.accessTokenHook {
    case .off: return nil
    case .refuses: return APIError(403, "unknown", settings.hookMessage)
    case .invalidClaims:
      error.message = "output claims do not conform to the expected schema: \n- (root): exp is required\n"
    case .raises: error.oldBody = ["code": "P0001", "message": "boom", "hint": "ask support"]
    case .slow, .missing: break
    }
    return error
  }
}

/// The assurance level of a session.
extension SessionRecord {
  var isAAL2: Bool { factorID != nil }

  var lastRefresh: Moment { refreshedAt ?? createdAt }

  /// Records that a factor was verified.
  mutating func note(_ factor: FactorRecord, at now: Moment) {
    factorID = factor.id
    factorMethods.removeAll { $0.name == factor.method }
    factorMethods.append((factor.method, now))
  }

  /// The claim `amr`, the newest method first.
  var amr: JSON {
    var first: [String: JSON] = ["method": .string(method), "timestamp": .int(createdAt.unixSeconds)]
    first["provider"] = methodProvider.map(JSON.string)
    let factors = factorMethods.reversed().map { method -> JSON in
      ["method": .string(method.name), "timestamp": .int(method.at.unixSeconds)]
    }
    return .array(factors + [.object(first)])
  }
}
