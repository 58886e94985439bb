import AgentProtocol
import FoundationEssentials
import SessionVault
import SupabaseAuth
import Synchronization
import SystemSupport
import TestKit

@testable import AgentCore
@testable import SessionEngine

/// One random history of the agent, which depends on its seed alone. Runs on the calling thread.
final class History {
  /// A request that has no answer yet.
  struct Caller {
    let words: String
    var deadline: BootTime
    let task: Task<Void, Never>
    let isAnswered: Flag
    /// The time for an answer after a suspend: what was in flight may be sent once more.
    var afterSleep: Duration = .zero
    var waitsForDisk = true
  }

  /// An additional subscriber to events.
  struct Subscriber {
    let events: EventRecord
    let task: Task<Void, Never>
  }

  /// A disk whose writes take time.
  struct SlowDisk {
    let each: Duration
    /// When the work that was submitted before is done.
    var due: BootTime
    let until: BootTime
  }

  static let accounts = ["home", "work", "spare"]
  static let users = ["user-1", "user-2", "user-3"]

  let seed: UInt64
  let ground: SimulatedMachine
  var chance: SeededRandom
  var agent: SimulatedAgent
  var services: Task<Void, Never>
  var callers: [Caller] = []
  /// Sign-ins and sign-outs in progress. They wait for the disk, and at most 3 s for a server.
  var operations: [Caller] = []
  /// Locks and unlocks in progress.
  var keyCalls: [Caller] = []
  /// The end of the next derivation, and where the key thread waits for it.
  var keyHold: (halt: StepExecutor.Halt, until: BootTime)?
  var slowDisk: SlowDisk?
  var setting = ProjectSetting.plain
  /// True if a write failed since the last start or unlock.
  var diskHasFailed: Bool { agent.disk.failures > 0 }
  /// True if the key thread runs before the vault's thread.
  var keysAreFirst = false
  /// The locks and unlocks that this process was asked for.
  var locks = LockRecorder()
  /// Accounts whose sign-out was interrupted by a lock, with their sessions.
  var interruptedSignOuts: [String: Int] = [:]
  /// True if the vault was locked when its thread was last idle.
  var wasLocked = false
  var subscribers: [Subscriber] = []
  /// The refresh tokens that a stop has to leave on the disk, by account; nil if the disk failed, or
  /// after another end.
  var keptAtStop: [String: String]?
  /// The sign-ins of this process that wait for a code.
  var sentCodes: [SignInTicket] = []
  var step = 0
  /// The offset of the wall clock from the true time.
  var wallMoved: Duration = .zero
  /// The vault file of each account.
  var files: [String: String] = [:]
  private(set) var actionCounts: [String: Int] = [:]

  var clock: ManualClock { ground.clock }
  var server: SimulatedServer { ground.server }
  var ledger: Ledger { ground.ledger }
  var accounts: Accounts { agent.accounts }

  init(seed: UInt64, shard: Shard) throws {
    self.seed = seed
    var chance = SeededRandom(seed)
    let ledger = Ledger()
    let lives = [30, 300, 3600, 3600, 3600, 86_400]
    let server = SimulatedServer(
      seed: seed, rotation: chance.happens(50) ? .rows : .counter, life: chance.one(of: lives), ledger: ledger)
    ground = SimulatedMachine(
      clock: ManualClock(), server: server, ledger: ledger, files: MemoryStorage(), executor: shard.executor,
      places: shard.places)
    agent = try SimulatedAgent(ground, setting, seed: seed)
    services = Self.start(agent, ground)
    shard.executor.delay(by: chance.happens(60) ? chance : nil)
    self.chance = chance
  }

  private static func start(_ agent: SimulatedAgent, _ ground: SimulatedMachine) -> Task<Void, Never> {
    ground.executor.plug(.vault, agent.vaultTurns)
    return Task(executorPreference: ground.executor) { await agent.run(ground.clock) }
  }

  /// Plays the history. Throws the first violation.
  func play(steps: Int) throws {
    try rest()
    begin()
    for number in 1...steps {
      step = number
      try act()
      try checkAll()
    }
    step += 1
    try calm()
    try end()
  }

  func trace(_ line: String) { ledger.trace("[\(step)] \(line)") }

  func count(_ action: String) { actionCounts[action, default: 0] += 1 }

  // MARK: - Time

  /// Lets time pass. Every timer fires at its time.
  func pass(_ duration: Duration) throws {
    let target = clock.now.advanced(by: duration)
    while let next = nextDeadline, next <= target { try move(until: next) }
    try move(until: target)
  }

