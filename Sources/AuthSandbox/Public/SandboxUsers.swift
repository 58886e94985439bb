import Synchronization

/// A user, as the sandbox reports it.
public struct SandboxUser: Sendable, Codable, Equatable {
  /// The user's UUID.
  public let id: String
  /// The email address; empty if the user has none.
  public let email: String
  /// The phone number, digits without `+`; empty if the user has none.
  public let phone: String
  /// True for an anonymous user.
  public let isAnonymous: Bool
  /// True if the address is confirmed.
  public let isConfirmed: Bool
  /// True if the user is banned now.
  public let isBanned: Bool
  /// Providers of the identities, in the order of linking.
  public let providers: [String]
  /// IDs of the existing sessions, sorted.
  public let sessions: [String]
}

/// An email or a text message that the sandbox recorded instead of sending.
public struct SandboxMail: Sendable, Codable, Equatable {
  /// The recipient's email address or phone number (digits without `+`).
  public let to: String
  /// The subject; nil for a text message.
  public let subject: String?
  /// "signup", "magiclink", "recovery", "email_change" or "reauthentication"; nil for a text message.
  public let type: String?
  /// The six-digit code, for `POST /verify` with the address and `token`.
  public let code: String
  /// The link; nil for a message without one.
  public let link: String?
  /// The time of sending by the sandbox's clock, RFC 3339 in UTC.
  public let at: String

  /// The link's token, which `POST /verify` takes as `token_hash`; nil without a link.
  public var tokenHash: String? {
    guard let query = link?.split(separator: "?", maxSplits: 1).last else { return nil }
    return FormCoding.decode(query).first { $0.name == "token" }?.value
  }
}

/// Users and sessions.
extension AuthSandbox {
  /// Adds a user with a password, without the checks of a sign-up, and returns its ID.
  @discardableResult
  public func addUser(email: String, password: String, confirmed: Bool = true) -> String {
    backend.state.withLock { state in
      state.createUser(email: email, password: password, metadata: [:], confirmed: confirmed).id
    }
  }

  /// All users, in the order of creation.
  public var users: [SandboxUser] {
    backend.state.withLock { state in
      state.users.all.map { user in
        SandboxUser(
          id: user.id, email: user.email, phone: user.phone, isAnonymous: user.isAnonymous,
          isConfirmed: user.isConfirmed, isBanned: user.isBanned(at: state.now),
          providers: user.identities.map(\.provider),
          sessions: state.sessions.sessions(ofUser: user.id).map(\.id).sorted())
      }
    }
  }

  /// Confirms the user's address.
  /// - Throws: `SandboxError` with code `.unknownUser`, as every function does that names a user.
  public func confirmUser(_ email: String) throws {
    try change(email) { state, id in state.confirmEmail(of: id) }
  }

  /// Bans the user for `duration` by the sandbox's clock; the default is ten years.
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

  /// Deletes the user and all of its sessions.
  public func deleteUser(_ email: String) throws {
    try change(email) { state, id in state.deleteUser(id) }
  }

  /// Deletes all sessions of the user. Its refresh tokens then fail with `refresh_token_not_found`.
  public func revokeSessions(of email: String) throws {
    try change(email) { state, id in state.sessions.removeAll(ofUser: id) }
  }

  /// Deletes all sessions of all users.
  public func revokeAllSessions() {
    backend.state.withLock { state in
      for session in state.sessions.all { state.sessions.remove(session.id) }
    }
  }

  /// Expires every access token issued so far, for all endpoints. Refresh tokens stay valid.
  public func expireAccessTokens() { backend.state.withLock { $0.accessTokens.expireAll() } }

  /// The last 500 emails and text messages, the newest last.
  public var mails: [SandboxMail] {
    backend.state.withLock { state in
      state.outbox.messages.map {
        SandboxMail(
          to: $0.to, subject: $0.mail?.subject(code: $0.code), type: $0.mail?.rawValue, code: $0.code, link: $0.link,
          at: $0.at.rfc3339(digits: 0))
      }
    }
  }

  private func change(_ email: String, _ step: @Sendable (inout SandboxState, String) -> Void) throws {
    let isKnown = backend.state.withLock { state in
      guard let user = state.users.withEmail(email) else { return false }
      step(&state, user.id)
      return true
    }
    if !isKnown { throw Self.unknownUser(email) }
  }

  static func unknownUser(_ email: String) -> SandboxError {
    SandboxError(
      code: .unknownUser, message: "there is no user with the email address \(email); add it first", cause: nil)
  }
}
