import AgentProtocol
import NIOPosix
import SessionEngine
import Synchronization
package import SystemSupport

/// The cost of one call of a method (PR-4). A test runs every method and compares its cost with its registration.
package struct MethodCost: Sendable, Hashable {
  /// Processor time of a call in a release build; what is measured beyond it is charged as well.
  let microseconds: Int
  /// Bytes that its answer usually takes at most. A method whose answers grow asks for more (`Call.makeRoom`).
  package let answer: Int
  /// True for work that takes more than a millisecond where there is much of what it works on: it runs on a thread of
  /// `CostlyThreads`, two at a time for a process.
  let isCostly: Bool

  private init(_ microseconds: Int, answer: Int, isCostly: Bool) {
    (self.microseconds, self.answer, self.isCostly) = (microseconds, answer, isCostly)
  }

  /// An answer from memory.
  package static let memory = MethodCost(50, answer: 4 * 1024, isCostly: false)
  /// Waits for a person: many of them leave room for others on their connection.
  package static let wait = MethodCost(50, answer: 1024, isCostly: false)
  /// An answer from memory that grows with the accounts.
  package static let accounts = MethodCost(150, answer: 4 * 1024, isCostly: true)
  /// Requests to a server. It bears less of them than this processor: 100 a second, 500 at once.
  package static let network = MethodCost(2_000, answer: 8 * 1024, isCostly: false)
  /// Commits to the disk: each waits for two or three fsync(2). As many as of `network`.
  package static let disk = MethodCost(2_000, answer: 4 * 1024, isCostly: false)
  /// Reads many files, on a thread.
  package static let files = MethodCost(5_000, answer: 64 * 1024, isCostly: true)
  /// May derive a key: half a second for a passphrase, charged as it is measured.
  package static let keys = MethodCost(5_000, answer: 4 * 1024, isCostly: false)

  /// A token, which may be some kilobytes long, from memory.
  package static let token = MethodCost(50, answer: 8 * 1024, isCostly: false)
  /// A profile, which may be large.
  package static let profile = MethodCost(2_000, answer: 64 * 1024, isCostly: false)
  /// The list of approvals.
  package static let approvals = MethodCost(150, answer: 64 * 1024, isCostly: true)
  package static let counters = MethodCost(500, answer: 64 * 1024, isCostly: true)
  package static let diagnosis = MethodCost(2_000, answer: 32 * 1024, isCostly: false)
  /// The whole protocol: writing 70 KiB is most of it.
  package static let discovery = MethodCost(1_000, answer: 128 * 1024, isCostly: false)

  /// The answer to what is no request, and of an unknown method.
  static let errorAnswer = 512
  /// The answer to a request that is not parsed yet.
  static let longAnswer = api.answer
  /// `api.request`: a small answer. A larger one asks for room before it is fetched.
  package static let api = MethodCost(2_000, answer: 16 * 1024, isCostly: false)
}

/// The processor time that the calls of one process may take (PR-4): a fifth of a processor in the long run, a second at once.
/// A process that exceeds it is told so. Answers of the hot path are not counted. Safe from any thread.
package final class CallBudget: Sendable {
  /// In microseconds.
  static let burst = 1_000_000.0
  /// Microseconds a second.
  static let rate = 200_000.0
  /// Processes that are remembered. A full bucket says nothing, so those are forgotten first.
  static let mostProcesses = 1024

  private let clock: any AgentClock
  private let buckets = Mutex<[Int32: TokenBucket]>([:])

  package init(clock: any AgentClock) { self.clock = clock }

  /// How many processes are remembered.
  var processes: Int { buckets.withLock { $0.count } }

  /// Takes the usual cost of a call from the budget of the process `pid`.
  ///
  /// - Throws: `tooMany`, with the seconds until there is room.
  func admit(_ cost: MethodCost, _ pid: Int32) throws(AgentError) {
    let now = clock.now
    let later = with(pid, now) { $0.take(Double(cost.microseconds), now: now) }
    guard let later else { return }
    throw AgentError(
      .tooMany, "This program asks for too much at once. Please try again.",
      retryAfter: max(1, now.duration(to: later).seconds))
  }

  /// Charges what a call took beyond its usual cost.
  func charge(_ cost: MethodCost, used: Int, _ pid: Int32) {
    let surplus = used / Self.slowness - cost.microseconds
    guard surplus > 0 else { return }
    let now = clock.now
    with(pid, now) { $0.spend(Double(surplus), now: now) }
  }

  private func with<Value>(_ pid: Int32, _ now: BootTime, _ body: (inout TokenBucket) -> Value) -> Value {
    buckets.withLock { buckets in
      if buckets.count >= Self.mostProcesses, buckets[pid] == nil { Self.makeRoom(&buckets, now) }
      var bucket = buckets[pid] ?? TokenBucket(capacity: Self.burst, perSecond: Self.rate, now: now)
      defer { buckets[pid] = bucket }
      return body(&bucket)
    }
  }

  private static func makeRoom(_ buckets: inout [Int32: TokenBucket], _ now: BootTime) {
    buckets = buckets.filter { !$0.value.isFull(now: now) }
    if buckets.count >= mostProcesses, let any = buckets.keys.first { buckets[any] = nil }
  }

  /// How many times slower this build is than a release build.
  #if DEBUG
    static let slowness = 10
  #else
    static let slowness = 1
  #endif
}

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
