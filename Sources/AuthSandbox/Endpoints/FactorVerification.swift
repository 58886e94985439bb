import Synchronization

extension Backend {
  /// `POST /factors/{id}/challenge`. For a phone factor, it sends a text message.
  func challengeFactor(_ request: Incoming) async throws -> Answer {
    let caller = try await factorCaller(of: request)
    let factor = try factor(in: request, of: caller)
    let isPhone = factor.type == "phone"
    let channel = isPhone ? try request.json().text("channel") : ""
    let challenge = try commit { state throws(APIError) in
      try state.checkVerification(of: factor)
      if !channel.isEmpty, channel != "sms" { throw .validation(Self.invalidChannel) }
      let code = isPhone ? try state.sendFactorCode(factor) : nil
      let challenge = FactorChallenge(address: state.address(of: request), code: code, createdAt: state.now)
      state.users.update(caller.userID) { $0.update(factor: factor.id) { $0.add(challenge) } }
      return challenge
    }
    let end = challenge.createdAt.adding(seconds: settings.challengeLifetime)
    return Answer(json: [
      "id": .string(challenge.id), "type": .string(factor.type), "expires_at": .int(end.unixSeconds),
    ])
  }

  /// `POST /factors/{id}/verify`. The response has no `sb-auth-*` headers.
  func verifyFactor(_ request: Incoming) async throws -> Answer {
    let caller = try await factorCaller(of: request)
    let factor = try factor(in: request, of: caller)
    let body = try request.json()
    var attempt = FactorAttempt(
      factor: factor.id, challenge: try body.text("challenge_id"), code: try body.text("code"), request: request)
    if attempt.code.isEmpty { throw APIError.validation("Code needs to be non-empty") }
    attempt.requestsBefore = journal.withLock { $0.count(.any) }
    let sent = attempt
    let grant = try commit { state throws(APIError) in try state.verify(sent, by: caller) }
    return Answer(json: .object(try await sessionMembers(grant)))
  }

  static let invalidChannel =
    "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio "
    + "Verify is used as the provider."

  /// The factor in a path `/auth/v1/factors/{id}/…`.
  private func factor(in request: Incoming, of caller: Caller) throws(APIError) -> FactorRecord {
    let id = String(Route.split(request.path).dropLast().last ?? "")
    return try commit { state throws(APIError) in try state.factor(id, of: caller.userID) }
  }
}

/// A request to verify a factor.
struct FactorAttempt: Sendable {
  var factor: String
  var challenge: String
  var code: String
  var request: Incoming
  /// The number of requests received until the challenge is looked up.
  var requestsBefore = 0
}

extension SandboxState {
  /// The client's IP address: the header that a proxy sets, or that of the settings.
  func address(of request: Incoming) -> String { request.header("x-forwarded-for") ?? settings.clientAddress }

  fileprivate func checkVerification(of factor: FactorRecord) throws(APIError) {
    let isOn =
      switch factor.kind {
      case .totp: settings.mfaTOTPVerify
      case .phone: settings.mfaPhoneVerify
      case .webauthn: false
      }
    if !isOn { throw Self.factorsOff("verify", factor.title, verb: "verification") }
  }

  /// Sends a text message for a phone factor and returns its code.
  fileprivate mutating func sendFactorCode(_ factor: FactorRecord) throws(APIError) -> String {
    try checkTextTimer(factor.lastChallengedAt)
    let test = settings.testPhones[factor.phone]
    if test == nil, settings.smsFailure != nil { throw APIError(500, "unexpected_failure", "error sending message") }
    let code = test ?? Text.random(6, from: "0123456789")
    outbox.add(SentMessage(to: factor.phone, mail: nil, code: code, link: nil, at: now))
    return code
  }

  /// Verifies a factor: new tokens for the same session, which is then at aal2, and the end of every
  /// session of the user at aal1.
  fileprivate mutating func verify(_ attempt: FactorAttempt, by caller: Caller) throws(APIError) -> Grant {
    let factor = try factor(attempt.factor, of: caller.userID)
    try checkVerification(of: factor)
    let challenge = try challenge(of: attempt, factor, user: caller.userID)
    let isRight = factor.accepts(attempt.code, challenge, at: now)
    if let words = settings.mfaHookRejection {
      sessions.removeAll(ofUser: caller.userID)
      throw APIError(403, "mfa_verification_rejected", words)
    }
    if !isRight {
      let kind = factor.type == "phone" ? "MFA Phone" : "TOTP"
      throw APIError(422, "mfa_verification_failed", "Invalid \(kind) code entered")
    }
    try checkHook()
    return try accept(attempt, factor, by: caller)
  }

  /// Finds the challenge, which must be unused, of the same address, and not too old.
  private mutating func challenge(
    of attempt: FactorAttempt, _ factor: FactorRecord, user: String
  ) throws(APIError) -> FactorChallenge {
    guard let challenge = factor.challenges.first(where: { $0.id == attempt.challenge.lowercased() }) else {
      throw APIError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
    }
    if challenge.isUsed(for: attempt.request) || challenge.address != address(of: attempt.request) {
      throw APIError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.")
    }
    if now > challenge.createdAt.adding(seconds: settings.challengeLifetime) {
      users.update(user) { $0.update(factor: factor.id) { $0.remove(challenge: challenge.id) } }
      throw APIError(
        422, "mfa_challenge_expired",
        "MFA challenge \(challenge.id) has expired, verify against another challenge or create a new challenge.")
    }
    return challenge
  }

  private mutating func accept(
    _ attempt: FactorAttempt, _ factor: FactorRecord, by caller: Caller
  ) throws(APIError) -> Grant {
    guard var session = caller.sessionID.flatMap({ sessions[$0] }) else {
      throw APIError(500, "unexpected_failure", "A valid session is required to verify a factor")
    }
    let now = self.now
    users.update(caller.userID) { user in
      user.update(factor: factor.id) {
        $0.use(challenge: attempt.challenge.lowercased(), requests: attempt.requestsBefore)
        if !$0.isVerified { ($0.isVerified, $0.updatedAt) = (true, now.truncatedToMicroseconds) }
      }
    }
    session.note(factor, at: now)
    let token = rotateByVerification(&session)
    sessions.put(session)
    ledger.note(issued: token, of: session.id)
    for other in sessions.sessions(ofUser: caller.userID) where !other.isAAL2 { sessions.remove(other.id) }
    // The response shows the user before the other unverified factors are removed (recorded).
    let user = try liveUser(caller.userID)
    users.update(caller.userID) { user in user.factors.removeAll { !$0.isVerified && $0.type == factor.type } }
    return Grant(user: user, session: session, refreshToken: token)
  }

  /// Issues the refresh token of a verification: a child of the active one (v1), or a counter that
  /// moves by 2 (v2). The reuse interval does not begin anew.
  private func rotateByVerification(_ session: inout SessionRecord) -> String {
    if var counter = session.counter {
      counter.value += 2
      session.counter = counter
      return CounterToken(session: session.id, counter: counter.value, key: counter.key).text
    }
    return OpaqueRotation(now: now, reuseInterval: settings.reuseInterval, upgrades: false).verify(&session)
  }
}
