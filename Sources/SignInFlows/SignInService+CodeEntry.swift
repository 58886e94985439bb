import AgentConfiguration
package import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// Verifies codes and mailed links (WS-2, WS-3, WS-4). Each is sent once: a success uses it up, also if the response is
/// lost, and the server does not guard against parallel use.
extension SignInService {
  /// Signs in with a code, or with a link from a mail.
  /// - Throws: `codeInvalid` while the flow goes on; `wrongUser`, before anything is sent if the account is known to
  ///   belong to another address; `rateLimited` after too many attempts; and the server's error.
  package func verifyCode(_ params: SignInVerifyCode.Params) async throws(AgentError) -> AccountStatus {
    guard let id = params.flow else { return try await verifyByAddress(params) }
    guard params.email == nil, params.phone == nil else {
      throw AgentError(.invalidParams, "Name either a flow or an address.")
    }
    return try await verify(params, in: id)
  }

  private func verifyByAddress(_ params: SignInVerifyCode.Params) async throws(AgentError) -> AccountStatus {
    let address = try CodeAddress.only(email: params.email, phone: params.phone)
    let purpose = try CodePurpose.known(params.purpose)
    var idle = try await idleTicket(params.account, params.project, address, purpose)
    idle.replace = params.replace ?? false
    let proof = try CodeEntry.only(code: params.code, link: params.link, idle.project).proof(address, purpose)
    if let running = codeFlow(of: idle, address, purpose) { return try await verify(params, in: running.id) }
    guard !isShutDown else { throw AgentError(.notReady) }
    let ticket = try await accounts.claim(idle)
    return try await finishing(ticket) { () throws(AgentError) in
      let session = try await self.verified(proof, address, ticket)
      return try await self.adoptWithoutFlow(session, ticket)
    }
  }

  /// Runs a sign-in that a caller's disconnection does not interrupt, because a success cannot be repeated. A lock and
  /// the agent's end cancel it.
  func finishing(
    _ ticket: SignInTicket, _ body: @escaping @Sendable () async throws(AgentError) -> AccountStatus
  ) async throws(AgentError) -> AccountStatus {
    let task = Task { () async -> Result<AccountStatus, AgentError> in
      do throws(AgentError) {
        return .success(
          try await ending(ticket, ticket.authMethod) { () throws(AgentError) in
            // The agent may have stopped before the task was registered.
            guard !isShutDown else { throw AgentError(.notReady) }
            return try await body()
          })
      } catch {
        return .failure(error)
      }
    }
    imports[ticket.id] = task
    let result = await task.value
    imports[ticket.id] = nil
    return try result.get()
  }

  private func verify(_ params: SignInVerifyCode.Params, in id: String) async throws(AgentError) -> AccountStatus {
    await expire(id)
    guard let flow = flows[id], !flow.isOver else { throw AgentError(.flowUnknown) }
    guard let code = flow.code else {
      throw AgentError(.invalidParams, "This sign-in does not wait for a code.", account: flow.ticket.account)
    }
    let proof = try CodeEntry.only(code: params.code, link: params.link, flow.ticket.project)
      .proof(code.address, code.purpose)
    let result = try await verify(proof, id, replace: params.replace ?? flow.ticket.replace).get()
    guard let account = result.account else { throw AgentError(.flowUnknown) }
    return account
  }

  /// Verifies in a separate task, so that a caller that disconnects does not interrupt it. While one verification runs,
  /// another gets the same result. A callback that fails does not stand for the code.
  private func verify(_ proof: CodeProof, _ id: String, replace: Bool) async -> FlowOutcome.Value {
    switch flows[id]?.phase {
    case .waiting?:
      let task = Task { await redeem(proof, id, replace: replace) }
      flows[id]?.phase = .exchanging(task)
      return await task.value
    case .exchanging(let task)?:
      let isCallback = flows[id]?.isRedeemingCallback == true
      let result = await task.value
      guard isCallback, case .failure = result, case .waiting? = flows[id]?.phase else { return result }
      return await verify(proof, id, replace: replace)
    case .adopting?:
      do { return .success(try await wait(id)) } catch { return .failure(error) }
    case .deciding?, .over?, nil: return .failure(AgentError(.flowUnknown))
    }
  }

  func redeem(_ proof: CodeProof, _ id: String, replace: Bool) async -> FlowOutcome.Value {
    guard let flow = flows[id], let code = flow.code else { return .failure(AgentError(.flowUnknown)) }
    flows[id]?.isVerifying = true
    defer { flows[id]?.isVerifying = false }
    let session: Session
    var ticket: SignInTicket
    do throws(AgentError) {
      try await claim(id)
      ticket = (flows[id]?.ticket ?? flow.ticket).with(code.address.provider, isCode: true)
      if flow.isCodeFlow { ticket.replace = replace }
      session = try await verified(proof, code.address, ticket)
    } catch {
      return await codeRefused(error, id)
    }
    guard var flow = flows[id], case .exchanging = flow.phase, !isShutDown else {
      await accounts.discard(session, of: ticket.project)
      return flows[id]?.outcome.settled ?? .failure(AgentError(.cancelled))
    }
    flow.ticket = ticket
    flows[id]?.ticket = ticket
    return await adopt(session, flow)
  }

