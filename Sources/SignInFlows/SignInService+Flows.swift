import AgentConfiguration
package import AgentProtocol
import Logging
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The lifecycle of flows through a browser.
extension SignInService {
  /// Starts a flow. It runs for up to 300 s, whether or not a caller waits for it.
  /// - Throws: `flowBusy`, `tooMany`, `invalidParams`, `misconfigured`, and the vault's errors.
  package func start(_ params: SignInStart.Params) async throws(AgentError) -> SignInStart.Result {
    let request = try FlowRequest(params, settings())
    try checkFlowLimits()
    let locks = locks
    let ticket = try await ticket(params, request)
    do {
      var flow = try await prepare(request, ticket)
      if let domain = request.ssoDomain {
        flow.sso = (domain, try await ssoURL(domain, flow))
        flow.ssoStartedAt = clock.now
      }
      return try await begin(flow, locks)
    } catch {
      await accounts.endSignIn(ticket)
      throw error
    }
  }

  /// Returns the URL of the organization's identity provider (WS-5). Closes the listener on failure.
  private func ssoURL(_ domain: String, _ flow: Flow) async throws(AgentError) -> String {
    do {
      return try await askForSSO(domain, flow)
    } catch {
      await flow.listener?.close()
      throw error
    }
  }

  func askForSSO(_ domain: String, _ flow: Flow) async throws(AgentError) -> String {
    guard let target = flow.target else { throw AgentError(.flowUnknown) }
    do {
      return try await accounts.requests.run(throwing: { () async throws(AuthError) in
        try await flow.ticket.project.server.ssoURL(domain: domain, redirect: target)
      })
    } catch {
      note(error, flow.ticket)
      throw await accounts.explained(error, flow.ticket.account)
    }
  }

  /// Returns a flow that is not yet registered.
  func prepare(_ request: FlowRequest, _ ticket: SignInTicket) async throws(AgentError) -> Flow {
    let id = RandomText.base64url(bytes: 16)
    let listener = try await listener(for: id, request.redirectMode)
    let projectPage = request.isPage ? ticket.project.settings.signInPage : nil
    let hasPage = request.isPage && projectPage == nil
    let lifetime =
      request.ssoDomain != nil
      ? SignInLimits.ssoLifetime
      // The project's page may send a mail, or continue to single sign-on.
      : projectPage == nil ? SignInLimits.flowLifetime : SignInLimits.pageCodeLifetime
    return Flow(
      id: id, state: RandomText.base64url(bytes: SignInLimits.secretBytes),
      redirect: redirect(request.redirectMode, listener, ticket.project),
      pagePath: hasPage ? "/sign-in/" + RandomText.base64url(bytes: SignInLimits.secretBytes) : nil,
      scopes: request.scopes, waitTimeout: request.waitTimeout, startedAt: clock.now,
      deadline: clock.now.advanced(by: lifetime), listener: listener, projectPage: projectPage, pkce: .fresh(),
      ticket: ticket, asksSecondFactor: request.asksSecondFactor)
  }

  /// Registers the flow, which then waits for its callback.
  /// - Parameter locks: the number of locks before the flow's preparation.
  func begin(_ prepared: Flow, _ locks: UInt64) async throws(AgentError) -> SignInStart.Result {
    let warning = await linkWarning(prepared.ticket)
    do throws(AgentError) {
      // While the port was opened, other flows may have started, the vault may have been locked, or
      // the agent stopped.
      try checkFlowLimits()
      guard locks == self.locks else { throw AgentError(.vaultLocked, account: prepared.ticket.account) }
    } catch {
      await prepared.listener?.close()
      throw error
    }
    register(prepared)
    return SignInStart.Result(
      flow: prepared.id, url: prepared.launchURL, expiresAt: clock.wallTime(of: prepared.deadline), warning: warning)
  }

