import NIOPosix
import Synchronization

/// A thread for work that blocks, which begins with the first piece of it: a start does not wait for threads that most agents
/// need rarely. One piece at a time, in the order in which they came. Safe from any thread.
package final class WorkThread: Sendable {
  private enum State {
    case idle
    case running(NIOThreadPool)
    case ended
  }

  private let name: String
  private let state = Mutex(State.idle)

  /// `name` is for whoever looks at threads (proc_pid_comm(5)): 15 bytes at most.
  package init(_ name: String) { self.name = name }

  /// - Throws: what `body` throws; `CancellationError` after `end`, and where the task is cancelled before its turn.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard let pool = begun() else { throw CancellationError() }
    guard let meter = CallMeter.current else { return try await pool.runIfActive(body) }
    return try await pool.runIfActive { try meter.measure(body) }
  }

  /// Returns when what came before is done; does not begin the thread.
  package func completeBegun() async {
    guard case .running(let pool) = state.withLock({ $0 }) else { return }
    try? await pool.runWhole {}
  }

  /// Waits for the piece at work; nothing is begun after it.
  package func end() async {
    let last = state.withLock { state in
      defer { state = .ended }
      return state
    }
    if case .running(let pool) = last { try? await pool.shutdownGracefully() }
  }

  private func begun() -> NIOThreadPool? {
    state.withLock { state in
      switch state {
      case .ended: return nil
      case .running(let pool): return pool
      case .idle:
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        pool.name(name)
        state = .running(pool)
        return pool
      }
    }
  }
}
