import Dispatch
import Glibc
import Synchronization
import SystemSupport

/// Runs every job of one simulated agent on the thread that owns it, first come, first served, so that a history depends
/// on its seed alone.
///
/// What other threads hand in (the vault's thread, when a write has ended) waits apart until nothing else is left to do
/// here: when it comes in real time makes no difference.
final class StepExecutor: TaskExecutor {
  private struct Queues {
    var own: [UnownedJob] = []
    var next = 0
    var foreign: [UnownedJob] = []
    var owner: pthread_t?

    mutating func take() -> UnownedJob? {
      guard next < own.count else {
        own.removeAll(keepingCapacity: true)
        next = 0
        return nil
      }
      defer { next += 1 }
      return own[next]
    }
  }

  /// The priority of the task that goes through the vault's thread to find it idle; no other task has it.
  static let probePriority = TaskPriority.utility
  /// More jobs than a history ever needs to come to rest; an agent that never rests is a finding, not a hang.
  private static let mostJobs = 200_000
  /// Real time: the disk is memory, so an answer that takes so long never comes.
  private static let patience = DispatchTimeInterval.seconds(60)

  private let queues = Mutex(Queues())
  private let arrivals = DispatchSemaphore(value: 0)
  private let isOpen = Atomic(false)
  private let opened = DispatchSemaphore(value: 0)

  /// Takes over the calling thread: unstructured tasks that are made on it run here too.
  func own() {
    queues.withLock { $0.owner = pthread_self() }
    GlobalTasks.capture(for: self)
  }

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  func enqueue(_ job: UnownedJob) {
    let isForeign = queues.withLock { queues in
      let isForeign = queues.owner.map { pthread_equal($0, pthread_self()) == 0 } ?? true
      if isForeign { queues.foreign.append(job) } else { queues.own.append(job) }
      return isForeign
    }
    if isForeign { arrivals.signal() }
  }

  /// Runs until there is nothing to do any more, here or on the vault's thread.
  ///
  /// - Parameters:
  ///   - probe: does nothing, by way of the vault's thread.
  ///   - atRest: called whenever the vault's thread is idle, before anybody here hears of what it did.
  func settle(probe: @escaping @Sendable () async -> Void, atRest: () -> Void) throws {
    var jobs = try drain(after: 0)
    while true {
      let isBack = Flag()
      Task(executorPreference: self, priority: Self.probePriority) {
        await probe()
        isBack.set()
      }
      jobs = try drain(after: jobs)
      // It may be back already: then the vault's thread had nothing else to do.
      let wasIdle = isBack.isSet
      if !wasIdle { try waitForProbe() }
      atRest()
      let arrived = takeForeign()
      jobs = try drain(after: jobs)
      if arrived == (wasIdle ? 0 : 1) { return }
    }
  }

  /// The vault's thread waits here before it touches the disk, until everybody else has come to rest: an answer that
  /// came while its task was not yet waiting for it would go on at once, and only sometimes.
  func waitForTurn() {
    guard queues.withLock({ $0.owner.map { pthread_equal($0, pthread_self()) == 0 } ?? false }) else { return }
    while !isOpen.load(ordering: .sequentiallyConsistent) { opened.wait() }
  }

  private func open() {
    isOpen.store(true, ordering: .sequentiallyConsistent)
    opened.signal()
  }

  /// Runs until `isDone`, for what waits for another thread in a way that no probe can follow.
  func run(until isDone: () -> Bool) throws {
    open()
    defer { isOpen.store(false, ordering: .sequentiallyConsistent) }
    while true {
      _ = try drain(after: 0)
      if isDone() { return }
      guard arrivals.wait(timeout: .now() + Self.patience) == .success else { throw Restless.stuck }
      takeForeign()
    }
  }

  private func drain(after done: Int) throws -> Int {
    var jobs = done
    while let job = queues.withLock({ $0.take() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      jobs += 1
      guard jobs < Self.mostJobs else { throw Restless.endless }
    }
    return jobs
  }

  private func waitForProbe() throws {
    open()
    defer { isOpen.store(false, ordering: .sequentiallyConsistent) }
    while !queues.withLock({ $0.foreign.contains(where: Self.isProbe) }) {
      guard arrivals.wait(timeout: .now() + Self.patience) == .success else { throw Restless.stuck }
    }
  }

  private static func isProbe(_ job: UnownedJob) -> Bool { job.priority.rawValue == probePriority.rawValue }

  @discardableResult
  private func takeForeign() -> Int {
    queues.withLock { queues in
      let arrived = queues.foreign
      queues.own += arrived
      queues.foreign.removeAll(keepingCapacity: true)
      return arrived.count
    }
  }
}

/// The agent does not come to rest.
enum Restless: Error {
  /// It goes on and on without time passing.
  case endless
  /// It waits for a thread that does not answer.
  case stuck
}

/// Sends tasks without an executor of their own (`Task {}` in the agent and in libraries) to the executor that owns the
/// thread on which they were made; those of all other threads go where they always go.
enum GlobalTasks {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The runtime's own seam for this (swift/Concurrency, ConcurrencyHooks.h). Set once, before the first history.
  private static let isInstalled: Bool = {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { return false }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
      guard let executor = pthread_getspecific(key) else { return original(job) }
      Unmanaged<StepExecutor>.fromOpaque(executor).takeUnretainedValue().enqueue(job)
    }
    return true
  }()

  /// From now on the calling thread belongs to `executor`, which has to live as long as the thread is used.
  static func capture(for executor: StepExecutor) {
    precondition(isInstalled, "the runtime has no hook for global tasks")
    pthread_setspecific(key, Unmanaged.passUnretained(executor).toOpaque())
  }

  /// The calling thread goes back to the process.
  static func release() { pthread_setspecific(key, nil) }
}
