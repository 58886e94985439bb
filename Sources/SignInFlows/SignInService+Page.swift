import AgentConfiguration
import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The pages that the loopback listener of a flow serves.
extension SignInService {
  func answer(_ request: LoopbackRequest, of id: String) async -> LoopbackAnswer {
    await deliver(.deadline, to: id)
    guard let flow = flows[id], case .loopback(let port) = flow.redirect.kind else { return .refused(404) }
    if request.form == nil, request.path == "/callback" { return await callback(request, flow, port: port) }
    guard !request.hasQuery else { return .refused(404) }
    if request.form == nil, request.path == flow.pagePath { return await launch(request, flow, port: port) }
    let (address, provider) = (PagePath(rawValue: request.path), PagePath.provider(at: request.path))
    guard address != nil || provider != nil else { return .refused(404) }
    guard request.holds(flow.cookie, port: port) else {
      let page =
        switch flow.phase {
        case .opening, .waiting, .requesting: PageState.missingCookie
        case .exchanging, .adopting, .deciding, .undoing, .leaving, .over: PageState.unknownWindow
        }
      return .page(page.html(of: nil), status: 403)
    }
    guard let address else {
      guard request.form == nil else { return .refused(405) }
      guard let provider, request.isFromHere else { return .refused(403) }
      return await answer(to: .chose(provider), of: id)
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
    if isOwn { await deliver(.returned, to: id) }
    // The sign-in of a flow that asks for a second factor is done.
    if !flow.isFactorFlow {
      let work = Task { await receive(text, .browser(flow: id)) }
      _ = await value(of: work, within: SignInLimits.maxPageDelay)
    }
    var answer = LoopbackAnswer.seeOther(.home)
    if isOwn { answer.cookie = PageCookie.header(flow.cookie, port: port) }
    return answer
  }

  /// Exchanges the launch URL for a cookie and a path without the secret, once.
  private func launch(_ request: LoopbackRequest, _ flow: Flow, port: Int) async -> LoopbackAnswer {
    if request.holds(flow.cookie, port: port) { return .seeOther(.home) }
    var answer = await answer(to: .launched, of: flow.id)
    if answer.status == 303 { answer.cookie = PageCookie.header(flow.cookie, port: port) }
    return answer
  }

  private func page(_ address: PagePath, _ request: LoopbackRequest, _ flow: Flow) async -> LoopbackAnswer {
    switch address {
    case .script: return LoopbackAnswer(status: 200, body: PageScript.source, kind: .script)
    case .home: return await home(flow)
    case .wait:
      // The progress page stays visible until the running operation has ended.
      let limit = clock.deadline(after: SignInLimits.maxProgressDelay)
      _ = try? await follow(flow.id, until: limit) { $0.isBusyOnPage ? nil : true }
      return .seeOther(.home)
    case .cancel, .keep, .undo, .resend, .later, .chooseFactor, .sendFactorCode, .verifyFactor, .postponeFactor:
      return .refused(405)
    case .identityProvider:
      guard request.isFromHere else { return .refused(403) }
      return await answer(to: .left, of: flow.id)
    case .email, .newUser, .emailCode, .newUserByEmail, .phoneCode, .newUserByPhone, .ownCode, .enterCode,
      .singleSignOn, .leave, .anonymous:
      guard address.form == address else { return .seeOther(address.form) }
      return await form(address, flow)
    }
  }

  private func home(_ flow: Flow) async -> LoopbackAnswer {
    if let document = flow.pageState.document { return page(document, flow) }
    if flow.isFactorFlow { return await factorPage(flow.id) }
    if let unseen = flow.dialog?.form.unseen { return .seeOther(unseen.form) }
    await deliver(.shown(.home), to: flow.id)
    let methods = PageMethod.offered(await projectSettings(flow.id))
    return page(
      ChoicePage(methods: methods, refusal: flow.dialog?.lastRefusal, codeAddress: flow.code?.address).document, flow)
  }

  /// Returns a page of the flow. While a request runs, the page continues to its result. Any other
  /// page of a running flow is replaced at the flow's deadline by the page for expired flows.
  func page(_ document: PageDocument?, _ flow: Flow) -> LoopbackAnswer {
    guard var document else { return .seeOther(.home) }
    if flow.isFactorFlow { document.wayOut = .later }
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
    let hasMoreTime = flow.isFactorFlow || flow.startedAt.duration(to: flow.deadline) > SignInLimits.flowLifetime
    guard !flow.isOver, hasMoreTime, case .loopback(let port) = flow.redirect.kind else { return nil }
    return PageCookie.header(flow.cookie, port: port, life: clock.now.duration(to: flow.deadline))
  }

  /// Returns the project's settings; nil if they are not available within `maxPageDelay`.
  private func projectSettings(_ id: String) async -> ProjectSettings? {
    guard let flow = flows[id], flow.dialog?.settings == nil else { return flows[id]?.dialog?.settings }
    let server = flow.ticket.project.server
    let settings = await value(of: Task { try? await server.settings() }, within: SignInLimits.maxPageDelay) ?? nil
    if let settings { await deliver(.settings(settings), to: id) }
    return settings
  }

  /// Returns the value of `task`, or nil if it takes longer than `limit`. The task continues
  /// either way.
  private func value<Value: Sendable>(of task: Task<Value, Never>, within limit: Duration) async -> Value? {
    let result = SettledValue<Value>()
    Task { result.settle(await task.value) }
    return try? await result.wait(until: clock.deadline(after: limit))
  }
}

extension SignInService {
  /// Returns the form, filled in from the last attempt and with its error.
  private func form(_ path: PagePath, _ flow: Flow) async -> LoopbackAnswer {
    guard flow.choosing != nil else { return .seeOther(.home) }
    let settings = await projectSettings(flow.id)
    let methods = PageMethod.offered(settings)
    if let method = path.method, !methods.contains(method) { return .seeOther(.home) }
    let isClosed = settings?.disableSignup ?? false
    if isClosed, path.isSignUp, let counterpart = path.counterpart { return .seeOther(counterpart) }
    await deliver(.shown(path), to: flow.id)
    guard let flow = flows[flow.id], let dialog = flow.choosing else { return .seeOther(.home) }
    let offers = PageOffers(
      counterpart: path.isSignUp || !isClosed, emailCodes: methods.contains(.email),
      codeAddress: dialog.code?.address, passwordResetPage: flow.ticket.project.settings.passwordResetPage)
    return page(path, flow, dialog, offers)
  }

