import AgentProtocol
import Synchronization
package import SystemSupport

/// What `session.token` answers from memory, on the event loop: the tokens that the sessions have published.
///
/// A published token is durable in the vault (TK-7). Safe from any thread; the lock is held for a dictionary look-up.
package final class TokenSnapshot: Sendable {
  private struct State {
    var entries: [String: TokenEntry] = [:]
    var defaultAccount: String?
  }

  private let state = Mutex(State())
  private let lockHook = Mutex<(@Sendable () -> Void)?>(nil)
  private let clock: any AgentClock
  private let lastUse: Atomic<Int64>

  package init(clock: any AgentClock) {
    self.clock = clock
    lastUse = Atomic(clock.now.nanoseconds)
  }

  /// When the vault was last used: a token was issued, or sent with a request of a caller.
  package var used: BootTime { BootTime(nanoseconds: lastUse.load(ordering: .relaxed)) }

  /// The vault is used now.
  package func use() { use(at: clock.now) }

  /// The vault was used at `moment`, by an earlier agent if that is in the past.
  package func use(at moment: BootTime) { lastUse.store(moment.nanoseconds, ordering: .relaxed) }

  /// Takes every token back; the default account stays.
  func takeBackAll() { state.withLock { $0.entries = [:] } }

  /// The vault is locked: takes every token back, also those in answers that were not read.
  func lock() {
    takeBackAll()
    lockHook.withLock { $0 }?()
  }

  /// `body` runs with every lock of the vault.
  package func onLock(_ body: @escaping @Sendable () -> Void) { lockHook.withLock { $0 = body } }

  /// Publishes an account's token, or with nil takes it back.
  func publish(_ entry: TokenEntry?, for account: String) {
    state.withLock { $0.entries[account] = entry }
  }

  /// Which account a request without a name means.
  func setDefault(_ account: String?) {
    state.withLock { $0.defaultAccount = account }
  }

  /// The answer from memory; nil where the token has not the life that was asked for, was rejected, or is not there.
  package func answer(account: String?, minTTL: Double?, rejected: String?, now: BootTime) -> TokenAnswer? {
    guard let entry = entry(account) else { return nil }
    let remaining = now.duration(to: entry.expires)
    guard remaining >= (minTTL.map(Self.life) ?? entry.usualLife) else { return nil }
    guard rejected == entry.fingerprint else { return entry.answer(remaining: remaining, wall: clock.wall) }
    // Who rejects the token of a refresh that just ended gets it again, and is told so (TK-4).
    guard let until = entry.freshUntil, now < until else { return nil }
    return entry.answer(remaining: remaining, wall: clock.wall, unchanged: true)
  }

  /// The token whatever is left of its life, if anything is.
  func freshest(account: String, rejected: String?, now: BootTime) -> TokenAnswer? {
    guard let entry = entry(account), now < entry.expires else { return nil }
    return entry.answer(
      remaining: now.duration(to: entry.expires), wall: clock.wall, unchanged: rejected == entry.fingerprint)
  }

  /// When the account's token ends; the beginning of time where there is none.
  func end(of account: String) -> BootTime { entry(account)?.expires ?? BootTime(nanoseconds: 0) }

  /// A caller's number as a duration. Beyond a year it can only mean "more than there is", and a `Duration` has bounds.
  private static func life(_ seconds: Double) -> Duration { .seconds(min(max(seconds, 0), 31_536_000)) }

  private func entry(_ account: String?) -> TokenEntry? {
    state.withLock { state in (account ?? state.defaultAccount).flatMap { state.entries[$0] } }
  }
}
