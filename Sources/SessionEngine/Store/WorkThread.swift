import Glibc
package import NIOPosix
import SupabaseAuth
import Synchronization

/// A thread for blocking work, started with its first call, so that a start does not wait for
/// rarely used threads. Runs one call at a time, in order. Safe from any thread.
package final class WorkThread: Sendable {
  private enum State {
    case idle
    case running(NIOThreadPool)
    case ended
  }

  private let name: String
  private let state = Mutex(State.idle)

  /// `name` is the thread's name in /proc (proc_pid_comm(5)), 15 bytes at most.
  package init(_ name: String) { self.name = name }

  /// Runs `body` on the thread.
  ///
  /// - Throws: The error of `body`; `CancellationError` after `end`, or if the task is cancelled
  ///   before `body` starts.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard let pool = begun() else { throw CancellationError() }
    return try await pool.runIfActive(body)
  }

  /// Returns when earlier calls have finished. Does not start the thread.
  package func completeBegun() async {
    guard case .running(let pool) = state.withLock({ $0 }) else { return }
    try? await pool.runWhole {}
  }

  /// Waits for the running call and ends the thread. Queued and later calls fail.
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

/// A short secret in a value that is copied often. The text has its own heap memory, which is
/// overwritten when freed. Encodes as the plain text.
@propertyWrapper
struct OutOfLine: Codable, Sendable, Hashable {
  private var text: String

  var wrappedValue: String {
    get { text }
    set { text = newValue.outOfLine }
  }

  init(wrappedValue: String) { text = wrappedValue.outOfLine }

  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self).outOfLine
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension NIOThreadPool {
  /// Runs `body` even if the calling task is cancelled. `runIfActive` would skip it then, and a
  /// client that disconnects must not leave a lock half done, or one of two records unwritten.
  ///
  /// - Throws: The error of `body`; `CancellationError` if the pool has ended.
  func runWhole<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      submit { state in
        continuation.resume(
          with: Result {
            guard case .active = state else { throw CancellationError() }
            return try body()
          })
      }
    }
  }

  /// Sets the thread name of a pool with one thread, to distinguish it from the vault's thread
  /// (proc_pid_comm(5), 15 bytes at most). Has no effect without /proc.
  package func name(_ name: String) {
    submit { _ in
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, name, name.utf8.count)
      close(file)
    }
  }
}
