package import AgentProtocol
import FoundationEssentials
import Logging
package import SupabaseAuth
package import SystemSupport

package struct SignInTicket: Sendable {
  /// Nil for a ticket that leaves the account free; see `Accounts.idleTicket`.
  package var id: Revision?
  package let account: String
  package var project: Project
  package var provider: Provider
  /// True if the user signs in with a code or with a mailed link.
  package var isCode = false
  package var replace: Bool
  /// True if the account has never had a session.
  package var isNewAccount: Bool
  /// True if there was no other account when the sign-in began.
  package var isOnlyAccount = true
  /// The name and email that Apple sent to the caller in a native sign-in.
  package var appleFacts = FirstTimeFacts()
  /// The ID of the user to whom an identity is manually linked; nil for a sign-in.
  package var linksTo: String?
  package var linkConsent = LinkConsent.notNeeded
  /// The callback was pasted, so it may be another person's: a first sign-in has to be confirmed.
  package var isPasted = false
  /// Another program started the session, at a time that is not known.
  package var isImported = false
  /// When the session was requested, if the user may have been asked something since; nil
  /// for the moment of `adopt`.
  package var askedAt: BootTime?
}

extension SignInTicket {
  /// Returns a ticket for the same sign-in with another provider, chosen on the page.
  package func with(_ provider: Provider, isCode: Bool = false) -> SignInTicket {
    var copy = self
    copy.provider = provider
    copy.isCode = isCode
    return copy
  }

  /// True if the ticket leaves the account free.
  package var isIdle: Bool { id == nil }

  /// The method for telemetry counts. These must not name a project's own providers, which are `other`; the audit
  /// log stays on this machine and has their names (`method`).
  package var authMethod: AuthMethod { isCode && provider == .email ? .code : AuthMethod(provider) }

  /// The method for the audit log: the provider's name, `email`, `code`, `phone`, `sso` or `anonymous`.
  var method: String { isCode && provider == .email ? AuthMethod.code.rawValue : provider.rawValue }
}

/// Whether the user is asked before a sign-in takes effect that the server merged into a user with other identities.
package enum LinkConsent: Sendable { case notNeeded, needed, given }

package enum Adoption: Sendable {
  /// A question that a user has to answer before a session is stored.
  package enum Question: Sendable {
    /// The server merged the sign-in, by this new identity, into a user with other identities.
    case link(Identity)
    /// A first sign-in by a pasted callback.
    case newAccount
  }

  /// The session is durable.
  case signedIn(AccountStatus)
  /// Nothing is stored; the ticket is still open.
  case question(Question)
}

/// Adopting new sessions.
extension Accounts {
  /// Begins a sign-in. Without a name it renews the default account, or creates `default` if there
  /// is none. Each account allows one at a time.
  ///
  /// - Throws: `flowBusy` if another one is running.
  package func beginSignIn(
    account name: String?, project: String?, provider: Provider, replace: Bool
  ) throws(AgentError) -> SignInTicket {
    try claimed(try idleTicket(account: name, project: project, provider: provider, replace: replace))
  }

  /// Returns the ticket of a sign-in that waits for a code. The account stays free for another sign-in until `claim`.
  package func idleTicket(
    account name: String?, project: String?, provider: Provider, replace: Bool = false
  ) throws(AgentError) -> SignInTicket {
    let name = try signInName(name)
    return SignInTicket(
      id: nil, account: name, project: try projects.choose(project ?? accounts[name]?.project), provider: provider,
      replace: replace, isNewAccount: accounts[name]?.userID == nil,
      isOnlyAccount: !accounts.keys.contains { $0 != name })
  }

  /// Returns the ticket of a waiting sign-in once it goes on: the account is busy until it ends.
  ///
  /// - Throws: `flowBusy` if another one is running; `signInNeeded` if the user to whom an address is added is gone.
  package func claim(_ idle: SignInTicket) throws(AgentError) -> SignInTicket {
    try requireOpen()
    if let user = idle.linksTo, accounts[idle.account]?.session?.user.id != user {
      throw signInNeeded(idle.account)
    }
    // The configuration may have changed since, and with it the project's client.
    var ticket = idle
    ticket.project = try projects.choose(idle.project.name)
    guard ticket.project.origin == idle.project.origin else {
      throw AgentError(.misconfigured, account: idle.account)
    }
    return try claimed(ticket)
  }

