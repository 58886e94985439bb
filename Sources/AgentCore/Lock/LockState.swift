import AgentProtocol
import SessionVault

/// Whether the vault is open, and which key opened it, or why it is locked.
enum LockState: Sendable, Equatable {
  case open(by: KeySlotKind?)
  case locked(LockCause)

  var isOpen: Bool { if case .open = self { true } else { false } }

  var cause: LockCause? { if case .locked(let cause) = self { cause } else { nil } }

  /// Locks it. A manual lock replaces every other cause. No other cause replaces an earlier one: the unlock of the desktop
  /// session must not undo a lock that the session did not cause.
  mutating func lock(_ cause: LockCause) {
    if case .locked = self, cause != .manual { return }
    self = .locked(cause)
  }
}

/// Why the vault is locked. The raw values are those of `lockedBy` on the wire.
enum LockCause: String, Sendable {
  /// `vault.lock`: survives restarts, and ends by `vault.unlock` alone.
  case manual = "hand"
  /// No token was used for the time that the configuration names.
  case idle
  /// The desktop session is locked.
  case session
  /// The agent found no key when it started.
  case start

  var words: String {
    switch self {
    case .manual: "locked by hand"
    case .idle: "locked after idle time"
    case .session: "locked with the desktop session"
    case .start: "no key was there at the start"
    }
  }
}

/// Whether the accounts' sessions are in memory.
enum SessionDoor: Sendable {
  case open
  /// A lock is under way: what was sent is completed, nothing begins, no token is issued.
  case closing
  /// They are not in memory. Requests get `refusal` if there is one, else `vaultLocked`.
  case locked(KnownAccounts, refusal: AgentError?)

  var isOpen: Bool { if case .open = self { true } else { false } }
  var isLocked: Bool { if case .locked = self { true } else { false } }
}