  /// Stores a new flow, which ends at its deadline.
  func register(_ prepared: Flow) {
    var flow = prepared
    let (id, deadline) = (flow.id, flow.deadline)
    flow.method = flow.pagePath == nil && flow.projectPage == nil ? flow.ticket.authMethod : .page
    flow.timer = Task { await endOverdue(id, at: deadline) }
    flows[id] = flow
    guard flow.factor == nil else { return note("asking for a second factor", flow.ticket) }
    countStart(flow.method)
    note("sign-in started", flow.ticket, method: flow.method)
  }

  /// Gives a running flow more time.
  func extend(_ id: String, by time: Duration) {
    let deadline = clock.now.advanced(by: time)
    guard let flow = flows[id], flow.deadline < deadline else { return }
    setDeadline(id, deadline)
  }

  /// Gives a running flow no more time than this.
  func shorten(_ id: String, to time: Duration) {
    let deadline = clock.now.advanced(by: time)
    guard let flow = flows[id], flow.deadline > deadline else { return }
    setDeadline(id, deadline)
  }

  private func setDeadline(_ id: String, _ deadline: BootTime) {
    guard let flow = flows[id], !flow.isOver else { return }
    flow.timer?.cancel()
    flows[id]?.deadline = deadline
    flows[id]?.timer = Task { await endOverdue(id, at: deadline) }
  }

  func listener(for id: String, _ way: FlowRequest.RedirectMode) async throws(AgentError) -> LoopbackListener? {
    guard case .loopback(let port) = way else { return nil }
    let answer: LoopbackListener.Answering = { [weak self] request in
      await self?.answer(request, of: id) ?? .refused(404)
    }
    // The port of an ended flow passes to this flow without being released in between.
    if let port, let listener = takeOverListener(on: port) {
      listener.serve(answer)
      return listener
    }
    return try await LoopbackListener.open(port: port, on: eventLoopGroup, answer)
  }

  private func takeOverListener(on port: Int) -> LoopbackListener? {
    for flow in flows.values where flow.isOver && flow.listener?.port == port {
      defer { flows[flow.id]?.listener = nil }
      return flow.listener
    }
    return keptPorts.take(port)
  }

  /// Retires the listener of an ended flow, and keeps its port bound until `deadline`.
  func keepPort(of id: String, until deadline: BootTime) async {
    guard let listener = flows[id]?.listener else { return }
    flows[id]?.listener = nil
    await keep(listener, until: deadline)
  }

  /// Until when the port of an ended flow stays bound: a browser returns within the lifetime of a flow, and a flow that
  /// waits for a code lives for hours.
  private static func portDeadline(_ flow: Flow, _ now: BootTime) -> BootTime {
    min(flow.deadline, now.advanced(by: SignInLimits.flowLifetime))
  }

  private func keep(_ listener: LoopbackListener, until deadline: BootTime) async {
    guard !isShutDown, deadline > clock.now else { return await listener.close() }
    listener.retire()
    let port = listener.port
    let timer = Task { [clock] in
      guard (try? await clock.sleep(until: deadline)) != nil else { return }
      await keptPorts.take(port)?.close()
    }
    await keptPorts.add(listener, timer)?.close()
  }

  private func redirect(_ way: FlowRequest.RedirectMode, _ listener: LoopbackListener?, _ project: Project) -> Redirect
  {
    switch way {
    case .loopback: Redirect(.loopback(port: listener?.port ?? 0))
    case .scheme: Redirect(.scheme(project.settings.redirectScheme))
    case .manual: Redirect(.manual)
    }
  }

  func checkFlowLimits() throws(AgentError) {
    guard !isShutDown else { throw AgentError(.notReady) }
    let running = flows.values.count { !$0.isOver && !$0.isCodeFlow }
    guard running < SignInLimits.maxRunningFlows else {
      throw AgentError(.tooMany, "Too many sign-ins at once.", hint: "finish or cancel one, then try again")
    }
    removeEndedFlows()
  }

  /// Makes room for another flow. Running flows are fewer than the stored ones.
  func removeEndedFlows() {
    while flows.count >= SignInLimits.maxStoredFlows { removeOldest() }
  }

