import NIOPosix
import Synchronization

/// How a method is run.
package enum MethodCost: Sendable {
  /// Takes little processor time, and has an answer of some kilobytes at most.
  case quick
  /// May take more than a millisecond of processor time, or have a long answer. The costly requests
  /// of a connection run one after another, each when the answer before it was written, and those of
  /// all connections on `CostlyWorkers`.
  case costly
}

/// Two threads for the costly calls of all connections, in order of arrival, so that neither the
/// event loop nor the threads of Swift tasks wait for them. The actors that a call uses run there,
/// too. The threads start with the first call. Thread-safe.
final class CostlyWorkers: TaskExecutor {
  private let pool = Mutex<NIOThreadPool?>(nil)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A job must run even after the threads have been stopped.
    started.submit { [self] _ in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private var started: NIOThreadPool {
    pool.withLock { pool in
      if let pool { return pool }
      let new = NIOThreadPool(numberOfThreads: 2)
      new.start()
      pool = new
      return new
    }
  }

  /// Stops the threads. Must follow the last call.
  func end() async { try? await pool.withLock { $0 }?.shutdownGracefully() }
}
