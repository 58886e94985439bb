import AgentProtocol
import Crypto
import FoundationEssentials
import SystemSupport

/// Counts attempts with a password or with a code for each pair of account and address, so that guessing through
/// the agent stays slow whatever the server does (SI-13). Supabase does not void a code after wrong ones. Kept in memory: a restart resets the
/// counts, but only the user can restart the agent.
struct AddressAttempts {
  struct Key: Hashable {
    let account: String
    /// A hash: the counts survive a lock, and no address may stay in memory (VA-4).
    private let address: SHA256Digest

    /// - Parameter email: an email address or a phone number.
    init(account: String, email: String) {
      self.account = account
      address = SHA256.hash(data: Data(email.lowercased().utf8))
    }
  }

  private var made: [Key: [BootTime]] = [:]

  /// Counts an attempt before it is made.
  /// - Throws: `rateLimited` with the seconds until the oldest attempt no longer counts.
  mutating func begin(_ key: Key, limit: Int, now: BootTime) throws(AgentError) {
    forgetOld(now)
    let attempts = made[key] ?? []
    guard attempts.count < limit else { throw refusal(attempts.first, key, now) }
    guard made[key] != nil || made.count < SignInLimits.maxAttemptKeys else {
      throw refusal(made.values.compactMap(\.last).min(), key, now)
    }
    made[key, default: []].append(now)
  }

  /// Removes an attempt that the server did not evaluate: such an attempt reveals nothing about the
  /// password or the code.
  mutating func remove(_ key: Key, madeAt time: BootTime) {
    guard let index = made[key]?.lastIndex(of: time) else { return }
    made[key]?.remove(at: index)
    if made[key]?.isEmpty == true { made[key] = nil }
  }

  /// Removes all attempts of the key, after a correct one.
  mutating func clear(_ key: Key) { made[key] = nil }

  private mutating func forgetOld(_ now: BootTime) {
    made = made.compactMapValues { times in
      let recent = times.filter { $0.duration(to: now) < SignInLimits.attemptWindow }
      return recent.isEmpty ? nil : recent
    }
  }

  private func refusal(_ oldest: BootTime?, _ key: Key, _ now: BootTime) -> AgentError {
    let free = (oldest ?? now).advanced(by: SignInLimits.attemptWindow)
    return AgentError(
      .rateLimited, "Too many attempts for this account. Please try again later.", account: key.account,
      retryAfter: now.duration(to: free).seconds.rounded(.up))
  }
}
