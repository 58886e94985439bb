import AgentConfiguration
package import AgentProtocol
import Logging
import SupabaseAuth
import SystemSupport

/// Whose profile is read or changed, and where.
package struct ProfileTarget: Sendable {
  package let account: String
  package let userID: String
  package let address: ProfileAddress
  package let firstTime: FirstTimeFacts?
  /// True if no caller asked for the profile.
  package var isBackground = false
}

/// What is known of the people behind the accounts (SE-6, SI-4).
extension Accounts {
  /// What is known of the account's user; nil for another person's facts.
  func person(of account: Account) -> StoredPerson? {
    people[account.name].flatMap { $0.userID == account.userID ? $0 : nil }
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
  package func wantsProfile(_ name: String) -> Bool {
    staleProfiles.contains(name) && tokens.freshest(account: name, rejected: nil, now: clock.now) != nil
  }

  /// The profile was read, or changed. An answer that comes after another person signed in changes nothing.
  package func profileSeen(onboarding: String, _ target: ProfileTarget) async {
    guard let account = accounts[target.account], account.session?.user.id == target.userID else { return }
    staleProfiles.remove(target.account)
    var person = person(of: account) ?? StoredPerson(account: target.account, userID: target.userID)
    guard person.onboarding != onboarding else { return }
    person.onboarding = onboarding
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
    let told = Self.firstTimeFacts(session.user, ticket, known: person.firstTime)
    let facts = (person.firstTime ?? FirstTimeFacts()).updated(by: told)
    guard !facts.isEmpty, facts != person.firstTime else { return }
    person.firstTime = facts
    people[name] = person
    await savePerson(name)
  }

  /// Writes what is known of the account's person, one write after the other. One that fails is made up for by the next.
  package func savePerson(_ name: String) async {
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

  /// What a sign-in tells: the caller's words first, then the server's copy of Apple's. The copy counts where nothing is known
  /// yet: later it may be another provider's, or the user's own.
  private static func firstTimeFacts(_ user: User, _ ticket: SignInTicket, known: FirstTimeFacts?) -> FirstTimeFacts {
    guard ticket.provider == .apple else { return FirstTimeFacts() }
    let metadata = user.userMetadata
    let name = metadata["full_name"] ?? metadata["name"]
    let address = user.identities?.first { $0.provider == .apple }?.email ?? user.email
    return FirstTimeFacts(
      name: ticket.told.name ?? (known?.name == nil ? name.flatMap(FirstTimeFacts.present) : nil),
      email: ticket.told.email ?? (known?.email == nil ? FirstTimeFacts.present(address) : nil))
  }
}

/// What a server says in the background about sessions that were restored.
extension Accounts {
  /// The session that is to be asked about; nil where it is not here any more, has been refreshed since, or has no good token.
  func check(_ request: CheckRequest) -> SessionCheck? {
    guard door.isOpen, let account = accounts[request.account], account.isCurrent(request.generation),
      let session = account.session, let project = project(of: account),
      tokens.freshest(account: account.name, rejected: nil, now: clock.now) != nil
    else { return nil }
    return SessionCheck(
      account: account.name, project: project, token: session.bearer, generation: account.generation)
  }

  /// What the server said about a restored session. Only the refresh grant can end one, so a refusal causes a refresh.
  func checked(_ check: SessionCheck, _ result: Result<User, AuthError>) async {
    guard let account = accounts[check.account], account.isCurrent(check.generation) else { return }
    switch result {
    case .success(let user):
      await userSeen(user, account, check.generation)
      await noticeLinks(user, of: check.account, .elsewhere)
    case .failure(let error) where error.status == 401 || error.status == 403: start(account, .start)
    case .failure: break
    }
  }

  func userSeen(_ user: User, _ account: Account, _ generation: UInt64) async {
    guard let known = account.session?.user, user.id == known.id, known.updated(by: user) != known else { return }
    await writeGate.enter(account.name)
    if accounts[account.name]?.isCurrent(generation) == true, accounts[account.name]?.unsaved == nil {
      accounts[account.name]?.userChanged(known.updated(by: user))
      if let changed = accounts[account.name] { try? await store().save(changed.stored) }
      tell(.userUpdated, account.name)
    }
    writeGate.leave(account.name)
  }
}

/// Where a user's profile lies (`profile_path`): one document at a path of the product's own API, or one row of a table that
/// PostgREST serves. Pure.
package struct ProfileAddress: Sendable, Equatable {
  package enum Form: Sendable {
    /// `GET` and `PUT` at the path; a `PUT` merges members.
    case document
    /// `GET`, `PATCH` and `POST` of a row whose `id` is the user's (Supabase's habit for `profiles`).
    case row
  }

  package let form: Form
  /// The path for reading and changing, with its filter.
  package let path: String
  /// The path for a new row.
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

/// Accounts whose profile is to be read, in the order in which that was asked. Safe from any thread.
package struct ProfileRequests: Sendable {
  package let names: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  /// Requests that may wait where nobody reads; what is dropped is asked for again after the next refresh.
  private static let waiting = 4096

  init() {
    (names, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.waiting))
  }

  func ask(_ name: String) { continuation.yield(name) }

  func finish() { continuation.finish() }
}
