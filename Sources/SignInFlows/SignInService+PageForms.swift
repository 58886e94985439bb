import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The forms of the page: what they show.
extension SignInService {
  /// Returns the form, filled in from the last attempt and with its error.
  func form(_ path: PagePath, _ flow: Flow) async -> LoopbackAnswer {
    guard flow.takesForms else { return .seeOther(.home) }
    let settings = await projectSettings(flow.id)
    let methods = PageMethod.offered(settings)
    if let method = path.method, !methods.contains(method) { return .seeOther(.home) }
    let isClosed = settings?.disableSignup ?? false
    if isClosed, path.isSignUp, let counterpart = path.counterpart { return .seeOther(counterpart) }
    guard flows[flow.id]?.takesForms == true else { return .seeOther(.home) }
    takeRefusal(at: path, flow.id)
    guard let flow = flows[flow.id] else { return .seeOther(.home) }
    let offers = PageOffers(
      counterpart: path.isSignUp || !isClosed, emailCodes: methods.contains(.emailCode),
      codeAddress: flow.code?.address)
    return page(path, flow, offers)
  }

  /// Notes that the result of the last form is shown. A refused anonymous sign-in is an error of its
  /// own page, and not of the choice.
  private func takeRefusal(at path: PagePath, _ id: String) {
    if path == .anonymous, flows[id]?.visit.form.unseen == path, let error = flows[id]?.lastRefusal {
      flows[id]?.visit.form.refusal = PageVisit.Refusal(error: error, page: path)
      flows[id]?.lastRefusal = nil
    }
    flows[id]?.visit.form.unseen = nil
  }

  private func page(_ path: PagePath, _ flow: Flow, _ offers: PageOffers) -> LoopbackAnswer {
    let (last, refusal) = (flow.visit.form, flow.visit.form.refusal(at: path))
    switch path {
    case .email, .newUser:
      let form = EmailForm(isSignUp: path.isSignUp, email: last.email, refusal: refusal, offers: offers)
      return page(form.document, flow)
    case .emailCode, .newUserByEmail, .phoneCode, .newUserByPhone:
      let address = path.method == .phoneCode ? last.phone : last.email
      let form = CodeRequestForm(path: path, address: address, refusal: refusal, offers: offers)
      return page(form.document, flow)
    case .ownCode: return page(OwnCodeForm(email: last.email, refusal: refusal, offers: offers).document, flow)
    case .enterCode: return page(codeForm(flow, refusal, offers)?.document, flow)
    case .singleSignOn:
      let form = SingleSignOnForm(organization: last.organization, refusal: refusal, offers: offers)
      return page(form.document, flow)
    case .leave: return leaving(flow)
    case .anonymous: return page(AnonymousPage(refusal: refusal, offers: offers).document, flow)
    default: return .seeOther(.home)
    }
  }

  /// Returns the form for the flow's code, or nil if the flow has none.
  private func codeForm(_ flow: Flow, _ refusal: AgentError?, _ offers: PageOffers) -> CodeForm? {
    guard let code = flow.code else { return nil }
    let pause = Int(clock.now.duration(to: code.resendAt).seconds.rounded(.up))
    return CodeForm(
      address: code.address, origin: flow.visit.form.codeOrigin, pause: pause, refusal: refusal ?? code.refusal,
      offers: offers)
  }

  /// Returns the page that continues to the identity provider. After a way back from there, the form
  /// is shown again.
  private func leaving(_ flow: Flow) -> LoopbackAnswer {
    guard flow.visit.form.identityProvider != nil else { return .seeOther(.singleSignOn) }
    var answer = page(SingleSignOnForm.leaving(to: flow.visit.form.organization), flow)
    answer.refresh = LoopbackAnswer.Refresh(after: 1, to: .identityProvider)
    return answer
  }

  /// Redirects to the organization's identity provider, once: its request has a time limit.
  func leave(_ flow: Flow) -> LoopbackAnswer {
    guard flow.takesForms, let url = flow.visit.form.identityProvider else { return .seeOther(.singleSignOn) }
    flows[flow.id]?.visit.form.identityProvider = nil
    return .seeOther(url)
  }
}

