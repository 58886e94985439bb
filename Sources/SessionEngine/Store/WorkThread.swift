import Glibc
package import NIOPosix
import SupabaseAuth
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

/// The processor time of one call, as far as it runs on threads that measure: `CostlyThreads` and `WorkThread`. Safe from any
/// thread.
package final class CallMeter: Sendable {
  /// The meter of the call that the task works for.
  @TaskLocal package static var current: CallMeter?

  private let used = Atomic<Int64>(0)

  package var microseconds: Int { Int(used.load(ordering: .relaxed) / 1000) }

  package init() {}

  /// Runs `body` on this thread and counts its time.
  package func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
    let begun = Self.threadTime
    defer { used.add(Self.threadTime - begun, ordering: .relaxed) }
    return try body()
  }

  /// Processor time of this thread in nanoseconds: on a busy machine the clock on the wall shows other programs' time too.
  private static var threadTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// A short secret as a member of a value that is copied about: kept in memory of its own, which is overwritten when it is freed.
/// In JSON it is the text alone.
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
  /// Runs `body` in its turn, also where the task that asks is cancelled: `runIfActive` would leave it out then, and a client
  /// that goes away must not leave a lock half done, or one of two records unwritten.
  ///
  /// - Throws: what `body` throws; `CancellationError` where the threads have ended.
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

  /// Names a pool of one thread, which is otherwise called like the vault's: for whoever looks at threads (proc_pid_comm(5),
  /// 15 bytes at most). Without /proc it keeps its name.
  package func name(_ name: String) {
    submit { _ in
      let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, name, name.utf8.count)
      close(file)
    }
  }
}
