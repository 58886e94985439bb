import AgentConfiguration
package import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The page that asks for a second factor (MF-3), in a flow of its own: the session is stored before, and stays as it is
/// until a code is verified.
extension SignInService {
  /// Starts a flow whose page asks for the code of a signed-in account's second factor. A running flow of this kind for
  /// the same account ends.
  /// - Throws: `signInNeeded`; `invalidParams` if the user has no second factor; `flowBusy` while a code is being
  ///   verified; `tooMany`.
  package func startSecondFactor(_ params: MFAStart.Params) async throws(AgentError) -> SignInStart.Result {
    let timeout = try FlowRequest.waitTimeout(
      params.timeout, least: Double(settings().timeoutSeconds), lifetime: SignInLimits.secondFactorLifetime)
    try checkFlowLimits()
    let locks = locks
    let account = try await accounts.status(params.account)
    let need = try await factors(of: account.name)
    try await replaceFactorQuestions(of: account.name)
    let ticket = try await accounts.idleTicket(
      account: account.name, project: account.project, provider: Provider(rawValue: "mfa"))
    var flow = try await factorFlow(ticket, timeout)
    do throws(AgentError) {
      // While the port was opened, other flows may have started, the vault may have been locked, or the agent stopped.
      try checkFlowLimits()
      guard locks == self.locks else { throw AgentError(.vaultLocked, account: account.name) }
    } catch {
      await flow.listener?.close()
      throw error
    }
    flow.factor = FactorQuestion()
    register(flow)
    if !need.needed { await end(flow.id, await currentResult(account.name)) }
    return SignInStart.Result(
      flow: flow.id, url: flow.launchURL, expiresAt: clock.wallTime(of: flow.deadline))
  }

  /// Returns a flow that is not yet registered.
  private func factorFlow(_ ticket: SignInTicket, _ timeout: Duration) async throws(AgentError) -> Flow {
    let id = RandomText.base64url(bytes: 16)
    let listener = try await listener(for: id, .loopback(port: nil))
    let now = clock.now
    return Flow(
      id: id, state: RandomText.base64url(bytes: SignInLimits.secretBytes),
      redirect: Redirect(.loopback(port: listener?.port ?? 0)),
      pagePath: "/sign-in/" + RandomText.base64url(bytes: SignInLimits.secretBytes), waitTimeout: timeout,
      startedAt: now, deadline: now.advanced(by: SignInLimits.secondFactorLifetime), listener: listener, ticket: ticket)
  }

  /// Returns the need of an account whose user has a second factor. The server is asked if none is known: it may have
  /// been added elsewhere.
  private func factors(of account: String) async throws(AgentError) -> SecondFactorNeed {
    var need = await accounts.secondFactorNeed(account)
    if need?.factors.isEmpty == true {
      _ = try await accounts.factors(account)
      need = await accounts.secondFactorNeed(account)
    }
    guard let need else { throw AgentError(.signInNeeded, account: account) }
    guard !need.factors.isEmpty else {
      throw AgentError(
        .invalidParams, "The user has no second factor.", hint: "ritualctl mfa enroll totp --account \(account)",
        account: account)
    }
    return need
  }

  private func replaceFactorQuestions(of account: String) async throws(AgentError) {
    let running = flows.values.filter { $0.factor != nil && !$0.isOver && $0.ticket.account == account }
    guard !running.contains(where: \.isVerifyingFactor) else {
      throw AgentError(.flowBusy, "A verification is already running for this account.", account: account)
    }
    let replaced = AgentError(.cancelled, "Another page asks for the second factor now.", account: account)
    for flow in running { await end(flow.id, .failure(replaced)) }
  }

  // MARK: - After a sign-in

  /// Returns the result of a flow that has stored its session. If the user has a second factor, the page in the
  /// person's browser asks for it, in the flow `mfa.flow`.
  func signedIn(_ account: AccountStatus, _ id: String) async -> SignInResult {
    let replaced = AgentError(.cancelled, "The account was signed in again.", account: account.name)
    await endFactorQuestions(of: account.name, .failure(replaced))
    var account = account
    if account.mfa?.needed == true { account.mfa?.flow = askForFactor(after: id) }
    return SignInResult(.signedIn, account: account)
  }

