import AgentProtocol

/// Whether the accounts' sessions are here.
enum SessionDoor: Sendable {
  /// They are.
  case open
  /// The vault is about to be locked: what was sent comes to its end, nothing begins, no token is handed out.
  case closing
  /// They are not. Requests get `refusal` if there is one, else `vaultLocked`.
  case locked(KnownAccounts, refusal: AgentError?)

  var isOpen: Bool { if case .open = self { true } else { false } }
  var isLocked: Bool { if case .locked = self { true } else { false } }
}

/// Why the vault is locked.
enum LockCause: String, Sendable {
  /// `vault.lock`: survives restarts, and ends by `vault.unlock` alone.
  case hand
  /// Nobody used it for the time that the configuration says.
  case idle
  /// The desktop session is locked.
  case session
  /// No key was there when the agent started.
  case start

  var words: String {
    switch self {
    case .hand: "locked by hand"
    case .idle: "locked after idle time"
    case .session: "locked with the desktop session"
    case .start: "no key was there at the start"
    }
  }
}
