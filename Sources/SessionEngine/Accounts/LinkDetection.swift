import FoundationEssentials
package import SupabaseAuth
import SystemSupport

/// Which identities came to a user without a word of this agent (LK-1). Pure.
package enum LinkDetection {
  /// An identity that is so much younger than its user was not made with them: the server writes both in one transaction.
  private static let birth: TimeInterval = 5

  /// The identity is made at the callback, the session at the exchange: at most the life of a flow lies between them.
  private static let signIn: TimeInterval = 300

  /// The identities that are new to the agent. Where it knows nothing of the user yet, those that this very sign-in linked: an
  /// older one is no news.
  static func new(in user: User, known: [String]?) -> [Identity] {
    guard let identities = user.identities else { return [] }
    if let known { return identities.filter { !known.contains($0.key) } }
    return identities.filter { wasLinkedNow($0, user, among: identities.count) }
  }

  /// The identity of `provider` by which a sign-in was merged into a user that has others (LK-2).
  package static func merged(_ user: User, by provider: Provider, known: [String]?) -> Identity? {
    guard (user.identities?.count ?? 0) > 1 else { return nil }
    return new(in: user, known: known).last { $0.provider == provider }
  }

  private static func wasLinkedNow(_ identity: Identity, _ user: User, among count: Int) -> Bool {
    guard let made = identity.createdAt, let born = user.createdAt, let now = user.lastSignInAt else { return false }
    let isLater = count > 1 ? made > born : made.timeIntervalSince(born) > birth
    return isLater && now.timeIntervalSince(made) <= signIn
  }
}

extension Identity {
  /// What tells it from others: the row's id, or with older servers the provider's subject.
  package var key: String { identityID.isEmpty ? "\(provider.rawValue):\(id)" : identityID }
}
