import Dispatch
import Glibc
import Synchronization
import SystemSupport

/// Runs every job of one simulated agent on its owner's thread, first in, first out, so that a
/// history depends on its seed alone.
///
/// The agent's own threads, one for the vault and one for its keys, are halted while the owner has
/// jobs to run. Then one of them runs the work submitted to it. How long that takes in real time
/// makes no difference.
final class StepExecutor: TaskExecutor {
  /// A thread of the agent.
  enum Lane: CaseIterable {
    case vault, keys
  }

  /// Where a thread of the agent is halted.
  enum Halt {
    /// At a plug: the work submitted before is done.
    case plug
    /// In the derivation of a key from a passphrase.
    case derivation
  }

  /// How a thread is resumed.
  struct Turns {
    /// Submits work to the thread.
    let submit: @Sendable (@escaping @Sendable () -> Void) async -> Void
    var isDue: (Halt) -> Bool = { _ in true }
    /// True if the thread runs before the vault's thread, instead of once that thread is idle.
    var isFirst = false
  }

  private struct Standing {
    var thread: pthread_t?
    var halt: Halt?
    /// True while a plug is queued behind the submitted work.
    var isPlugged = false
    var handedIn: [UnownedJob] = []
  }

  /// What goes on after some turns of the agent's threads, as on a busy machine.
  private struct Late {
    var turns: Int
    var jobs: [UnownedJob] = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  private struct Queues {
    /// Chooses which work that the vault's thread resumes goes on late; nil for none.
    var lags: SeededRandom?
    var late: [Late] = []
    var own: [UnownedJob] = []
    var next = 0
    /// Jobs from any other thread.
    var foreign: [UnownedJob] = []
    var owner: pthread_t?
    var lanes: [Lane: Standing] = [:]

    mutating func take() -> UnownedJob? {
      guard next < own.count else {
        own.removeAll(keepingCapacity: true)
        next = 0
        return nil
      }
      defer { next += 1 }
      return own[next]
    }

    /// Lets one turn pass, or all that something waits for.
    mutating func takeLate(all: Bool) -> [Late] {
      for index in late.indices { late[index].turns -= 1 }
      let due = late.filter { all || $0.turns <= 0 }
      late.removeAll { all || $0.turns <= 0 }
      own += due.flatMap(\.jobs)
      return due
    }

    var isOwner: Bool { owner.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    var lane: Lane? {
      lanes.first { $0.value.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }?.key
    }
  }

  /// The priority of the tasks that submit plugs. No other task has it.
  private static let plugPriority = TaskPriority.utility
  /// The maximum number of jobs until the agent is at rest, far more than a history needs. An
  /// endless loop fails instead of hanging.
  private static let maxJobs = 200_000
  /// In real time. The disk is in memory, so an answer that takes longer never comes.
  private static let haltTimeout = DispatchTimeInterval.seconds(60)

  private let queues = Mutex(Queues())
  private let arrivals = DispatchSemaphore(value: 0)
  private let goes = [Lane.vault: DispatchSemaphore(value: 0), .keys: DispatchSemaphore(value: 0)]

  /// Takes over the calling thread. Unstructured tasks that are created on it run here, too.
  func own() {
    queues.withLock { $0.owner = pthread_self() }
    GlobalTasks.capture(for: self)
  }

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  func enqueue(_ job: UnownedJob) {
    let isForeign = queues.withLock { queues in
      if queues.isOwner {
        queues.own.append(job)
        return false
      }
      if let lane = queues.lane { queues.lanes[lane]?.handedIn.append(job) } else { queues.foreign.append(job) }
      return true
    }
    if isForeign { arrivals.signal() }
  }

  /// Makes some of the work that the vault's thread resumes go on some turns later; nil for none.
  func delay(by chance: SeededRandom?) { queues.withLock { $0.lags = chance } }

  /// Waits for turns of the agent's threads, as a caller that is not scheduled at once.
  func pause(turns: Int) async {
    await withCheckedContinuation { waiter in
      queues.withLock { $0.late.append(Late(turns: turns, waiter: waiter)) }
    }
  }

  private func resumeLate(all: Bool = false) -> Bool {
    let due = queues.withLock { $0.takeLate(all: all) }
    for late in due { late.waiter?.resume() }
    return !due.isEmpty
  }

  /// Runs until no work is left, here or on the agent's threads.
  ///
  /// - Parameters:
  ///   - keys: nil if the key thread is to stay halted.
  ///   - atRest: called whenever the vault's thread is halted, before a job here learns what
  ///     that thread did.
  func settle(vault: Turns, keys: Turns?, atRest: () -> Void) throws {
    var jobs = try drain(after: 0)
    while true {
      if let keys, keys.isFirst, try turn(.keys, keys, &jobs) { continue }
      if try turn(.vault, vault, &jobs, atRest: atRest) { continue }
      if let keys, !keys.isFirst, try turn(.keys, keys, &jobs) { continue }
      guard resumeLate(all: true) else { return }
      jobs = try drain(after: jobs)
    }
  }

  /// Runs one turn of a thread, up to its next halt.
  ///
  /// - Returns: whether the turn had an effect.
  private func turn(_ lane: Lane, _ turns: Turns, _ jobs: inout Int, atRest: () -> Void = {}) throws -> Bool {
    // The thread has not started.
    guard queues.withLock({ $0.lanes[lane] != nil }) else { return false }
    let halt = try waitForHalt(lane)
    // Plugged only then, so that the turn has the work that was submitted while it was not due.
    guard turns.isDue(halt) else { return false }
    if halt == .plug {
      plug(lane, turns)
      jobs = try drain(after: jobs)
    }
    release(lane)
    let next = try waitForHalt(lane)
    atRest()
    let hasResumed = resumeLate()
    let arrived = take(lane)
    jobs = try drain(after: jobs)
    return arrived > 0 || hasResumed || halt == .derivation || next == .derivation
  }

  /// Halts the thread once the work submitted so far is done. Work that would go on at once in some
  /// runs only, because the thread was faster than the task about to wait for it, is queued behind
  /// the plug.
  func plug(_ lane: Lane, _ turns: Turns) {
    let isPlugged = queues.withLock { queues in
      let isPlugged = queues.lanes[lane]?.isPlugged ?? false
      queues.lanes[lane, default: Standing()].isPlugged = true
      return isPlugged
    }
    guard !isPlugged else { return }
    let submit = turns.submit
    Task(executorPreference: self, priority: Self.plugPriority) {
      await submit { self.halt(lane, .plug) }
    }
  }

  /// Halts a thread of the agent until it is resumed. The owner's thread is never halted.
  func halt(_ lane: Lane, _ halt: Halt) {
    let isOwner = queues.withLock { queues in
      if queues.isOwner { return true }
      queues.lanes[lane, default: Standing()].thread = pthread_self()
      queues.lanes[lane]?.halt = halt
      if halt == .plug { queues.lanes[lane]?.isPlugged = false }
      return false
    }
    if isOwner { return }
    GlobalTasks.capture(for: self)
    arrivals.signal()
    goes[lane]?.wait()
  }

  private func waitForHalt(_ lane: Lane) throws -> Halt {
    while true {
      if let halt = queues.withLock({ $0.lanes[lane]?.halt }) { return halt }
      guard arrivals.wait(timeout: .now() + Self.haltTimeout) == .success else { throw SettleError.timedOut }
    }
  }

  private func release(_ lane: Lane) {
    let stands = queues.withLock { queues in
      defer { queues.lanes[lane]?.halt = nil }
      return queues.lanes[lane]?.halt != nil
    }
    if stands { goes[lane]?.signal() }
  }

  /// - Returns: the number of jobs that arrived, not counting those of plugs.
  private func take(_ lane: Lane) -> Int {
    queues.withLock { queues in
      let arrived = queues.lanes[lane]?.handedIn ?? []
      let (plugs, work) = (arrived.filter(Self.isPlug), arrived.filter { !Self.isPlug($0) })
      queues.lanes[lane]?.handedIn.removeAll(keepingCapacity: true)
      queues.own += plugs
      if lane == .vault, !work.isEmpty, queues.lags?.happens(30) == true {
        queues.late.append(Late(turns: 1 + (queues.lags?.below(8) ?? 0), jobs: work))
      } else {
        queues.own += work
      }
      return work.count
    }
  }

  private static func isPlug(_ job: UnownedJob) -> Bool { job.priority.rawValue == plugPriority.rawValue }

  /// Runs until `isDone` with no thread halted, for the end of a process. The next process has
  /// other threads.
  func run(until isDone: () -> Bool) throws {
    while true {
      _ = try drain(after: 0)
      if isDone() { break }
      for lane in Lane.allCases { release(lane) }
      guard arrivals.wait(timeout: .now() + Self.haltTimeout) == .success else { throw SettleError.timedOut }
      takeAll()
    }
    takeAll()
    queues.withLock { $0.lanes = [:] }
  }

  private func takeAll() {
    for lane in Lane.allCases { _ = take(lane) }
    _ = resumeLate(all: true)
    queues.withLock { queues in
      queues.own += queues.foreign
      queues.foreign = []
    }
  }

  private func drain(after done: Int) throws -> Int {
    var jobs = done
    while let job = queues.withLock({ $0.take() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
      jobs += 1
      guard jobs < Self.maxJobs else { throw SettleError.tooManyJobs }
    }
    return jobs
  }
}

/// The agent does not come to rest.
enum SettleError: Error {
  /// Jobs keep running without time passing.
  case tooManyJobs
  /// A thread does not answer.
  case timedOut
}

/// Redirects tasks without an executor of their own (`Task {}` in the agent and in libraries) to
/// the executor that owns the thread on which they were created. Tasks of other threads run as
/// usual.
enum GlobalTasks {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The runtime's own hook for this (swift/Concurrency, ConcurrencyHooks.h). Set once, before the
  /// first history.
  private static let isInstalled: Bool = {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { return false }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
      guard let executor = pthread_getspecific(key) else { return original(job) }
      Unmanaged<StepExecutor>.fromOpaque(executor).takeUnretainedValue().enqueue(job)
    }
    return true
  }()

  /// Assigns the calling thread to `executor`, which must live as long as the thread is used.
  static func capture(for executor: StepExecutor) {
    precondition(isInstalled, "the runtime has no hook for global tasks")
    pthread_setspecific(key, Unmanaged.passUnretained(executor).toOpaque())
  }

  /// Releases the calling thread from its executor.
  static func release() { pthread_setspecific(key, nil) }
}
