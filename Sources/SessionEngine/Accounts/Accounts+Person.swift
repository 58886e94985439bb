import AgentConfiguration
package import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// The user whose profile is read or changed, and the profile's path.
package struct ProfileTarget: Sendable {
  package let account: String
  package let userID: String
  package let address: ProfileAddress
  /// Whether the configuration says that the project has a profile API.
  package let isDeclared: Bool
  package let firstTime: FirstTimeFacts?
  /// True if no caller asked for the profile.
  package var isBackground = false
}

/// The stored facts about the accounts' users.
extension Accounts {
  /// The facts about the account's user; nil if the stored facts belong to another user.
  func person(of account: Account) -> StoredPerson? {
    people[account.name].flatMap { $0.userID == account.userID ? $0 : nil }
  }

  /// Ends a start or an unlock.
  func peopleKnown() async {
    askForUnknownProfiles()
    await rememberNames()
  }

  // MARK: - The profile

  package func profileTarget(_ name: String?) throws(AgentError) -> ProfileTarget {
    let target = try apiTarget(name)
    guard let account = accounts[target.account], let session = account.session else {
      throw AgentError(.signInNeeded, account: target.account)
    }
    return ProfileTarget(
      account: account.name, userID: session.user.id,
      address: ProfileAddress(target.project.settings.profilePath, userID: session.user.id),
      isDeclared: target.project.settings.declaresProfileAPI,
      firstTime: person(of: account)?.firstTime)
  }

  /// Requests a profile read after a sign-in.
  func askForProfile(_ name: String) {
    update(name) { $0.isProfileStale = true }
    profileRequests.ask(name)
  }

  /// Requests a read of each profile that was never read.
  func askForUnknownProfiles() {
    for name in accounts.keys.sorted() {
      guard let account = accounts[name], account.session != nil, person(of: account)?.onboarding == nil else {
        continue
      }
      askForProfile(name)
    }
  }

  /// Retries a failed profile read when a new token is available.
  func askForStaleProfile(_ name: String) {
    if accounts[name]?.isProfileStale == true { profileRequests.ask(name) }
  }

  /// Whether a profile read is pending and a token is in memory. A background read does not cause a
  /// refresh.
  package func wantsProfile(_ name: String) -> Bool {
    accounts[name]?.isProfileStale == true && tokens.freshest(account: name, rejected: nil, now: clock.now) != nil
  }

  /// Applies a profile that was read or changed. Ignored if another user has signed in since.
  /// - Parameter onboarding: nil if the project has no profile API.
  package func profileSeen(onboarding: String?, _ target: ProfileTarget) async {
    await changePerson(of: target.account, target.userID) { person, account in
      update(account.name) { $0.isProfileStale = false }
      guard person.onboarding != onboarding else { return nil }
      person.onboarding = onboarding
      return { [self] in tell(.userUpdated, account.name) }
    }
  }

  /// Changes the facts about the account's user, unless the user is another one by then. Kept in memory if
  /// they cannot be stored; the next write makes up for it, at the latest that of a lock or a stop.
  ///
  /// - Parameter change: Returns what follows; nil for no change.
  func changePerson(
    of name: String, _ userID: String, _ change: (inout StoredPerson, Account) -> (() -> Void)?
  ) async {
    await commitFacts(of: name) { draft in
      guard let account = draft.account, account.userID == userID else { return }
      var person = person(of: account) ?? StoredPerson(account: account.name, userID: userID)
      guard let then = change(&person, account) else { return }
      (draft.person, draft.then) = (person, then)
    }
  }

  /// Commits facts about the account's user. If a rename ends while this waits for the gate, they go to the
  /// new name.
  private func commitFacts(of name: String, _ decide: (inout Draft) -> Void) async {
    let session = accounts[name]?.newest?.id
    try? await commit(name, decide)
    guard accounts[name] == nil, session != nil,
      let renamed = accounts.values.first(where: { $0.newest?.id == session })
    else { return }
    try? await commit(renamed.name, decide)
  }

  // MARK: - First sign-in

  /// The facts about the user with those that Apple sends only at the first sign-in; nil if there are no new ones.
  /// They are stored before the session, so that a crash between the two writes does not lose them.
  func firstTime(_ session: Session, _ ticket: SignInTicket) -> StoredPerson? {
    let name = ticket.account
    let known = people[name].flatMap { $0.userID == session.user.id ? $0 : nil }
    var person = known ?? StoredPerson(account: name, userID: session.user.id)
    let new = Self.firstTimeFacts(session.user, ticket, known: person.firstTime)
    let facts = (person.firstTime ?? FirstTimeFacts()).updated(by: new)
    guard !facts.isEmpty, facts != person.firstTime else { return nil }
    person.firstTime = facts
    return person
  }