  private func page(_ path: PagePath, _ flow: Flow, _ dialog: Flow.Dialog, _ offers: PageOffers) -> LoopbackAnswer {
    let (last, refusal) = (dialog.form, dialog.form.refusal(at: path))
    switch path {
    case .email, .newUser:
      let form = EmailForm(isSignUp: path.isSignUp, email: last.email, refusal: refusal, offers: offers)
      return page(form.document, flow)
    case .phoneCode, .newUserByPhone:
      let form = PhoneForm(isSignUp: path.isSignUp, phone: last.phone, refusal: refusal, offers: offers)
      return page(form.document, flow)
    case .ownCode: return page(OwnCodeForm(email: last.email, refusal: refusal, offers: offers).document, flow)
    case .enterCode:
      guard let code = dialog.code else { return .seeOther(.home) }
      let pause = Int(clock.now.duration(to: code.resendAt).seconds.rounded(.up))
      let form = CodeForm(
        address: code.address, origin: last.codeOrigin, pause: pause, refusal: refusal ?? code.refusal, offers: offers)
      return page(form.document, flow)
    case .singleSignOn:
      let form = SingleSignOnForm(organization: last.organization, refusal: refusal, offers: offers)
      return page(form.document, flow)
    case .leave:
      // After a way back from the identity provider, the form is shown again.
      guard last.identityProvider != nil else { return .seeOther(.singleSignOn) }
      var answer = page(SingleSignOnForm.leaving(to: last.organization), flow)
      answer.refresh = LoopbackAnswer.Refresh(after: 1, to: .identityProvider)
      return answer
    case .anonymous: return page(AnonymousPage(refusal: refusal, offers: offers).document, flow)
    default: return .seeOther(.home)
    }
  }

  /// Processes a submitted form. The response shows the progress of the request that it causes.
  private func take(_ body: FormBody, at path: PagePath, of id: String) async -> LoopbackAnswer {
    guard let fields = Self.fields(at: path) else { return .refused(405) }
    guard let values = body.values(of: fields) else { return .refused(400) }
    switch path {
    case _ where flows[id]?.isFactorFlow == true: await takeFactorForm(values, at: path, of: id)
    case .keep, .undo:
      // The next page shows its result, or its progress.
      await deliver(.decided(accept: path == .keep), to: id)
      let limit = clock.deadline(after: SignInLimits.maxPageDelay)
      _ = try? await follow(id, until: limit) { $0.isBusyOnPage ? nil : true }
    default: await deliver(.form(path, values), to: id)
    }
    return .seeOther(.home)
  }

  /// Returns the names of a form's fields, in order; nil for a path that takes no form.
  private static func fields(at path: PagePath) -> [String]? {
    switch path {
    case .cancel, .keep, .undo, .later, .resend, .anonymous, .postponeFactor: []
    case .chooseFactor, .sendFactorCode: FactorPage.choiceFields
    case .verifyFactor: FactorPage.fields
    case .email, .newUser, .emailCode, .newUserByEmail: EmailForm.fields
    case .phoneCode, .newUserByPhone: PhoneForm.fields
    case .ownCode: OwnCodeForm.fields
    case .enterCode: CodeForm.fields
    case .singleSignOn: SingleSignOnForm.fields
    case .home, .leave, .identityProvider, .wait, .script: nil
    }
  }
}