  /// Returns the flow to `waiting`, so that the person can try again.
  private func codeRefused(_ error: AgentError, _ id: String) async -> FlowOutcome.Value {
    // A lock has begun.
    if let ending = flows[id]?.requestedEnd {
      await end(id, ending)
      return ending
    }
    await release(id)
    if case .exchanging? = flows[id]?.phase {
      flows[id]?.phase = .waiting
      flows[id]?.code?.refusal = error
    }
    return .failure(error)
  }

  /// Makes one attempt for a sign-in in progress. A link counts for the address that is named with it, and which its user
  /// must have.
  /// - Throws: `wrongUser` if the session is not this address's; it is then revoked.
  private func verified(
    _ proof: CodeProof, _ address: CodeAddress, _ ticket: SignInTicket
  ) async throws(AgentError) -> Session {
    try await accounts.refuseAnotherUser(ticket) { address.isAmong(email: $0, phone: $1) }
    let (attempt, result) = try await counted([.code], address, ticket) { server throws(AuthError) in
      try await server.verify(proof)
    }
    let session: Session?
    do {
      session = try result.get()
    } catch {
      note(error, ticket)
      throw await Self.lost(error, accounts.explained(error, ticket.account))
    }
    guard let session else {
      accounts.attempts.guessed(attempt)
      throw AgentError(
        .serviceUnavailable, "The project wants another confirmation first.",
        hint: "open the link in the mail to the other address", account: ticket.account)
    }
    if ticket.linksTo == nil, let refusal = await refusal(of: session, address, ticket) { throw refusal }
    accounts.attempts.guessed(attempt)
    return session
  }

  /// Adds that a code may be used up if the response was lost.
  private static func lost(_ error: AuthError, _ told: AgentError) -> AgentError {
    guard [.network, .timeout, .unreadable].contains(error.code), told.data.hint == nil else { return told }
    var told = told
    told.data.hint = "the code may have been used up; if it is refused now, request another one"
    return told
  }

  /// Handles a mailed link that was opened too late for the exchange: it has confirmed the address and used up the code.
  func openedTooLate(_ id: String, _ error: AgentError) async -> FlowOutcome.Value {
    guard let flow = flows[id], let code = flow.code else { return .failure(error) }
    flows[id]?.code?.isSpent = true
    if code.purpose == .link, let account = try? await refreshedStatus(flow.ticket.account),
      code.address.isAmong(email: account.user?.email, phone: nil) == true
    {
      let result = FlowOutcome.Value.success(SignInResult(.signedIn, account: account))
      await end(id, result)
      return result
    }
    return await resumeWaiting(
      id,
      AgentError(
        .callbackInvalid, "The link was opened too late; your address is confirmed. Send another code.",
        account: flow.ticket.account))
  }

  /// Returns why the session of a code flow's mailed link is not stored, after revoking it; nil if nothing is wrong.
  func refusal(of session: Session, _ flow: Flow) async -> AgentError? {
    guard flow.isCodeFlow, let code = flow.code, code.purpose == .signIn else { return nil }
    return await refusal(of: session, code.address, flow.ticket)
  }

  /// A pasted link can be another person's: the address that was named must be the user's (SI-15).
  private func refusal(of session: Session, _ address: CodeAddress, _ ticket: SignInTicket) async -> AgentError? {
    guard !address.belongs(to: session.user) else { return nil }
    await accounts.discard(session, of: ticket.project)
    return AgentError(
      .wrongUser, "This belongs to another address than the one that was named. The new session was revoked.",
      account: ticket.account)
  }

  // MARK: - The account of a code flow

  /// Makes the account of a waiting code flow busy for an exchange. No effect for another flow.
  /// - Throws: `flowBusy`; the flow's own error if it ended meanwhile.
  func claim(_ id: String) async throws(AgentError) {
    guard let idle = flows[id]?.ticket, idle.isIdle else { return }
    let ticket = try await accounts.claim(idle)
    guard case .exchanging? = flows[id]?.phase, !isShutDown else {
      await accounts.endSignIn(ticket)
      guard case .failure(let error)? = flows[id]?.outcome.settled else { throw AgentError(.cancelled) }
      throw error
    }
    flows[id]?.ticket = ticket
  }

  /// Frees the account of a code flow that waits again.
  func release(_ id: String) async {
    guard let flow = flows[id], flow.isCodeFlow, !flow.isOver, !flow.ticket.isIdle else { return }
    flows[id]?.ticket.id = nil
    await accounts.endSignIn(flow.ticket)
  }
}