  /// - Throws: `flowBusy` if a sign-in is running for the account.
  package func refuseWhileBusy(_ name: String) throws(AgentError) {
    guard signIns[name] != nil else { return }
    throw AgentError(
      .flowBusy,
      hint: "finish it, cancel it with Ctrl-C where it runs, or take it over: "
        + "ritualctl sign-in --account \(name) --take-over",
      account: name)
  }

  private func claimed(_ idle: SignInTicket) throws(AgentError) -> SignInTicket {
    let name = idle.account
    try refuseWhileBusy(name)
    if accounts[name]?.isLater == true { throw later(name) }
    var ticket = idle
    ticket.id = Revision()
    signIns[name] = ticket.id
    ticket.isNewAccount = accounts[name]?.userID == nil
    return ticket
  }

  /// Ends the sign-in, whatever its outcome. Idempotent.
  package func endSignIn(_ ticket: SignInTicket) {
    guard let id = ticket.id, signIns[ticket.account] == id else { return }
    signIns[ticket.account] = nil
    resumeIdleWaiters()
  }

  /// Makes `session` the account's session; the session is durable when the call returns. A session of
  /// another user is rejected and revoked, and replaces nothing. Ends the ticket, unless the
  /// result is a question.
  package func adopt(_ session: Session, for asked: SignInTicket) async throws(AgentError) -> Adoption {
    // The gate may wait for a slow disk, and the token's life goes on meanwhile.
    var ticket = asked
    ticket.askedAt = asked.askedAt ?? clock.now
    let name = ticket.account
    let replaced: Revocation?
    do throws(CommitFailure) {
      let decision = try await commit(name, hasSettings: true) { draft throws(AgentError) in
        try adopt(session, ticket, &draft)
      }
      switch decision {
      case .question(let question): return .question(question)
      case .adopted(let revocation): replaced = revocation
      }
    } catch {
      if case .refused = error { await discard(session, of: ticket.project) }
      endSignIn(ticket)
      wake.signal()
      throw error.error(name)
    }
    // Read before the ticket ends, because a lock may be waiting for that.
    let account = accounts[name]
    if let replaced { await revocations.add(replaced) }
    await noticeLinks(session.user, of: name, ticket.linkWay(isMerged: mergedIdentity(session, ticket) != nil))
    await rememberNames()
    endSignIn(ticket)
    report(.signedIn(account: name, project: ticket.project.name, method: ticket.method))
    guard let account else { throw AgentError(.vaultLocked, account: name) }
    var status = describe(account)
    status.mfa = secondFactorNeed(name)
    return .signedIn(status)
  }

  private enum Decision {
    case question(Adoption.Question)
    /// With the end of the session that is replaced, if any.
    case adopted(Revocation?)
  }

  private static func question(_ ticket: SignInTicket, _ merged: Identity?) -> Adoption.Question? {
    if let merged, ticket.linkConsent == .needed { return .link(merged) }
    return ticket.isPasted && ticket.isNewAccount ? .newAccount : nil
  }

  private func adopt(
    _ session: Session, _ ticket: SignInTicket, _ draft: inout Draft
  ) throws(AgentError) -> Decision {
    let (name, project) = (ticket.account, ticket.project.name)
    if let question = Self.question(ticket, mergedIdentity(session, ticket)) { return .question(question) }
    budgets.spend(ticket.project.origin, now: clock.now)
    if let refusal = refusal(of: session, ticket) { throw refusal }
    var new = StoredSession(
      session, origin: ticket.project.origin, provider: ticket.provider.rawValue, signedInAt: clock.wall,
      asked: ticket.askedAt, clock: clock)
    new.apiOrigin = ticket.project.apiOrigin
    if ticket.isImported { new.isImported = true }
    if machine.isCopy { new.machine = machine.machineTag }
    draft.person = firstTime(session, ticket)
    // This machine must not end a session that another machine uses.
    let old = draft.account.flatMap { $0.isCopied ? nil : $0.newest }
    var replaced: Revocation?
    if let old, old.refreshToken != new.refreshToken { replaced = revocation(of: old, account: name, project, .local) }
    replaced?.isReplaced = true
    draft.revocations = [replaced].compactMap { $0 }
    var refused = revocation(of: new, account: "", project, .local)
    refused.isReplaced = true
    draft.revocationsIfUndone = [refused]
    let becomesDefault = draft.settings.defaultAccount == nil
    if becomesDefault { draft.settings.defaultAccount = name }
    let (clock, policy) = (clock, policy)
    draft.change(or: Account(name: name, project: project)) { account in
      account.signedIn(
        new, factors: session.user.factors, skew: account.clockSkew(clock) ?? 0, project: project, now: clock.now,
        policy: policy)
    }
    draft.then = { [self] in
      tokens.use()
      tell(.signedIn, name)
      if becomesDefault { tell(.defaultChanged, name) }
      waiters.resume(name, returning: .success(()))
      noteServerClock(session, name, at: ticket.askedAt)
      askForProfile(name)
    }
    return .adopted(replaced)
  }