  private func removeOldest() {
    let ended = flows.values.filter(\.isOver).min { $0.deadline < $1.deadline }
    guard let ended else { return }
    ended.timer?.cancel()
    flows[ended.id] = nil
    if let listener = ended.listener {
      let deadline = Self.portDeadline(ended, clock.now)
      Task { await keep(listener, until: deadline) }
    }
  }

  /// Returns the account's ticket for this sign-in. A sign-in that already runs is ended only if
  /// the caller takes it over (SI-10).
  private func ticket(_ params: SignInStart.Params, _ request: FlowRequest) async throws(AgentError) -> SignInTicket {
    do {
      return try await begin(params, request)
    } catch {
      guard error.kind == .flowBusy, params.takeOver == true, let account = error.data.account else { throw error }
      for flow in flows.values where !flow.isOver && !flow.ticket.isIdle && flow.ticket.account == account {
        await end(flow.id, .failure(AgentError(.cancelled, account: account)))
      }
      return try await begin(params, request)
    }
  }

  private func begin(_ params: SignInStart.Params, _ request: FlowRequest) async throws(AgentError) -> SignInTicket {
    try await accounts.beginSignIn(
      account: params.account, project: params.project, provider: request.method,
      replace: params.replace ?? false)
  }

  // MARK: - Waiting

  /// Waits for the flow's end. May be called repeatedly and by several callers; the result is
  /// available for one minute after the end.
  /// - Throws: `flowTimedOut` after the flow's wait timeout, while the flow continues;
  ///   `flowUnknown`; and the flow's error.
  package func wait(_ id: String) async throws(AgentError) -> SignInResult {
    guard let flow = flows[id] else { throw AgentError(.flowUnknown) }
    if let question = pendingQuestion(flow) { return question }
    let first = await flow.firstNews(until: clock.deadline(after: flow.nextTimeout(clock.now)))
    if let ended = flow.outcome.settled ?? first { return try ended.get() }
    if Task.isCancelled { throw AgentError(.cancelled) }
    throw timedOut(flows[id] ?? flow)
  }

  private func timedOut(_ flow: Flow) -> AgentError {
    if flow.factor != nil {
      return AgentError(
        .flowTimedOut, "The code of the second factor has not been entered yet.",
        hint: "enter it on the page, or in a terminal: \(flow.command)", account: flow.ticket.account)
    }
    if flow.isCodeFlow {
      return AgentError(
        .flowTimedOut, "The code has not been entered yet.", hint: flow.codeHint, account: flow.ticket.account)
    }
    if flow.ssoStartedAt != nil {
      return AgentError(
        .flowTimedOut, "The single sign-on has not returned from the browser yet.",
        hint:
          "the organization's page must be finished within 2 minutes, and its errors end on the project's Site URL: "
          + "if the browser shows an error there, start again", account: flow.ticket.account)
    }
    return AgentError(
      .flowTimedOut, "The sign-in has not returned from the browser yet.",
      hint:
        "you can still finish it there; if the browser ended on another page, the project used its Site URL: "
        + "add \(flow.redirect.allowListEntry) to the project's redirect URLs, or start again",
      account: flow.ticket.account)
  }

  // MARK: - The end

  /// Ends every flow before the vault is locked, and removes the successful ones, because their
  /// results name a person. The flows end concurrently, because a flow may have to unlink a
  /// declined identity.
  package func endForLock() async {
    locks += 1
    await withDiscardingTaskGroup { group in
      for flow in flows.values { group.addTask { await self.endForLock(flow) } }
    }
  }

  private func endForLock(_ flow: Flow) async {
    let locked = FlowOutcome.Value.failure(AgentError(.vaultLocked, account: flow.ticket.account))
    if case .exchanging(let task) = flow.phase {
      if flows[flow.id]?.isVerifying == true {
        // A code is used up by its verification. The lock cancels the request after its time for responses.
        flows[flow.id]?.requestedEnd = locked
        _ = await task.value
      } else {
        task.cancel()
      }
    }
    await end(flow.id, locked, isForced: true)
    guard case .success? = flow.outcome.settled else { return }
    flows[flow.id]?.timer?.cancel()
    await keepPort(of: flow.id, until: Self.portDeadline(flow, clock.now))
    flows[flow.id] = nil
  }