  /// Hands the listener and the browser of a flow to another flow, which asks for a second factor.
  /// - Returns: nil if no browser shows the flow's page, or if the factor is left for later.
  private func askForFactor(after id: String) -> String? {
    guard let flow = flows[id], flow.asksSecondFactor, flow.visit.hasBrowser, flow.requestedEnd == nil, !isShutDown,
      let listener = flow.listener
    else { return nil }
    removeEndedFlows()
    var ticket = flow.ticket
    (ticket.id, ticket.linksTo) = (nil, nil)
    let now = clock.now
    var next = Flow(
      id: RandomText.base64url(bytes: 16), state: flow.state, redirect: flow.redirect, pagePath: flow.pagePath,
      waitTimeout: min(flow.waitTimeout, SignInLimits.secondFactorLifetime), startedAt: now,
      deadline: now.advanced(by: SignInLimits.secondFactorLifetime), listener: listener, ticket: ticket)
    next.factor = FactorQuestion(linked: flow.linkedMethod)
    next.visit = flow.visit
    next.visit.form = PageVisit.Form()
    next.visit.work = nil
    flows[id]?.listener = nil
    listener.serve { [weak self, id = next.id] request in await self?.answer(request, of: id) ?? .refused(404) }
    register(next)
    return next.id
  }

  // MARK: - The end

  /// Verifies a code for a program, and ends the pages that ask for it.
  /// - Throws: what `Accounts.verifyFactor` throws.
  package func verifySecondFactor(_ params: MFAVerify.Params) async throws(AgentError) -> AccountStatus {
    do {
      let account = try await accounts.verifyFactor(params, maxAttempts: settings().passwordAttemptsPerHour)
      await endAnsweredQuestions(of: account.name)
      return account
    } catch {
      // The verification goes on without its caller.
      if error.kind == .timedOut, let account = error.data.account {
        Task {
          _ = await accounts.lateVerification(account)
          await endAnsweredQuestions(of: account)
        }
      }
      throw error
    }
  }

  /// Ends the flows that ask for a second factor that is no longer needed.
  private func endAnsweredQuestions(of account: String) async {
    let result = await currentResult(account)
    if case .success(let result) = result, result.mfa?.needed == true { return }
    await endFactorQuestions(of: account, result)
  }

  /// Ends the flows that ask for the account's second factor. A flow that is verifying a code ends with the result of
  /// that, unless it fails.
  func endFactorQuestions(of account: String, _ result: FlowOutcome.Value) async {
    for flow in flows.values where flow.factor != nil && flow.ticket.account == account { await end(flow.id, result) }
  }

  /// Ends the question without a verification. The session stays as it is.
  func postpone(_ id: String) async {
    guard let flow = flows[id], flow.factor != nil, !flow.isOver else { return }
    await end(id, await currentResult(flow.ticket.account))
  }

  /// Returns the result for the account's session as it is now.
  private func currentResult(_ name: String) async -> FlowOutcome.Value {
    do throws(AgentError) {
      var account = try await accounts.status(name)
      guard let need = await accounts.secondFactorNeed(name) else { throw AgentError(.signInNeeded, account: name) }
      account.mfa = need
      return .success(SignInResult(.signedIn, account: account))
    } catch {
      return .failure(error)
    }
  }
}

/// The page of such a flow.
extension SignInService {
  /// Returns the page that asks for the second factor. If it is no longer needed, because it was verified elsewhere or
  /// the session has ended, the flow ends.
  func factorPage(_ id: String) async -> LoopbackAnswer {
    guard let account = flows[id]?.ticket.account else { return .refused(404) }
    let need = await accounts.secondFactorNeed(account)
    guard let flow = flows[id], let question = flow.factor, flow.takesFactor else { return .seeOther(.home) }
    guard let need, need.needed else {
      await end(id, await currentResult(account))
      return .seeOther(.home)
    }
    let factor = question.factor(of: need)
    let form = FactorPage(
      need: need, factor: factor, account: account, pause: question.pause(factor, now: clock.now),
      secondsKept: need.endsAt.map { $0.unixSeconds - clock.wallSeconds }, refusal: flow.visit.form.refusal?.error)
    return page(form.document, flow)
  }

