import AgentConfiguration
package import AgentProtocol
import Logging
import SessionEngine
import SupabaseAuth
import SystemSupport

/// `[linking] policy = "confirm"` (LK-2): where a sign-in was merged into a user that has other ways to sign in, the person is
/// asked before it takes effect here. Until then the session is in memory alone.
extension SignInService {
  /// What is to be asked; nil where there is nothing to ask.
  func linkDecision(_ session: Session, _ ticket: SignInTicket, flow: String) async -> SignInDecision? {
    guard settings().confirmsLinks, ticket.linksTo == nil else { return nil }
    let known = await accounts.knownIdentities(of: ticket.account, user: session.user.id)
    guard let identity = LinkDetection.merged(session.user, by: ticket.provider, known: known) else { return nil }
    let user = StoredUser(session.user)
    return SignInDecision(
      kind: SignInDecision.link, flow: flow, account: ticket.account,
      user: AccountUser(id: user.id, email: user.email, name: user.name, provider: ticket.provider.rawValue),
      identity: user.identities.first { $0.identityID == identity.identityID },
      others: user.identities.filter { $0.identityID != identity.identityID })
  }

  /// What the exchange of a flow's code brought, held against the policy.
  func linkDecision(_ verdict: ExchangeVerdict, _ flow: Flow) async -> SignInDecision? {
    guard case .session(let session) = verdict else { return nil }
    return await linkDecision(session, flow.ticket, flow: flow.id)
  }

  /// Has the person asked: by whoever waits for the flow, and by the page.
  func ask(_ decision: SignInDecision, _ session: Session, _ flow: Flow) -> FlowOutcome.Value {
    let result = FlowOutcome.Value.success(SignInResult(.decisionNeeded, decision: decision))
    flows[flow.id]?.phase = .deciding(session, decision)
    flow.question.settle(result)
    return result
  }

  /// What `signIn.wait` answers at once; nil where nobody has to decide.
  func pendingQuestion(_ flow: Flow) -> SignInResult? {
    guard case .deciding(_, let decision) = flow.phase, decision.kind == SignInDecision.link else { return nil }
    return SignInResult(.decisionNeeded, decision: decision)
  }

  /// A no: unlinks the new identity, ends the session, and says so.
  func declineLink(_ session: Session, _ decision: SignInDecision, _ flow: Flow) async -> AgentError {
    // Too late for anybody else to decide.
    flows[flow.id]?.phase = .adopting
    let error = await undoLink(session, decision, flow.ticket)
    if let flow = flows[flow.id] { await close(flow, .failure(error)) }
    return error
  }

  /// Lets go of a session that is not taken, and takes back what it linked. Nobody is there to be told.
  func letGo(_ session: Session, _ decision: SignInDecision?, _ ticket: SignInTicket) async {
    guard let decision, decision.kind == SignInDecision.link else {
      return await accounts.discard(session, of: ticket.project)
    }
    _ = await undoLink(session, decision, ticket, within: SignInBounds.unlinking)
  }

  /// - Returns: `cancelled` where nothing is left of the sign-in; else what stays linked, and who can remove it.
  func undoLink(
    _ session: Session, _ decision: SignInDecision, _ ticket: SignInTicket, within limit: Duration? = nil
  ) async -> AgentError {
    let identity = decision.identity?.identityID ?? ""
    // A task of its own: the caller may disconnect, and the identity is unlinked all the same.
    let failure = await Task { () async -> AuthError? in
      guard let limit else { return await unlink(identity, session, ticket.project) }
      do {
        return try await withTimeout(limit, clock) { await self.unlink(identity, session, ticket.project) }
      } catch {
        return AuthError(.timeout, "no answer in time")
      }
    }.value
    await accounts.discard(session, of: ticket.project)
    await accounts.notice(decision, ticket, failure == nil ? .declined : .declinedInVain)
    guard let failure else { return AgentError(.cancelled, account: ticket.account) }
    note(failure, ticket)
    let stays =
      "\(Self.shown(ticket.provider)) stays linked to the account of "
      + "\(ForeignText.shown(decision.user.email ?? decision.user.id, limit: 100)); the sign-in was undone."
    guard failure.code == .manualLinkingDisabled else {
      return AgentError(
        await accounts.explained(failure, ticket.account).kind, "The server could not be asked to unlink it: " + stays,
        hint: "sign in to that account, then see: ritualctl identities, ritualctl unlink ID", account: ticket.account)
    }
    return AgentError(
      .linkingDisabled, "The project does not allow unlinking: " + stays, hint: LinkWords.whoCanRemove,
      account: ticket.account)
  }

