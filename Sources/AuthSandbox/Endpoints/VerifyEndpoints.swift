import Synchronization

extension Backend {
  /// `POST /verify` with a link's `token_hash`, or with `email` and the typed `token`.
  func verify(_ request: Incoming) async throws -> Answer {
    let body = try request.json()
    let hash = try body.text("token_hash")
    let email = try body.text("email").lowercased()
    let code = try body.text("token")
    let agent = request.header("user-agent")
    let grant = try commit { state throws(APIError) in
      let found = state.mail.spend(now: state.now) {
        hash.isEmpty ? $0.email == email && $0.code == code : $0.tokenHash == hash
      }
      let words = hash.isEmpty ? "Token has expired or is invalid" : "Email link is invalid or has expired"
      guard let found else { throw APIError(403, "otp_expired", words) }
      return try state.confirm(found, userAgent: agent)
    }
    return try await sessionAnswer(grant)
  }

  /// `GET /verify`: the link of a mail; the session or the failure goes into the fragment.
  func verifyInBrowser(_ request: Incoming) async throws -> Answer {
    let hash = request.parameter("token") ?? ""
    let type = request.parameter("type") ?? ""
    let redirect = state.withLock { $0.resolveRedirect(request.parameter("redirect_to")) }
    do {
      let grant = try commit { state throws(APIError) in
        guard let found = state.mail.spend(now: state.now, where: { $0.tokenHash == hash }) else {
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

  /// `POST /recover`: the same answer for every address.
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
  /// What following a mail proves: the address belongs to the person.
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