  /// Processes a form of the page. Forms of the sign-in before it, from another tab, have no effect.
  func takeFactorForm(_ values: [String], at path: PagePath, of id: String) async -> LoopbackAnswer {
    guard let account = flows[id]?.ticket.account else { return .refused(404) }
    if path == .postponeFactor {
      await postpone(id)
      return .seeOther(.home)
    }
    let need = await accounts.secondFactorNeed(account)
    // While a code is being verified or sent, no other form has an effect.
    guard let flow = flows[id], flow.takesFactor, let need,
      [.chooseFactor, .sendFactorCode, .verifyFactor].contains(path)
    else { return .seeOther(.home) }
    let factor = need.usableFactors.first { $0.id == values.first }
    flows[id]?.visit.form.refusal = nil
    switch path {
    case .verifyFactor: if let factor { verifyFactor(factor, values[1], id) }
    case .sendFactorCode: if let factor, factor.isPhone { sendCode(to: factor, id) }
    default: flows[id]?.factor?.choose(factor)
    }
    return .seeOther(.home)
  }

  /// Has the project send a code to the phone, unless it would refuse to.
  private func sendCode(to factor: AccountFactor, _ id: String) {
    guard let flow = flows[id], (flow.factor?.pause(factor, now: clock.now) ?? 0) == 0 else { return }
    flows[id]?.factor?.choose(factor)
    let params = MFAChallenge.Params(account: flow.ticket.account, factor: factor.id)
    request("Sending the code…", from: .sendFactorCode, id) { (service: SignInService) async throws(AgentError) in
      _ = try await service.accounts.challengeFactor(params)
      await service.noteSent(to: factor, id)
      return .verifyFactor
    }
  }

  private func noteSent(to factor: AccountFactor, _ id: String) {
    guard flows[id]?.isOver == false else { return }
    flows[id]?.factor?.noteSent(to: factor, resendAt: clock.now.advanced(by: SignInLimits.resendPause))
    // The code is valid as long as its challenge.
    extend(id, by: SignInLimits.secondFactorLifetime)
  }

  /// Verifies a code in the background: the flow is `.exchanging`, then over, or waiting again with the error.
  private func verifyFactor(_ factor: AccountFactor, _ text: String, _ id: String) {
    guard let account = flows[id]?.ticket.account else { return }
    flows[id]?.factor?.choose(factor)
    do throws(AgentError) {
      guard case .code(let code) = try CodeEntry.code(checking: text) else { return }
      let params = MFAVerify.Params(account: account, factor: factor.id, code: code)
      // A separate task, so that a browser that disconnects does not interrupt it.
      flows[id]?.phase = .exchanging(Task { await verify(params, account, id) })
    } catch {
      flows[id]?.visit.form.refusal = PageVisit.Refusal(error: error, page: .verifyFactor)
    }
  }

  private func verify(_ params: MFAVerify.Params, _ account: String, _ id: String) async -> FlowOutcome.Value {
    if let error = await failure(of: params, account) { return await factorRefused(error, account, id) }
    let result = await currentResult(account)
    if let flow = flows[id], !flow.isOver { await close(flow, result) }
    await endFactorQuestions(of: account, result)
    return result
  }

  /// Verifies the code, and waits for the end of the verification. The page shows its progress until then.
  private func failure(of params: MFAVerify.Params, _ account: String) async -> AgentError? {
    do throws(AgentError) {
      _ = try await accounts.verifyFactor(params, maxAttempts: settings().passwordAttemptsPerHour)
      return nil
    } catch {
      guard error.kind == .timedOut, let late = await accounts.lateVerification(account) else { return error }
      guard case .failure(let error) = late else { return nil }
      return error
    }
  }

  /// Returns the flow to `waiting`, so that the person can try again, unless the flow was ended meanwhile, or the session
  /// has ended.
  private func factorRefused(_ error: AgentError, _ account: String, _ id: String) async -> FlowOutcome.Value {
    let hasSession = await accounts.secondFactorNeed(account) != nil
    guard let flow = flows[id], !flow.isOver else { return .failure(error) }
    flows[id]?.phase = .waiting
    flows[id]?.visit.form.refusal = PageVisit.Refusal(error: error, page: .verifyFactor)
    let failure = FlowOutcome.Value.failure(error)
    if let ending = flow.requestedEnd ?? (hasSession ? nil : failure) {
      flows[id]?.requestedEnd = nil
      await end(id, ending)
      return ending
    }
    return failure
  }
}
