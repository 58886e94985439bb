import Synchronization
import SystemSupport

/// Counts the rounds of the refresh loop, for the watchdog, which checks that the loop runs, and for the status text, which
/// may change with each round. Safe from any thread.
package final class RefreshPulse: Sendable {
  private let count = Mutex<UInt64>(0)
  private let waiters = WaiterList<Void>()

  /// Rounds so far.
  package var rounds: UInt64 { count.withLock { $0 } }

  package init() {}

  /// The loop has completed a round.
  func beat() {
    count.withLock { $0 += 1 }
    waiters.resumeAll()
  }

  /// Returns when there were more than `seen` rounds, or the task is cancelled.
  package func round(after seen: UInt64) async { try? await waiters.wait { rounds > seen ? () : nil } }
}
