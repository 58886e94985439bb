import Logging
import SystemSupport

/// The machine's sleep (OP-2, TK-8): what was sent comes to its end first, and nothing more begins until it wakes.
extension Accounts {
  /// The machine is about to sleep. Tokens that would expire asleep are refreshed; no other refresh begins until `wokeUp`.
  package func beginSleep() {
    let now = clock.now
    for account in accounts.values where wouldDieAsleep(account, now) { start(account, .sleep) }
    sleepHold = now.advanced(by: RefreshPolicy.longestHold)
  }

  /// Returns when every refresh that was sent is answered and stored, the machine is awake again, or
  /// `RefreshPolicy.sleepGrace` has passed.
  package func sleepIsPrepared() async {
    await landed()
    if isFlying { logger.notice("the machine goes to sleep before a refresh was answered") }
  }

  /// The machine is awake, or does not sleep after all.
  package func wokeUp() { worldChanged(.clock) }

  /// What waited for the wake begins now.
  func noteWake() {
    sleepHold = nil
    landingWaiters.resumeAll()
  }

  private func wouldDieAsleep(_ account: Account, _ now: BootTime) -> Bool {
    guard let session = account.session, account.failures == 0, account.mayRefresh(now: now) else { return false }
    return now.duration(to: tokens.end(of: account.name)) < RefreshPolicy.lifeForSleep(of: session.life)
  }

  private func landed() async {
    guard isFlying else { return }
    try? await landingWaiters.wait(until: clock.deadline(after: RefreshPolicy.sleepGrace))
  }
}

extension RefreshPolicy {
  /// How long a sleep waits for refreshes (OP-2); logind gives 5 s (logind.conf(5), InhibitDelayMaxSec=).
  static let sleepGrace: Duration = .seconds(3)

  /// A sleep that was announced and did not come within this time holds no refresh back. logind says so when one fails; this is
  /// for a logind that went away in between. On a clock that counts the sleep it is over when the machine wakes.
  static let longestHold: Duration = .seconds(60)

  /// A token with less than half of its life left is refreshed before a sleep, whose length nobody knows: it causes at most one
  /// more refresh in half a life, however often a lid is closed.
  static func lifeForSleep(of life: Duration) -> Duration { life / 2 }
}
