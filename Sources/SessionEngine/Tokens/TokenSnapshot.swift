package import AgentProtocol
import Crypto
import FoundationEssentials
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

/// One published token, prepared so that an answer costs no encoding. A class, so that handing it on is one count.
package final class TokenEntry: Sendable {
  package let account: String
  let accessToken: BearerText
  let expires: BootTime
  /// Until when a refresh that brought this token serves all who ask for another; nil for a token of a sign-in.
  let freshUntil: BootTime?
  /// The minimum life where the caller names none.
  let usualLife: Duration
  /// SHA-256 of the token's bytes in lowercase hex: what a caller names as `rejected`.
  let fingerprint: String
  /// Its first 64 bits: what the audit log names it by.
  package let shortFingerprint: UInt64
  /// `"accessToken":"…","account":"…",`: the constant head of the answer's members.
  let head: [UInt8]

  init(
    account: String, accessToken: String, received: BootTime, life: Duration, usualLife: Duration,
    freshUntil: BootTime? = nil
  ) {
    self.account = account
    self.accessToken = BearerText(accessToken)
    self.freshUntil = freshUntil
    expires = received.advanced(by: life)
    self.usualLife = usualLife
    let digest = SHA256.hash(data: Data(accessToken.utf8))
    fingerprint = digest.hexadecimal
    shortFingerprint = TokenFingerprint.short(digest)
    head = Array("\"accessToken\":\(Self.quoted(accessToken)),\"account\":\(Self.quoted(account)),".utf8)
  }

  func answer(remaining: Duration, wall: Timestamp, unchanged: Bool = false) -> TokenAnswer {
    let seconds = max(0, remaining.components.seconds)
    return TokenAnswer(
      entry: self, expiresAt: Timestamp(unixSeconds: wall.unixSeconds + seconds), expiresIn: Int(seconds),
      unchanged: unchanged)
  }

  private static func quoted(_ text: String) -> String {
    // A String always encodes; an empty literal would show at once as a broken answer.
    (try? WireCoding.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}

/// A token that does not print.
struct BearerText: Sendable, Redacted {
  let exposed: String
  init(_ exposed: String) { self.exposed = exposed }
}

/// The answer to `session.token`.
package struct TokenAnswer: Sendable {
  package let entry: TokenEntry
  package let expiresAt: Timestamp
  package let expiresIn: Int
  package let unchanged: Bool

  /// `"accessToken":"…","account":"…",` as JSON bytes.
  package var head: [UInt8] { entry.head }

  var result: SessionToken.Result {
    SessionToken.Result(
      account: entry.account, accessToken: entry.accessToken.exposed, tokenType: "bearer", expiresAt: expiresAt,
      expiresIn: expiresIn, unchanged: unchanged ? true : nil)
  }
}

/// How the audit log names a token: the first 64 bits of its SHA-256, enough to tell a user's tokens apart, and nothing
/// that a server would take.
package enum TokenFingerprint {
  package static func short(_ token: String) -> UInt64 { short(SHA256.hash(data: Data(token.utf8))) }

  static func short(_ digest: SHA256.Digest) -> UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// 16 lowercase hex digits.
  package static func text(_ short: UInt64) -> String {
    let digits = String(short, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
