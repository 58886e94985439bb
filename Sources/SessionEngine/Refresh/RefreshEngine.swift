import AgentProtocol
import Logging
import ServiceLifecycle
import SupabaseAuth
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
