import AgentProtocol
import NIOPosix
import Synchronization

/// Work with keys: each piece may derive passphrases, which takes half a second and 256 MiB. One at a time on a thread of its
/// own, so that nobody else waits for it, and a few more in a queue.
final class KeyWork: Sendable {
  /// A person and some scripts; whoever tries passphrases in numbers is refused.
  static let longestQueue = 4

  private let thread: NIOThreadPool
  /// Running and waiting.
  private let pieces = Mutex(0)

  /// Starts the thread; `close` ends it.
  init() {
    thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
  }

  /// - Throws: `tooMany` where the queue is full, else what `body` throws, in the agent's words.
  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws(AgentError) -> Result {
    let isTaken = pieces.withLock { pieces in
      guard pieces <= Self.longestQueue else { return false }
      pieces += 1
      return true
    }
    guard isTaken else { throw AgentError(.tooMany, "Too many keys are being tried at once. Please try again.") }
    defer { pieces.withLock { $0 -= 1 } }
    do {
      return try await thread.runIfActive { try body() }
    } catch let error as AgentError {
      throw error
    } catch {
      throw AgentError.from(vault: error)
    }
  }

  /// Waits for the piece at work.
  func close() async { try? await thread.shutdownGracefully() }
}