  private func refusal(of session: Session, _ ticket: SignInTicket) -> AgentError? {
    if lockState.isLocked { return AgentError(.vaultLocked, account: ticket.account) }
    guard let id = ticket.id, signIns[ticket.account] == id else { return AgentError(.cancelled) }
    if let refusal = linkRefusal(of: session, ticket) { return refusal }
    guard let known = accounts[ticket.account]?.userID, known != session.user.id, !ticket.replace else { return nil }
    return AgentError(
      .wrongUser, Self.wrongUserMessage(session.user, ticket.provider), hint: wrongUserHint(ticket.account),
      account: ticket.account)
  }

  private func wrongUserHint(_ name: String) -> String {
    guard accounts[name]?.isAnonymous == true else { return "use --replace, or another --account" }
    return "to keep the anonymous user, add a sign-in method: ritualctl link PROVIDER --account \(name); "
      + "--replace loses this user for good"
  }

  /// Also states the effect at the server: a sign-in through a provider creates a user who was not
  /// known before.
  private static func wrongUserMessage(_ user: User, _ provider: Provider) -> String {
    let message = "\(ErrorKind.wrongUser.facts.message) The new session was revoked."
    guard provider != .email, let created = user.createdAt, let signedIn = user.lastSignInAt,
      signedIn.timeIntervalSince(created) < 10
    else { return message }
    return message + " The server created this user during the sign-in; the user still exists."
  }

  /// Refuses a sign-up for an account that has a user, before anything is sent: a sign-up creates
  /// another user.
  package func refuseSignUpOfAnotherUser(_ ticket: SignInTicket) throws(AgentError) {
    guard accounts[ticket.account]?.userID != nil, !ticket.replace else { return }
    throw AgentError(
      .wrongUser,
      "Account \(ticket.account) already belongs to a user, and a sign-up would create another. Nothing was sent.",
      hint: "use another account name with --account NAME, or add --replace", account: ticket.account)
  }

  /// Refuses a code or a mailed link of an address that is not the one of the account's user, before anything is sent:
  /// the sign-in would be another user's. An address that is not known decides nothing.
  /// - Parameter isAddress: whether an email address or a phone number is the one of the code.
  package func refuseAnotherUser(
    _ ticket: SignInTicket, unless isAddress: (_ email: String?, _ phone: String?) -> Bool?
  ) throws(AgentError) {
    guard !ticket.replace, ticket.linksTo == nil, let account = accounts[ticket.account], account.userID != nil else {
      return
    }
    guard account.isAnonymous || isAddress(account.email, account.session?.user.phone) == false else { return }
    throw AgentError(
      .wrongUser, "Account \(ticket.account) belongs to another user. Nothing was sent.",
      hint: wrongUserHint(ticket.account), account: ticket.account)
  }

  /// Returns whether the user of one of the project's accounts has an address.
  /// - Parameter isAddress: whether an email address or a phone number is this one.
  package func hasAddress(
    of project: Project, _ isAddress: (_ email: String?, _ phone: String?) -> Bool?
  ) -> Bool {
    accounts.values.contains { account in
      account.project == project.name && isAddress(account.email, account.session?.user.phone) == true
    }
  }

  /// Refuses an anonymous sign-in for an account that has a user, before anything is sent: it creates another user.
  package func refuseAnonymous(_ ticket: SignInTicket) throws(AgentError) {
    guard let account = accounts[ticket.account] else { return }
    if account.session != nil {
      throw AgentError(
        .invalidParams, "This account already has a session.", hint: "use another account name with --account NAME",
        account: ticket.account)
    }
    guard account.userID != nil else { return }
    throw AgentError(
      .wrongUser,
      "Account \(ticket.account) already belongs to a user, and an anonymous sign-in would create another. "
        + "Nothing was sent.", hint: "use another account name with --account NAME", account: ticket.account)
  }

