import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The page's forms: e-mail and password, and the wish to cancel.
extension SignInService {
  /// The form, filled in as it was left, with what was wrong the last time.
  func form(signUp: Bool, _ flow: Flow) async -> LoopbackAnswer {
    guard case .waiting = flow.phase, flow.pagePath != nil else { return .seeOther(.home) }
    let settings = await projectSettings(flow.id)
    guard settings?.isOn(.email) ?? true else { return .seeOther(.home) }
    flows[flow.id]?.visit.form.isNews = false
    let (isClosed, last) = (settings?.disableSignup ?? false, flow.visit.form)
    guard !(signUp && isClosed) else { return .seeOther(.email) }
    let form = EmailForm(
      isSignUp: signUp, email: last.email, refusal: last.isSignUp == signUp ? last.refusal : nil,
      offersOther: signUp || !isClosed)
    return untilTheEnd(.page(form.document.html), flow)
  }

  /// Takes what a form sent. While something runs already, nothing begins: the answer is its progress (SI-10).
  func take(_ body: FormBody, at address: PageAddress, of id: String) async -> LoopbackAnswer {
    switch address {
    case .cancel:
      guard body.values(of: []) != nil else { return .refused(400) }
      await end(id, .failure(AgentError(.cancelled)))
    case .keep, .undo:
      guard body.values(of: []) != nil else { return .refused(400) }
      let params = IdentityDecide.Params(flow: id, accept: address == .keep)
      // A task of its own: a browser that goes away does not end it half-way. How it ended shows on the next page.
      let work = Task { _ = try? await decide(params) }
      _ = await value(of: work, within: SignInBounds.pagePatience)
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
    // A task of its own: a browser that goes away does not end it half-way.
    flows[id]?.phase = .exchanging(Task { await signIn(params, signUp: signUp, id) })
  }

  private func signIn(_ params: PasswordParams, signUp: Bool, _ id: String) async -> FlowOutcome.Value {
    guard let ticket = flows[id]?.ticket.by(.email) else { return .failure(AgentError(.flowUnknown)) }
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
    // Only now: another tab may have been at a provider all the while, and still come back first.
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

  /// The person can try again: the flow goes on.
  private func formRefused(_ error: AgentError, _ id: String) -> FlowOutcome.Value {
    if case .exchanging? = flows[id]?.phase {
      flows[id]?.phase = .waiting
      flows[id]?.visit.form.refusal = error
      flows[id]?.visit.form.isNews = true
    }
    return .failure(error)
  }
}