/// The forms of the page: what they do. While a request runs, no other starts; the response shows its
/// progress (SI-10).
extension SignInService {
  /// Processes a submitted form.
  func take(_ body: FormBody, at path: PagePath, of id: String) async -> LoopbackAnswer {
    guard let fields = Self.fields(at: path) else { return .refused(405) }
    guard let values = body.values(of: fields) else { return .refused(400) }
    if flows[id]?.factor != nil { return await takeFactorForm(values, at: path, of: id) }
    switch path {
    case .cancel: await end(id, .failure(AgentError(.cancelled)))
    case .keep, .undo:
      let params = IdentityDecide.Params(flow: id, accept: path == .keep)
      // A separate task, so that a browser that disconnects does not interrupt it. The next page
      // shows its result.
      let work = Task { _ = try? await decide(params) }
      _ = await value(of: work, within: SignInLimits.maxPageDelay)
    case .later: await confirmLater(id)
    case .chooseFactor, .sendFactorCode, .verifyFactor, .postponeFactor: break
    default:
      guard flows[id]?.takesForms == true else { break }
      flows[id]?.lastRefusal = nil
      flows[id]?.visit.form.refusal = nil
      submit(values, at: path, id)
    }
    return .seeOther(.home)
  }

  /// Returns the names of a form's fields, in order; nil for a path that takes no form.
  private static func fields(at path: PagePath) -> [String]? {
    switch path {
    case .cancel, .keep, .undo, .later, .resend, .anonymous, .postponeFactor: []
    case .chooseFactor, .sendFactorCode: FactorPage.choiceFields
    case .verifyFactor: FactorPage.fields
    case .email, .newUser: EmailForm.fields
    case .emailCode, .newUserByEmail, .phoneCode, .newUserByPhone: CodeRequestForm.fields(at: path)
    case .ownCode: OwnCodeForm.fields
    case .enterCode: CodeForm.fields
    case .singleSignOn: SingleSignOnForm.fields
    case .home, .leave, .identityProvider, .wait, .script: nil
    }
  }

  private func submit(_ values: [String], at path: PagePath, _ id: String) {
    flows[id]?.visit.form.unseen = path
    // The limit of the identity provider does not apply to another method.
    if path != .singleSignOn { flows[id]?.ssoStartedAt = nil }
    do throws(AgentError) {
      switch path {
      case .email, .newUser: submit(email: values[0], password: values[1], at: path, id)
      case .emailCode, .newUserByEmail:
        flows[id]?.visit.form.email = values[0]
        requestCode(try .email(checking: values[0]), signUp: path.isSignUp, from: path, id)
      case .phoneCode, .newUserByPhone:
        flows[id]?.visit.form.phone = values[0]
        requestCode(try .phone(checking: values[0]), signUp: path.isSignUp, from: path, id)
      case .ownCode:
        flows[id]?.visit.form.email = values[0]
        _ = try CodeAddress.email(checking: values[0])
        useOwnCode(of: values[0], id)
      case .enterCode: verifyCode(values[0], onPageOf: id)
      case .resend: resendCode(id)
      case .singleSignOn:
        flows[id]?.visit.form.organization = values[0]
        requestSingleSignOn(try SSODomain.checked(values[0]), id)
      case .anonymous: anonymous(onPageOf: id)
      default: break
      }
    } catch {
      flows[id]?.visit.form.refusal = PageVisit.Refusal(error: error, page: path)
    }
  }

  // MARK: - Codes and single sign-on

  private func requestCode(_ address: CodeAddress, signUp: Bool, from path: PagePath, _ id: String) {
    // A second click, after the first one has sent a code.
    if flows[id]?.hasJustSent(to: address, now: clock.now) == true {
      flows[id]?.visit.form.unseen = .enterCode
      return
    }
    request("Sending the code…", from: path, id) { (service: SignInService) async throws(AgentError) in
      _ = try await service.sendCode(onPageOf: id, address: address, signUp: signUp)
      await service.keepOrigin(signUp ? .newUser : .requested, of: id)
      return .enterCode
    }
  }

  /// Notes where the flow's new code comes from. A code that was not sent leaves the one before it.
  private func keepOrigin(_ origin: CodeForm.Origin, of id: String) { flows[id]?.visit.form.codeOrigin = origin }

  /// Requests another code for the same address, unless the project would refuse it.
  private func resendCode(_ id: String) {
    flows[id]?.visit.form.unseen = .enterCode
    guard let flow = flows[id], let code = flow.code, code.resendAt <= clock.now else { return }
    let signUp = flow.visit.form.codeOrigin == .newUser
    request("Sending the code…", from: .enterCode, id) { (service: SignInService) async throws(AgentError) in
      _ = try await service.sendCode(onPageOf: id, address: code.address, signUp: signUp)
      return .enterCode
    }
  }

