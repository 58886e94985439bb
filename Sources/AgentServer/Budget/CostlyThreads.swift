import NIOPosix
import SessionEngine
import Synchronization

/// Two threads for calls that take more than a millisecond, so that neither the event loop nor the threads of Swift's tasks wait
/// for them. They start with the first call. Safe from any thread.
final class CostlyThreads: Sendable {
  private enum State {
    case idle
    case running(NIOThreadPool)
  }

  private let state = Mutex(State.idle)

  /// Runs `body`, and the actors that it calls, on these threads; `meter` counts its processor time.
  func run<Value: Sendable>(
    _ meter: CallMeter = CallMeter(), _ body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    let executor = Executor(pool, meter)
    return try await withTaskExecutorPreference(executor) { try await body() }
  }

  /// Ends the threads; after the last call.
  func end() async {
    guard case .running(let pool) = state.withLock({ $0 }) else { return }
    try? await pool.shutdownGracefully()
  }

  private var pool: NIOThreadPool {
    state.withLock { state in
      if case .running(let pool) = state { return pool }
      let pool = NIOThreadPool(numberOfThreads: 2)
      pool.start()
      state = .running(pool)
      return pool
    }
  }

  /// One call's jobs on the threads.
  private final class Executor: TaskExecutor {
    private let pool: NIOThreadPool
    private let meter: CallMeter

    init(_ pool: NIOThreadPool, _ meter: CallMeter) { (self.pool, self.meter) = (pool, meter) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // A job has to run, also where the threads have ended.
      pool.submit { [self] _ in meter.measure { job.runSynchronously(on: asUnownedTaskExecutor()) } }
    }
  }
}
