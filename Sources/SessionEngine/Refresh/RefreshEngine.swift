import AgentProtocol
import Logging
import ServiceLifecycle
import SupabaseAuth
import Synchronization
package import SystemSupport

/// Sends what the accounts ask for and wakes them when something is due. It decides nothing: `Accounts` does.
///
/// Each refresh is a task of its own: no caller's cancellation or disconnect ends it half-way. At a graceful stop no
/// new one begins, and those that were sent are given `RefreshEngine.grace` to be answered and stored (OP-2).
package struct RefreshEngine: Service {
  /// How long a stop waits for refreshes that were sent (OP-2).
  static let grace: Duration = .seconds(3)

  private let accounts: Accounts
  private let clock: any AgentClock
  private let pulse: RefreshPulse

  /// `pulse` is told of each round of the loop.
  package init(accounts: Accounts, clock: any AgentClock, pulse: RefreshPulse = RefreshPulse()) {
    self.accounts = accounts
    self.clock = clock
    self.pulse = pulse
  }

  func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await serve() }
      group.addTask { await endOfGrace() }
      group.addTask { await cancelWhenGracefulShutdown { await keepTime() } }
      // The clock's task ends first at a stop; then whichever comes first, the last answer or the end of the grace.
      _ = await group.next()
      _ = await group.next()
      group.cancelAll()
    }
  }

  /// Performs the work until the stop, and then what was begun.
  private func serve() async {
    await withDiscardingTaskGroup { group in
      var lines: [String: AsyncStream<CheckRequest>.Continuation] = [:]
      for await item in accounts.work.cancelOnGracefulShutdown() {
        switch item {
        case .refresh(let attempt): group.addTask { await refresh(attempt) }
        case .store(let account): group.addTask { await accounts.retryStore(account) }
        case .check(let request):
          // A line for each project: one that does not answer keeps no other waiting.
          if lines[request.project] == nil {
            let (requests, line) = AsyncStream.makeStream(of: CheckRequest.self)
            lines[request.project] = line
            group.addTask { await SessionChecks(accounts: accounts).serve(requests) }
          }
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

  /// Never sleeps longer than the tick, and recomputes after each sleep: the loop cannot die.
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

/// Counts the rounds of the refresh loop, for the watchdog, which checks that the loop runs, and for the status text, which
/// may change with each round. Safe from any thread.
package final class RefreshPulse: Sendable {
  private let count = Mutex<UInt64>(0)
  private let waiters = WaiterList<Void>()

  /// Rounds so far.
  package var rounds: UInt64 { count.withLock { $0 } }

  package init() {}

  /// The loop has completed a round.
  func beat() {
    count.withLock { $0 += 1 }
    waiters.resumeAll()
  }

  /// Returns when there were more than `seen` rounds, or the task is cancelled.
  package func round(after seen: UInt64) async { try? await waiters.wait { rounds > seen ? () : nil } }
}

/// Asks a server whether it still knows restored sessions (SE-3), a few at a time, and in the background of all else.
struct SessionChecks {
  /// Questions to one project side by side: a thousand accounts at a start are no reason to storm a server, and each question
  /// under way costs some ten kilobytes.
  static let sideBySide = 4

  let accounts: Accounts

  /// Until the line ends. What waits at a stop is not begun: the next start asks again.
  func serve(_ requests: AsyncStream<CheckRequest>) async {
    await withTaskGroup(of: Void.self) { group in
      var line = requests.cancelOnGracefulShutdown().makeAsyncIterator()
      var running = 0
      while true {
        if running == Self.sideBySide {
          await group.next()
          running -= 1
        }
        // The end comes into the line behind what waits in it.
        guard let request = await line.next(), !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
        running += 1
        group.addTask { await ask(request) }
      }
    }
  }

  func ask(_ request: CheckRequest) async {
    guard let check = await accounts.check(request) else { return }
    await accounts.checked(check, await accounts.requests.run { await answer(to: check) })
  }

  private func answer(to check: SessionCheck) async -> Result<User, AuthError> {
    do {
      return .success(try await check.project.server.user(check.token))
    } catch {
      return .failure(error)
    }
  }
}
