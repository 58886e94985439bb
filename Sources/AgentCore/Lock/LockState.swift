import AgentProtocol
import SessionEngine
import SessionVault

/// Whether the vault is open, and which key opened it, or why it is locked.
enum LockState: Sendable, Equatable {
  case open(by: KeySlotKind?)
  case locked(LockCause)

  package var isOpen: Bool { if case .open = self { true } else { false } }

  var cause: LockCause? { if case .locked(let cause) = self { cause } else { nil } }

  /// Locks it. A manual lock replaces every other cause. No other cause replaces an earlier one: the unlock of the desktop
  /// session must not undo a lock that the session did not cause.
  mutating func lock(_ cause: LockCause) {
    if case .locked = self, cause != .manual { return }
    self = .locked(cause)
  }
}

/// Why the vault is locked. The raw values are those of `lockedBy` on the wire.
package enum LockCause: String, Sendable {
  /// `vault.lock`: survives restarts, and ends by `vault.unlock` alone.
  case manual = "hand"
  /// No token was used for the time that the configuration names.
  case idle
  /// The desktop session is locked.
  case session
  /// The agent found no key when it started.
  case start

  package var words: String {
    switch self {
    case .manual: "locked by hand"
    case .idle: "locked after idle time"
    case .session: "locked with the desktop session"
    case .start: "no key was there at the start"
    }
  }
}
