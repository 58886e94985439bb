import AgentProtocol
import SessionEngine
import SessionVault
import Synchronization

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

/// Counts the locks of the vault, whatever their causes, from the moment at which each is asked for.
///
/// An unlock, and all other work with keys, notes the generation at its beginning. Where it has changed since, the work does
/// not open the vault, and what has not begun does not begin (VA-4). Safe from any thread.
final class LockGeneration: Sendable {
  private struct State {
    var number: UInt64 = 0
    /// Locks that were asked for and are not complete.
    var pending = 0
  }

  private let state = Mutex(State())

  /// True while a lock waits or is under way.
  var isLocking: Bool { state.withLock { $0.pending > 0 } }

  /// The generation in which work begins.
  ///
  /// - Throws: `vaultLocked` while a lock is pending.
  func begin() throws(AgentError) -> UInt64 {
    guard let number = state.withLock({ $0.pending > 0 ? nil : $0.number }) else { throw Self.lockedMeanwhile }
    return number
  }

  /// Whether no lock was asked for since `generation`.
  func isCurrent(_ generation: UInt64) -> Bool { state.withLock { $0.number == generation } }

  /// Ends the generation: unlocks that began in it fail.
  func advance() { state.withLock { $0.number += 1 } }

  /// A lock was asked for. Every call is followed by one of `endLock`.
  func beginLock() {
    state.withLock { state in
      state.number += 1
      state.pending += 1
    }
  }

  func endLock() { state.withLock { $0.pending -= 1 } }

  static let lockedMeanwhile = AgentError(.vaultLocked, "The vault was locked meanwhile.")
}
