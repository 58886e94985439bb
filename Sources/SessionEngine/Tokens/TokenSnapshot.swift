package import AgentProtocol
import FoundationEssentials
import Hashing
import Synchronization
package import SystemSupport

/// The published tokens, from which `session.token` is answered on the event loop.
///
/// A published token is durable in the vault. Safe from any thread; the lock is held for a
/// dictionary lookup.
package final class TokenSnapshot: Sendable {
  private struct State {
    var entries: [String: TokenEntry] = [:]
    var defaultAccount: String?
    /// The directories' accounts, the longest path first.
    var directories: [BoundDirectory] = []
  }

  private let state = Mutex(State())
  private let lockHooks = Mutex<[@Sendable () -> Void]>([])
  private let clock: any AgentClock
  private let lastUse: Atomic<Int64>
  private let locks = Atomic<UInt64>(0)

  package init(clock: any AgentClock) {
    self.clock = clock
    lastUse = Atomic(clock.now.nanoseconds)
  }

  /// When the vault was last used: a token was issued or sent with a caller's request, a session
  /// was signed in, or the vault was unlocked.
  package var used: BootTime { BootTime(nanoseconds: lastUse.load(ordering: .relaxed)) }

  package func use() { use(at: clock.now) }

  /// Records a use of the vault at `moment`, by an earlier agent if that is in the past.
  package func use(at moment: BootTime) { lastUse.store(moment.nanoseconds, ordering: .relaxed) }

  /// Identifies the time between two locks. A token that was read after the epoch must not go to a client
  /// in a later one.
  package var epoch: UInt64 { locks.load(ordering: .acquiring) }

  /// Withdraws every token. The default account and those of directories stay.
  func withdrawAll() { state.withLock { $0.entries = [:] } }

  /// Withdraws every token for a lock, including tokens in unread responses.
  func lock() {
    withdrawAll()
    // After the tokens: the new epoch must not be read before one of them.
    locks.add(1, ordering: .releasing)
    for hook in lockHooks.withLock({ $0 }) { hook() }
  }

  /// Adds `body` to what runs on each lock of the vault.
  package func onLock(_ body: @escaping @Sendable () -> Void) { lockHooks.withLock { $0.append(body) } }

  func publish(_ entry: TokenEntry?, for account: String) {
    state.withLock { $0.entries[account] = entry }
  }

  /// Sets the account for requests that name none.
  func setDefault(_ account: String?) {
    state.withLock { $0.defaultAccount = account }
  }

  func setDirectories(_ accounts: [DirectoryAccount]) {
    let bound = accounts.map(BoundDirectory.init).sorted { $0.path.utf8.count > $1.path.utf8.count }
    state.withLock { $0.directories = bound }
  }

  /// The account that is set for `directory`, or the nearest directory above it; nil if there is none.
  package func account(in directory: String) -> BoundDirectory? {
    state.withLock { $0.directories.first { $0.contains(directory) } }
  }

  /// The accounts of directories, sorted by path.
  package var directories: [DirectoryAccount] {
    state.withLock { $0.directories.map(\.value) }.sorted { $0.directory < $1.directory }
  }

  /// Returns the token from memory. Nil if there is none, it was rejected, or its remaining
  /// lifetime is too short.
  package func answer(account: String?, minTTL: Double?, rejected: String?, now: BootTime) -> TokenAnswer? {
    guard let entry = entry(account) else { return nil }
    let remaining = now.duration(to: entry.expires)
    guard remaining >= (minTTL.map(Self.life) ?? entry.defaultMinLifetime) else { return nil }
    guard rejected == entry.fingerprint else { return entry.answer(remaining: remaining, wall: clock.wall) }
    // A caller that rejects the token of a refresh that just ended gets it again, marked as
    // unchanged.
    guard let until = entry.freshUntil, now < until else { return nil }
    return entry.answer(remaining: remaining, wall: clock.wall, unchanged: true)
  }

  /// Returns the token if it has not expired, whatever its remaining lifetime.
  func freshest(account: String, rejected: String?, now: BootTime) -> TokenAnswer? {
    guard let entry = entry(account), now < entry.expires else { return nil }
    return entry.answer(
      remaining: now.duration(to: entry.expires), wall: clock.wall, unchanged: rejected == entry.fingerprint)
  }

  /// True if `token` is its account's token.
  package func isPublished(_ token: SessionToken.Result) -> Bool {
    entry(token.account)?.accessToken.exposed == token.accessToken
  }

  /// When the account's token expires; time zero if there is none.
  func end(of account: String) -> BootTime { entry(account)?.expires ?? BootTime(nanoseconds: 0) }

  /// The lengths of the tokens in bytes, by account.
  package var lengths: [String: Int] {
    state.withLock { $0.entries.mapValues { $0.accessToken.exposed.utf8.count } }
  }

  /// Converts a caller's seconds, clamped to 0…1 year: more than any token has, and within the
  /// range of `Duration`.
  private static func life(_ seconds: Double) -> Duration { .seconds(min(max(seconds, 0), 31_536_000)) }

  private func entry(_ account: String?) -> TokenEntry? {
    state.withLock { state in (account ?? state.defaultAccount).flatMap { state.entries[$0] } }
  }
}

/// A directory with an account of its own, prepared so that an answer needs no encoding. A class, so that
/// passing it on costs one retain.
package final class BoundDirectory: Sendable {
  package let value: DirectoryAccount
  var path: String { value.directory }
  package let quotedPath: String

  init(_ value: DirectoryAccount) {
    self.value = value
    quotedPath = TokenEntry.quoted(value.directory)
  }

  /// True for this directory and those below it. Bytes are compared, as the kernel does.
  func contains(_ directory: String) -> Bool {
    guard directory.utf8.starts(with: path.utf8) else { return false }
    return path.utf8.count == 1
      || directory.utf8.dropFirst(path.utf8.count).first ?? UInt8(ascii: "/") == UInt8(ascii: "/")
  }
}

