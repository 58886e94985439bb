import AgentProtocol
import Crypto
import FoundationEssentials
import Synchronization

/// What `session.token` answers from memory, on the event loop: the tokens that the sessions have published.
///
/// A published token is durable in the vault (TK-7). Safe from any thread; the lock is held for a dictionary look-up.
final class TokenSnapshot: Sendable {
  private struct State {
    var entries: [String: TokenEntry] = [:]
    var defaultAccount: String?
  }

  private let state = Mutex(State())
  private let clock: any AgentClock

  init(clock: any AgentClock) { self.clock = clock }

  /// Publishes an account's token, or with nil takes it back.
  func publish(_ entry: TokenEntry?, for account: String) {
    state.withLock { $0.entries[account] = entry }
  }

  /// Which account a request without a name means.
  func setDefault(_ account: String?) {
    state.withLock { $0.defaultAccount = account }
  }

  /// The answer from memory; nil where the token has not the life that was asked for, was rejected, or is not there.
  func answer(account: String?, minTTL: Double?, rejected: String?, now: BootTime) -> TokenAnswer? {
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

  /// A caller's number as a duration. Beyond a year it can only mean "more than there is", and a `Duration` has bounds.
  private static func life(_ seconds: Double) -> Duration { .seconds(min(max(seconds, 0), 31_536_000)) }

  private func entry(_ account: String?) -> TokenEntry? {
    state.withLock { state in (account ?? state.defaultAccount).flatMap { state.entries[$0] } }
  }
}

/// One published token, prepared so that an answer costs no encoding. A class, so that handing it on is one count.
final class TokenEntry: Sendable {
  let account: String
  let accessToken: BearerText
  let expires: BootTime
  /// Until when a refresh that brought this token serves all who ask for another; nil for a token of a sign-in.
  let freshUntil: BootTime?
  /// The minimum life where the caller names none.
  let usualLife: Duration
  /// SHA-256 of the token's bytes in lowercase hex: what a caller names as `rejected`.
  let fingerprint: String
  /// `"accessToken":"…","account":"…",`: the constant head of the answer's members.
  let head: [UInt8]

  init(account: String, accessToken: String, received: BootTime, life: Duration, freshUntil: BootTime? = nil) {
    self.account = account
    self.accessToken = BearerText(accessToken)
    self.freshUntil = freshUntil
    expires = received.advanced(by: life)
    usualLife = RefreshPolicy.usualMinimumLife(of: life)
    fingerprint = SHA256.hash(data: Data(accessToken.utf8)).hexadecimal
    head = Array("\"accessToken\":\(Self.quoted(accessToken)),\"account\":\(Self.quoted(account)),".utf8)
  }

  /// Whether `text` can be a `rejected`: 64 lowercase hex digits. Anything else would never match, and its sender would
  /// get the refused token again and again.
  static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
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
struct BearerText: Sendable, CustomStringConvertible, CustomReflectable {
  let exposed: String
  init(_ exposed: String) { self.exposed = exposed }
  var description: String { "redacted" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// The answer to `session.token`.
struct TokenAnswer: Sendable {
  let entry: TokenEntry
  let expiresAt: Timestamp
  let expiresIn: Int
  let unchanged: Bool

  /// `"accessToken":"…","account":"…",` as JSON bytes.
  var head: [UInt8] { entry.head }

  var result: SessionToken.Result {
    SessionToken.Result(
      account: entry.account, accessToken: entry.accessToken.exposed, tokenType: "bearer", expiresAt: expiresAt,
      expiresIn: expiresIn, unchanged: unchanged ? true : nil)
  }
}

extension Sequence<UInt8> {
  /// The bytes as lowercase hexadecimal digits.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