  /// Sets the default account, or that of a directory (`ritualctl use`).
  package func use(_ params: SessionUse.Params) async throws(AgentError) -> AccountStatus {
    guard let directory = params.directory else {
      guard params.forget != true else { throw AgentError(.invalidParams, "Parameter directory is missing.") }
      return try await use(params.account)
    }
    guard DirectoryAccount.isResolved(directory) else { throw .unresolvedDirectory }
    return params.forget == true ? try await forget(directory) : try await use(params.account, in: directory)
  }

  private func use(_ name: String?, in directory: String) async throws(AgentError) -> AccountStatus {
    let claimed = try resolve(name).name
    // As below: the account is neither renamed nor removed meanwhile.
    return try await writeGate.inside([claimed]) {
      (_: borrowing AsyncGate.Held) async throws(AgentError) -> AccountStatus in
      let account = try resolve(name)
      var isFull = false
      try await changeSettings { isFull = !$0.set(account.name, for: directory) }
      guard !isFull else {
        throw AgentError(
          .invalidParams, "At most \(StoredSettings.maxDirectories) directories can have an account.",
          hint: "ritualctl use --forget DIRECTORY")
      }
      return describe(account)
    }
  }

  private func forget(_ directory: String) async throws(AgentError) -> AccountStatus {
    try requireOpen()
    var forgotten: String?
    try await changeSettings { forgotten = $0.forget(directory) }
    guard let forgotten else {
      throw AgentError(
        .invalidParams, "No account is set for \(ForeignText.shown(directory, limit: 1000)).",
        hint: "ritualctl use --list")
    }
    return describe(accounts[forgotten] ?? Account(name: forgotten, project: ""))
  }

  /// Sets the default account.
  package func use(_ name: String?) async throws(AgentError) -> AccountStatus {
    let claimed = try resolve(name).name
    // Inside the gate, the account is neither renamed nor removed. Both may have happened before it was
    // entered.
    return try await writeGate.inside([claimed]) {
      (_: borrowing AsyncGate.Held) async throws(AgentError) -> AccountStatus in
      let account = try resolve(name)
      if settings.defaultAccount != account.name {
        try await changeSettings { $0.defaultAccount = account.name }
        await rememberNames()
        tell(.defaultChanged, account.name)
      }
      return describe(account)
    }
  }
}

extension StoredSettings {
  /// The maximum number of directories with an account: far more than a person sets, and with the longest
  /// paths a quarter of what a record can hold.
  static let maxDirectories = 64

  /// Makes `new` take over what is set for the account `old`.
  mutating func rename(_ old: String, to new: String) {
    if defaultAccount == old { defaultAccount = new }
    for index in (directories ?? []).indices where directories?[index].account == old {
      directories?[index].account = new
    }
  }

  /// Sets the account of a directory. Returns false if there are too many.
  fileprivate mutating func set(_ account: String, for directory: String) -> Bool {
    let former = self
    _ = forget(directory)
    guard directories?.count ?? 0 < Self.maxDirectories else {
      self = former
      return false
    }
    directories = ((directories ?? []) + [DirectoryAccount(directory: directory, account: account)])
      .sorted { $0.directory < $1.directory }
    return true
  }

  /// Returns the account that was set for the directory.
  fileprivate mutating func forget(_ directory: String) -> String? {
    // Two paths that differ only in their Unicode normalization are equal as texts, but not as files.
    guard let index = directories?.firstIndex(where: { $0.directory.utf8.elementsEqual(directory.utf8) }) else {
      return nil
    }
    let forgotten = directories?.remove(at: index).account
    if directories?.isEmpty == true { directories = nil }
    return forgotten
  }
}

extension AgentError {
  /// The error for a directory that is not in the form of `DirectoryAccount.isResolved`.
  package static let unresolvedDirectory = AgentError(
    .invalidParams,
    "`directory` must be an absolute path of at most \(DirectoryAccount.maxLength) bytes, without symbolic links, dot "
      + "segments and a slash at its end.")
}
