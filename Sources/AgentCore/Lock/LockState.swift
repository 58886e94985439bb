import AgentProtocol
import SessionEngine
import SessionVault
import Synchronization

enum LockState: Sendable, Equatable {
  case open(by: KeySlotKind?)
  case locked(LockCause)

  package var isOpen: Bool { if case .open = self { true } else { false } }

  var cause: LockCause? { if case .locked(let cause) = self { cause } else { nil } }

  /// Locks the vault. A manual lock replaces every other cause. No other cause replaces an earlier
  /// one: the unlock of the desktop session must not undo a lock that the session did not cause.
  mutating func lock(_ cause: LockCause) {
    if case .locked = self, cause != .manual { return }
    self = .locked(cause)
  }
}

/// The cause of a lock. The raw values are those of `lockedBy` on the wire.
package enum LockCause: String, Sendable {
  /// `vault.lock`: survives restarts, and ends only by `vault.unlock`.
  case manual = "hand"
  /// No token was used for the configured idle time.
  case idle
  /// The desktop session is locked.
  case session
  /// No key opened the vault when the agent started.
  case start

  package var message: String {
    switch self {
    case .manual: "locked manually"
    case .idle: "locked after the idle timeout"
    case .session: "locked with the desktop session"
    case .start: "no key was available at startup"
    }
  }
}

/// Counts the locks of the vault, whatever their causes, from the moment that each is requested.
///
/// Work with keys, such as an unlock, records the generation when it begins. If the generation has
/// changed since then, the work does not open the vault, and queued work does not start.
/// Thread-safe.
final class LockGeneration: Sendable {
  private struct State {
    var number: UInt64 = 0
    /// Locks that were requested and are not complete.
    var pending = 0
  }

  private let state = Mutex(State())

  var isLocking: Bool { state.withLock { $0.pending > 0 } }

  /// Returns the generation in which work begins.
  ///
  /// - Throws: `vaultLocked` while a lock is pending.
  func begin() throws(AgentError) -> UInt64 {
    guard let number = state.withLock({ $0.pending > 0 ? nil : $0.number }) else { throw Self.lockedMeanwhile }
    return number
  }

  func isCurrent(_ generation: UInt64) -> Bool { state.withLock { $0.number == generation } }

  /// Ends the generation. Unlocks that began in it fail.
  func advance() { state.withLock { $0.number += 1 } }

  /// Records that a lock was requested. Every call must be followed by one of `endLock`.
  func beginLock() {
    state.withLock { state in
      state.number += 1
      state.pending += 1
    }
  }

  func endLock() { state.withLock { $0.pending -= 1 } }

  static let lockedMeanwhile = AgentError(.vaultLocked, "The vault was locked during the request.")
}