  /// Why it could not be unlinked. An answer that was lost is asked for once more.
  private func unlink(_ identity: String, _ session: Session, _ project: Project) async -> AuthError? {
    var failure = await unlinkOnce(identity, session, project)
    if let code = failure?.code, [.network, .timeout, .serverUnavailable, .unreadable].contains(code) {
      failure = await unlinkOnce(identity, session, project)
      // The lost answer may have been a yes: then one identity is left, and the server says so first.
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
    await accounts.requests.run { () async -> AuthError? in
      do throws(AuthError) {
        try await project.server.unlink(identity: identity, session.accessToken)
        return nil
      } catch {
        return error
      }
    }
  }

  private func isGone(_ identity: String, _ session: Session, _ project: Project) async -> Bool {
    let user = await accounts.requests.run { try? await project.server.user(session.accessToken) }
    return user?.identities.map { !$0.contains { $0.identityID == identity } } ?? false
  }

  // MARK: - Without a flow

  /// The policy for a sign-in that nobody can be asked about: it is undone unless the caller said yes beforehand.
  /// - Throws: `linkingConflict`; `linkingDisabled` where it stays linked.
  func confirm(_ session: Session, _ ticket: SignInTicket, accepted: Bool) async throws(AgentError) -> SignInTicket {
    guard let decision = await linkDecision(session, ticket, flow: "") else { return ticket }
    guard !accepted else { return ticket.confirmed }
    let error = await undoLink(session, decision, ticket)
    guard error.kind == .cancelled else { throw error }
    throw AgentError(
      .linkingConflict, hint: "to link \(Self.shown(ticket.provider)) to it, sign in again and add --yes",
      account: ticket.account)
  }

  // MARK: - Beforehand

  /// What a person has to know before a sign-in that cannot be taken back (LK-2).
  func linkWarning(_ ticket: SignInTicket) async -> String? {
    guard settings().confirmsLinks, ticket.linksTo == nil else { return nil }
    let allowed = await accounts.allowsManualLinking(ticket.project)
    guard allowed != true else { return nil }
    return
      "if the address that you sign in with has an account already, the server links the two before you are asked, and this "
      + "project \(allowed == nil ? "may" : "does") not allow taking that back; then "
      + "only whoever runs the project can remove it"
  }

  private static func shown(_ provider: Provider) -> String {
    switch provider {
    case .apple: "Apple"
    case .google: "Google"
    default: ForeignText.shown(provider.rawValue, limit: 40)
    }
  }
}

extension SignInTicket {
  /// The person agreed to the link.
  var confirmed: SignInTicket {
    var copy = self
    copy.isConfirmed = true
    return copy
  }
}

/// Linking another way to sign in by hand (LK-3): a flow as for a sign-in, with the same callbacks and checks, whose authorize
/// address the server makes for the user. It ends in a new session of the same user, which replaces the old one: the new
/// one is durable before the old one is let go.
extension SignInService {
  /// - Throws: `linkingDisabled`, `flowBusy`, `tooMany`, `signInNeeded`, and what the server answered.
  package func link(_ params: IdentityLink.Params) async throws(AgentError) -> SignInStart.Result {
    let start = SignInStart.Params(
      account: params.account, provider: params.provider, redirect: params.redirect, timeout: params.timeout,
      port: params.port)
    let request = try FlowRequest(start, settings())
    guard let provider = request.provider else { throw AgentError(.invalidParams, "The provider is apple or google.") }
    try checkRoom()
    let locks = locks
    let ticket = try await accounts.beginLink(params.account, provider)
    do {
      var flow = try await prepare(request, ticket)
      flow.linkURL = try await linkURL(for: flow)
      return try await begin(flow, locks)
    } catch {
      await accounts.endSignIn(ticket)
      throw error
    }
  }

  private func linkURL(for flow: Flow) async throws(AgentError) -> String {
    let (provider, redirect) = (flow.ticket.provider, flow.redirect.address(attempt: flow.state))
    let challenge = flow.pkce?.challenge ?? ""
    do {
      let url = try await BearerCalls(accounts: accounts).run(flow.ticket.account) { server, token throws(AuthError) in
        try await server.linkURL(provider: provider, redirectTo: redirect, challenge: challenge, token)
      }
      await accounts.noteManualLinking(flow.ticket.project, true)
      return url
    } catch {
      await flow.listener?.close()
      throw error
    }
  }
}