  /// The next timer, or the end of a derivation that a request waits for.
  private var nextDeadline: BootTime? {
    let derived = keyCalls.isEmpty ? nil : keyHold.flatMap { clock.now < $0.until ? $0.until : nil }
    return [clock.nextDeadline, derived, slowDisk?.due].compactMap { $0 }.min()
  }

  /// Suspends the machine `times` times, with a moment awake after each. A lock in progress is
  /// completed first.
  func doze(_ piece: Duration, times: Int) throws {
    try endSlowDisk()
    if !keyCalls.isEmpty { try pass(.seconds(5)) }
    for _ in 0..<times {
      let awake = clock.now.advanced(by: piece)
      operations = operations.map { Self.answered($0, by: awake.advanced(by: .seconds(15))) }
      for index in callers.indices where callers[index].afterSleep > .zero {
        callers[index].deadline = max(callers[index].deadline, awake.advanced(by: callers[index].afterSleep))
      }
      try move(until: awake)
    }
  }

  private func move(until moment: BootTime) throws {
    clock.pass(until: moment)
    let elapsed = clock.elapsed
    ledger.with { $0.elapsed = elapsed }
    try rest()
  }

  /// Runs everything that can happen without time passing.
  func rest() throws {
    do {
      try ground.executor.settle(vault: vaultTurns, keys: keyTurns, atRest: vaultTurned)
    } catch SettleError.tooManyJobs {
      throw Violation(invariant: .noStorm, words: "the agent does not come to rest")
    }
    callers.removeAll(where: \.isAnswered.isSet)
    operations.removeAll(where: \.isAnswered.isSet)
    keyCalls.removeAll(where: \.isAnswered.isSet)
    if let late = (callers + operations + keyCalls).first(where: { $0.deadline <= clock.now }), !agent.life.isOver {
      throw Violation(invariant: .callersAreAnswered, words: "no answer in time: \(late.words)")
    }
    if let violation = ledger.violation { throw violation }
  }

  // MARK: - The disk

  /// The turns of the vault's thread, which a slow disk holds up.
  private var vaultTurns: StepExecutor.Turns {
    var turns = agent.vaultTurns
    turns.isDue = { [unowned self] _ in slowDisk.map { $0.due <= clock.now } ?? true }
    return turns
  }

  private func vaultTurned() {
    if let disk = slowDisk { slowDisk?.due = clock.now.advanced(by: disk.each) }
    if let disk = slowDisk, disk.until <= clock.now { slowDisk = nil }
    atRest()
  }

  /// Makes each write take some time, for a while. What waits for the disk may take as much longer.
  func slowDown() {
    let (each, time) = (chance.duration(from: .milliseconds(50), to: .seconds(8)), Duration.seconds(chance.below(15)))
    let until = clock.now.advanced(by: time)
    trace("writes take \(each) for \(time)")
    slowDisk = SlowDisk(each: each, due: clock.now.advanced(by: each), until: until)
    let later = { (call: Caller) in
      var call = call
      if call.waitsForDisk { call.deadline = call.deadline.advanced(by: self.diskDelay) }
      return call
    }
    (callers, operations, keyCalls) = (callers.map(later), operations.map(later), keyCalls.map(later))
  }

  /// Makes writes take no time. What waited for the disk goes on with the server.
  func endSlowDisk() throws {
    guard slowDisk != nil else { return }
    slowDisk = nil
    operations = operations.map { Self.answered($0, by: clock.now.advanced(by: .seconds(15))) }
    try rest()
  }

  private static func answered(_ call: Caller, by moment: BootTime) -> Caller {
    var call = call
    call.deadline = max(call.deadline, moment)
    return call
  }

  /// How much longer the disk makes a call that waits for it.
  var diskDelay: Duration { slowDisk.map { clock.now.duration(to: $0.until) + $0.each * 2 } ?? .zero }

  // MARK: - Processes

  /// Kills the process, and starts another one with the content of the disk.
  func restart(after pause: Duration = .zero, reboot: Bool = false) throws {
    try tearDown()
    if reboot { clock.reboot(after: pause) } else { clock.pass(until: clock.now.advanced(by: pause)) }
    let elapsed = clock.elapsed
    ledger.with { state in
      state.elapsed = elapsed
      state.operationsEnded()
      state.inFlight = [:]
      state.logouts = [:]
      state.endedHere = []
      state.sent = []
      state.verification.processEnded()
    }
    server.catchUp(elapsed)
    let failed = diskHasFailed
    agent = try SimulatedAgent(ground, setting, seed: seed)
    files = [:]
    if failed { ledger.with { $0.changes.factors = [:] } }
    let found = try readDisk(failed)
    try checkStored(found)
    try checkFound(found)
    services = Self.start(agent, ground)
    try rest()
    try checkRestored(found)
  }

