package import AgentProtocol
package import Logging
import ServiceLifecycle
import SupabaseAuth
package import SystemSupport

/// Ends sessions at the server. Revocations that cannot be completed at once are stored
/// sealed and retried, also after a restart.
package actor RevocationQueue: Service {
  /// How long a sign-out waits for the server before it reports the revocation as pending, and how
  /// long a shutdown waits for requests in flight.
  static let responseTimeout: Duration = .seconds(3)
  /// Seconds after which a revocation is dropped. After a week the server's own time limits have
  /// ended the session, or the project is gone.
  static let givesUpAfter: Int64 = 7 * 86_400
  /// Minimum number of failed attempts in one run before a revocation is dropped. With the regular
  /// pauses, they take over an hour.
  static let minAttemptsBeforeDrop = 12
  /// Pauses double from 2 s to a quarter of an hour: a network outage is either short or long.
  static let firstPause: Duration = .seconds(2)
  static let maxPause: Duration = .seconds(900)

  struct Item {
    var revocation: Revocation
    /// Ascending in order of arrival. Lower numbers are attempted first.
    let number: UInt64
    var due: BootTime
    var failures = 0
    /// Why the last attempt failed.
    var lastError: AuthError.Code?
    var running = false
    /// True if the vault holds the revocation as it is here.
    var isStored = true
  }

  /// How the vault's lock and shutdown restrict the queue.
  enum RunState: Sendable {
    /// No restriction.
    case running
    /// Attempts in progress are completed; no new ones begin.
    case closing
    /// Nothing runs. The records remain in the vault.
    case locked
    /// Shutdown: no attempt begins, and no call waits. Final.
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
  /// Requests in flight that carry tokens of sessions to be ended.
  package nonisolated let requests = CancellableRequests()
  private(set) var runState = RunState.running
  /// Sign-outs waiting for an attempt, by revocation ID. The value is whether the server confirmed.
  private nonisolated let waiters = WaiterList<Bool>()
  private nonisolated let quietWaiters = WaiterList<Void>()
  /// IDs of revocations completed while the vault is being read, whose records may be among those
  /// read. Nil at other times.
  private var endedMeanwhile: Set<String>?
  private var lastNumber: UInt64 = 0
  /// Accounts with a revocation dropped in this run, for the status.
  var givenUp: Set<String> = []

  /// - Parameter tokens: Provides the token that ends the other sessions of an account that stays
  ///   signed in.
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

  /// The number of pending revocations.
  var count: Int { items.count }

  /// Loads the revocations of an earlier run, or those suspended in a copied vault.
  ///
  /// - Parameter records: The vault's records, at a start or an unlock. Else they are read.
  /// - Returns: The refresh tokens of the sessions being ended. Some may already be ended and
  ///   removed by now.
  @discardableResult
  package func restore(_ records: StoredRecords? = nil) async throws(AgentError) -> Set<String> {
    guard let store else { return [] }
    begin()
    endedMeanwhile = endedMeanwhile ?? []
    defer { endedMeanwhile = nil }
    let found = if let records { records } else { try await store.loadAll(leavesPeople: true) }
    let held = found.accounts.compactMap(\.session)
    let stored = found.revocations.filter { !$0.isVoid(held, found.revocations) }
    // A void revocation that is not deleted is void at the next start, too. While the vault is open, a sign-in that has stored one
    // may be about to store the account's record.
    if records != nil {
      for revocation in found.revocations where revocation.isVoid(held, found.revocations) {
        try? await store.delete(revocation)
      }
    }
    for revocation in stored.sorted(by: {
      ($0.since, $0.received.boot, $0.account) < ($1.since, $1.received.boot, $1.account)
    }) where endedMeanwhile?.contains(revocation.id) != true {
      add(revocation)
    }
    return Set(stored.filter { !$0.isForOthers }.map(\.refreshToken))
  }

  /// Allows attempts after an unlock.
  package func begin() { enter(.running) }

  private func enter(_ new: RunState) { if runState != .stopped { runState = new } }

  /// Adds a revocation. The first attempt follows at once. A known revocation keeps its tokens, its
  /// attempt and its waiters.
  ///
  /// - Parameter isStored: False if it could not be stored yet.
  func add(_ revocation: Revocation, isStored: Bool = true) {
    guard items[revocation.id] == nil else { return }
    guard runState != .locked else {
      return logger.notice(
        "a sign-out is pending until the vault is unlocked", metadata: ["account": "\(revocation.account)"])
    }
    lastNumber += 1
    items[revocation.id] = Item(revocation: revocation, number: lastNumber, due: clock.now, isStored: isStored)
    wake.signal()
  }

  /// Stores what could not be stored before, ahead of a lock, a sleep or a stop.
  func writeUnsaved() async {
    for id in items.keys.sorted() { _ = await storeIfNeeded(id) }
  }

  /// - Returns: False if the vault does not hold the revocation as it is here.
  func storeIfNeeded(_ id: String) async -> Bool {
    guard let item = items[id], !item.isStored else { return true }
    do {
      try await store?.save(item.revocation)
    } catch {
      return false
    }
    // Meanwhile it may have been renewed, or done, and its record deleted before this write.
    guard let now = items[id]?.revocation else {
      if runState != .locked { try? await store?.delete(item.revocation) }
      return true
    }
    items[id]?.isStored = now.refreshToken == item.revocation.refreshToken
    return items[id]?.isStored == true
  }

  /// Refresh tokens of sessions to be ended. No account may use them.
  var endedTokens: Set<String> { Set(items.values.map(\.revocation).filter { !$0.isForOthers }.map(\.refreshToken)) }

  /// Adds revocations and waits until each was confirmed by the server or an attempt failed, at
  /// most `responseTimeout` in total. A sign-out suggests that the network is available, so pending
  /// revocations are attempted as well.
  ///
  /// - Returns: The IDs that the server has not confirmed.
  func submit(_ revocations: [Revocation]) async -> Set<String> {
    for revocation in revocations { add(revocation) }
    guard runState == .running else { return Set(revocations.map(\.id)) }
    tryAgain()
    let deadline = clock.deadline(after: Self.responseTimeout)
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

  /// Drops the pending revocation of an account's other sessions, because the account is about to
  /// lose its own session.
  ///
  /// - Returns: Whether there was one.
  func takeOthers(of account: String) async -> Bool {
    let waiting = items.values.map(\.revocation).filter { $0.isForOthers && $0.account == account }
    for revocation in waiting { await forget(revocation) }
    return !waiting.isEmpty
  }

  /// Retries the revocation of an account's other sessions, since a new token is available.
  func tokenRenewed(_ account: String) { if concernsOthers(of: account) { tryAgain() } }

  /// Whether the revocation of an account's other sessions is pending, which needs the account's token.
  func concernsOthers(of account: String) -> Bool {
    items.values.contains { $0.revocation.isForOthers && $0.revocation.account == account }
  }

  /// Retries pending revocations after a wake-up or a network change.
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

  /// Waits up to `responseTimeout` for requests in flight. The next run sends the rest, including requests
  /// cancelled here: a second logout of the same session is harmless.
  private func stop() async {
    runState = .stopped
    dueContinuation.finish()
    await answersAreStored(until: clock.deadline(after: Self.responseTimeout))
    waiters.shutDown()
    quietWaiters.shutDown()
    requests.shutDown()
  }

  private func takeDue() -> BootTime {
    let now = clock.now
    guard runState == .running else { return now.advanced(by: .seconds(30)) }
    let ready = items.values.filter { !$0.running && $0.due <= now }.sorted { $0.number < $1.number }
    for item in ready {
      items[item.revocation.id]?.running = true
      dueContinuation.yield(item.revocation)
    }
    let deadlines = items.values.filter { !$0.running }.map(\.due)
    // Recomputed at least every 30 s, like every loop, so that a deadline that passed during a
    // suspend is noticed.
    return min(deadlines.min() ?? BootTime(nanoseconds: .max), now.advanced(by: .seconds(30)))
  }

  func failures(of revocation: Revocation) -> Int { items[revocation.id]?.failures ?? 0 }

  // MARK: - Outcome of an attempt

  /// Takes tokens that were renewed during an attempt.
  func update(_ revocation: Revocation, isStored: Bool) {
    items[revocation.id]?.revocation = revocation
    items[revocation.id]?.isStored = isStored
  }

  /// The server has ended the session, or there is nothing left to end.
  func done(_ revocation: Revocation) {
    endedMeanwhile?.insert(revocation.id)
    guard items.removeValue(forKey: revocation.id) != nil else { return }
    waiters.resume(revocation.id, returning: true)
    noteQuiet()
    wake.signal()
  }

  /// Schedules the next attempt after a longer pause. Callers no longer wait.
  func failed(_ revocation: Revocation, _ error: AuthError.Code?) {
    guard var item = items[revocation.id] else { return }
    item.failures += 1
    item.lastError = error
    let pause = min(Self.maxPause, Self.firstPause * (1 << min(9, item.failures - 1)))
    items[revocation.id] = item
    waiters.resume(revocation.id, returning: false)
    putOff(revocation, until: clock.now.advanced(by: pause))
  }

  /// Delays the attempt without counting a failure.
  func putOff(_ revocation: Revocation, until moment: BootTime) {
    items[revocation.id]?.running = false
    items[revocation.id]?.due = moment
    noteQuiet()
    wake.signal()
  }

  // MARK: - Locking

  /// Starts a lock: no attempt begins, and waiting callers are resumed.
  package func beginLock() {
    enter(.closing)
    waiters.resumeAll(returning: false)
  }

  /// Returns when no attempt is running, at the deadline, or after `stopWaitingForResponses`.
  package func answersAreStored(until deadline: Deadline? = nil) async {
    guard isBusy else { return }
    try? await quietWaiters.wait(until: deadline)
  }

  package func giveUpOnAnswers() { quietWaiters.resumeAll() }

  /// Forgets the revocations. `restore` reads them from the vault again.
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
