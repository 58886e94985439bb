package import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// Anonymous users (WS-6).
extension SignInService {
  /// Creates an anonymous user and signs in. The request is sent once: each creates another user.
  /// - Throws: `invalidParams` if the account has a session, `wrongUser` if it belongs to a user, before anything is
  ///   sent; and the server's error.
  package func anonymous(_ params: SignInAnonymous.Params) async throws(AgentError) -> AccountStatus {
    guard !isShutDown else { throw AgentError(.notReady) }
    let ticket = try await accounts.beginSignIn(
      account: params.account, project: params.project, provider: .anonymous, replace: false)
    return try await finishing(ticket) { () throws(AgentError) in
      try await self.adoptWithoutFlow(try await self.anonymousSession(ticket), ticket)
    }
  }

  private func anonymousSession(_ ticket: SignInTicket) async throws(AgentError) -> Session {
    try await accounts.refuseAnonymous(ticket)
    do {
      return try await accounts.requests.run(throwing: { () async throws(AuthError) in
        try await ticket.project.server.signInAnonymously()
      })
    } catch {
      note(error, ticket)
      throw await accounts.explained(error, ticket.account)
    }
  }
}

/// The same methods on the page of a flow. The flow keeps its account busy.
extension SignInService {
  /// Has a code sent for the flow. Sets the flow's `code`; the link in the mail leads to the flow's listener.
  /// - Returns: the seconds until another code may be sent.
  func sendCode(onPageOf id: String, address: CodeAddress, signUp: Bool) async throws(AgentError) -> Double {
    let flow = try waitingPage(id)
    guard let target = flow.target else { throw AgentError(.flowUnknown) }
    if signUp { try await accounts.refuseSignUpOfAnotherUser(flow.ticket) }
    let ticket = flow.ticket.with(address.provider, isCode: true)
    if flow.method != ticket.authMethod { count(ticket.authMethod, chosenOnPageOf: id) }
    try await send(to: address, createUser: signUp, target, ticket)
    wait(forCodeTo: address, onPageOf: id)
    return SignInLimits.resendPause.seconds
  }

  /// Notes that a sign-up has mailed a code to confirm the address. Sets the flow's `code`.
  func codeWasSent(to email: String, onPageOf id: String) {
    guard let address = try? CodeAddress.email(checking: email) else { return }
    wait(forCodeTo: address, onPageOf: id)
  }

  private func wait(forCodeTo address: CodeAddress, onPageOf id: String) {
    guard flows[id]?.isOver == false else { return }
    flows[id]?.code = PendingCode(address, resendAt: clock.now.advanced(by: SignInLimits.resendPause))
    extend(id, by: SignInLimits.pageCodeLifetime)
  }

  /// Verifies a code in the background: the flow is `.exchanging`, then over, or waiting again with `code.refusal`.
  func verifyCode(_ code: String, onPageOf id: String) {
    guard let flow = try? waitingPage(id), let pending = flow.code else { return }
    do throws(AgentError) {
      let proof = try CodeEntry.code(checking: code).proof(pending.address, pending.purpose)
      flows[id]?.code?.refusal = nil
      // A separate task, so that a browser that disconnects does not interrupt it.
      flows[id]?.phase = .exchanging(Task { await redeem(proof, id, replace: false) })
    } catch {
      flows[id]?.code?.refusal = error
    }
  }

  /// Returns the URL of the organization's identity provider, to which the page sends the browser.
  func startSSO(domain: String, onPageOf id: String) async throws(AgentError) -> String {
    let domain = try SSODomain.checked(domain)
    var flow = try waitingPage(id)
    flow.ticket = flow.ticket.with(.sso)
    let url = try await askForSSO(domain, flow)
    _ = try waitingPage(id)
    flows[id]?.ssoStartedAt = clock.now
    count(.sso, chosenOnPageOf: id)
    extend(id, by: SignInLimits.ssoLifetime)
    return url
  }

  /// Creates an anonymous user in the background: the flow is `.exchanging`, then over, or waiting again with
  /// `lastRefusal`.
  func anonymous(onPageOf id: String) {
    guard (try? waitingPage(id)) != nil else { return }
    flows[id]?.lastRefusal = nil
    count(.anonymous, chosenOnPageOf: id)
    // A separate task, so that a browser that disconnects does not interrupt it.
    flows[id]?.phase = .exchanging(Task { await createAnonymousUser(id) })
  }

  private func createAnonymousUser(_ id: String) async -> FlowOutcome.Value {
    guard let ticket = flows[id]?.ticket.with(.anonymous) else { return .failure(AgentError(.flowUnknown)) }
    let session: Session
    do {
      session = try await anonymousSession(ticket)
    } catch {
      if case .exchanging? = flows[id]?.phase {
        flows[id]?.phase = .waiting
        flows[id]?.lastRefusal = error
      }
      return .failure(error)
    }
    guard var flow = flows[id], case .exchanging = flow.phase, !isShutDown else {
      await accounts.discard(session, of: ticket.project)
      return flows[id]?.outcome.settled ?? .failure(AgentError(.cancelled))
    }
    flow.ticket = ticket
    flows[id]?.ticket = ticket
    return await adopt(session, flow)
  }

  /// Returns the flow of a page that waits for the person.
  private func waitingPage(_ id: String) throws(AgentError) -> Flow {
    guard let flow = flows[id], case .waiting = flow.phase, flow.pagePath != nil else {
      throw AgentError(.flowUnknown)
    }
    return flow
  }
}
