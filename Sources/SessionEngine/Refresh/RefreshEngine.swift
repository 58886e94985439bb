import AgentProtocol
import Logging
import ServiceLifecycle
import SupabaseAuth
import Synchronization
package import SystemSupport

/// Sends the requests that the accounts submit and wakes the accounts when something is due. Makes
/// no decisions; `Accounts` does.
///
/// Each refresh is a separate task, so a caller's cancellation or disconnect does not interrupt it.
/// At a graceful shutdown no new refresh begins, and those in flight have `RefreshEngine.grace` to
/// be answered and stored.
package struct RefreshEngine: Service {
  /// How long a shutdown waits for refreshes in flight.
  static let grace: Duration = .seconds(3)

  private let accounts: Accounts
  private let clock: any AgentClock
  private let pulse: RefreshPulse
  private let whenChecked: @Sendable () async -> Void

  /// - Parameters:
  ///   - pulse: Counts the rounds of the loop.
  ///   - whenChecked: Called when the checks of restored sessions have ended, after a start or an
  ///     unlock, within the task of the last one. It returns at shutdown.
  package init(
    accounts: Accounts, clock: any AgentClock, pulse: RefreshPulse = RefreshPulse(),
    whenChecked: @escaping @Sendable () async -> Void = {}
  ) {
    self.accounts = accounts
    self.clock = clock
    self.pulse = pulse
    self.whenChecked = whenChecked
  }

  func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await serve() }
      group.addTask { await endOfGrace() }
      group.addTask { await cancelWhenGracefulShutdown { await keepTime() } }
      // At a shutdown the timer task ends first. Then the group waits for the last response or the
      // end of the grace period.
      _ = await group.next()
      _ = await group.next()
      group.cancelAll()
    }
  }

  /// Performs submitted work until shutdown, then completes the work in progress.
  private func serve() async {
    await withDiscardingTaskGroup { group in
      var lines: [String: AsyncStream<CheckRequest>.Continuation] = [:]
      let pending = PendingChecks()
      for await item in accounts.work.cancelOnGracefulShutdown() {
        switch item {
        case .refresh(let attempt): group.addTask { await refresh(attempt) }
        case .verify(let attempt): group.addTask { await VerificationRun(accounts: accounts).perform(attempt) }
        case .store(let account): group.addTask { await accounts.retryStore(account) }
        case .storeAll: group.addTask { await accounts.writeForSleep() }
        case .check(let request):
          // A queue for each project, so that an unresponsive server delays no other project.
          if lines[request.project] == nil {
            let (requests, line) = AsyncStream.makeStream(of: CheckRequest.self)
            lines[request.project] = line
            group.addTask {
              await SessionChecks(accounts: accounts, pending: pending, whenDone: whenChecked).serve(requests)
            }
          }
          pending.add()
          lines[request.project]?.yield(request)
        }
      }
      for line in lines.values { line.finish() }
    }
  }

  private func endOfGrace() async {
    try? await gracefulShutdown()
    try? await clock.sleep(for: Self.grace)
  }

  /// Sleeps at most one tick and recomputes after each sleep, so the loop cannot stall.
  private func keepTime() async {
    while !Task.isCancelled {
      let next = await accounts.tick()
      pulse.beat()
      await clock.sleep(until: min(next, clock.now.advanced(by: RefreshPolicy.tick)), or: accounts.wake)
    }
  }

  private func refresh(_ attempt: RefreshAttempt) async {
    let outcome = await accounts.requests.run { await attempt.project.server.refresh(attempt.token) }
    await accounts.finish(attempt, outcome)
  }
}

/// Counts the rounds of the refresh loop, for the watchdog, which checks that the loop runs, and
/// for the status text, which may change with each round. Safe from any thread.
package final class RefreshPulse: Sendable {
  private let count = Mutex<UInt64>(0)
  private let waiters = WaiterList<Void>()

  /// The number of completed rounds.
  package var rounds: UInt64 { count.withLock { $0 } }

  package init() {}

  /// Counts a completed round.
  func beat() {
    count.withLock { $0 += 1 }
    waiters.resumeAll()
  }

  /// Returns when more than `seen` rounds have completed, or the task is cancelled.
  package func round(after seen: UInt64) async { try? await waiters.wait { rounds > seen ? () : nil } }
}

/// Counts the checks that have not ended. Thread-safe.
final class PendingChecks: Sendable {
  private let count = Atomic(0)

  func add() { count.add(1, ordering: .relaxed) }

  /// Returns true if no check is left.
  func end() -> Bool { count.subtract(1, ordering: .relaxed).newValue == 0 }
}

/// Checks in the background whether a server still knows restored sessions, a few at a time.
struct SessionChecks {
  /// Maximum number of concurrent checks for one project. A thousand accounts at a start must not
  /// flood a server, and each check in flight costs some ten kilobytes.
  static let sideBySide = 4

  let accounts: Accounts
  var pending = PendingChecks()
  var whenDone: @Sendable () async -> Void = {}

  /// Performs checks until the stream ends. At shutdown, pending checks are dropped; the next start
  /// repeats them.
  func serve(_ requests: AsyncStream<CheckRequest>) async {
    await withTaskGroup(of: Void.self) { group in
      var line = requests.cancelOnGracefulShutdown().makeAsyncIterator()
      var running = 0
      // The first connection loads the root certificates, some MiB each for connections that begin at
      // the same time, so the first check is made alone.
      var limit = 1
      while true {
        if running == limit {
          await group.next()
          running -= 1
          limit = Self.sideBySide
        }
        // The stream delivers buffered requests before its end, so shutdown is checked explicitly.
        guard let request = await line.next(), !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
        running += 1
        group.addTask {
          await ask(request)
          if pending.end() { await whenDone() }
        }
      }
    }
  }

  func ask(_ request: CheckRequest) async {
    guard let check = await accounts.check(request) else { return }
    let answer = await accounts.requests.result { () throws(AuthError) in
      try await check.project.server.user(check.token)
    }
    await accounts.checked(check, answer)
  }
}
