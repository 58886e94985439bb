import AgentProtocol
import Synchronization

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
