import Synchronization

extension Backend {
  /// `POST /token`.
  func token(_ request: Incoming) async throws -> Answer {
    switch request.parameter("grant_type") {
    case "password": try await passwordGrant(request)
    case "refresh_token": try await refreshGrant(request)
    case "pkce": try await pkceGrant(request)
    case "id_token": try await idTokenGrant(request)
    default: throw APIError(400, "invalid_credentials", "unsupported_grant_type")
    }
  }

  private func passwordGrant(_ request: Incoming) async throws -> Answer {
    let body = try request.json()
    let email = try body.text("email")
    let phone = try body.text("phone")
    let password = try body.text("password")
    let grant = try commit { state throws(APIError) in
      if !email.isEmpty, !phone.isEmpty {
        throw .validation("Only an email address or phone number should be provided on login.")
      }
      if email.isEmpty, phone.isEmpty { throw .validation("missing email or phone") }
      let user = try state.passwordUser(email: email, phone: phone, password: password)
      return try state.beginSession(
        userID: user.id, method: "password", userAgent: request.header("user-agent"))
    }
    let weakness = state.withLock { $0.weakness(of: password) }
    return try await sessionAnswer(grant, adding: ["weak_password": weakness?.report ?? .null])
  }

  private func refreshGrant(_ request: Incoming) async throws -> Answer {
    let token = try request.json().text("refresh_token")
    return try await sessionAnswer(commit { state throws(APIError) in try state.refresh(token) })
  }

  private func pkceGrant(_ request: Incoming) async throws -> Answer {
    let body = try request.json()
    let code = try body.text("auth_code")
    let verifier = try body.text("code_verifier")
    if code.isEmpty || verifier.isEmpty {
      throw APIError.validation("invalid request: both auth code and code verifier should be non-empty")
    }
    let grant = try commit { state throws(APIError) in
      try state.exchange(code: code, verifier: verifier, userAgent: request.header("user-agent"))
    }
    return try await sessionAnswer(grant)
  }
}

extension SandboxState {
  /// The confirmed user with that address and password.
  fileprivate func passwordUser(email: String, phone: String, password: String) throws(APIError) -> UserRecord {
    if !email.isEmpty, !settings.emailEnabled { throw Backend.emailDisabled(422) }
    if !phone.isEmpty, !settings.phoneEnabled {
      throw APIError(422, "phone_provider_disabled", "Phone logins are disabled")
    }
    let known = email.isEmpty ? users.withPhone(try PhoneNumber.parse(phone)) : users.withEmail(email)
    guard let user = known, user.password == password else {
      throw APIError(400, "invalid_credentials", "Invalid login credentials")
    }
    if let words = settings.passwordHookRejection { throw APIError(400, "invalid_credentials", words) }
    if user.isBanned(at: now) { throw APIError(400, "user_banned", "User is banned") }
    if !email.isEmpty, !user.isConfirmed { throw APIError(400, "email_not_confirmed", "Email not confirmed") }
    if !phone.isEmpty, user.phoneConfirmedAt == nil {
      throw APIError(400, "phone_not_confirmed", "Phone not confirmed")
    }
    return user
  }

  /// `grant_type=pkce`. A wrong verifier leaves the code valid; success consumes it.
  mutating func exchange(code: String, verifier: String, userAgent: String?) throws(APIError) -> Grant {
    guard let flow = flows.withAuthCode(code), let userID = flow.userID else {
      throw APIError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
    }
    if flow.isExpired(at: now) {
      throw APIError(422, "flow_state_expired", "invalid flow state, flow state has expired")
    }
    guard flow.challenge?.accepts(verifier: verifier) == true else {
      throw APIError(400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
    }
    var grant = try beginSession(
      userID: userID, method: flow.method, provider: flow.methodProvider, userAgent: userAgent)
    grant.providerTokens = flow.providerTokens
    flows[flow.state]?.authCode = nil
    return grant
  }
}
