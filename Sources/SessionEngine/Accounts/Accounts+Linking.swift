package import AgentProtocol
import FoundationEssentials
import Logging
package import SupabaseAuth
import SystemSupport

/// The ways to sign in of the accounts' users (LK-1, LK-3).
extension Accounts {
  // MARK: - Noticing

  /// Holds the identities of an answer against those that are known: what is new is told to subscribers and noticed.
  func noticeLinks(_ user: User, of name: String, _ way: LinkNotice.Way) async {
    guard let listed = user.identities, !listed.isEmpty, let account = accounts[name], account.userID == user.id else {
      return
    }
    var person = person(of: account) ?? StoredPerson(account: name, userID: user.id)
    let keys = listed.map(\.key).sorted()
    guard keys != person.identities else { return }
    let new = LinkDetection.new(in: user, known: person.identities)
    person.identities = keys
    people[name] = person
    for identity in new {
      tell(.accountLinked, name, reason: "\(identity.provider.rawValue), \(way.rawValue)")
      notice(identity, account, way)
    }
    await savePerson(name)
  }

  /// For the audit log; see `LinkNotice`.
  package func notice(_ identity: Identity, _ account: Account, _ way: LinkNotice.Way) {
    logger.notice(
      "identity",
      metadata: [
        "account": "\(account.name)", "provider": "\(ForeignText.shown(identity.provider.rawValue, limit: 40))",
        "way": "\(way.rawValue)",
      ])
    report(
      .identity(
        LinkNotice(
          account: account.name, project: account.project, provider: identity.provider, identityID: identity.identityID,
          way: way)))
  }

  /// The same where the account may not be here.
  package func notice(_ identity: Identity, _ ticket: SignInTicket, _ way: LinkNotice.Way) {
    notice(identity, accounts[ticket.account] ?? Account(name: ticket.account, project: ticket.project.name), way)
  }

  /// The identity by which the server merged this sign-in into a user with other identities (LK-2); nil if it did not, or
  /// if the user asked for the link.
  package func mergedIdentity(_ session: Session, _ ticket: SignInTicket) -> Identity? {
    guard ticket.linksTo == nil else { return nil }
    let known = people[ticket.account].flatMap { $0.userID == session.user.id ? $0.identities : nil }
    return LinkDetection.merged(session.user, by: ticket.provider, known: known)
  }

  // MARK: - By hand

  /// Begins to link; the account is busy until it ends, as with a sign-in.
  package func beginLink(_ name: String?, _ provider: Provider) throws(AgentError) -> SignInTicket {
    let target = try apiTarget(name)
    var ticket = try beginSignIn(
      account: target.account, project: target.project.name, provider: provider, replace: false)
    ticket.linksTo = accounts[target.account]?.session?.user.id
    return ticket
  }

  /// Why the session that linking brought is not taken: it is another user's, or the account was signed out meanwhile.
  func linkRefusal(of session: Session, _ ticket: SignInTicket) -> AgentError? {
    guard let target = ticket.linksTo else { return nil }
    guard accounts[ticket.account]?.session?.user.id == target else {
      return AgentError(.signInNeeded, hint: signInCommand(ticket.account), account: ticket.account)
    }
    return session.user.id == target ? nil : AgentError(.wrongUser, account: ticket.account)
  }

  /// The user as the server has it now.
  package func seen(_ user: User, of name: String, _ way: LinkNotice.Way) async {
    guard let account = accounts[name], account.session?.user.id == user.id else { return }
    await userSeen(user, account, account.generation)
    await noticeLinks(user, of: name, way)
  }

  /// An identity was unlinked by hand.
  package func unlinked(_ identity: Identity, of name: String) async {
    guard let account = accounts[name] else { return }
    people[name]?.identities?.removeAll { $0 == identity.key }
    if let project = project(of: account) { noteManualLinking(project, true) }
    notice(identity, account, .unlinked)
    await savePerson(name)
  }

  // MARK: - What projects allow

  /// An answer showed whether the project allows linking and unlinking by hand.
  package func noteManualLinking(_ project: Project, _ isAllowed: Bool) { manualLinking[project.origin] = isAllowed }

  /// Nil while no answer has shown it: `/settings` does not say.
  package func allowsManualLinking(_ project: Project) -> Bool? { manualLinking[project.origin] }
}

extension SignInTicket {
  /// How an identity that this sign-in brings came to be linked.
  func linkWay(isMerged: Bool) -> LinkNotice.Way {
    linksTo != nil ? .byHand : isMerged && linkConsent == .given ? .confirmed : .automatic
  }
}

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

/// Something happened to the ways to sign in of an account (LK-3): for the audit log and the counters. It holds no address.
package struct LinkNotice: Sendable, Hashable {
  package enum Way: String, Sendable {
    /// The server linked it by itself at a sign-in here, for the address is the same (LK-1).
    case automatic
    /// Seen in an answer to a refresh or a look: another device linked it.
    case elsewhere
    /// `identity.link`.
    case byHand
    /// The server linked it, and the person agreed (LK-2).
    case confirmed
    /// The person did not agree; it was unlinked again.
    case declined
    /// The person did not agree; it could not be unlinked.
    case declinedInVain
    /// `identity.unlink`.
    case unlinked
  }

  package let account: String
  let project: String
  package let provider: Provider
  let identityID: String
  package let way: Way
}
