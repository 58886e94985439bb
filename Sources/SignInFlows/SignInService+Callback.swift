import AgentConfiguration
package import AgentProtocol
import Logging
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The source of a callback.
enum CallbackSource: Sendable, Hashable {
  /// The loopback listener of this flow.
  case browser(flow: String)
  /// `signIn.complete`: pasted by a person, or from the handler of the custom scheme.
  case submitted
}

/// Processes callbacks from loopback, scheme and paste (SI-7).
extension SignInService {
  /// Completes a sign-in with the URL on which a browser ended.
  /// - Parameter canAsk: false if the caller cannot ask a person; a pasted first sign-in is then
  ///   rejected before its code is sent.
  /// - Returns: `signedIn`, or `decisionNeeded` if a person must confirm the sign-in.
  /// - Throws: `callbackInvalid`, `flowUnknown` for a flow that is over, and the server's error.
  package func complete(_ callback: String, canAsk: Bool = true) async throws(AgentError) -> SignInResult {
    try await receive(callback, .submitted, canAsk: canAsk)
  }

  /// The only entry point for callbacks. A rejected callback leaves its flow unchanged, up to four
  /// times (SI-8).
  func receive(
    _ text: String, _ source: CallbackSource, canAsk: Bool = true
  ) async throws(AgentError) -> SignInResult {
    let callback = CallbackURL(text)
    guard let flow = flow(of: callback, source) else { throw await refuseUnmatched(callback, source) }
    await expire(flow.id)
    guard flows[flow.id]?.isOver == false else { throw AgentError(.flowUnknown, account: flow.ticket.account) }
    switch callback.answer {
    case .invalid(let fault): throw await refuse(flow.id, fault.error)
    // A mailed link that no longer works leaves the code and a newer mail usable.
    case .failed(let code) where flow.isCodeFlow || code == "otp_expired":
      throw await refuse(flow.id, CallbackRefusal.error(code, account: flow.ticket.account))
    case .cancelled: throw await endIfWaiting(flow.id, AgentError(.cancelled))
    case .failed(let code):
      logger.notice("the browser returned with an error", metadata: ["code": "\(ForeignText.shown(code, limit: 64))"])
      throw await endIfWaiting(flow.id, CallbackRefusal.error(code, account: flow.ticket.account))
    case .code(let code):
      if !canAsk { try refuseUnconfirmed(flow, source) }
      return try await redeem(code, flow.id, source)
    }
  }

  /// Rejects a code that needs a person's confirmation if no person can be asked. The code is not
  /// sent, because it can be used only once.
  private func refuseUnconfirmed(_ flow: Flow, _ source: CallbackSource) throws(AgentError) {
    guard flow.isPasted(source), flow.ticket.isNewAccount else { return }
    throw AgentError(
      .invalidParams,
      "A first sign-in with a pasted URL must be confirmed, and there is no terminal to ask. Nothing was sent.",
      hint: "to skip the confirmation: ritualctl complete-sign-in --yes", account: flow.ticket.account)
  }

  // MARK: - Matching a callback to its flow

  private func candidates(_ source: CallbackSource) -> [Flow] {
    switch source {
    case .browser(let id): flows[id].map { [$0] } ?? []
    // A flow that asks for a second factor has the state of its sign-in.
    case .submitted: flows.values.filter { $0.factor == nil }
    }
  }

  private func flow(of callback: CallbackURL, _ source: CallbackSource) -> Flow? {
    guard let attempt = callback.attempt else { return nil }
    let matching = candidates(source).filter { ConstantTime.equal($0.state, attempt) }
    return matching.first { $0.redirect.accepts(callback.baseURL) }
  }

  /// Rejects a callback that matches no flow. The failure counts against the flow that waits at the
  /// callback's URL or has its state, unless several flows do, because then the intended flow is
  /// unknown.
  private func refuseUnmatched(_ callback: CallbackURL, _ source: CallbackSource) async -> AgentError {
    let aimedAt = candidates(source).filter { flow in
      guard !flow.isOver else { return false }
      return flow.redirect.accepts(callback.baseURL) || ConstantTime.equal(flow.state, callback.attempt ?? "")
    }
    let error = AgentError(
      .callbackInvalid, hint: "this URL does not belong to a running sign-in; start again with ritualctl sign-in")
    let told =
      switch callback.answer {
      case .invalid(let fault): fault.error
      case _ where callback.attempt == nil: Self.sentToSiteURL(candidates(source))
      default: error
      }
    guard let flow = aimedAt.first, aimedAt.count == 1 else { return told }
    return await refuse(flow.id, told)
  }

