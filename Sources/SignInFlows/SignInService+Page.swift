import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The pages that the loopback listener of a flow serves.
extension SignInService {
  func answer(_ request: LoopbackRequest, of id: String) async -> LoopbackAnswer {
    await expire(id)
    guard let flow = flows[id], case .loopback(let port) = flow.redirect.kind else { return .refused(404) }
    if request.form == nil, request.path == "/callback" { return await callback(request, flow, port: port) }
    guard !request.hasQuery else { return .refused(404) }
    if request.form == nil, request.path == flow.pagePath { return launch(request, flow, port: port) }
    guard let address = PagePath(rawValue: request.path) else { return .refused(404) }
    guard request.holds(flow.visit.secret, port: port) else {
      return .page(PageState.missingCookie.html(of: nil), status: 403)
    }
    if let form = request.form { return await take(form, at: address, of: id) }
    return await page(address, request, flow)
  }

  /// Processes a callback. Its result is shown on the page to which the browser is sent. A request
  /// with the flow's own state gets the cookie for that page, even if the browser has not loaded a
  /// page of the listener before.
  private func callback(_ request: LoopbackRequest, _ flow: Flow, port: Int) async -> LoopbackAnswer {
    let text = "http://127.0.0.1:\(port)" + request.target
    let id = flow.id
    let work = Task { _ = try? await receive(text, .browser(flow: id)) }
    _ = await value(of: work, within: SignInLimits.maxPageDelay)
    var answer = LoopbackAnswer.seeOther(.home)
    if let attempt = CallbackURL(text).attempt, ConstantTime.equal(attempt, flow.state) {
      answer.cookie = PageCookie.header(flow.visit.secret, port: port)
    }
    return answer
  }

  /// Exchanges the launch URL for a cookie and a path without the secret, once.
  private func launch(_ request: LoopbackRequest, _ flow: Flow, port: Int) -> LoopbackAnswer {
    if request.holds(flow.visit.secret, port: port) { return .seeOther(.home) }
    guard !flow.visit.isLaunched else { return .page(PageState.usedLaunchURL.html(of: nil), status: 403) }
    flows[flow.id]?.visit.isLaunched = true
    var answer = LoopbackAnswer.seeOther(.home)
    answer.cookie = PageCookie.header(flow.visit.secret, port: port)
    return answer
  }

  private func page(_ address: PagePath, _ request: LoopbackRequest, _ flow: Flow) async -> LoopbackAnswer {
    switch address {
    case .script: return LoopbackAnswer(status: 200, body: PageScript.source, kind: .script)
    case .home: return await home(flow)
    case .wait: return await waitPage(flow)
    case .cancel, .keep, .undo: return .refused(405)
    case .apple, .google:
      guard request.isFromHere else { return .refused(403) }
      return choose(address == .apple ? .apple : .google, flow)
    case .email, .newUser: return await form(signUp: address == .newUser, flow)
    }
  }

  private func home(_ flow: Flow) async -> LoopbackAnswer {
    if let document = flow.pageState.document { return page(document, flow) }
    if flow.visit.form.isUnseen { return .seeOther(.form(signUp: flow.visit.form.isSignUp)) }
    flows[flow.id]?.visit.form.refusal = nil
    return page(flow.choicePage(await projectSettings(flow.id)).document, flow)
  }

  /// Returns a page of the flow. While a sign-in runs, the page continues to its result. Any other
  /// page of a running flow is replaced at the flow's deadline by the page for expired flows.
  private func page(_ document: PageDocument, _ flow: Flow) -> LoopbackAnswer {
    let shown = flow.page(at: clock.now)
    var answer = LoopbackAnswer.page(document.html(of: shown))
    if case .working = flow.pageState {
      answer.refresh = LoopbackAnswer.Refresh(after: 0, to: .wait)
    } else if let rest = shown.secondsLeft {
      answer.refresh = LoopbackAnswer.Refresh(after: rest + 1, to: .home)
    }
    return answer
  }

  private func choose(_ provider: Provider, _ flow: Flow) -> LoopbackAnswer {
    guard case .waiting = flow.phase, flow.offers(provider) else { return .seeOther(.home) }
    if flow.pagePath != nil {
      flows[flow.id]?.ticket = flow.ticket.with(provider)
      choseOnPage(provider, flow.id)
    }
    return .seeOther(flow.authorizeURL(provider))
  }

  /// Returns the project's settings (SI-12); nil if they are not available within `maxPageDelay`.
  func projectSettings(_ id: String) async -> ProjectSettings? {
    guard let flow = flows[id], flow.visit.settings == nil else { return flows[id]?.visit.settings }
    let server = flow.ticket.project.server
    let settings = await value(of: Task { try? await server.settings() }, within: SignInLimits.maxPageDelay) ?? nil
    if let settings { flows[id]?.visit.settings = settings }
    return settings
  }