  private func useOwnCode(of email: String, _ id: String) {
    codeWasSent(to: email, onPageOf: id)
    keepOrigin(.elsewhere, of: id)
    flows[id]?.visit.form.unseen = .enterCode
  }

  private func requestSingleSignOn(_ domain: String, _ id: String) {
    request("One moment…", from: .singleSignOn, id) { (service: SignInService) async throws(AgentError) in
      let url = try await service.startSSO(domain: domain, onPageOf: id)
      await service.keepIdentityProvider(url, of: id)
      return .leave
    }
  }

  private func keepIdentityProvider(_ url: String, of id: String) {
    guard flows[id]?.isOver == false else { return }
    flows[id]?.visit.form.identityProvider = url
  }

  /// Runs a request that is no sign-in, in a separate task, so that a browser that disconnects does
  /// not interrupt it. The page shows its progress, then the returned page, or `path` with the error.
  func request(
    _ title: String, from path: PagePath, _ id: String,
    _ body: @escaping @Sendable (SignInService) async throws(AgentError) -> PagePath
  ) {
    let task = Task {
      do throws(AgentError) {
        requestEnded(id, next: try await body(self))
      } catch {
        requestEnded(id, next: path, error)
      }
    }
    flows[id]?.visit.work = PageVisit.Work(title: title, task: task)
  }

  private func requestEnded(_ id: String, next: PagePath, _ error: AgentError? = nil) {
    flows[id]?.visit.work = nil
    // A flow that is over keeps nothing about a person.
    guard flows[id]?.isOver == false else { return }
    flows[id]?.visit.form.unseen = next
    flows[id]?.visit.form.refusal = error.map { PageVisit.Refusal(error: $0, page: next) }
  }

  // MARK: - Passwords

  private func submit(email: String, password: String, at path: PagePath, _ id: String) {
    guard let flow = flows[id] else { return }
    let params = PasswordParams(account: flow.ticket.account, project: nil, email: email, password: password)
    flows[id]?.visit.form.email = email
    if flow.method != .email { choseOnPage(.email, id) }
    // A separate task, so that a browser that disconnects does not interrupt it.
    flows[id]?.phase = .exchanging(Task { await signIn(params, at: path, id) })
  }

  private func signIn(_ params: PasswordParams, at path: PagePath, _ id: String) async -> FlowOutcome.Value {
    guard let ticket = flows[id]?.ticket.with(.email) else { return .failure(AgentError(.flowUnknown)) }
    let outcome: SignUpOutcome
    do {
      outcome = try await attempt(params, signUp: path.isSignUp, ticket)
    } catch {
      return formRefused(error, at: path, id)
    }
    guard var flow = flows[id], case .exchanging = flow.phase, !isShutDown else {
      if case .session(let session) = outcome { await accounts.discard(session, of: ticket.project) }
      return flows[id]?.outcome.settled ?? .failure(AgentError(.cancelled))
    }
    switch outcome {
    case .session(let session):
      // Set only after success: a callback from a provider in another tab may complete the flow
      // first.
      flow.ticket = ticket
      flows[id]?.ticket = ticket
      return await adopt(session, flow)
    case .confirmationSent: return awaitConfirmation(of: params.email, id)
    }
  }

  /// Returns the flow to `waiting`, so that the person can retry.
  private func formRefused(_ error: AgentError, at path: PagePath, _ id: String) -> FlowOutcome.Value {
    if case .exchanging? = flows[id]?.phase {
      flows[id]?.phase = .waiting
      flows[id]?.visit.form.refusal = PageVisit.Refusal(error: error, page: path)
      flows[id]?.visit.form.unseen = path
    }
    return .failure(error)
  }

  /// Returns the flow to `waiting`, for the code that confirms the sign-up (WS-2).
  private func awaitConfirmation(of email: String, _ id: String) -> FlowOutcome.Value {
    flows[id]?.phase = .waiting
    codeWasSent(to: email, onPageOf: id)
    keepOrigin(.signUp, of: id)
    flows[id]?.visit.form.unseen = .enterCode
    return .success(SignInResult(.confirmationSent))
  }

  /// Ends a sign-up whose confirmation is still to come, with the result that every other sign-up
  /// without a session has.
  func confirmLater(_ id: String) async {
    guard let flow = flows[id], flow.takesForms, flow.visit.form.isConfirmation else { return }
    await close(flow, .success(SignInResult(.confirmationSent)))
  }
}