  /// The error for a response without the flow's state: the server did not accept the redirect URL
  /// and used the project's Site URL.
  private static func sentToSiteURL(_ flows: [Flow]) -> AgentError {
    let redirect = flows.first { !$0.isOver }?.redirect ?? Redirect(.manual)
    return AgentError(
      .callbackInvalid,
      hint:
        "your project sent you to its Site URL: add \(redirect.allowListEntry) to its redirect URLs, then start again "
        + "with ritualctl sign-in")
  }

  /// Counts a failure; the fifth failure ends the flow.
  private func refuse(_ id: String, _ error: AgentError) async -> AgentError {
    guard let flow = flows[id], !flow.isOver else { return error }
    let failures = flow.failures + 1
    flows[id]?.failures = failures
    flows[id]?.lastRefusal = error
    if failures >= SignInLimits.maxCallbackFailures {
      await end(id, .failure(AgentError(.callbackInvalid, account: flow.ticket.account)))
    } else {
      note("callback rejected", flow.ticket, error)
    }
    return error
  }

  /// Ends the flow after an error from the provider or the server, unless an exchange is in
  /// progress or done.
  private func endIfWaiting(_ id: String, _ error: AgentError) async -> AgentError {
    if case .waiting? = flows[id]?.phase { await end(id, .failure(error)) }
    return error
  }

  // MARK: - The exchange

  private func redeem(_ code: String, _ id: String, _ source: CallbackSource) async throws(AgentError) -> SignInResult {
    guard let flow = flows[id] else { throw AgentError(.flowUnknown) }
    switch flow.phase {
    case .waiting:
      // A separate task, so that a browser or client that disconnects does not interrupt the
      // exchange.
      let task = Task { await exchange(code, id, source) }
      flows[id]?.phase = .exchanging(task)
      flows[id]?.isRedeemingCallback = true
      return try await task.value.get()
    case .exchanging(let task):
      let result = await task.value
      // Something else than a callback has failed, such as a code.
      if !flow.isRedeemingCallback, case .failure = result, case .waiting? = flows[id]?.phase {
        return try await redeem(code, id, source)
      }
      return try result.get()
    case .deciding(_, let decision): return SignInResult(.decisionNeeded, decision: decision)
    case .adopting: return try await wait(id)
    case .over: throw AgentError(.flowUnknown, account: flow.ticket.account)
    }
  }

  private func exchange(_ code: String, _ id: String, _ source: CallbackSource) async -> FlowOutcome.Value {
    defer { flows[id]?.isRedeemingCallback = false }
    do throws(AgentError) {
      try await claim(id)
    } catch {
      return await resumeWaiting(id, error)
    }
    guard var flow = flows[id], let verifier = flow.pkce?.verifier else { return .failure(AgentError(.flowUnknown)) }
    // Stored only with a session: the flow may go on with another method.
    flow.ticket.askedAt = clock.now
    flow.ticket.linkConsent = settings().confirmsLinks ? .needed : .notNeeded
    flow.ticket.isPasted = flow.isPasted(source)
    let verdict = await verdict(on: code, verifier, flow.ticket)
    guard case .exchanging? = flows[id]?.phase, !isShutDown else {
      if case .session(let session) = verdict {
        await discardSession(session, linked: await accounts.mergedIdentity(session, flow.ticket), flow.ticket)
      }
      return flow.outcome.settled ?? .failure(AgentError(.cancelled))
    }
    switch verdict {
    case .session(let session):
      if let refusal = await refusal(of: session, flow) {
        await end(id, .failure(refusal))
        return .failure(refusal)
      }
      flow.learnMethod(from: session)
      flows[id]?.ticket = flow.ticket
      return await adopt(session, flow)
    case .tooLate(let error) where flow.isCodeFlow: return await openedTooLate(id, error)
    // The mail's code is used up, but another one can be sent.
    case .over(let error) where flow.isCodeFlow:
      flows[id]?.code?.isSpent = true
      return await resumeWaiting(id, error)
    case .unknownCode(let error): return await resumeWaiting(id, error)
    // A person or program that supplied the URL can supply it again; a browser that shows an error
    // is usually closed.
    case .transient(let error) where source == .submitted: return await resumeWaiting(id, error)
    case .transient(let error), .tooLate(let error), .over(let error):
      await end(id, .failure(error))
      return .failure(error)
    }
  }