  // MARK: - Progress

  /// Delays the response until the running operation has ended, then redirects the browser to the
  /// result.
  private func waitPage(_ flow: Flow) async -> LoopbackAnswer {
    switch flow.phase {
    case .exchanging(let task): _ = await value(of: task, within: SignInLimits.maxProgressDelay)
    case .adopting, .over: _ = await flow.firstNews(until: clock.deadline(after: SignInLimits.maxProgressDelay))
    case .waiting, .deciding: break
    }
    return .seeOther(.home)
  }

  /// Returns the value of `task`, or nil if it takes longer than `waitTimeout`. The task continues
  /// either way.
  func value<Value: Sendable>(of task: Task<Value, Never>, within limit: Duration) async -> Value? {
    let result = SettledValue<Value>()
    Task { result.settle(await task.value) }
    return try? await result.wait(until: clock.deadline(after: limit))
  }
}

/// The page's forms: email and password, the answers about a link, and cancel.
extension SignInService {
  /// Returns the form, filled in from the last attempt and with its error.
  func form(signUp: Bool, _ flow: Flow) async -> LoopbackAnswer {
    guard case .waiting = flow.phase, flow.pagePath != nil else { return .seeOther(.home) }
    let settings = await projectSettings(flow.id)
    guard settings?.isOn(.email) ?? true else { return .seeOther(.home) }
    flows[flow.id]?.visit.form.isUnseen = false
    let (isClosed, last) = (settings?.disableSignup ?? false, flow.visit.form)
    guard !(signUp && isClosed) else { return .seeOther(.email) }
    let form = EmailForm(
      isSignUp: signUp, email: last.email, refusal: last.isSignUp == signUp ? last.refusal : nil,
      offersOther: signUp || !isClosed)
    return page(form.document, flow)
  }

  /// Processes a submitted form. While an operation runs, no other starts; the response shows its
  /// progress (SI-10).
  func take(_ body: FormBody, at address: PagePath, of id: String) async -> LoopbackAnswer {
    switch address {
    case .cancel:
      guard body.values(of: []) != nil else { return .refused(400) }
      await end(id, .failure(AgentError(.cancelled)))
    case .keep, .undo:
      guard body.values(of: []) != nil else { return .refused(400) }
      let params = IdentityDecide.Params(flow: id, accept: address == .keep)
      // A separate task, so that a browser that disconnects does not interrupt it. The next page
      // shows its result.
      let work = Task { _ = try? await decide(params) }
      _ = await value(of: work, within: SignInLimits.maxPageDelay)
    case .email, .newUser:
      guard let values = body.values(of: EmailForm.fields) else { return .refused(400) }
      submit(email: values[0], password: values[1], signUp: address == .newUser, id)
    default: return .refused(405)
    }
    return .seeOther(.home)
  }

  private func submit(email: String, password: String, signUp: Bool, _ id: String) {
    guard let flow = flows[id], case .waiting = flow.phase, flow.pagePath != nil else { return }
    let params = PasswordParams(account: flow.ticket.account, project: nil, email: email, password: password)
    flows[id]?.visit.form = PageVisit.Form(email: email, isSignUp: signUp)
    flows[id]?.lastRefusal = nil
    if flow.method != .email { choseOnPage(.email, id) }
    // A separate task, so that a browser that disconnects does not interrupt it.
    flows[id]?.phase = .exchanging(Task { await signIn(params, signUp: signUp, id) })
  }

  private func signIn(_ params: PasswordParams, signUp: Bool, _ id: String) async -> FlowOutcome.Value {
    guard let ticket = flows[id]?.ticket.with(.email) else { return .failure(AgentError(.flowUnknown)) }
    let outcome: SignUpOutcome
    do {
      outcome = try await attempt(params, signUp: signUp, ticket)
    } catch {
      return formRefused(error, id)
    }
    guard var flow = flows[id], case .exchanging = flow.phase, !isShutDown else {
      if case .session(let session) = outcome { await accounts.discard(session, of: ticket.project) }
      return flows[id]?.outcome.settled ?? .failure(AgentError(.cancelled))
    }
    // Set only after success: a callback from a provider in another tab may complete the flow
    // first.
    flow.ticket = ticket
    flows[id]?.ticket = ticket
    switch outcome {
    case .session(let session): return await adopt(session, flow)
    case .confirmationSent:
      let sent = FlowOutcome.Value.success(SignInResult(.confirmationSent))
      await close(flow, sent)
      return sent
    }
  }

  /// Returns the flow to `waiting`, so that the person can retry.
  private func formRefused(_ error: AgentError, _ id: String) -> FlowOutcome.Value {
    if case .exchanging? = flows[id]?.phase {
      flows[id]?.phase = .waiting
      flows[id]?.visit.form.refusal = error
      flows[id]?.visit.form.isUnseen = true
    }
    return .failure(error)
  }
}
