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
    let (address, provider) = (PagePath(rawValue: request.path), PagePath.provider(at: request.path))
    guard address != nil || provider != nil else { return .refused(404) }
    guard request.holds(flow.visit.secret, port: port) else {
      let page = if case .waiting = flow.phase { PageState.missingCookie } else { PageState.unknownWindow }
      return .page(page.html(of: nil), status: 403)
    }
    guard let address else {
      guard request.form == nil else { return .refused(405) }
      guard let provider, request.isFromHere else { return .refused(403) }
      return choose(provider, flow)
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
    let isOwn = CallbackURL(text).attempt.map { ConstantTime.equal($0, flow.state) } ?? false
    if isOwn { flows[id]?.visit.hasBrowser = true }
    // The sign-in of a flow that asks for a second factor is done.
    if flow.factor == nil {
      let work = Task { _ = try? await receive(text, .browser(flow: id)) }
      _ = await value(of: work, within: SignInLimits.maxPageDelay)
    }
    var answer = LoopbackAnswer.seeOther(.home)
    if isOwn {
      answer.cookie = PageCookie.header(flow.visit.secret, port: port)
    }
    return answer
  }

  /// Exchanges the launch URL for a cookie and a path without the secret, once.
  private func launch(_ request: LoopbackRequest, _ flow: Flow, port: Int) -> LoopbackAnswer {
    if request.holds(flow.visit.secret, port: port) { return .seeOther(.home) }
    guard !flow.visit.isLaunched else { return .page(PageState.usedLaunchURL.html(of: nil), status: 403) }
    flows[flow.id]?.visit.isLaunched = true
    flows[flow.id]?.visit.hasBrowser = true
    var answer = LoopbackAnswer.seeOther(.home)
    answer.cookie = PageCookie.header(flow.visit.secret, port: port)
    return answer
  }

  private func page(_ address: PagePath, _ request: LoopbackRequest, _ flow: Flow) async -> LoopbackAnswer {
    switch address {
    case .script: return LoopbackAnswer(status: 200, body: PageScript.source, kind: .script)
    case .home: return await home(flow)
    case .wait: return await waitPage(flow)
    case .cancel, .keep, .undo, .resend, .later, .chooseFactor, .sendFactorCode, .verifyFactor, .postponeFactor:
      return .refused(405)
    case .identityProvider:
      guard request.isFromHere else { return .refused(403) }
      return leave(flow)
    case .email, .newUser, .emailCode, .newUserByEmail, .phoneCode, .newUserByPhone, .ownCode, .enterCode,
      .singleSignOn, .leave, .anonymous:
      return await form(address, flow)
    }
  }

  private func home(_ flow: Flow) async -> LoopbackAnswer {
    if let document = flow.pageState.document { return page(document, flow) }
    if let work = flow.visit.work { return page(PageState.requesting(title: work.title).document, flow) }
    if flow.factor != nil { return await factorPage(flow.id) }
    if let unseen = flow.visit.form.unseen { return .seeOther(unseen) }
    flows[flow.id]?.visit.form.refusal = nil
    let methods = PageMethod.offered(await projectSettings(flow.id)).map(\.button)
    return page(ChoicePage(methods: methods, refusal: flow.lastRefusal, codeAddress: flow.code?.address).document, flow)
  }

  /// Returns a page of the flow. While a request runs, the page continues to its result. Any other
  /// page of a running flow is replaced at the flow's deadline by the page for expired flows.
  func page(_ document: PageDocument?, _ flow: Flow) -> LoopbackAnswer {
    guard var document else { return .seeOther(.home) }
    if flow.factor != nil { document.wayOut = .later }
    let shown = flow.page(at: clock.now)
    var answer = LoopbackAnswer.page(document.html(of: shown))
    if flow.isBusyOnPage {
      answer.refresh = LoopbackAnswer.Refresh(after: 0, to: .wait)
    } else if let rest = shown.secondsLeft {
      answer.refresh = LoopbackAnswer.Refresh(after: rest + 1, to: .home)
    }
    answer.cookie = cookie(flow)
    return answer
  }

  /// Returns the cookie again for a flow that got more time than the first cookie.
  private func cookie(_ flow: Flow) -> String? {
    // A flow that asks for a second factor goes on with the cookie of the sign-in.
    let hasMoreTime = flow.factor != nil || flow.startedAt.duration(to: flow.deadline) > SignInLimits.flowLifetime
    guard !flow.isOver, hasMoreTime, case .loopback(let port) = flow.redirect.kind else { return nil }
    return PageCookie.header(flow.visit.secret, port: port, life: clock.now.duration(to: flow.deadline))
  }

  private func choose(_ provider: Provider, _ flow: Flow) -> LoopbackAnswer {
    guard case .waiting = flow.phase, flow.factor == nil, flow.offers(provider) else { return .seeOther(.home) }
    if flow.pagePath != nil {
      flows[flow.id]?.ticket = flow.ticket.with(provider)
      flows[flow.id]?.ssoStartedAt = nil
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
    case .waiting:
      if let work = flow.visit.work { _ = await value(of: work.task, within: SignInLimits.maxProgressDelay) }
    case .deciding: break
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

extension Flow {
  /// True while a page would show progress.
  var isBusyOnPage: Bool {
    switch pageState {
    case .working, .verifying, .requesting: true
    default: visit.work != nil && !isOver
    }
  }

  /// True if the page has sent a code to this address, and the project would not send another one yet.
  func hasJustSent(to address: CodeAddress, now: BootTime) -> Bool {
    guard let code, visit.form.codeOrigin != .elsewhere else { return false }
    return code.address == address && now < code.resendAt
  }

  /// True if the flow has the page with all methods, and takes a form.
  var takesForms: Bool {
    guard case .waiting = phase, factor == nil else { return false }
    return pagePath != nil && visit.work == nil
  }
}