  /// Exchanges the code. After a lost response, the same code is sent once more, because the first
  /// request may never have arrived.
  private func verdict(on code: String, _ verifier: String, _ ticket: SignInTicket) async -> ExchangeVerdict {
    let first = await ask(code, verifier, ticket, afterLostAnswer: false)
    guard case .transient = first, !Task.isCancelled else { return first }
    return await ask(code, verifier, ticket, afterLostAnswer: true)
  }

  private func ask(
    _ code: String, _ verifier: String, _ ticket: SignInTicket, afterLostAnswer: Bool
  ) async -> ExchangeVerdict {
    do {
      let session = try await accounts.requests.run(throwing: { () async throws(AuthError) in
        try await ticket.project.server.exchange(code: code, verifier: verifier)
      })
      return .session(session)
    } catch {
      note(error, ticket)
      return ExchangeVerdict(error, account: ticket.account, afterLostAnswer: afterLostAnswer)
    }
  }

  func resumeWaiting(_ id: String, _ error: AgentError) async -> FlowOutcome.Value {
    await release(id)
    guard case .exchanging? = flows[id]?.phase else { return flows[id]?.outcome.settled ?? .failure(error) }
    flows[id]?.phase = .waiting
    return .failure(await refuse(id, error))
  }

  // MARK: - The session

  func adopt(_ session: Session, _ flow: Flow) async -> FlowOutcome.Value {
    flows[flow.id]?.phase = .adopting
    let result: FlowOutcome.Value
    do {
      switch try await accounts.adopt(session, for: flow.ticket) {
      case .signedIn(let account): result = .success(await signedIn(account, flow.id))
      case .question(let question): return await ask(question, session, flow)
      }
    } catch {
      result = .failure(error)
    }
    if let flow = flows[flow.id] { await close(flow, result) }
    return result
  }

  /// Answers a `decisionNeeded`. If the answer is no, the session is revoked, and all callers get
  /// `cancelled`.
  /// - Throws: `flowUnknown` if no decision is pending, and the errors of storing the session or of
  ///   unlinking.
  package func decide(_ params: IdentityDecide.Params) async throws(AgentError) -> SignInResult {
    await expire(params.flow)
    guard var flow = flows[params.flow], case .deciding(let session, let decision) = flow.phase else {
      throw AgentError(.flowUnknown)
    }
    report(.decided(account: flow.ticket.account, kind: decision.kind, accepted: params.accept))
    let isLink = decision.kind == SignInDecision.link
    if isLink { flow.ticket.linkConsent = .given } else { flow.ticket.isPasted = false }
    if params.accept { return try await adopt(session, flow).get() }
    if isLink { throw await declineLink(session, decision, flow) }
    await end(flow.id, .failure(AgentError(.cancelled)))
    throw AgentError(.cancelled)
  }
}

extension Flow {
  /// Sets the method of a sign-in on a page, which only the session tells: another tab may have completed it by another
  /// method than the last choice.
  fileprivate mutating func learnMethod(from session: Session) {
    guard pagePath != nil || projectPage != nil else { return }
    let method = session.user.latestMethod
    let isCode = method == .email && code?.address.belongs(to: session.user) == true
    // A session that names no identities tells nothing.
    if pagePath != nil, !isCode, session.user.identities?.isEmpty != false { return }
    ticket = ticket.with(method, isCode: isCode)
  }

  /// True if a person pasted the callback, which may then belong to someone else (SI-15). The
  /// handler of the scheme is not a person, and is the only source for flows of a scheme.
  fileprivate func isPasted(_ source: CallbackSource) -> Bool {
    if case .scheme = redirect.kind { return false }
    return source == .submitted
  }
}
