import AgentProtocol
import Glibc
import ServiceLifecycle
import SessionEngine
import SystemSupport

/// Keeps the status text current: computes it after each event and each round of the refresh loop,
/// and reports changes to the manager.
struct StatusReport: Service {
  /// Minimum time between two texts: a thousand accounts that change at once produce one text.
  static let pause: Duration = .milliseconds(200)

  let accounts: Accounts
  let vault: VaultAccess
  let pulse: RefreshPulse
  let clock: any AgentClock
  var isRefused: @Sendable () -> Bool = { false }
  let tell: @Sendable (String) -> Void
  private let changed = WakeSignal()

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await followEvents() }
        group.addTask { await followRounds() }
        group.addTask { await report() }
      }
    }
  }

  /// Signals each event. A stream that was closed because of too many events is opened again.
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
    var reported: StatusText?
    while !Task.isCancelled {
      let text = StatusText(
        vault: await vault.summary().state, accounts: await accounts.list(), now: clock.wall, isRefused: isRefused())
      if text != reported { tell(text.words) }
      reported = text
      try? await clock.sleep(for: Self.pause)
      await changed.wait()
    }
  }
}

/// The agent's line in `systemctl --user status`: the number of accounts, their problems, and the
/// time of the next refresh. It contains no personal data, because others than the owner read the
/// status of a unit.
struct StatusText: Sendable, Hashable {
  let words: String

  /// - Parameters:
  ///   - vault: the value of `VaultSummary.state`.
  ///   - isRefused: true if the last reload of the configuration was refused.
  init(vault: String, accounts: [AccountStatus], now: Timestamp, isRefused: Bool = false) {
    words =
      Self.serving(vault, accounts, now) + (isRefused ? "; invalid configuration, previous settings in effect" : "")
  }

  private static func serving(_ vault: String, _ accounts: [AccountStatus], _ now: Timestamp) -> String {
    let count = accounts.count == 1 ? "1 account" : "\(accounts.count) accounts"
    switch vault {
    case "unavailable": return "the vault cannot be opened"
    case "locked": return "vault locked, \(count)"
    case _ where accounts.isEmpty: return "no accounts"
    default: return "\(count): \(states(accounts))" + next(accounts, now)
    }
  }

  /// The states in a fixed order. States that need a person show the name of an account; names are
  /// no secret.
  private static func states(_ accounts: [AccountStatus]) -> String {
    let shown: [(state: AccountState, words: String, isNamed: Bool)] = [
      (.authenticated, "signed in", false), (.degraded, "refresh overdue", true),
      (.signInNeeded, "sign-in needed", true), (.misconfigured, "misconfigured", true), (.copied, "copied", true),
      (.formatTooNew, "of a newer version", true),
      (.unauthenticated, "signed out", false),
    ]
    return shown.compactMap { entry in
      let names = accounts.filter { $0.state == entry.state }.map(\.name)
      guard let first = names.first else { return nil }
      let more = names.count > 1 ? ", …" : ""
      return "\(names.count) \(entry.words)" + (entry.isNamed ? " (\(first)\(more))" : "")
    }.joined(separator: ", ")
  }

  private static func next(_ accounts: [AccountStatus], _ now: Timestamp) -> String {
    if accounts.contains(where: { $0.activity == .refreshing }) { return "; refreshing" }
    guard let next = accounts.compactMap({ $0.refresh?.nextAt }).min(by: { $0.unixSeconds < $1.unixSeconds })
    else { return "" }
    return "; next refresh \(localTime(next, now))"
  }

  /// The machine's local time, as systemd shows its own times, with the date if it is not today.
  private static func localTime(_ moment: Timestamp, _ now: Timestamp) -> String {
    let (then, today) = (LocalTime(unixSeconds: moment.unixSeconds), LocalTime(unixSeconds: now.unixSeconds))
    return then.date == today.date ? then.time : "\(then.date) \(then.time)"
  }
}
