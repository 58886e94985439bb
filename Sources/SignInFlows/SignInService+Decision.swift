import AgentConfiguration
package import AgentProtocol
import Logging
import SessionEngine
import SupabaseAuth
import SystemSupport

/// `[linking] policy = "confirm"`: if the server merged a sign-in into a user with other
/// sign-in methods, the person is asked before the sign-in takes effect here. Until then the
/// session is only in memory.
extension SignInService {
  /// Answers a `decisionNeeded`. If the answer is no, the session is revoked, and all callers get
  /// `cancelled`.
  /// - Throws: `flowUnknown` if no decision is pending, and the errors of storing the session or of
  ///   unlinking.
  package func decide(_ params: IdentityDecide.Params) async throws(AgentError) -> SignInResult {
    let result = await deliver(.decided(accept: params.accept), to: params.flow, waits: true)
    return try (result ?? .failure(AgentError(.flowUnknown))).get()
  }

  /// Ends a session that is not stored, and unlinks the identity that its sign-in linked.
  @discardableResult
  func discard(
    _ session: Session, linked identity: Identity?, _ ticket: SignInTicket,
    within limit: Duration? = SignInLimits.unlinkTimeout
  ) async -> AgentError {
    var identity = identity
    if identity == nil, ticket.linkConsent == .needed { identity = await accounts.mergedIdentity(session, ticket) }
    if let identity, ticket.linkConsent != .notNeeded {
      return await undoLink(identity, session, ticket, within: limit)
    }
    await accounts.discard(session, of: ticket.project)
    return AgentError(.cancelled, account: ticket.account)
  }

  /// Unlinks the identity of a declined sign-in and discards its session.
  /// - Returns: `cancelled` if the sign-in was undone completely; else an error that names the
  ///   remaining link and who can remove it.
  func undoLink(
    _ identity: Identity, _ session: Session, _ ticket: SignInTicket, within limit: Duration? = nil
  ) async -> AgentError {
    // A separate task: the identity is unlinked even if the caller disconnects.
    let failure = await Task { () async -> AuthError? in
      let id = identity.identityID
      guard let limit else { return await unlink(id, session, ticket.project) }
      do {
        return try await withTimeout(limit, clock) { await self.unlink(id, session, ticket.project) }
      } catch {
        return AuthError(.timeout, "the request timed out")
      }
    }.value
    await accounts.discard(session, of: ticket.project)
    await accounts.notice(identity, ticket, failure == nil ? .declined : .declinedInVain)
    guard let failure else { return AgentError(.cancelled, account: ticket.account) }
    note(failure, ticket)
    let stays =
      "\(Self.shown(ticket.provider)) is still linked to the account of "
      + "\(ForeignText.shown(StoredUser(session.user).email ?? session.user.id, limit: 100)); the sign-in was undone."
    guard failure.code == .manualLinkingDisabled else {
      return AgentError(
        await accounts.explained(failure, ticket.account).kind, "The server did not unlink it: " + stays,
        hint: "sign in to that account, then run: ritualctl identities, ritualctl unlink ID", account: ticket.account)
    }
    return AgentError(
      .linkingDisabled, "The project does not allow unlinking: " + stays, hint: LinkMessages.whoCanRemove,
      account: ticket.account)
  }

  /// Unlinks the identity and returns the error, if any. After a lost response, the request is sent
  /// once more.
  private func unlink(_ identity: String, _ session: Session, _ project: Project) async -> AuthError? {
    var failure = await unlinkOnce(identity, session, project)
    if let code = failure?.code, [.network, .timeout, .serverUnavailable, .unreadable].contains(code) {
      failure = await unlinkOnce(identity, session, project)
      // The lost response may have been a success. Then one identity is left, and the server
      // reports that first.
      if failure?.code == .lastIdentity, await isGone(identity, session, project) { failure = nil }
    }
    switch failure?.code {
    case nil: await accounts.noteManualLinking(project, true)
    case .manualLinkingDisabled?: await accounts.noteManualLinking(project, false)
    default: break
    }
    return failure?.code == .identityNotFound ? nil : failure
  }

  private func unlinkOnce(_ identity: String, _ session: Session, _ project: Project) async -> AuthError? {
    let result = await accounts.requests.result { () throws(AuthError) in
      try await project.server.unlink(identity: identity, session.accessToken)
    }
    guard case .failure(let error) = result else { return nil }
    return error
  }

  private func isGone(_ identity: String, _ session: Session, _ project: Project) async -> Bool {
    let user = await accounts.requests.run { try? await project.server.user(session.accessToken) }
    return user?.identities.map { !$0.contains { $0.identityID == identity } } ?? false
  }

  // MARK: - Without a flow

  /// Adopts the session of a sign-in whose user cannot be asked: a link without consent is undone.
  /// - Throws: `linkingConflict`; `linkingDisabled` if the identity stays linked; what `Accounts.adopt` throws.
  func adoptWithoutFlow(_ session: Session, _ ticket: SignInTicket) async throws(AgentError) -> AccountStatus {
    switch try await accounts.adopt(session, for: ticket) {
    case .signedIn(let account):
      await endFactorQuestions(of: account.name, .failure(AgentError(.cancelled, account: account.name)))
      return account
    case .question(.newAccount): throw AgentError(.cancelled, account: ticket.account)
    case .question(.link(let identity)):
      let error = await undoLink(identity, session, ticket)
      guard error.kind == .cancelled else { throw error }
      throw AgentError(
        .linkingConflict, hint: "to link \(Self.shown(ticket.provider)) to it, sign in again and add --yes",
        account: ticket.account)
    }
  }

  // MARK: - Warning before a sign-in

  /// Returns a warning before a sign-in whose link could not be undone, or nil.
  func linkWarning(_ ticket: SignInTicket) async -> String? {
    guard settings().confirmsLinks, ticket.linksTo == nil else { return nil }
    let allowed = await accounts.allowsManualLinking(ticket.project)
    guard allowed != true else { return nil }
    return
      "if an account with your email address already exists, the server links the two before you are asked, and this "
      + "project \(allowed == nil ? "may" : "does") not allow undoing that; then "
      + "only the project's administrator can remove it"
  }

  private static func shown(_ provider: Provider) -> String { ProviderName.shown(provider.rawValue) }
}

extension SignInDecision {
  /// The identity that the server linked, if the question is about a link.
  var linked: Identity? {
    identity.map { Identity(identityID: $0.identityID, provider: Provider(rawValue: $0.provider)) }
  }

  init(_ question: Adoption.Question, _ user: User, _ ticket: SignInTicket, flow: String) {
    let stored = StoredUser(user)
    let user = AccountUser(
      id: stored.id, email: stored.email, name: stored.name, provider: ticket.provider.rawValue, phone: stored.phone,
      isAnonymous: stored.isAnonymous)
    switch question {
    case .newAccount: self.init(kind: "newAccount", flow: flow, account: ticket.account, user: user)
    case .link(let identity):
      self.init(
        kind: Self.link, flow: flow, account: ticket.account, user: user,
        identity: stored.identities.first { $0.identityID == identity.identityID },
        others: stored.identities.filter { $0.identityID != identity.identityID })
    }
  }
}
