/// What the answer to a refresh means for the session. Closed: a caller handles every case.
///
/// Invariant: only `fatal` ends a session, and only the codes listed in `classifyRefresh` are fatal.
public enum RefreshOutcome: Sendable {
  /// The refresh token was rotated: store the new one before anything else.
  case refreshed(Session)
  /// The session is over; this refresh token will never work again.
  case fatal(FatalReason, AuthError)
  /// Trouble of the network or the server. Keep the session, try the same token again, not before `retryAfter`.
  /// Whether the server committed a rotation is unknown.
  case transient(AuthError, retryAfter: Duration?)
  /// Something between here and GoTrue refused, or nothing we know answered: keep the session, tell, try slowly.
  case misconfigured(AuthError)
  /// The user is banned, which may be lifted: keep the session, tell, try rarely.
  case banned(AuthError)
  /// The project is paused (540): keep the session, tell, try very slowly.
  case paused(AuthError)
}

/// Why the server ended a session.
public enum FatalReason: String, Sendable, Hashable, CaseIterable {
  /// Signed out elsewhere, password changed, user or session deleted.
  case tokenNotFound = "refresh_token_not_found"
  /// Reuse of a rotated token was detected; the whole family is revoked.
  case tokenAlreadyUsed = "refresh_token_already_used"
  /// The session of the token is gone.
  case sessionNotFound = "session_not_found"
  /// The project's time limit for sessions passed.
  case sessionExpired = "session_expired"
  /// The server does not recognise the token as one of its own.
  case tokenInvalid = "validation_failed"

  /// True where a newer token in storage may be the explanation: look there before the session is given up.
  public var mayMeanNewerInStorage: Bool {
    self == .tokenAlreadyUsed || self == .tokenInvalid
  }

  /// The reason in a few words, for status and events.
  public var words: String {
    switch self {
    case .tokenNotFound: "ended elsewhere"
    case .tokenAlreadyUsed: "revoked, its refresh token was used twice"
    case .sessionNotFound: "session deleted"
    case .sessionExpired: "session time limit reached"
    case .tokenInvalid: "refresh token not known to this server"
    }
  }
}
