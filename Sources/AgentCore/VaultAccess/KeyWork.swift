import AgentProtocol
import SessionEngine
import Synchronization

/// Work with keys: each piece may derive passphrases, which takes half a second and 256 MiB. One piece runs at a time, on a
/// thread of its own, and a few more wait.
final class KeyWork: Sendable {
  /// Room for a person and some scripts. A program that tries many passphrases is refused.
  static let maxWaiting = 4

  let generation: LockGeneration
  private let thread: WorkThread
  /// Pieces that run or wait.
  private let pieces = Mutex(0)

  init(_ generation: LockGeneration = LockGeneration(), thread: WorkThread = WorkThread("keys")) {
    self.generation = generation
    self.thread = thread
  }

  /// Runs `body` in `generation`, by default the current one.
  ///
  /// - Throws: `tooMany` when the queue is full, `vaultLocked` if a lock was asked for before `body` began, else what `body`
  ///   throws, as an `AgentError`.
  func run<Result: Sendable>(
    in generation: UInt64? = nil, _ body: @escaping @Sendable () throws -> Result
  ) async throws(AgentError) -> Result {
    let number = if let generation { generation } else { try self.generation.begin() }
    try enter()
    defer { pieces.withLock { $0 -= 1 } }
    do {
      return try await thread.run { [self] in
        guard self.generation.isCurrent(number) else { throw LockGeneration.lockedMeanwhile }
        return try body()
      }
    } catch let error as AgentError {
      throw error
    } catch {
      throw AgentError.from(vault: error)
    }
  }

  private func enter() throws(AgentError) {
    try pieces.withLock { (pieces) throws(AgentError) in
      guard pieces <= Self.maxWaiting else {
        throw AgentError(.tooMany, "Too many keys are being tried at once. Please try again.")
      }
      pieces += 1
    }
  }

  /// Returns when the piece that runs, which has a key or a passphrase, is done, and those that wait have been refused.
  func finishRunning() async { await thread.completeBegun() }

  /// Waits for the piece that runs.
  func close() async { await thread.end() }
}
