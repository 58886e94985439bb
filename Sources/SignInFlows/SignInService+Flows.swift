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
      return try await begin(try await prepare(request, ticket), locks)
    } catch {
      await accounts.endSignIn(ticket)
      throw error
    }
  }

  /// Returns a flow that is not yet registered.
  func prepare(_ request: FlowRequest, _ ticket: SignInTicket) async throws(AgentError) -> Flow {
    let id = RandomText.base64url(bytes: 16)
    let listener = try await listener(for: id, request.redirectMode)
    return Flow(
      id: id, state: RandomText.base64url(bytes: SignInLimits.secretBytes),
      redirect: redirect(request.redirectMode, listener, ticket.project),
      pagePath: request.provider == nil ? "/sign-in/" + RandomText.base64url(bytes: SignInLimits.secretBytes) : nil,
      waitTimeout: request.waitTimeout, deadline: clock.now.advanced(by: SignInLimits.flowLifetime), listener: listener,
      pkce: .fresh(), ticket: ticket)
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
    var flow = prepared
    let (id, deadline) = (flow.id, flow.deadline)
    flow.method = flow.pagePath == nil ? AuthMethod(flow.ticket.provider) : .page
    flow.timer = Task { await endOverdue(id, at: deadline) }
    flows[id] = flow
    countStart(flow.method)
    note("sign-in started", flow.ticket)
    return SignInStart.Result(
      flow: id, url: flow.launchURL, expiresAt: clock.wallTime(of: deadline), warning: warning)
  }

  private func listener(for id: String, _ way: FlowRequest.RedirectMode) async throws(AgentError) -> LoopbackListener? {
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

  /// Retires the listener of an ended flow, and keeps its port bound until the flow's deadline.
  func keepPort(of flow: Flow) async {
    guard let listener = flows[flow.id]?.listener else { return }
    flows[flow.id]?.listener = nil
    await keep(listener, until: flow.deadline)
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
    let running = flows.values.count { !$0.isOver }
    guard running < SignInLimits.maxRunningFlows else {
      throw AgentError(.tooMany, "Too many sign-ins at once.", hint: "finish or cancel one, then try again")
    }
    while flows.count >= SignInLimits.maxStoredFlows { removeOldest() }
  }

  private func removeOldest() {
    let ended = flows.values.filter(\.isOver).min { $0.deadline < $1.deadline }
    guard let ended else { return }
    ended.timer?.cancel()
    flows[ended.id] = nil
    if let listener = ended.listener { Task { await keep(listener, until: ended.deadline) } }
  }

  /// Returns the account's ticket for this sign-in. A sign-in that already runs is ended only if
  /// the caller takes it over (SI-10).
  private func ticket(_ params: SignInStart.Params, _ request: FlowRequest) async throws(AgentError) -> SignInTicket {
    do {
      return try await begin(params, request)
    } catch {
      guard error.kind == .flowBusy, params.takeOver == true, let account = error.data.account else { throw error }
      for flow in flows.values where !flow.isOver && flow.ticket.account == account {
        await end(flow.id, .failure(AgentError(.cancelled, account: account)))
      }
      return try await begin(params, request)
    }
  }

  private func begin(_ params: SignInStart.Params, _ request: FlowRequest) async throws(AgentError) -> SignInTicket {
    try await accounts.beginSignIn(
      account: params.account, project: params.project, provider: request.provider ?? .apple,
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
    let first = await flow.firstNews(until: clock.deadline(after: flow.waitTimeout))
    if let ended = flow.outcome.settled ?? first { return try ended.get() }
    if Task.isCancelled { throw AgentError(.cancelled) }
    throw timedOut(flow)
  }

  private func timedOut(_ flow: Flow) -> AgentError {
    AgentError(
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
    if case .exchanging(let task) = flow.phase { task.cancel() }
    await end(flow.id, .failure(AgentError(.vaultLocked, account: flow.ticket.account)))
    guard case .success? = flow.outcome.settled else { return }
    flow.timer?.cancel()
    await keepPort(of: flow)
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

  /// Ends a flow that the server has discarded. The result of an exchange in flight is discarded.
  func expire(_ id: String) async {
    guard let flow = flows[id], flow.deadline <= clock.now else { return }
    await end(id, .failure(AgentError(.flowTimedOut, account: flow.ticket.account)))
  }

  /// Ends a flow, and discards a session that awaits a decision. Has no effect if the flow is over,
  /// or if its session is being stored.
  func end(_ id: String, _ result: FlowOutcome.Value) async {
    guard let flow = flows[id], !flow.isOver else { return }
    if case .adopting = flow.phase {
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
    flows[flow.id]?.visit.form = PageVisit.Form()
    flows[flow.id]?.timer =
      isShutDown ? nil : Task { await retire(flow) }
    await accounts.endSignIn(flow.ticket)
    countEnd(of: flow, result)
    flow.outcome.settle(result)
    switch result {
    case .success: note("signed in", flow.ticket)
    case .failure(let error): note("sign-in ended", flow.ticket, error)
    }
  }

  /// Retires the listener `listenerGrace` after the flow's end, and removes the flow after
  /// `resultLifetime`.
  private func retire(_ flow: Flow) async {
    let now = clock.now
    guard (try? await clock.sleep(until: now.advanced(by: SignInLimits.listenerGrace))) != nil else { return }
    await keepPort(of: flow)
    guard (try? await clock.sleep(until: now.advanced(by: SignInLimits.resultLifetime))) != nil else { return }
    flows[flow.id] = nil
  }
}
