import AgentProtocol
import NIOPosix
import SessionEngine
import Synchronization
package import SystemSupport

/// The cost of one call of a method (PR-4). A test calls every method and compares the measured
/// cost with its registration.
package struct MethodCost: Sendable, Hashable {
  /// Processor time of a call in a release build, in microseconds. Measured time beyond it is
  /// charged as well.
  let microseconds: Int
  /// Usual maximum size of the answer, in bytes. A method with larger answers reserves more
  /// (`Call.reserveAnswer`).
  package let answer: Int
  /// True if a call on much data takes more than a millisecond. Such calls run on `CostlyThreads`,
  /// at most two at a time for one process.
  let isCostly: Bool

  private init(_ microseconds: Int, answer: Int, isCostly: Bool) {
    (self.microseconds, self.answer, self.isCostly) = (microseconds, answer, isCostly)
  }

  /// An answer from memory.
  package static let memory = MethodCost(50, answer: 4 * 1024, isCostly: false)
  /// A wait for a person. The small answer leaves room for other requests on the connection.
  package static let wait = MethodCost(50, answer: 1024, isCostly: false)
  /// An answer from memory that grows with the number of accounts.
  package static let accounts = MethodCost(150, answer: 4 * 1024, isCostly: true)
  /// Requests to a server. A server tolerates fewer of them than this processor: 100 a second, 500
  /// at once.
  package static let network = MethodCost(2_000, answer: 8 * 1024, isCostly: false)
  /// Commits to disk, each with two or three fsync(2). Limited to the same rate as `network`.
  package static let disk = MethodCost(2_000, answer: 4 * 1024, isCostly: false)
  /// Reads many files, on `CostlyThreads`.
  package static let files = MethodCost(5_000, answer: 64 * 1024, isCostly: true)
  /// May derive a key, which takes half a second for a passphrase and is charged as measured.
  package static let keys = MethodCost(5_000, answer: 4 * 1024, isCostly: false)

  /// A token from memory, up to some kilobytes long.
  package static let token = MethodCost(50, answer: 8 * 1024, isCostly: false)
  /// A profile, which may be large.
  package static let profile = MethodCost(2_000, answer: 64 * 1024, isCostly: false)
  /// The list of approvals.
  package static let approvals = MethodCost(150, answer: 64 * 1024, isCostly: true)
  package static let counters = MethodCost(500, answer: 64 * 1024, isCostly: true)
  package static let diagnosis = MethodCost(2_000, answer: 32 * 1024, isCostly: false)
  /// The protocol description. Writing its 70 KiB is most of the cost.
  package static let discovery = MethodCost(1_000, answer: 128 * 1024, isCostly: false)

  /// Size of the answer to an invalid request or an unknown method, in bytes.
  static let errorAnswer = 512
  /// Size of the answer to a long request that is not parsed yet, in bytes.
  static let longAnswer = api.answer
  /// `api.request` with a small answer. Room for a larger answer is reserved before it is fetched.
  package static let api = MethodCost(2_000, answer: 16 * 1024, isCostly: false)
}

/// Limits the processor time of one process's calls (PR-4): a fifth of a processor in the long run,
/// one second at once. A call beyond the budget fails with `tooMany`. Answers of the hot path are
/// not counted. Thread-safe.
package final class CallBudget: Sendable {
  /// Maximum processor time of a burst, in microseconds.
  static let burst = 1_000_000.0
  /// Sustained processor time, in microseconds per second.
  static let rate = 200_000.0
  /// Maximum number of processes with a bucket. Full buckets carry no information and are removed
  /// first.
  static let maxProcesses = 1024

  private let clock: any AgentClock
  private let buckets = Mutex<[Int32: TokenBucket]>([:])

  package init(clock: any AgentClock) { self.clock = clock }

  /// Number of processes with a bucket.
  var processes: Int { buckets.withLock { $0.count } }

  /// Charges the usual cost of a call to the process `pid`.
  ///
  /// - Throws: `tooMany`, with the seconds until the budget suffices, at least 1.
  func admit(_ cost: MethodCost, _ pid: Int32) throws(AgentError) {
    let now = clock.now
    let later = with(pid, now) { $0.take(Double(cost.microseconds), now: now) }
    guard let later else { return }
    throw AgentError(
      .tooMany, "Too many requests from this program. Please try again.",
      retryAfter: max(1, now.duration(to: later).seconds))
  }

  /// Charges the processor time of a call beyond its usual cost. `used` is in microseconds.
  func charge(_ cost: MethodCost, used: Int, _ pid: Int32) {
    let surplus = used / Self.slowness - cost.microseconds
    guard surplus > 0 else { return }
    let now = clock.now
    with(pid, now) { $0.spend(Double(surplus), now: now) }
  }

  private func with<Value>(_ pid: Int32, _ now: BootTime, _ body: (inout TokenBucket) -> Value) -> Value {
    buckets.withLock { buckets in
      if buckets.count >= Self.maxProcesses, buckets[pid] == nil { Self.makeRoom(&buckets, now) }
      var bucket = buckets[pid] ?? TokenBucket(capacity: Self.burst, perSecond: Self.rate, now: now)
      defer { buckets[pid] = bucket }
      return body(&bucket)
    }
  }

  private static func makeRoom(_ buckets: inout [Int32: TokenBucket], _ now: BootTime) {
    buckets = buckets.filter { !$0.value.isFull(now: now) }
    if buckets.count >= maxProcesses, let any = buckets.keys.first { buckets[any] = nil }
  }

  /// The factor by which this build is slower than a release build.
  #if DEBUG
    static let slowness = 10
  #else
    static let slowness = 1
  #endif
}

/// Two threads for calls that take more than a millisecond, so that neither the event loop nor the
/// threads of Swift tasks wait for them. The threads start with the first call. Thread-safe.
final class CostlyThreads: Sendable {
  private enum State {
    case idle
    case running(NIOThreadPool)
  }

  private let state = Mutex(State.idle)

  /// Runs `body`, and the actors that it calls, on these threads. `meter` measures the processor
  /// time.
  func run<Value: Sendable>(
    _ meter: CallMeter = CallMeter(), _ body: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    let executor = Executor(pool, meter)
    return try await withTaskExecutorPreference(executor) { try await body() }
  }

  /// Stops the threads. Must follow the last call.
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

  /// Runs the jobs of one call on the threads.
  private final class Executor: TaskExecutor {
    private let pool: NIOThreadPool
    private let meter: CallMeter

    init(_ pool: NIOThreadPool, _ meter: CallMeter) { (self.pool, self.meter) = (pool, meter) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      // A job must run even after the threads have been stopped.
      pool.submit { [self] _ in meter.measure { job.runSynchronously(on: asUnownedTaskExecutor()) } }
    }
  }
}
