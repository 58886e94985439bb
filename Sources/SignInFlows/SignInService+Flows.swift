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
    let (request, locks) = (try FlowRequest(params, settings()), locks)
    return try await start(request, try await ticket(params, request), request.kind, locks)
  }

  /// Starts a flow that links a provider to the account's user: a flow with the same callbacks and checks as a
  /// sign-in, whose authorize URL the server creates for the user. It ends in a new session of the same user, which
  /// replaces the old one.
  /// - Throws: `linkingDisabled`, `flowBusy`, `tooMany`, `signInNeeded`, and the server's error.
  package func link(_ params: IdentityLink.Params) async throws(AgentError) -> SignInStart.Result {
    let start = SignInStart.Params(
      account: params.account, provider: params.provider, scopes: params.scopes, redirect: params.redirect,
      timeout: params.timeout, port: params.port)
    let (request, locks) = (try FlowRequest(start, settings()), locks)
    guard let provider = request.provider else {
      throw AgentError(.invalidParams, "Name the provider to link.")
    }
    return try await self.start(request, try await accounts.beginLink(params.account, provider), { _ in .link }, locks)
  }

  private func start(
    _ request: FlowRequest, _ ticket: SignInTicket, _ kind: (Project) -> Flow.Kind, _ locks: UInt64
  ) async throws(AgentError) -> SignInStart.Result {
    let flow = try await begin(
      Flow(
        kind(ticket.project), ticket, redirect: request.redirect(ticket.project), scopes: request.scopes,
        waitTimeout: request.waitTimeout, asksSecondFactor: request.asksSecondFactor, now: clock.now), locks)
    return SignInStart.Result(
      flow: flow.id, url: flow.launchURL, expiresAt: clock.wallTime(of: flow.deadline),
      warning: await linkWarning(ticket))
  }

  /// Adds a flow, opens its port, and returns the flow once it waits.
  /// - Parameter locks: the number of locks when the flow was requested.
  /// - Throws: why it does not wait, such as the error of its first request. Its account is free then.
  func begin(_ new: Flow, _ locks: UInt64) async throws(AgentError) -> Flow {
    let id = new.id
    do throws(AgentError) {
      // Other flows may have started since the request, the vault may have been locked, or the agent stopped.
      if new.isCodeFlow { try checkRunning() } else { try checkFlowLimits() }
      guard locks == self.locks else { throw AgentError(.vaultLocked, account: new.ticket.account) }
    } catch {
      await accounts.endSignIn(new.ticket)
      throw error
    }
    add(new)
    do throws(AgentError) {
      let listener = try await listener(for: new)
      if resources[id] == nil { await listener?.close() } else { resources[id]?.listener = listener }
      await deliver(.opened(port: listener?.port), to: id, waits: true)
    } catch {
      // Without a listener, a code can be typed, or the address pasted that its link leads to.
      if new.isCodeFlow {
        await deliver(.opened(port: nil), to: id, waits: true)
      } else {
        await deliver(.ended(.failure(error)), to: id)
      }
    }
    guard let flow = flows[id] else { throw AgentError(.cancelled, account: new.ticket.account) }
    if case .failure(let error)? = flow.result {
      await remove(id)?.close()
      throw error
    }
    if flow.isFactorFlow {
      note("asking for a second factor", flow.ticket)
    } else {
      countStart(flow.method)
      note("sign-in started", flow.ticket, method: flow.method)
    }
    return flow
  }

  private func listener(for flow: Flow) async throws(AgentError) -> LoopbackListener? {
    guard case .loopback(let port) = flow.redirect.kind else { return nil }
    let (answer, notice) = (answering(for: flow.id), noticing(for: flow.id))
    // The port of an ended flow passes to this flow without being released in between.
    if let listener = takeOverListener(on: port) {
      listener.serve(noticing: notice, answer)
      return listener
    }
    return try await LoopbackListener.open(
      port: port == 0 ? nil : port, on: eventLoopGroup, noticing: notice, answer)
  }

  private func answering(for id: String) -> LoopbackListener.Answering {
    { [weak self] request in await self?.answer(request, of: id) ?? .refused(404) }
  }

  /// On WSL, a connection of somebody else is that of a browser on Windows.
  private func noticing(for id: String) -> LoopbackListener.Noticing {
    guard WSL.isPresent else { return {} }
    return { [weak self] in Task { await self?.deliver(.outsideVisit(.seen), to: id) } }
  }

  private func takeOverListener(on port: Int) -> LoopbackListener? {
    for (id, own) in resources where own.listener?.port == port && flows[id]?.isOver == true {
      defer { resources[id]?.listener = nil }
      return own.listener
    }
    return keptPorts.take(port)
  }

  func handOver(_ id: String, to next: Flow) {
    let listener = resources[id]?.listener
    resources[id]?.listener = nil
    removeEndedFlows()
    add(next, listener)
    listener?.serve(noticing: noticing(for: next.id), answering(for: next.id))
    note("asking for a second factor", next.ticket)
  }

  /// Retires the listener of an ended flow, and keeps its port bound until `deadline`.
  func keepPort(of id: String, until deadline: BootTime) async {
    guard let listener = resources[id]?.listener else { return }
    resources[id]?.listener = nil
    await keep(listener, until: deadline)
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

  func checkRunning() throws(AgentError) { if isShutDown { throw AgentError(.notReady) } }

  func checkFlowLimits() throws(AgentError) {
    try checkRunning()
    let running = flows.values.count { !$0.isOver && !$0.isCodeFlow }
    guard running < SignInLimits.maxRunningFlows else {
      throw AgentError(.tooMany, "Too many sign-ins at once.", hint: "finish or cancel one, then try again")
    }
    removeEndedFlows()
  }

  /// Makes room for another flow. Running flows are fewer than the stored ones.
  func removeEndedFlows() {
    while flows.count >= SignInLimits.maxStoredFlows {
      guard let ended = flows.values.filter(\.isOver).min(by: { $0.deadline < $1.deadline }) else { return }
      let deadline = ended.portDeadline(clock.now)
      if let listener = remove(ended.id) { Task { await keep(listener, until: deadline) } }
    }
  }

  /// Returns the account's ticket for this sign-in. A sign-in that already runs is ended only if
  /// the caller takes it over.
  private func ticket(_ params: SignInStart.Params, _ request: FlowRequest) async throws(AgentError) -> SignInTicket {
    func ticket() async throws(AgentError) -> SignInTicket {
      try await accounts.beginSignIn(
        account: params.account, project: params.project, provider: request.method, replace: params.replace ?? false)
    }
    do {
      return try await ticket()
    } catch {
      guard error.kind == .flowBusy, params.takeOver == true, let account = error.data.account else { throw error }
      await end(.failure(AgentError(.cancelled, account: account))) {
        !$0.ticket.isIdle && $0.ticket.account == account
      }
      return try await ticket()
    }
  }

  // MARK: - Waiting

  /// Waits for the flow's end. May be called repeatedly and by several callers; the result is
  /// available for one minute after the end.
  /// - Throws: `flowTimedOut` after the flow's wait timeout, and once when a browser outside has reached the port,
  ///   while the flow continues; `flowUnknown`; and the flow's error.
  package func wait(_ id: String) async throws(AgentError) -> SignInResult {
    guard let flow = flows[id] else { throw AgentError(.flowUnknown) }
    let result: FlowResult?
    do throws(WaitFailure) {
      result = try await follow(id, until: clock.deadline(after: flow.nextTimeout(clock.now))) {
        $0.news ?? ($0.hasUntoldVisit ? .failure(timedOut($0)) : nil)
      }
    } catch {
      throw error == .timedOut ? timedOut(flows[id] ?? flow) : AgentError(.cancelled)
    }
    guard let result else { throw AgentError(.flowUnknown) }
    if flows[id]?.hasUntoldVisit == true { await deliver(.outsideVisit(.told), to: id) }
    return try result.get()
  }

  /// Follows a flow until it has what the caller waits for: the end for a program, the next page for a browser.
  /// - Returns: nil for a flow that is gone.
  func follow<News: Sendable>(
    _ id: String, until deadline: Deadline, _ news: (Flow) -> News?
  ) async throws(WaitFailure) -> News? {
    guard var flow = flows[id] else { return nil }
    while true {
      if let found = news(flow) ?? flows[id].flatMap(news) { return found }
      guard flows[id] != nil else { return nil }
      flow = try await followers.wait(for: id, until: deadline)
    }
  }

  private func timedOut(_ flow: Flow) -> AgentError {
    let (message, hint) =
      switch flow.kind {
      case _ where flow.hasUntoldVisit: Self.outsideVisit(flow)
      case .factor:
        (
          "The code of the second factor has not been entered yet.",
          "enter it on the page, or in a terminal: \(flow.command)"
        )
      case .code: ("The code has not been entered yet.", flow.codeHint)
      case _ where flow.dialog?.ssoStartedAt != nil:
        (
          "The single sign-on has not returned from the browser yet.",
          "the organization's page must be finished within 2 minutes, and its errors end on the project's Site URL: "
            + "if the browser shows an error there, start again"
        )
      default:
        (
          "The sign-in has not returned from the browser yet.",
          "you can still finish it there; if the browser ended on another page, the project used its Site URL: "
            + "add \(flow.redirect.allowListEntry) to the project's redirect URLs, or start again"
        )
      }
    // Only a visit is told ahead of the timeout: the caller can wait again at once.
    return AgentError(
      .flowTimedOut, message, hint: hint, account: flow.ticket.account, retryAfter: flow.hasUntoldVisit ? 0 : nil)
  }

  /// The words about a browser on Windows, whose page or redirect was not served.
  private static func outsideVisit(_ flow: Flow) -> (String, String) {
    let message = "A browser on Windows cannot finish the sign-in here: its connection has no owner on this system."
    guard flow.pagePath == nil else {
      return (message, "name a sign-in method instead: ritualctl sign-in METHOD --account \(flow.ticket.account)")
    }
    return (
      message,
      "paste the redirect URL from its address bar; without a terminal, sign in with --no-browser, and paste it into: "
        + "ritualctl complete-sign-in"
    )
  }

  // MARK: - The end

  /// Ends every flow before the vault is locked, and removes the successful ones, because their
  /// results name a person. The flows end concurrently, because a flow may have to unlink a
  /// declined identity.
  package func endForLock() async {
    locks += 1
    await withDiscardingTaskGroup { group in
      for id in flows.keys { group.addTask { await self.endForLock(id) } }
    }
  }

  private func endForLock(_ id: String) async {
    await deliver(.lock, to: id, waits: true)
    guard let flow = flows[id], case .success? = flow.result else { return }
    await keepPort(of: id, until: flow.portDeadline(clock.now))
    remove(id)
  }

  /// Cancels a flow. A flow that is over stays unchanged, and a flow whose session is being stored
  /// completes.
  /// - Throws: `flowUnknown`.
  package func cancel(_ id: String) async throws(AgentError) {
    guard flows[id] != nil else { throw AgentError(.flowUnknown) }
    await starterDisconnected(id)
  }

  /// Cancels the flow of a client that disconnected without asking to keep the flow running.
  package func starterDisconnected(_ id: String) async {
    await deliver(.ended(.failure(AgentError(.cancelled))), to: id)
  }

  func end(_ result: FlowResult, _ isMeant: (Flow) -> Bool) async {
    for flow in flows.values.filter({ !$0.isOver && isMeant($0) }) { await deliver(.ended(result), to: flow.id) }
  }
}

extension FlowRequest {
  /// How the flow signs in, in a project.
  fileprivate func kind(_ project: Project) -> Flow.Kind {
    if let ssoDomain { return .sso(domain: ssoDomain) }
    guard provider == nil else { return .provider }
    return project.settings.signInPage.map { .projectPage($0) } ?? .page(path: Flow.pagePath())
  }
}