  /// Cancels a flow. A flow that is over stays unchanged, and a flow whose session is being stored
  /// completes.
  /// - Throws: `flowUnknown`.
  package func cancel(_ id: String) async throws(AgentError) {
    guard flows[id] != nil else { throw AgentError(.flowUnknown) }
    await end(id, .failure(AgentError(.cancelled)))
  }

  /// Cancels the flow of a client that disconnected without asking to keep the flow running.
  package func starterDisconnected(_ id: String) async { await end(id, .failure(AgentError(.cancelled))) }

  private func endOverdue(_ id: String, at deadline: BootTime) async {
    guard (try? await clock.sleep(until: deadline)) != nil else { return }
    // This task is the flow's timer, which the end of the flow would cancel.
    flows[id]?.timer = nil
    await expire(id)
  }

  /// Ends a flow that the server has discarded. The result of an exchange in flight is discarded. A
  /// sign-up on the page that waits for its confirmation ends as every other such sign-up.
  func expire(_ id: String) async {
    guard let flow = flows[id], flow.deadline <= clock.now else { return }
    if flow.takesForms, flow.visit.form.isConfirmation { return await confirmLater(id) }
    if flow.factor != nil { return await postpone(id) }
    await end(id, .failure(AgentError(.flowTimedOut, account: flow.ticket.account)))
  }

  /// Ends a flow, and discards a session that awaits a decision. Has no effect if the flow is over,
  /// or if its session is being stored.
  /// - Parameter isForced: true to end a flow whose second factor is being verified; otherwise it ends with the
  ///   verification, which cannot be undone.
  func end(_ id: String, _ result: FlowOutcome.Value, isForced: Bool = false) async {
    guard let flow = flows[id], !flow.isOver else { return }
    var mustWait = flow.isVerifyingFactor && !isForced
    if case .adopting = flow.phase { mustWait = true }
    if mustWait {
      flows[id]?.requestedEnd = flow.requestedEnd ?? result
      return
    }
    await close(flow, result)
    if case .deciding(let session, let decision) = flow.phase {
      await discardSession(session, linked: decision.linked, flow.ticket)
    }
  }

  /// Closes a flow. The flow is marked as over before the first `await`; waiters are resumed after
  /// the account is free for another sign-in.
  func close(_ flow: Flow, _ result: FlowOutcome.Value) async {
    flow.timer?.cancel()
    flows[flow.id]?.phase = .over
    flows[flow.id]?.pkce = nil
    flows[flow.id]?.code = nil
    flows[flow.id]?.sso = nil
    flows[flow.id]?.visit.form = PageVisit.Form()
    flows[flow.id]?.factor?.forget()
    let (id, portDeadline) = (flow.id, Self.portDeadline(flow, clock.now))
    // The task keeps nothing else of the flow, such as a token or an address (VA-4).
    flows[id]?.timer = isShutDown ? nil : Task { await retire(id, portDeadline) }
    await accounts.endSignIn(flow.ticket)
    if flow.factor == nil { countEnd(of: flow, result) }
    flow.outcome.settle(result)
    switch result {
    case _ where flow.factor != nil: note("no longer asking for a second factor", flow.ticket)
    case .success: note("signed in", flow.ticket)
    case .failure(let error): note("sign-in ended", flow.ticket, error)
    }
  }

  /// Retires the listener `listenerGrace` after the flow's end, and removes the flow after
  /// `resultLifetime`.
  private func retire(_ id: String, _ portDeadline: BootTime) async {
    let now = clock.now
    guard (try? await clock.sleep(until: now.advanced(by: SignInLimits.listenerGrace))) != nil else { return }
    await keepPort(of: id, until: portDeadline)
    guard (try? await clock.sleep(until: now.advanced(by: SignInLimits.resultLifetime))) != nil else { return }
    flows[id] = nil
  }
}