  /// Sends SIGTERM: the services end in time even if something hangs, every waiter is answered, and
  /// the vault is closed as by the agent.
  func stop() throws {
    slowDisk = nil
    let stopped = agent
    Task(executorPreference: ground.executor) { await stopped.stop() }
    try rest()
    try pass(.seconds(7))
    guard stopped.life.isOver || stopped.hasStopped.isSet else {
      throw Violation(invariant: .stopsEnd, words: "the services run on 7 s after the stop")
    }
    let kept = try stopped.life.isOver ? nil : newestInMemory()
    Task(executorPreference: ground.executor) { await stopped.accounts.finish() }
    try rest()
    let unanswered = callers + operations + keyCalls
    guard stopped.life.isOver || unanswered.isEmpty else {
      let left = unanswered.map(\.words).joined(separator: ", ")
      throw Violation(invariant: .stopsEnd, words: "not answered at the stop: \(left)")
    }
    let isClosed = Flag()
    Task(executorPreference: ground.executor) {
      await stopped.access.close()
      isClosed.set()
    }
    try ground.executor.run(until: { isClosed.isSet })
    if !stopped.life.isOver { keptAtStop = kept }
    try restart()
  }

  /// The newest refresh tokens, by account; nil if the disk fails or the vault is locked.
  private func newestInMemory() throws -> [String: String]? {
    guard case .works = agent.disk.weather, !agent.vault.isLocked else { return nil }
    let seen = try ask { await $0.observed() }
    count("stops with a working disk")
    return Dictionary(
      uniqueKeysWithValues: seen.compactMap { account in account.refreshToken.map { (account.name, $0) } })
  }

  /// Ends the process, so that its remaining work has no effect.
  func tearDown() throws {
    agent.life.end()
    services.cancel()
    for caller in callers { caller.task.cancel() }
    for subscriber in subscribers { subscriber.task.cancel() }
    (callers, operations, keyCalls, subscribers, sentCodes) = ([], [], [], [], [])
    slowDisk = nil
    (keyHold, locks, wasLocked, interruptedSignOuts) = (nil, LockRecorder(), false, [:])
    let (agent, services, isBuried) = (agent, services, Flag())
    Task(executorPreference: ground.executor) {
      await services.value
      await agent.tearDown()
      isBuried.set()
    }
    try ground.executor.run(until: { isBuried.isSet })
    // No history starts with a locked vault.
    try ground.places.manualLockNote.remove()
  }

  private func end() throws { try tearDown() }

  // MARK: - Queries

  /// Runs a query that needs no time to pass.
  func ask<Answer: Sendable>(_ question: @escaping @Sendable (Accounts) async -> Answer) throws -> Answer {
    let accounts = accounts
    return try answer { await question(accounts) }
  }

  func answer<Answer: Sendable>(_ question: @escaping @Sendable () async -> Answer) throws -> Answer {
    let box = Box<Answer>()
    Task(executorPreference: ground.executor) { box.put(await question()) }
    try rest()
    guard let answer = box.value else {
      throw Violation(invariant: .callersAreAnswered, words: "a question that needs no network was not answered")
    }
    return answer
  }
}

/// A flag that is set once. Thread-safe.
final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

/// Holds one value. Thread-safe.
final class Box<Value: Sendable>: Sendable {
  private let held = Mutex<Value?>(nil)
  var value: Value? { held.withLock { $0 } }
  func put(_ value: Value) { held.withLock { $0 = value } }
}

/// The events of a history, line by line, and a checksum. The checksum does not depend on the order
/// of the lines, because events of one instant may come in either order.
struct Trace: Sendable {
  private(set) var lines: [String] = []
  private(set) var sum: UInt64 = 0

  mutating func add(_ line: String, at elapsed: Int64) {
    let (seconds, rest) = elapsed.quotientAndRemainder(dividingBy: 1_000_000_000)
    let whole = "\(seconds).\(rest / 1_000_000) \(line)"
    lines.append(whole)
    let bytes = whole.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    sum &+= SeededRandom.mixed(bytes)
  }
}
