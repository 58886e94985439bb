import AgentConfiguration
import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// Whose profile is read or changed, and where.
struct ProfileTarget: Sendable {
  let account: String
  let userID: String
  let address: ProfileAddress
  let firstTime: FirstTimeFacts?
  /// True if no caller asked for the profile.
  var isBackground = false
}

/// What is known of the people behind the accounts (SE-6, SI-4).
extension Accounts {
  /// What is known of the account's user; nil for another person's facts.
  func person(of account: Account) -> StoredPerson? {
    people[account.name].flatMap { $0.userID == account.userID ? $0 : nil }
  }

  // MARK: - The profile

  func profileTarget(_ name: String?) throws(AgentError) -> ProfileTarget {
    let target = try apiTarget(name)
    guard let account = accounts[target.account], let session = account.session else {
      throw AgentError(.signInNeeded, account: target.account)
    }
    return ProfileTarget(
      account: account.name, userID: session.user.id,
      address: ProfileAddress(target.project.settings.profilePath, userID: session.user.id),
      firstTime: person(of: account)?.firstTime)
  }

  /// Has the profile read after a sign-in.
  func askForProfile(_ name: String) {
    staleProfiles.insert(name)
    profileRequests.ask(name)
  }

  /// Has the profile read that never was.
  func askForUnknownProfile(_ name: String) {
    guard let account = accounts[name], account.session != nil, person(of: account)?.onboarding == nil else { return }
    askForProfile(name)
  }

  /// A new token is there: what failed is tried again.
  func askForStaleProfile(_ name: String) {
    if staleProfiles.contains(name) { profileRequests.ask(name) }
  }

  /// Whether there is something to read and a token at hand; in the background none is fetched.
  func wantsProfile(_ name: String) -> Bool {
    staleProfiles.contains(name) && tokens.freshest(account: name, rejected: nil, now: clock.now) != nil
  }

  /// The profile was read, or changed. An answer that comes after another person signed in changes nothing.
  func profileSeen(_ document: ProfileDocument, _ target: ProfileTarget) async {
    guard let account = accounts[target.account], account.session?.user.id == target.userID else { return }
    staleProfiles.remove(target.account)
    var person = person(of: account) ?? StoredPerson(account: target.account, userID: target.userID)
    guard person.onboarding != document.onboarding else { return }
    person.onboarding = document.onboarding
    people[target.account] = person
    tell(.userUpdated, target.account)
    await savePerson(target.account)
  }

  // MARK: - What comes once

  /// Keeps what Apple tells at the first sign-in. Before the session is stored: a crash between the two writes must not lose
  /// what never comes again.
  func rememberFirstTime(_ session: Session, _ ticket: SignInTicket) async {
    let name = ticket.account
    let known = people[name].flatMap { $0.userID == session.user.id ? $0 : nil }
    var person = known ?? StoredPerson(account: name, userID: session.user.id)
    let told = FirstTimeFacts(session.user, ticket, known: person.firstTime)
    let facts = (person.firstTime ?? FirstTimeFacts()).updated(by: told)
    guard !facts.isEmpty, facts != person.firstTime else { return }
    person.firstTime = facts
    people[name] = person
    await savePerson(name)
  }

  /// Writes what is known of the account's person, one write after the other. One that fails is made up for by the next.
  func savePerson(_ name: String) async {
    // No account is named like this.
    let gate = "person/" + name
    await writeGate.enter(gate)
    if let person = people[name] {
      do {
        try await store().save(person)
      } catch {
        logger.error("what is known of a person could not be stored", metadata: metadata(name, error))
      }
    }
    writeGate.leave(gate)
  }
}

extension FirstTimeFacts {
  /// What the caller of a native sign-in was told by Apple, and the token says.
  /// - Throws: `invalidParams` for what can be no name or address.
  init(_ params: SignInIDToken.Params, _ token: IdentityToken) throws(AgentError) {
    guard params.name.map({ $0.utf8.count <= ProfileBounds.nameLength }) ?? true,
      params.email.map({ $0.utf8.count <= SignInBounds.emailLength && $0.contains("@") }) ?? true
    else { throw AgentError(.invalidParams, "The name or the e-mail address is too long, or is none.") }
    self.init(name: params.name.flatMap(Self.present), email: (params.email ?? token.email).flatMap(Self.present))
  }

  /// What a sign-in tells: the caller's words first, then the server's copy of Apple's. The copy counts where nothing is known
  /// yet: later it may be another provider's, or the user's own.
  fileprivate init(_ user: User, _ ticket: SignInTicket, known: FirstTimeFacts?) {
    guard ticket.provider == .apple else {
      self.init()
      return
    }
    let metadata = user.userMetadata
    let name = metadata["full_name"] ?? metadata["name"]
    let address = user.identities?.first { $0.provider == .apple }?.email ?? user.email
    self.init(
      name: ticket.told.name ?? (known?.name == nil ? name.flatMap(Self.present) : nil),
      email: ticket.told.email ?? (known?.email == nil ? Self.present(address) : nil))
  }

  /// Nil for a text without anything in it; cut where no name is that long.
  private static func present(_ text: String) -> String? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    var text = text
    while text.utf8.count > SignInBounds.emailLength { text.removeLast() }
    return text
  }
}
