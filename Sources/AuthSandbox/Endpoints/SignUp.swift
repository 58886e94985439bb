import Synchronization

extension Backend {
  /// `POST /signup`.
  func signUp(_ request: Incoming) async throws -> Answer {
    let body = try request.json()
    let email = try body.text("email").lowercased()
    let password = try body.text("password")
    let metadata = body.all["data"]?.object ?? [:]
    if email.isEmpty, password.isEmpty { return try await anonymousSignUp(request, metadata) }
    let result = try commit { state throws(APIError) in
      try state.signUp(email: email, password: password, metadata: metadata, userAgent: request.header("user-agent"))
    }
    switch result {
    case .session(let grant):
      let user = state.withLock { $0.writer.user(grant.user, fresh: true) }
      return try await sessionAnswer(grant, adding: ["user": user])
    case .user(let json): return Answer(json: json)
    }
  }

  private func anonymousSignUp(_ request: Incoming, _ metadata: [String: JSON]) async throws -> Answer {
    let grant = try commit { state throws(APIError) in
      guard state.settings.anonymousEnabled else {
        throw APIError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
      }
      let now = state.now.truncatedToMicroseconds
      var user = UserRecord(email: "", createdAt: now, updatedAt: now, metadata: metadata)
      user.isAnonymous = true
      state.users[user.id] = user
      return try state.beginSession(
        userID: user.id, method: "anonymous", userAgent: request.header("user-agent"))
    }
    return try await sessionAnswer(grant)
  }
}

/// The result of a sign-up.
enum SignUpResult: Sendable {
  case session(Grant)
  /// A user without a session: a confirmation email is pending, or the user is a fake one.
  case user(JSON)
}

extension SandboxState {
  mutating func signUp(
    email: String, password: String, metadata: [String: JSON], userAgent: String?
  ) throws(APIError) -> SignUpResult {
    if settings.signupDisabled {
      throw APIError(422, "signup_disabled", "Signups not allowed for this instance")
    }
    if !settings.emailEnabled { throw APIError(422, "email_provider_disabled", "Email signups are disabled") }
    if password.isEmpty { throw .validation("Signup requires a valid password") }
    try checkStrength(password)
    try Self.checkAddress(email)
    if let known = users.withEmail(email) {
      if known.isConfirmed { return try answerKnownAddress(email) }
      return .user(try sendConfirmation(to: known))
    }
    let user = createUser(email: email, password: password, metadata: metadata, confirmed: settings.autoconfirm)
    if settings.autoconfirm {
      return .session(try beginSession(userID: user.id, method: "password", userAgent: userAgent))
    }
    return .user(try sendConfirmation(to: user))
  }

  /// With auto-confirmation, reports that the address is taken. Without it, the response must not
  /// reveal that.
  private func answerKnownAddress(_ email: String) throws(APIError) -> SignUpResult {
    if settings.autoconfirm { throw APIError(422, "user_already_exists", "User already registered") }
    return .user(writer.obfuscated(email: email, now: now))
  }

  /// Records a confirmation email, at most one per minute for each user.
  private mutating func sendConfirmation(to user: UserRecord) throws(APIError) -> JSON {
    let now = self.now
    if let last = user.confirmationSentAt, now < last.adding(seconds: 60) {
      let rest = (last.adding(seconds: 60).nanoseconds - now.nanoseconds) / 1_000_000_000
      throw APIError(
        429, "over_email_send_rate_limit",
        "For security purposes, you can only request this after \(rest) seconds.")
    }
    users.update(user.id) { $0.confirmationSentAt = now }
    mail.send("signup", to: user, now: now)
    return writer.user(users[user.id] ?? user, fresh: true)
  }

  /// Adds a user with an email address and a password.
  mutating func createUser(email: String, password: String, metadata: [String: JSON], confirmed: Bool) -> UserRecord {
    let moment = now.truncatedToMicroseconds
    var user = UserRecord(
      email: email.lowercased(), password: PasswordHash(password), emailConfirmedAt: confirmed ? now : nil,
      createdAt: moment, updatedAt: moment)
    var data = metadata
    data["email"] = .string(user.email)
    data["sub"] = .string(user.id)
    data["phone_verified"] = false
    data["email_verified"] = .bool(confirmed)
    user.metadata = data
    user.identities = [
      IdentityRecord(
        subject: user.id, provider: "email", data: data, lastSignInAt: now, createdAt: moment, updatedAt: moment)
    ]
    users[user.id] = user
    return user
  }

