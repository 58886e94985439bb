package import AgentProtocol
package import SupabaseAuth
import Synchronization
package import SystemSupport

/// Limits guesses of passwords and codes, and messages with codes, so that guessing through the agent stays
/// slow whatever the server does. Supabase does not void a code after wrong ones.
///
/// They are counted for an address at a project, whatever account name a program invents, and refused beyond a maximum
/// in an hour. A project as a whole is never refused, because a program that invents addresses could then lock the
/// person out: attempts for addresses that no account has are delayed, the longer the more of them failed.
///
/// Kept in memory: a restart resets the counts, but only the user can restart the agent. Thread-safe; nothing waits here.
package final class AttemptLimits: Sendable {
  /// The kinds of attempts, which are counted separately.
  package enum Kind: Sendable { case password, code, message }

  /// A request that was counted before it is sent.
  package struct Attempt: Sendable {
    /// The time to wait before the request is sent.
    package let delay: Duration
    fileprivate let keys: [Key]
    /// The project whose failures include the attempt; nil for an address of an account.
    fileprivate let project: String?
    fileprivate let at: BootTime
  }

  fileprivate struct Key: Hashable {
    let kind: Kind
    /// A hash of the project and the address, with this process's random seed: the counts survive a lock, and no address
    /// may stay in memory. Equivalent forms of Unicode have the same hash.
    let digest: Int
  }

  /// The time for which an attempt counts.
  private static let window = Duration.seconds(3600)
  /// Messages to an address in the window: enough for a person whose mails arrive late, too few to annoy another one.
  package static let maxMessages = 5
  /// The maximum number of counted addresses, about 150 bytes each.
  static let maxKeys = 1024
  /// Failures of a project without a delay: twice the usual maximum of one address, so that a person who mistypes an
  /// address does not notice them.
  private static let freeFailures = 20
  /// The delay for each further failure, and the maximum. People notice a delay after about one second, so a person who
  /// signs in to a new address during an attack is not kept from it, and a program makes one attempt in a second.
  private static let delayStep = Duration.milliseconds(25)
  private static let maxDelay = Duration.seconds(1)
  /// The maximum number of counted failures of a project. More would not increase the delay.
  private static let maxFailures = freeFailures + Int(maxDelay / delayStep)

  private struct State {
    var made: [Key: [BootTime]] = [:]
    /// Failures by project, and attempts that are not answered yet.
    var failures: [String: [BootTime]] = [:]

    mutating func forgetOld(_ now: BootTime) {
      func recent(_ times: [BootTime]) -> [BootTime]? {
        let recent = times.filter { $0.duration(to: now) < window }
        return recent.isEmpty ? nil : recent
      }
      made = made.compactMapValues(recent)
      failures = failures.compactMapValues(recent)
    }

    /// Adds an attempt. A full table forgets the address with the fewest attempts, of those the one whose last attempt
    /// is the oldest: an address under attack has more attempts than invented ones.
    mutating func add(_ key: Key, _ now: BootTime) {
      if made[key] == nil, made.count >= maxKeys,
        let least = made.min(by: { ($0.value.count, $0.value.last ?? now) < ($1.value.count, $1.value.last ?? now) })
      {
        made[least.key] = nil
      }
      made[key, default: []].append(now)
    }

    mutating func remove(_ key: Key, _ time: BootTime) {
      guard let index = made[key]?.lastIndex(of: time) else { return }
      made[key]?.remove(at: index)
      if made[key]?.isEmpty == true { made[key] = nil }
    }

    /// Adds a failure, and returns the delay by those before it.
    mutating func addFailure(of project: String, _ now: BootTime) -> Duration {
      let before = failures[project, default: []]
      failures[project] = before.suffix(maxFailures - 1) + [now]
      return min(delayStep * max(0, before.count - freeFailures), maxDelay)
    }

    mutating func removeFailure(_ attempt: Attempt) {
      guard let project = attempt.project, let index = failures[project]?.lastIndex(of: attempt.at) else { return }
      failures[project]?.remove(at: index)
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// Counts an attempt before it is sent.
  /// - Parameters:
  ///   - address: The email address or phone number as it will be sent, or the ID of a user with second factors.
  ///   - isKnown: True for the address of an account, whose attempts are not delayed.
  ///   - maxGuesses: The maximum number of passwords in an hour, and of codes. Not used for messages.
  /// - Throws: `rateLimited` with the seconds until another attempt is possible. Nothing was counted then.
  package func begin(
    _ kinds: [Kind], address: String, of project: Project, isKnown: Bool, maxGuesses: Int = 0, account: String,
    now: BootTime
  ) throws(AgentError) -> Attempt {
    let place = project.origin + project.basePath
    let digest = "\(place)\n\(Self.folded(address))".hashValue
    let keys = kinds.map { Key(kind: $0, digest: digest) }
    return try state.withLock { (state) throws(AgentError) in
      state.forgetOld(now)
      for key in keys {
        let (made, limit) = (state.made[key] ?? [], key.kind == .message ? Self.maxMessages : maxGuesses)
        guard made.count < limit else { throw Self.refusal(key.kind, made[made.count - limit], account, now) }
      }
      for key in keys { state.add(key, now) }
      let delay = isKnown ? .zero : state.addFailure(of: place, now)
      return Attempt(delay: delay, keys: keys, project: isKnown ? nil : place, at: now)
    }
  }

  /// Forgets an attempt that was not sent.
  package func withdraw(_ attempt: Attempt) {
    state.withLock { state in
      for key in attempt.keys { state.remove(key, attempt.at) }
      state.removeFailure(attempt)
    }
  }

  /// Notes that the server refused the attempt, or that its answer did not arrive. A guess that the server did not judge
  /// does not count; one whose caller left may have been judged. A message counts unless it was certainly not sent; one
  /// that the server refuses as too many (429) also counts, so that the server is not asked without a limit.
  package func failed(_ attempt: Attempt, _ error: AuthError) {
    let isRefused = error.status.map { $0 < 500 } ?? false
    let isJudged = isRefused || error.code == .cancelled
    let isUnsent = isRefused && error.status != 429 || error.wasNotSent
    state.withLock { state in
      for key in attempt.keys where key.kind == .message ? isUnsent : !isJudged {
        state.remove(key, attempt.at)
      }
      if !isJudged { state.removeFailure(attempt) }
    }
  }

  /// Notes that a message was sent.
  package func succeeded(_ attempt: Attempt) { state.withLock { $0.removeFailure(attempt) } }

  /// Notes that a password or a code was right: the guesses before it no longer count.
  package func guessed(_ attempt: Attempt) {
    state.withLock { state in
      for key in attempt.keys where key.kind != .message { state.made[key] = nil }
      state.removeFailure(attempt)
    }
  }

  /// Returns the address as the server compares it: Supabase Auth lowercases each character by itself, so that `İ`
  /// becomes `i`.
  private static func folded(_ address: String) -> String {
    let scalars = address.unicodeScalars.map { $0.properties.lowercaseMapping.unicodeScalars.first ?? $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func refusal(_ kind: Kind, _ last: BootTime, _ account: String, _ now: BootTime) -> AgentError {
    AgentError(
      .rateLimited,
      kind == .message
        ? "Too many codes were requested. Please try again later."
        : "Too many attempts for this account. Please try again later.", account: account,
      retryAfter: now.duration(to: last.advanced(by: window)).seconds.rounded(.up))
  }
}