/// A published token, prepared so that an answer needs no encoding, and without a second copy of
/// the token. A class, so that passing it on costs one retain.
package final class TokenEntry: Sendable {
  package let account: String
  let accessToken: BearerText
  let expires: BootTime
  /// Until when a refresh that brought this token serves all callers that ask for another. Nil for
  /// a token from a sign-in.
  let freshUntil: BootTime?
  /// The token's level, `aal1` or `aal2`.
  let assurance: String
  /// Minimum remaining lifetime if the caller names none.
  package let defaultMinLifetime: Duration
  /// Where the token may be sent.
  package let destination: TokenDestination
  /// SHA-256 of the token's bytes in lowercase hex, as callers send it in `rejected`.
  package let fingerprint: String
  /// The first 64 bits of the SHA-256, with which the audit log identifies the token.
  package let shortFingerprint: UInt64
  /// The token as JSON if it needs escapes, which no JWT does.
  let escapedToken: String?
  let quotedAccount: String
  /// Not prepared: few ask for them, and the texts are the project's own.
  let endpoints: SessionToken.Endpoints?

  init(
    account: String, accessToken: String, received: BootTime, life: Duration, usualLife: Duration,
    freshUntil: BootTime? = nil, assurance: String = AccountAssurance.aal1,
    destination: TokenDestination = TokenDestination(project: "", origin: "", apiOrigin: nil),
    endpoints: SessionToken.Endpoints? = nil
  ) {
    self.account = account
    self.assurance = assurance
    self.destination = destination
    self.accessToken = BearerText(accessToken)
    self.freshUntil = freshUntil
    expires = received.advanced(by: life)
    self.defaultMinLifetime = usualLife
    let digest = SHA256.digest(accessToken)
    fingerprint = digest.hexadecimal
    shortFingerprint = TokenFingerprint.short(digest)
    escapedToken = Self.isPlain(accessToken) ? nil : Self.quoted(accessToken)
    quotedAccount = Self.quoted(account)
    self.endpoints = endpoints
  }

  /// A token's SHA-256 in lowercase hex.
  package static func fingerprint(of accessToken: String) -> String {
    SHA256.digest(accessToken).hexadecimal
  }

  func answer(remaining: Duration, wall: Timestamp, unchanged: Bool = false) -> TokenAnswer {
    let seconds = max(0, remaining.components.seconds)
    return TokenAnswer(
      entry: self, expiresAt: Timestamp(unixSeconds: wall.unixSeconds + seconds), expiresIn: Int(seconds),
      unchanged: unchanged)
  }

  /// True if the text needs no escape in JSON (RFC 8259, section 7).
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }

  fileprivate static func quoted(_ text: String) -> String {
    if isPlain(text) { return "\"\(text)\"" }
    // Encoding a `String` never fails; an empty literal would be noticed at once as a broken
    // result.
    return (try? WireCoding.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}

/// The origins to which a session's token may be sent.
package struct TokenDestination: Sendable, Hashable {
  /// The name of the account's project.
  package let project: String
  package let origin: String
  /// The API origin for which the session was created; nil if it is not bound yet.
  package let apiOrigin: String?

  /// True if `project`, as it is configured now, is the one that the session was created for.
  package func matches(_ project: Project, isProject: Bool) -> Bool {
    project.origin == origin && (isProject || project.apiOrigin == apiOrigin || project.apiOrigin == origin)
  }
}

/// A token whose description is redacted.
struct BearerText: Sendable, Redacted {
  let exposed: String
  init(_ exposed: String) { self.exposed = exposed }
}

package struct TokenAnswer: Sendable {
  package let entry: TokenEntry
  package let expiresAt: Timestamp
  package let expiresIn: Int
  package let unchanged: Bool

  /// The token, to be put in quotes as it is; nil if it needs escapes.
  package var plainToken: String? { entry.escapedToken == nil ? entry.accessToken.exposed : nil }
  /// The token as JSON, with its quotes, if it needs escapes.
  package var escapedToken: String? { entry.escapedToken }
  /// The account's name as JSON, with its quotes.
  package var quotedAccount: String { entry.quotedAccount }
  /// The URLs and the key of the account's project as JSON (`SessionToken.Endpoints`); nil if there are none.
  package var endpoints: String? {
    entry.endpoints.map { endpoints in
      let api = endpoints.apiURL.map { ",\"apiURL\":\(TokenEntry.quoted($0))" } ?? ""
      return "{\"anonKey\":\(TokenEntry.quoted(endpoints.anonKey))\(api),\"projectURL\":"
        + "\(TokenEntry.quoted(endpoints.projectURL))}"
    }
  }

  package var result: SessionToken.Result {
    SessionToken.Result(
      account: entry.account, accessToken: entry.accessToken.exposed, tokenType: "bearer", expiresAt: expiresAt,
      expiresIn: expiresIn, unchanged: unchanged ? true : nil)
  }
}

/// The audit log's identifier of a token: the first 64 bits of its SHA-256. Enough to distinguish a
/// user's tokens, and useless to a server.
package enum TokenFingerprint {
  package static func short(_ token: String) -> UInt64 { short(SHA256.digest(token)) }

  static func short(_ digest: [UInt8]) -> UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// Formats a fingerprint as 16 lowercase hex digits.
  package static func text(_ short: UInt64) -> String {
    let digits = String(short, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
