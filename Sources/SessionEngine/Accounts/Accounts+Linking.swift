package import AgentProtocol
import FoundationEssentials
import Logging
package import SupabaseAuth
package import SystemSupport

/// The users' linked sign-in methods.
extension Accounts {
  // MARK: - Detection

  /// Compares the identities in a response with the known ones. Reports new identities to
  /// subscribers and the audit log.
  func noticeLinks(_ user: User, of name: String, _ way: LinkNotice.Way) async {
    // An empty list tells something only about an anonymous user: what is listed later was linked.
    guard let listed = user.identities, !listed.isEmpty || user.isAnonymous else { return }
    let keys = listed.map(\.key).sorted()
    await changePerson(of: name, user.id) { person, account in
      guard keys != person.identities else { return nil }
      let new = LinkDetection.new(in: user, known: person.identities)
      person.identities = keys
      return { [self] in
        for identity in new {
          tell(.accountLinked, account.name, reason: "\(identity.provider.rawValue), \(way.rawValue)")
          notice(identity, account, way)
        }
      }
    }
  }

  /// Reports a change of an identity to the journal and the audit log; see `LinkNotice`.
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

  /// Reports a linking decision, also for an account that does not exist yet.
  package func notice(_ identity: Identity, _ ticket: SignInTicket, _ way: LinkNotice.Way) {
    notice(identity, accounts[ticket.account] ?? Account(name: ticket.account, project: ticket.project.name), way)
  }

  /// The identity by which the server merged this sign-in into a user with other identities; nil if it did not, or
  /// if the user asked for the link.
  package func mergedIdentity(_ session: Session, _ ticket: SignInTicket) -> Identity? {
    guard ticket.linksTo == nil else { return nil }
    let known = people[ticket.account].flatMap { $0.userID == session.user.id ? $0.identities : nil }
    return LinkDetection.merged(session.user, by: ticket.provider, known: known)
  }

  // MARK: - Manual linking

  /// Begins linking an identity. The account is busy until the linking ends, as with a sign-in.
  package func beginLink(_ name: String?, _ provider: Provider) throws(AgentError) -> SignInTicket {
    let target = try apiTarget(name)
    var ticket = try beginSignIn(
      account: target.account, project: target.project.name, provider: provider, replace: false)
    ticket.linksTo = accounts[target.account]?.session?.user.id
    return ticket
  }

  /// Returns the ticket for adding an email address to the account's user. The account stays free until `claim`.
  ///
  /// - Throws: `invalidParams` for a user who has an email address.
  package func addressTicket(_ name: String?, project: String?) throws(AgentError) -> SignInTicket {
    let target = try apiTarget(name)
    guard project == nil || project == target.project.name else {
      throw AgentError(.misconfigured, "The account belongs to another project.", account: target.account)
    }
    if let email = accounts[target.account]?.session?.user.email {
      throw AgentError(
        .invalidParams, "This account already has the email address \(ForeignText.shown(email, limit: 100)).",
        account: target.account)
    }
    var ticket = try idleTicket(account: target.account, project: target.project.name, provider: .email)
    ticket.linksTo = accounts[target.account]?.session?.user.id
    ticket.isCode = true
    return ticket
  }

  /// Returns why the session from linking is rejected: it is another user's, or the account was
  /// signed out meanwhile.
  func linkRefusal(of session: Session, _ ticket: SignInTicket) -> AgentError? {
    guard let target = ticket.linksTo else { return nil }
    guard accounts[ticket.account]?.session?.user.id == target else {
      return signInNeeded(ticket.account)
    }
    return session.user.id == target ? nil : AgentError(.wrongUser, account: ticket.account)
  }

  /// Applies the user as returned by the server to a request that was sent at `asked`, or later.
  package func seen(_ user: User, of name: String, _ way: LinkNotice.Way, asked: BootTime) async {
    guard accounts[name]?.session?.user.id == user.id else { return }
    await userSeen(user, of: name, asked: asked)
    await noticeLinks(user, of: name, way)
  }

  package func unlinked(_ identity: Identity, of name: String) async {
    guard let account = accounts[name], let user = account.userID else { return }
    if let project = project(of: account) { noteManualLinking(project, true) }
    notice(identity, account, .unlinked)
    await changePerson(of: name, user) { person, _ in
      person.identities?.removeAll { $0 == identity.key }
      return {}
    }
  }

  // MARK: - Project settings

  /// Stores whether the project allows manual linking, as shown by a response.
  package func noteManualLinking(_ project: Project, _ isAllowed: Bool) { manualLinking[project.origin] = isAllowed }

  /// Whether the project allows manual linking. Nil until a response has shown it, because
  /// `/settings` does not include it.
  package func allowsManualLinking(_ project: Project) -> Bool? { manualLinking[project.origin] }
}

extension SignInTicket {
  /// How an identity from this sign-in was linked.
  func linkWay(isMerged: Bool) -> LinkNotice.Way {
    linksTo != nil ? .byHand : isMerged && linkConsent == .given ? .confirmed : .automatic
  }
}

/// Detects identities that were linked without the agent's involvement. Pure.
package enum LinkDetection {
  /// Seconds. A sole identity that is this much younger than its user was added later: the server
  /// creates both in one transaction.
  private static let birth: TimeInterval = 5

  /// Seconds. The identity is created at the callback and the session at the exchange, at most the
  /// lifetime of a flow later.
  private static let signIn: TimeInterval = 300

  /// Returns the identities that are new to the agent. If no identities of the user are known,
  /// these are the ones that this sign-in linked.
  static func new(in user: User, known: [String]?) -> [Identity] {
    guard let identities = user.identities else { return [] }
    if let known { return identities.filter { !known.contains($0.key) } }
    return identities.filter { wasLinkedNow($0, user, among: identities.count) }
  }

  /// Returns the identity of `provider` by which a sign-in was merged into a user with other
  /// identities.
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
  /// Identifies the identity: the row's ID, or with older servers the provider's subject.
  package var key: String { identityID.isEmpty ? "\(provider.rawValue):\(id)" : identityID }
}

/// A change of an account's sign-in methods, for the audit log and the counters. Contains no
/// email address.
package struct LinkNotice: Sendable, Hashable {
  package enum Way: String, Sendable {
    /// Linked by the server at a sign-in here, because the email address is the same.
    case automatic
    /// Linked on another device, as seen in the response to a refresh or a check.
    case elsewhere
    case byHand
    /// Linked by the server; the user accepted.
    case confirmed
    case declined
    /// Declined by the user, but could not be unlinked.
    case declinedInVain
    case unlinked
  }

  package let account: String
  let project: String
  package let provider: Provider
  let identityID: String
  package let way: Way
}
