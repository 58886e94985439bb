import AgentProtocol
import ServiceLifecycle
import SessionEngine
import SystemSupport

/// Keeps the status text true: looks again after each event and each round of the refresh loop, and tells the manager what
/// changed.
struct StatusReport: Service {
  /// The least time between two texts: a thousand accounts that change at once are one change.
  static let pause: Duration = .milliseconds(200)

  private let accounts: Accounts
  private let vault: VaultAccess
  private let pulse: RefreshPulse
  private let clock: any AgentClock
  private let isRefused: @Sendable () -> Bool
  private let tell: @Sendable (String) -> Void
  private let changed = WakeSignal()

  init(
    accounts: Accounts, vault: VaultAccess, pulse: RefreshPulse, clock: any AgentClock,
    isRefused: @escaping @Sendable () -> Bool = { false }, tell: @escaping @Sendable (String) -> Void
  ) {
    (self.accounts, self.vault, self.pulse, self.clock) = (accounts, vault, pulse, clock)
    (self.isRefused, self.tell) = (isRefused, tell)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await followEvents() }
        group.addTask { await followRounds() }
        group.addTask { await report() }
      }
    }
  }

  /// A stream that was cut off, for there was too much at once, is begun again.
  private func followEvents() async {
    while !Task.isCancelled {
      for await _ in await accounts.subscribe(EventsSubscribe.Params()).events { changed.signal() }
      try? await clock.sleep(for: Self.pause)
    }
  }

  private func followRounds() async {
    var seen = pulse.rounds
    while !Task.isCancelled {
      await pulse.round(after: seen)
      seen = pulse.rounds
      changed.signal()
    }
  }

  private func report() async {
    var told: StatusText?
    while !Task.isCancelled {
      let text = StatusText(
        vault: await vault.summary().state, accounts: await accounts.list(), now: clock.wall, isRefused: isRefused())
      if text != told { tell(text.words) }
      told = text
      try? await clock.sleep(for: Self.pause)
      await changed.wait()
    }
  }
}
