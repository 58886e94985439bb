import Synchronization

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
