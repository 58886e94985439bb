package import AgentProtocol
package import Logging
import ServiceLifecycle
import SupabaseAuth
package import SystemSupport

/// Ends sessions at the server (SE-4): what could not be done at once is kept sealed and tried again, over restarts.
package actor RevocationQueue: Service {
  /// How long a sign-out waits for the server before it says that the revocation is pending: as long as a stop may take.
  static let patience: Duration = .seconds(3)
  /// After a week the server's own time limits have done it, or the project is gone.
  static let givesUpAfter: Int64 = 7 * 86_400
  /// Tries of one run before anything is given up; by the pauses they take over an hour.
  static let triesBeforeGivingUp = 12
  /// Pauses double from 2 s to a quarter of an hour: the network is back soon, or not for long.
  static let firstPause: Duration = .seconds(2)
  static let longestPause: Duration = .seconds(900)

  struct Item {
    var revocation: Revocation
    /// Which came first goes first.
    let number: UInt64
    var due: BootTime
    var failures = 0
    var running = false
  }

  /// What the vault's lock lets the queue do.
  enum Rest: Sendable {
    /// All.
    case none
    /// What was begun comes to its end.
    case closing
    /// Nothing: the records wait in the vault.
    case locked
    /// The agent stops: nothing begins any more, and nothing is waited for. Final.
    case stopped
  }

  let store: SessionStore?
  let projects: Projects
  let tokens: TokenSnapshot
  let budgets: RequestBudgets
  let clock: any AgentClock
  let logger: Logger
  private nonisolated let wake = WakeSignal()
  private nonisolated let due: AsyncStream<Revocation>
  private let dueContinuation: AsyncStream<Revocation>.Continuation
  private(set) var items: [String: Item] = [:]
  /// Requests with tokens of the sessions that are to be ended.
  package nonisolated let requests = CancellableRequests()
  private(set) var rest = Rest.none
  /// The sign-outs that wait for a try, by the revocation's id. The value is whether the server was told.
  private nonisolated let waiters = WaiterList<Bool>()
  private nonisolated let quietWaiters = WaiterList<Void>()
  /// What was ended while the vault was being read, which may still have been in it; nil while nothing is read.
  private var endedMeanwhile: Set<String>?
  private var lastNumber: UInt64 = 0
  /// Accounts of which a sign-out was given up in this run, for the status.
  var givenUp: Set<String> = []

  /// - Parameter tokens: where the token is that ends the other sessions of an account that stays signed in.
  package init(
    store: SessionStore?, projects: Projects, tokens: TokenSnapshot, budgets: RequestBudgets, clock: any AgentClock,
    logger: Logger
  ) {
    self.store = store
    self.projects = projects
    self.tokens = tokens
    self.budgets = budgets
    self.clock = clock
    self.logger = logger
    (due, dueContinuation) = AsyncStream.makeStream()
  }

  /// How many revocations wait.
  var count: Int { items.count }

  /// Takes up what an earlier run left, or what rested in a vault that was copied here.
  ///
  /// - Returns: the refresh tokens of the sessions that were being ended. The first may be ended, and forgotten, by now.
  @discardableResult
  package func restore() async throws(AgentError) -> Set<String> {
    guard let store else { return [] }
    begin()
    endedMeanwhile = endedMeanwhile ?? []
    defer { endedMeanwhile = nil }
    let stored = try await store.loadRevocations()
    for revocation in stored.sorted(by: {
      ($0.since, $0.received.boot, $0.account) < ($1.since, $1.received.boot, $1.account)
    }) where endedMeanwhile?.contains(revocation.id) != true {
      add(revocation)
    }
    return Set(stored.filter { !$0.isForOthers }.map(\.refreshToken))
  }

  /// The vault is open: what is added from now on is tried.
  package func begin() { enter(.none) }

  private func enter(_ new: Rest) { if rest != .stopped { rest = new } }

  /// Takes a revocation that is stored already; it is tried at once. One that is known stays as it is, with its tokens,
  /// its try and its waiters.
  func add(_ revocation: Revocation) {
    guard items[revocation.id] == nil else { return }
    guard rest != .locked else {
      return logger.notice(
        "a sign-out waits for the vault to be unlocked", metadata: ["account": "\(revocation.account)"])
    }
    lastNumber += 1
    items[revocation.id] = Item(revocation: revocation, number: lastNumber, due: clock.now)
    wake.signal()
  }

  /// The refresh tokens of sessions that are to be ended: none of them is anybody's session any more.
  var endedTokens: Set<String> { Set(items.values.map(\.revocation).filter { !$0.isForOthers }.map(\.refreshToken)) }

  /// Adds revocations and waits until the server was told of each, or one try of it has failed, but no longer than
  /// `patience` for all together. A sign-out implies that the network is there: what waits already is tried as well.
  ///
  /// - Returns: the ids of which the server was not told.
  func submit(_ revocations: [Revocation]) async -> Set<String> {
    for revocation in revocations { add(revocation) }
    guard rest == .none else { return Set(revocations.map(\.id)) }
    tryAgain()
    let deadline = clock.deadline(after: Self.patience)
    return await withTaskGroup(of: String?.self) { group in
      for revocation in revocations {
        group.addTask { await self.isTold(revocation.id, deadline) ? nil : revocation.id }
      }
      var untold: Set<String> = []
      for await id in group { if let id { untold.insert(id) } }
      return untold
    }
  }

  private func isTold(_ id: String, _ deadline: Deadline) async -> Bool {
    let isTold = try? await waiters.wait(for: id, until: deadline) {
      guard let item = items[id] else { return true }
      return item.failures > 0 ? false : nil
    }
    return isTold ?? false
  }

  /// Drops what waits to end the other sessions of an account, for that account is about to lose its own.
  ///
  /// - Returns: whether something waited.
  func takeOthers(of account: String) async -> Bool {
    let waiting = items.values.map(\.revocation).filter { $0.isForOthers && $0.account == account }
    for revocation in waiting { await forget(revocation) }
    return !waiting.isEmpty
  }

  /// The account has a new token, with which its other sessions can be ended.
  func tokenRenewed(_ account: String) {
    guard items.values.contains(where: { $0.revocation.isForOthers && $0.revocation.account == account }) else {
      return
    }
    tryAgain()
  }

  /// The machine woke up, or the network changed: what waits is tried again.
  package func tryAgain() {
    let now = clock.now
    for (id, item) in items where item.due > now { items[id]?.due = now }
    wake.signal()
  }

  func run() async throws {
    await withDiscardingTaskGroup { group in
      group.addTask {
        await cancelWhenGracefulShutdown { await self.keepTime() }
        await self.stop()
      }
      for await revocation in due {
        group.addTask { await self.attempt(revocation) }
      }
    }
  }

  private func keepTime() async {
    while !Task.isCancelled {
      let next = takeDue()
      await clock.sleep(until: next, or: wake)
    }
  }

  /// What was sent has `patience` to be answered. The rest is sent by the next run, also what is cancelled here: a second
  /// logout of one session is harmless.
  private func stop() async {
    rest = .stopped
    dueContinuation.finish()
    await answersAreStored(until: clock.deadline(after: Self.patience))
    waiters.shutDown()
    quietWaiters.shutDown()
    requests.shutDown()
  }

  private func takeDue() -> BootTime {
    let now = clock.now
    guard rest == .none else { return now.advanced(by: .seconds(30)) }
    let ready = items.values.filter { !$0.running && $0.due <= now }.sorted { $0.number < $1.number }
    for item in ready {
      items[item.revocation.id]?.running = true
      dueContinuation.yield(item.revocation)
    }
    let deadlines = items.values.filter { !$0.running }.map(\.due)
    // Recomputed at least every 30 s, as every loop here: a deadline in a suspended machine is noticed then.
    return min(deadlines.min() ?? BootTime(nanoseconds: .max), now.advanced(by: .seconds(30)))
  }

  func failures(of revocation: Revocation) -> Int { items[revocation.id]?.failures ?? 0 }

  // MARK: - The end of a try

  /// The tokens of a revocation were renewed on the way.
  func update(_ revocation: Revocation) { items[revocation.id]?.revocation = revocation }

  /// The server was told, or there is nothing left to tell.
  func done(_ revocation: Revocation) {
    endedMeanwhile?.insert(revocation.id)
    guard items.removeValue(forKey: revocation.id) != nil else { return }
    waiters.resume(revocation.id, returning: true)
    noteQuiet()
    wake.signal()
  }

  /// The try failed: the pause before the next one grows. Callers do not wait for it.
  func failed(_ revocation: Revocation) {
    guard var item = items[revocation.id] else { return }
    item.failures += 1
    let pause = min(Self.longestPause, Self.firstPause * (1 << min(9, item.failures - 1)))
    items[revocation.id] = item
    waiters.resume(revocation.id, returning: false)
    putOff(revocation, until: clock.now.advanced(by: pause))
  }

  /// Not now; that is no failure.
  func putOff(_ revocation: Revocation, until moment: BootTime) {
    items[revocation.id]?.running = false
    items[revocation.id]?.due = moment
    noteQuiet()
    wake.signal()
  }

  // MARK: - Locking

  /// The first step of a lock: nothing is begun any more, and nobody waits.
  package func beginLock() {
    enter(.closing)
    waiters.resumeAll(returning: false)
  }

  /// Returns when no try is under way any more, at the deadline, or after `giveUpOnAnswers`.
  package func answersAreStored(until deadline: Deadline? = nil) async {
    guard isBusy else { return }
    try? await quietWaiters.wait(until: deadline)
  }

  package func giveUpOnAnswers() { quietWaiters.resumeAll() }

  /// Forgets what is in the vault; `restore` reads it again.
  package func forgetSessions() {
    enter(.locked)
    waiters.resumeAll(returning: false)
    items = [:]
    quietWaiters.resumeAll()
  }

  private var isBusy: Bool { items.values.contains(where: \.running) }

  private func noteQuiet() {
    if !quietWaiters.isEmpty, !isBusy { quietWaiters.resumeAll() }
  }
}