  func checkStrength(_ password: String) throws(APIError) {
    guard password.unicodeScalars.count < settings.minimumPasswordLength else { return }
    throw APIError(
      422, "weak_password", "Password should be at least \(settings.minimumPasswordLength) characters.",
      extra: ["weak_password": ["reasons": ["length"]]])
  }

  /// Checks only the form of an email address: a local part, an `@` and a host name.
  static func checkAddress(_ email: String) throws(APIError) {
    let halves = email.split(separator: "@", omittingEmptySubsequences: false)
    let isSound =
      halves.count == 2 && !halves[0].isEmpty && !halves[1].isEmpty && !halves[1].hasPrefix(".")
      && !halves[1].hasSuffix(".") && !email.contains { $0.isWhitespace }
    if !isSound { throw .validation("Unable to validate email address: invalid format") }
  }
}

extension Backend {
  /// `POST /verify` with the `token_hash` of a link, or with `email` and the typed `token`.
  func verify(_ request: Incoming) async throws -> Answer {
    let body = try request.json()
    let hash = try body.text("token_hash")
    let email = try body.text("email").lowercased()
    let code = try body.text("token")
    let agent = request.header("user-agent")
    let grant = try commit { state throws(APIError) in
      let found = state.mail.consume(now: state.now) {
        hash.isEmpty ? $0.email == email && $0.code == code : $0.tokenHash == hash
      }
      let words = hash.isEmpty ? "Token has expired or is invalid" : "Email link is invalid or has expired"
      guard let found else { throw APIError(403, "otp_expired", words) }
      return try state.confirm(found, userAgent: agent)
    }
    return try await sessionAnswer(grant)
  }

  /// `GET /verify`: the link in an email. The session or the failure is returned in the fragment.
  func verifyInBrowser(_ request: Incoming) async throws -> Answer {
    let hash = request.parameter("token") ?? ""
    let type = request.parameter("type") ?? ""
    let redirect = state.withLock { $0.resolveRedirect(request.parameter("redirect_to")) }
    do {
      let grant = try commit { state throws(APIError) in
        guard let found = state.mail.consume(now: state.now, where: { $0.tokenHash == hash }) else {
          throw APIError(403, "otp_expired", "Email link is invalid or has expired")
        }
        return try state.confirm(found, userAgent: request.header("user-agent"))
      }
      let fragment = try await implicitFragment(grant) + "&type=" + FormCoding.escape(type)
      return .redirect(303, to: redirect + "#" + fragment)
    } catch let error as APIError {
      let fields = RedirectFailure(error).pairs
      return .redirect(303, to: redirect + "#" + FormCoding.encode(fields) + "&sb=")
    }
  }

  /// `POST /recover`: the response is the same for every address.
  func recover(_ request: Incoming) throws -> Answer {
    let email = try request.json().text("email")
    state.withLock { state in
      guard let user = state.users.withEmail(email) else { return }
      let now = state.now
      state.users.update(user.id) { $0.recoverySentAt = now }
      state.mail.send("recovery", to: user, now: now)
    }
    return Answer(json: [:])
  }
}

extension SandboxState {
  /// Confirms the address, whose ownership the link or code proves, and begins a session.
  mutating func confirm(_ mail: MailBox.Mail, userAgent: String?) throws(APIError) -> Grant {
    confirmEmail(of: mail.userID)
    return try beginSession(userID: mail.userID, method: "otp", userAgent: userAgent)
  }

  mutating func confirmEmail(of id: String) {
    let now = self.now
    users.update(id) {
      if $0.emailConfirmedAt == nil { $0.emailConfirmedAt = now }
      $0.metadata["email_verified"] = true
    }
  }

  func resolveRedirect(_ wanted: String?) -> String {
    RedirectRules(siteURL: siteURL, allowList: settings.redirectAllowList).resolve(wanted)
  }
}