  /// The facts from a sign-in: the caller's values first, then the server's copy of Apple's. The
  /// copy is used only while nothing is known: later it may come from another provider or from the
  /// user.
  private static func firstTimeFacts(_ user: User, _ ticket: SignInTicket, known: FirstTimeFacts?) -> FirstTimeFacts {
    guard ticket.provider == .apple else { return FirstTimeFacts() }
    let metadata = user.userMetadata
    let name = metadata["full_name"] ?? metadata["name"]
    let address = user.identities?.first { $0.provider == .apple }?.email ?? user.email
    return FirstTimeFacts(
      name: ticket.appleFacts.name ?? (known?.name == nil ? name.flatMap(FirstTimeFacts.present) : nil),
      email: ticket.appleFacts.email ?? (known?.email == nil ? FirstTimeFacts.present(address) : nil))
  }
}

/// Results of background checks of restored sessions.
extension Accounts {
  /// The session to check. Nil if the session is gone, has been refreshed since, or has no valid
  /// token.
  func check(_ request: CheckRequest) -> SessionCheck? {
    guard lockState.isOpen, let account = accounts[request.account], account.isCurrent(request.revision),
      let session = account.session, let project = project(of: account),
      tokens.freshest(account: account.name, rejected: nil, now: clock.now) != nil
    else { return nil }
    return SessionCheck(
      account: account.name, project: project, token: session.bearer, revision: account.revision, asked: clock.now)
  }

  /// Applies the result of a check. Only the refresh grant can end a session, so a refusal causes a
  /// refresh.
  func checked(_ check: SessionCheck, _ result: Result<User, AuthError>) async {
    guard let account = accounts[check.account], account.isCurrent(check.revision) else { return }
    switch result {
    case .success(let user):
      update(check.account) { $0.tokenAccepted() }
      await userSeen(user, of: check.account, asked: check.asked)
      await noticeLinks(user, of: check.account, .elsewhere)
    case .failure(let error) where error.status == 401 || error.status == 403:
      if error.code == .userNotFound { update(check.account) { $0.userMissing() } }
      if error.code == .badJWT, update(check.account, { $0.tokenRefused() }) != true { break }
      start(account, .start)
    case .failure: break
    }
  }

  /// Applies the user as the response to a request that was sent at `asked` shows it.
  func userSeen(_ user: User, of name: String, asked: BootTime) async {
    await changeUser(of: name, user.id) { account, known in
      account.updated(known, by: user, asked: asked)
    }
  }

  /// Changes the user of the account's session, unless it is another one by then.
  func changeUser(of name: String, _ userID: String, _ change: (Account, StoredUser) -> StoredUser) async {
    await commitFacts(of: name) { draft in
      guard let account = draft.account, let known = account.newest?.user, known.id == userID else { return }
      let user = change(account, known)
      guard user != known else { return }
      draft.change { $0.userChanged(user) }
      draft.ifUnstored = .isKept
      draft.then = { [self] in tell(.userUpdated, account.name) }
    }
  }
}

/// The path of a user's profile (`profile_path`): a document at a path of the product's own API, or
/// a row of a table served by PostgREST. Pure.
package struct ProfileAddress: Sendable, Equatable {
  package enum Form: Sendable {
    /// `GET` and `PUT` at the path. `PUT` merges members.
    case document
    /// `GET`, `PATCH` and `POST` of the row whose `id` is the user's (Supabase's convention for
    /// `profiles`).
    case row
  }

  package let form: Form
  /// The path for reading and changing, including the filter.
  package let path: String
  /// The path for creating a row.
  package let table: String

  private static let tablePrefix = "/rest/v1/"

  init(_ configured: String, userID: String) {
    table = configured
    guard configured.hasPrefix(Self.tablePrefix) else {
      form = .document
      path = configured
      return
    }
    form = .row
    let query = configured.split(separator: "?", maxSplits: 1).dropFirst().first
    path = configured + (query == nil ? "?" : "&") + "id=eq." + PercentEncoding.encode(userID)
  }
}

/// Accounts whose profile is to be read, in order of request. Safe from any thread.
package struct ProfileRequests: Sendable {
  package let names: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  /// Maximum number of pending requests. A dropped request is repeated after the next refresh.
  private static let waiting = 4096

  init() {
    (names, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.waiting))
  }

  func ask(_ name: String) { continuation.yield(name) }

  func finish() { continuation.finish() }
}
