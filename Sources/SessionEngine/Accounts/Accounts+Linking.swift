package import AgentProtocol
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
  package func notice(_ decision: SignInDecision, _ ticket: SignInTicket, _ way: LinkNotice.Way) {
    let identity = Identity(identityID: decision.identity?.identityID ?? "", provider: ticket.provider)
    notice(identity, accounts[ticket.account] ?? Account(name: ticket.account, project: ticket.project.name), way)
  }

  package func knownIdentities(of name: String, user: String) -> [String]? {
    people[name].flatMap { $0.userID == user ? $0.identities : nil }
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
  var linkWay: LinkNotice.Way { linksTo != nil ? .byHand : isConfirmed ? .confirmed : .automatic }
}
