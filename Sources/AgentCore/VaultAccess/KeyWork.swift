import AgentProtocol
import Synchronization

/// Work with keys: each piece may derive passphrases, which takes half a second and 256 MiB. One at a time on a thread of its
/// own, so that nobody else waits for it, and a few more in a queue.
final class KeyWork: Sendable {
  /// A person and some scripts; whoever tries passphrases in numbers is refused.
  static let longestQueue = 4

  private struct Queue {
    /// Running and waiting.
    var pieces = 0
    /// Locks so far: what was asked for before one is not begun after it.
    var locks = 0
    var isLocking = false
  }

  private let thread = WorkThread("keys")
  private let queue = Mutex(Queue())

  /// - Throws: `tooMany` where the queue is full, `vaultLocked` where a lock came first, else what `body` throws, in the
  ///   agent's words.
  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws(AgentError) -> Result {
    let asked = try enter()
    defer { queue.withLock { $0.pieces -= 1 } }
    do {
      return try await thread.run { [self] in
        guard queue.withLock({ $0.locks == asked }) else { throw Self.lockedMeanwhile }
        return try body()
      }
    } catch let error as AgentError {
      throw error
    } catch {
      throw AgentError.from(vault: error)
    }
  }

  /// - Returns: the locks so far.
  private func enter() throws(AgentError) -> Int {
    try queue.withLock { (queue) throws(AgentError) in
      guard !queue.isLocking else { throw Self.lockedMeanwhile }
      guard queue.pieces <= Self.longestQueue else {
        throw AgentError(.tooMany, "Too many keys are being tried at once. Please try again.")
      }
      queue.pieces += 1
      return queue.locks
    }
  }

  private static let lockedMeanwhile = AgentError(.vaultLocked, "The vault was locked meanwhile.")

  /// Begins nothing more until `endLock`, and returns when the piece at work is done: it has a key or a passphrase.
  func beginLock() async {
    queue.withLock { queue in
      queue.locks += 1
      queue.isLocking = true
    }
    await thread.completeBegun()
  }

  /// Whether a lock waits, or has not come to its end.
  var isLocking: Bool { queue.withLock { $0.isLocking } }

  func endLock() { queue.withLock { $0.isLocking = false } }

  /// Waits for the piece at work.
  func close() async { await thread.end() }
}
