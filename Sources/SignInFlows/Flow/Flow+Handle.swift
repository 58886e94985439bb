import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

extension Flow {
  /// Moves the flow, and returns what is to be done, in this order. An event that has no meaning in the flow's phase
  /// changes nothing; a program that sent it is told so.
  mutating func handle(_ event: FlowEvent, now: BootTime) -> [FlowEffect] {
    if event.isOutside, deadline <= now, !isOver { return expire() + unknown }
    switch event {
    case .opened(let port): return opened(port, now)
    case .callback(let answer, let source, let confirmsLinks, let canAsk):
      return callback(answer, source, confirmsLinks: confirmsLinks, canAsk: canAsk, now)
    case .misdirected(let error): return isOver ? [.tell(.failure(error))] : refuse(error)
    case .code(let entry, let replace): return code(entry, replace: replace)
    case .allowedToReplace:
      ticket.replace = true
      return []
    case .launched:
      if case .launched = browser { return [.show(.page(PageState.usedLaunchURL.html(of: nil), status: 403))] }
      browser = .launched
      return [.show(.seeOther(.home))]
    case .returned:
      if case .none = browser { browser = .returned }
      return []
    case .outsideVisit(let visit):
      outsideVisit = visit
      return []
    case .shown(let page): return shown(page)
    case .form(let page, let values): return form(page, values, now)
    case .factor(let page, let factor, let code): return answerFactor(page, factor, code, now)
    case .chose(let provider): return choose(provider)
    case .left:
      guard let url = choosing?.form.identityProvider else { return [.show(.seeOther(.singleSignOn))] }
      update { $0.form.identityProvider = nil }
      return [.show(.seeOther(url))]
    case .settings(let settings):
      update { $0.settings = settings }
      return []
    case .decided(let accept): return decide(accept)
    case .claimed(let claimed):
      switch phase {
      case .exchanging, .leaving:
        (ticket.id, ticket.project, ticket.isNewAccount) = (claimed.id, claimed.project, claimed.isNewAccount)
        return []
      default: return [.free(claimed)]
      }
    case .answered(let answer): return answered(answer, now)
    case .adopted(let session, let result, let next): return adopted(session, result, next, now)
    case .ended(let result): return end(result)
    case .deadline: return deadline <= now ? expire() : []
    case .lock:
      let locked = FlowResult.failure(AgentError(.vaultLocked, account: ticket.account))
      guard case .exchanging(.code, _) = phase else { return interrupt(locked) }
      // A code is used up by its verification. The lock cancels the request after its time for responses.
      phase = .leaving(locked)
      return [.join(again: false)]
    case .shutdown: return interrupt(.failure(AgentError(.cancelled)))
    }
  }

  private var isWaiting: Bool {
    switch phase {
    case .waiting, .requesting: true
    default: false
    }
  }

  private var unknown: [FlowEffect] { [.tell(.failure(AgentError(.flowUnknown, account: ticket.account)))] }

  private mutating func update(_ change: (inout Dialog) -> Void) {
    guard var dialog else { return }
    change(&dialog)
    switch phase {
    case .opening: phase = .opening(dialog)
    case .waiting: phase = .waiting(dialog)
    case .requesting(let errand, _): phase = .requesting(errand, dialog)
    case .exchanging(let exchange, _): phase = .exchanging(exchange, dialog)
    case .adopting, .deciding, .undoing, .leaving, .over: break
    }
  }

  private mutating func extend(by time: Duration, _ now: BootTime) { deadline = max(deadline, now.advanced(by: time)) }

  // MARK: - The beginning

  private mutating func opened(_ port: Int?, _ now: BootTime) -> [FlowEffect] {
    guard case .opening(let dialog) = phase else { return [] }
    if case .loopback = redirect.kind { redirect = Redirect(port.map { .loopback(port: $0) } ?? .manual) }
    deadline = now.advanced(by: kind.lifetime(dialog.code?.address))
    switch kind {
    case .sso(let domain): return [.request(.ssoURL(domain: domain, target(dialog)), ticket)]
    case .link: return [.request(.linkURL(scopes: scopes, target(dialog)), ticket)]
    case .code(let createUser):
      guard let code = dialog.code else { return [] }
      return [.request(.sendCode(code.address, createUser: createUser, target(dialog)), ticket)]
    case .page, .projectPage, .provider, .factor:
      phase = .waiting(dialog)
      return []
    }
  }

  /// Where a mailed link or an identity provider sends the browser.
  private func target(_ dialog: Dialog) -> PKCERedirect {
    PKCERedirect(url: redirect.url(attempt: state), challenge: dialog.pkce.challenge)
  }

  // MARK: - Callbacks and codes

  private mutating func callback(
    _ answer: CallbackAnswer, _ source: CallbackSource, confirmsLinks: Bool, canAsk: Bool, _ now: BootTime
  ) -> [FlowEffect] {
    guard !isOver, !isOpening, !isFactorFlow else { return unknown }
    switch answer {
    case .invalid(let fault): return refuse(fault.error)
    // A mailed link that no longer works leaves the code and a newer mail usable.
    case .failed(let code) where isCodeFlow || code == "otp_expired":
      return refuse(CallbackRefusal.error(code, account: ticket.account))
    case .failed(let code): return endIfWaiting(CallbackRefusal.error(code, account: ticket.account))
    case .cancelled: return endIfWaiting(AgentError(.cancelled))
    case .code(let code):
      // The code can be used only once.
      if !canAsk, isPasted(source), ticket.isNewAccount { return [.tell(.failure(unconfirmed))] }
      switch phase {
      case .waiting(let dialog):
        // Stored only with a session: the flow may go on with another method.
        var ticket = ticket
        ticket.askedAt = now
        ticket.linkConsent = confirmsLinks ? .needed : .notNeeded
        ticket.isPasted = isPasted(source)
        phase = .exchanging(.callback(source), dialog)
        let adds = isCodeFlow && dialog.code?.purpose == .link ? dialog.code?.address : nil
        return [.request(.exchange(code: code, verifier: dialog.pkce.verifier, adds: adds), ticket)]
      case .requesting: return [.join(again: true)]
      case .exchanging(.callback, _): return [.join(again: false)]
      // Something else than a callback may fail, such as a code.
      case .exchanging: return [.join(again: true)]
      case .deciding(_, let decision): return [.tell(.success(SignInResult(.decisionNeeded, decision: decision)))]
      case .adopting, .undoing, .leaving: return [.follow]
      case .opening, .over: return unknown
      }
    }
  }

  private var unconfirmed: AgentError {
    AgentError(
      .invalidParams,
      "A first sign-in with a pasted URL must be confirmed, and there is no terminal to ask. Nothing was sent.",
      hint: "to skip the confirmation: ritualctl complete-sign-in --yes", account: ticket.account)
  }

  /// Counts a rejected callback; the fifth ends the flow.
  private mutating func refuse(_ error: AgentError) -> [FlowEffect] {
    failures += 1
    update { $0.lastRefusal = error }
    guard failures >= SignInLimits.maxCallbackFailures else { return [.noteRefusal(error), .tell(.failure(error))] }
    return end(.failure(AgentError(.callbackInvalid, account: ticket.account))) + [.tell(.failure(error))]
  }

  /// Ends the flow after an error from the provider or the server, unless an exchange is in progress or done.
  private mutating func endIfWaiting(_ error: AgentError) -> [FlowEffect] {
    (isWaiting ? close(.failure(error)) : []) + [.tell(.failure(error))]
  }

  /// A code or a link is sent once: a success uses it up, also if the response is lost, and the server does not guard
  /// against parallel use.
  private mutating func code(_ entry: CodeEntry, replace: Bool?) -> [FlowEffect] {
    switch phase {
    case .adopting, .undoing, .leaving: return [.follow]
    case .opening, .deciding, .over: return unknown
    case .waiting(let dialog), .requesting(_, let dialog), .exchanging(_, let dialog):
      guard let code = dialog.code else {
        let error = AgentError(.invalidParams, "This sign-in does not wait for a code.", account: ticket.account)
        return [.tell(.failure(error))]
      }
      if case .requesting = phase { return [.join(again: true)] }
      // A callback that fails does not stand for the code.
      if case .exchanging(.callback, _) = phase { return [.join(again: true)] }
      if case .exchanging = phase { return [.join(again: false)] }
      do throws(AgentError) {
        return verify(try entry.proof(code.address, code.purpose), code, dialog, replace: replace)
      } catch {
        return [.tell(.failure(error))]
      }
    }
  }

  private mutating func verify(
    _ proof: CodeProof, _ code: PendingCode, _ dialog: Dialog, replace: Bool? = nil
  ) -> [FlowEffect] {
    var ticket = ticket.with(code.address.provider, isCode: true)
    if isCodeFlow { ticket.replace = replace ?? ticket.replace }
    phase = .exchanging(.code, dialog)
    return [.request(.verify(proof, code.address), ticket)]
  }

  // MARK: - The page

  private mutating func choose(_ provider: Provider) -> [FlowEffect] {
    guard isWaiting, offers(provider) else { return [.show(.seeOther(.home))] }
    var chosen: [FlowEffect] = []
    if case .page = kind {
      ticket = ticket.with(provider)
      update { $0.ssoStartedAt = nil }
      chosen = select(AuthMethod(provider))
    }
    return chosen + [.show(.seeOther(authorizeURL(provider)))]
  }

  private mutating func select(_ method: AuthMethod) -> [FlowEffect] {
    self.method = method
    return [.report(.counted(.authMethodSelected(method)))]
  }

  private mutating func shown(_ page: PagePath) -> [FlowEffect] {
    guard choosing != nil else { return [] }
    update { dialog in
      if page == .home {
        dialog.form.refusal = nil
        return
      }
      // A refused anonymous sign-in is an error of its own page, and not of the choice.
      if page == .anonymous, dialog.form.unseen == page, let error = dialog.lastRefusal {
        dialog.form.refusal = FormEntries.Refusal(error: error, page: page)
        dialog.lastRefusal = nil
      }
      dialog.form.unseen = nil
    }
    return []
  }

  private mutating func form(_ page: PagePath, _ values: [String], _ now: BootTime) -> [FlowEffect] {
    if isFactorFlow { return [] }
    if page == .cancel { return end(.failure(AgentError(.cancelled))) }
    // While a request runs, no other starts.
    guard var dialog = choosing, !page.isOfFactor else { return [] }
    if page == .later {
      return dialog.form.codeOrigin == .signUp ? close(.success(SignInResult(.confirmationSent))) : []
    }
    (dialog.lastRefusal, dialog.form.refusal, dialog.form.unseen) = (nil, nil, page)
    // The limit of the identity provider does not apply to another method.
    if page != .singleSignOn { dialog.ssoStartedAt = nil }
    do throws(AgentError) {
      return try submit(page, values, &dialog, now)
    } catch {
      dialog.form.refusal = FormEntries.Refusal(error: error, page: page)
      phase = .waiting(dialog)
      return []
    }
  }

  private mutating func submit(
    _ page: PagePath, _ values: [String], _ dialog: inout Dialog, _ now: BootTime
  ) throws(AgentError) -> [FlowEffect] {
    defer { if case .waiting = phase { phase = .waiting(dialog) } }
    switch page {
    case .email, .newUser:
      dialog.form.email = values[0]
      let params = PasswordParams(account: ticket.account, project: nil, email: values[0], password: values[1])
      phase = .exchanging(.password(page), dialog)
      return (method == .email ? [] : select(.email))
        + [.request(.password(params, signUp: page.isSignUp), ticket.with(.email))]
    case .emailCode, .newUserByEmail:
      dialog.form.email = values[0]
      return request(codeTo: try .email(checking: values[0]), from: page, &dialog, now)
    case .phoneCode, .newUserByPhone:
      dialog.form.phone = values[0]
      return request(codeTo: try .phone(checking: values[0]), from: page, &dialog, now)
    case .ownCode:
      dialog.form.email = values[0]
      wait(forCodeTo: try .email(checking: values[0]), .elsewhere, &dialog, now)
    case .enterCode: return enter(values[0], &dialog)
    case .resend:
      dialog.form.unseen = .enterCode
      guard let code = dialog.code, code.resendAt <= now else { return [] }
      return send(to: code.address, from: .enterCode, dialog.form.codeOrigin, dialog)
    case .singleSignOn:
      dialog.form.organization = values[0]
      let domain = try SSODomain.checked(values[0])
      phase = .requesting(.sso, dialog)
      return [.request(.ssoURL(domain: domain, target(dialog)), ticket.with(.sso))]
    case .anonymous:
      phase = .exchanging(.anonymous, dialog)
      return select(.anonymous) + [.request(.anonymous, ticket.with(.anonymous))]
    default: break
    }
    return []
  }

  private mutating func request(
    codeTo address: CodeAddress, from page: PagePath, _ dialog: inout Dialog, _ now: BootTime
  ) -> [FlowEffect] {
    // A second click, after the first one has sent a code.
    if let code = dialog.code, dialog.form.codeOrigin != .elsewhere, code.address == address, now < code.resendAt {
      dialog.form.unseen = .enterCode
      return []
    }
    return send(to: address, from: page, page.isSignUp ? .newUser : .requested, dialog)
  }

  private mutating func send(
    to address: CodeAddress, from page: PagePath, _ origin: CodeForm.Origin, _ dialog: Dialog
  ) -> [FlowEffect] {
    let ticket = ticket.with(address.provider, isCode: true)
    phase = .requesting(.code(to: address, from: page, origin), dialog)
    return (method == ticket.authMethod ? [] : select(ticket.authMethod))
      + [.request(.sendCode(address, createUser: origin == .newUser, target(dialog)), ticket)]
  }

  private mutating func wait(
    forCodeTo address: CodeAddress, _ origin: CodeForm.Origin, _ dialog: inout Dialog, _ now: BootTime
  ) {
    dialog.code = PendingCode(address, resendAt: now.advanced(by: SignInLimits.resendPause))
    (dialog.form.codeOrigin, dialog.form.unseen) = (origin, .enterCode)
    extend(by: SignInLimits.pageCodeLifetime, now)
  }

  private mutating func enter(_ text: String, _ dialog: inout Dialog) -> [FlowEffect] {
    guard let code = dialog.code else { return [] }
    do throws(AgentError) {
      let proof = try CodeEntry.code(checking: text).proof(code.address, code.purpose)
      dialog.code?.refusal = nil
      return verify(proof, code, dialog)
    } catch {
      dialog.code?.refusal = error
      return []
    }
  }

  private mutating func answerFactor(
    _ page: PagePath, _ factor: AccountFactor?, _ text: String, _ now: BootTime
  ) -> [FlowEffect] {
    guard isFactorFlow, var dialog = open else { return [] }
    defer { if case .waiting = phase { phase = .waiting(dialog) } }
    dialog.form.refusal = nil
    guard let factor else {
      if page == .chooseFactor { dialog.factor.chosen = nil }
      return []
    }
    switch page {
    case .chooseFactor: dialog.factor.chosen = factor.id
    case .sendFactorCode:
      // Unless the project would refuse to send one.
      guard factor.isPhone, (dialog.factor.pause(factor, now: now) ?? 0) == 0 else { return [] }
      dialog.factor.chosen = factor.id
      phase = .requesting(.factorCode(factor), dialog)
      return [.request(.sendFactorCode(.init(account: ticket.account, factor: factor.id)), ticket)]
    case .verifyFactor:
      dialog.factor.chosen = factor.id
      do throws(AgentError) {
        guard case .code(let code) = try CodeEntry.code(checking: text) else { return [] }
        phase = .exchanging(.factor, dialog)
        return [.request(.verifyFactor(.init(account: ticket.account, factor: factor.id, code: code)), ticket)]
      } catch {
        dialog.form.refusal = FormEntries.Refusal(error: error, page: page)
      }
    default: break
    }
    return []
  }

  // MARK: - Answers

  private mutating func answered(_ answer: ServerAnswer, _ now: BootTime) -> [FlowEffect] {
    switch (phase, answer) {
    case (.opening(var dialog), .url(let url)):
      dialog.url = url
      if case .sso = kind { dialog.ssoStartedAt = now }
      phase = .waiting(dialog)
      return []
    case (.opening(let dialog), .sent):
      phase = .waiting(dialog)
      return []
    case (.opening, .refused(let error, _)), (.undoing, .refused(let error, _)): return close(.failure(error))
    // No session is expected here and below, but none is lost without its end.
    case (.requesting, .session(let session, let ticket)): return [.discard(session, ticket)]
    case (.requesting(let errand, var dialog), _):
      phase = .waiting(dialog)
      dialog.form.refusal = nil
      let effects = answered(answer, to: errand, &dialog, now)
      phase = .waiting(dialog)
      return effects
    case (.exchanging(let exchange, let dialog), .session(let session, let ticket)):
      return signedIn(session, ticket, exchange, dialog)
    case (.exchanging(.password, var dialog), .confirmationSent):
      // For the code that confirms the sign-up.
      if let address = try? CodeAddress.email(checking: dialog.form.email) {
        wait(forCodeTo: address, .signUp, &dialog, now)
      }
      phase = .waiting(dialog)
      return [.tell(.success(SignInResult(.confirmationSent)))]
    case (.exchanging(let exchange, let dialog), .refused(let error, let refusal)):
      return refused(error, refusal, exchange, dialog)
    case (.leaving, .session(let session, let ticket)):
      self.ticket = ticket
      return [.adopt(session, ticket)]
    case (.opening, .finished(let result)), (.exchanging, .finished(let result)), (.leaving, .finished(let result)):
      return close(result)
    case (.leaving(let result), _): return close(result)
    case (.over(let result), .session(let session, let ticket)): return [.discard(session, ticket), .tell(result)]
    case (.over(let result), _): return [.tell(result)]
    case (_, .session(let session, let ticket)): return [.discard(session, ticket)]
    default: return []
    }
  }

  private mutating func answered(
    _ answer: ServerAnswer, to errand: Errand, _ dialog: inout Dialog, _ now: BootTime
  ) -> [FlowEffect] {
    switch (errand, answer) {
    case (.code(let address, _, let origin), .sent): wait(forCodeTo: address, origin, &dialog, now)
    case (.sso, .url(let url)):
      (dialog.form.identityProvider, dialog.form.unseen, dialog.ssoStartedAt) = (url, .leave, now)
      extend(by: SignInLimits.ssoLifetime, now)
      return select(.sso)
    case (.factorCode(let factor), .sent):
      dialog.factor.sent = (factor.id, now.advanced(by: SignInLimits.resendPause))
      // The code is valid as long as its challenge.
      extend(by: SignInLimits.secondFactorLifetime, now)
    case (_, .refused(let error, _)):
      dialog.form.refusal = FormEntries.Refusal(error: error, page: errand.page)
      dialog.form.unseen = errand.page
    default: break
    }
    return []
  }

  private mutating func signedIn(
    _ session: Session, _ ticket: SignInTicket, _ exchange: Exchange, _ dialog: Dialog
  ) -> [FlowEffect] {
    self.ticket = ticket
    if case .callback = exchange {
      // A pasted link can be another person's: the address that was named must be the user's.
      if isCodeFlow, let code = dialog.code, code.purpose == .signIn, !code.address.belongs(to: session.user) {
        return [.discard(session, ticket)] + close(.failure(CodeAddress.another(ticket.account)))
      }
      learnMethod(from: session, dialog.code)
    }
    phase = .adopting(dialog.code)
    return [.adopt(session, self.ticket)]
  }

  /// Sets the method of a sign-in on a page, which only the session tells: another tab may have completed it by another
  /// method than the last choice.
  private mutating func learnMethod(from session: Session, _ code: PendingCode?) {
    let method = session.user.latestMethod
    let isCode = method == .email && code?.address.belongs(to: session.user) == true
    switch kind {
    case .projectPage: break
    // A session that names no identities tells nothing.
    case .page: if !isCode, session.user.identities?.isEmpty != false { return }
    case .provider, .sso, .link, .code, .factor: return
    }
    ticket = ticket.with(method, isCode: isCode)
  }

  /// Leads back to `waiting`, unless a callback was refused for good.
  private mutating func refused(
    _ error: AgentError, _ refusal: ServerAnswer.Refusal, _ exchange: Exchange, _ waiting: Dialog
  ) -> [FlowEffect] {
    var (dialog, told) = (waiting, [FlowEffect.tell(.failure(error))])
    switch (exchange, refusal) {
    case (.callback, .wrong), (.callback(.submitted), .transient):
      // A person or program that supplied the URL can supply it again; a browser that shows an error is usually closed.
      phase = .waiting(dialog)
      return release() + refuse(error)
    case (.callback, .tooLate) where isCodeFlow, (.callback, .final) where isCodeFlow:
      // The mail's code is used up, but another one can be sent.
      dialog.code?.isSpent = true
      phase = .waiting(dialog)
      guard refusal == .tooLate else { return release() + refuse(error) }
      return release()
        + refuse(
          AgentError(
            .callbackInvalid, "The link was opened too late; your address is confirmed. Send another code.",
            account: ticket.account))
    case (.callback, _): return close(.failure(error))
    case (.code, _):
      dialog.code?.refusal = error
      told = release() + told
    case (.password(let page), _):
      dialog.form.refusal = FormEntries.Refusal(error: error, page: page)
      dialog.form.unseen = page
    case (.anonymous, _): dialog.lastRefusal = error
    case (.factor, _): dialog.form.refusal = FormEntries.Refusal(error: error, page: .verifyFactor)
    }
    phase = .waiting(dialog)
    return told
  }

  /// Frees the account of a code flow that waits again.
  private mutating func release() -> [FlowEffect] {
    guard isCodeFlow, !ticket.isIdle else { return [] }
    defer { ticket.id = nil }
    return [.free(ticket)]
  }

  // MARK: - The session

  private mutating func adopted(
    _ session: Session, _ result: Result<Adoption, AgentError>, _ next: String, _ now: BootTime
  ) -> [FlowEffect] {
    switch (phase, result) {
    case (.adopting, .success(.signedIn(var account))):
      guard account.mfa?.needed == true, asksSecondFactor, isInBrowser else {
        return close(.success(SignInResult(.signedIn, account: account)))
      }
      account.mfa?.flow = next
      let question = Flow(after: self, id: next, now: now)
      return [.handOver(to: question)] + close(.success(SignInResult(.signedIn, account: account)))
    case (.leaving, .success(.signedIn(let account))):
      return close(.success(SignInResult(.signedIn, account: account)))
    case (.adopting, .success(.question(let question))):
      let decision = SignInDecision(question, session.user, ticket, flow: id)
      phase = .deciding(session, decision)
      // The session is in memory, and the account busy: not for the hours of a code.
      deadline = min(deadline, now.advanced(by: SignInLimits.flowLifetime))
      return [.tell(.success(SignInResult(.decisionNeeded, decision: decision)))]
    // The flow was ended while its session was about to be stored.
    case (.leaving(let end), .success(.question(let question))):
      let linked: Identity? = if case .link(let identity) = question { identity } else { nil }
      return close(end) + [.discard(session, ticket, linked: linked)]
    case (.adopting, .failure(let error)), (.leaving, .failure(let error)): return close(.failure(error))
    default: return []
    }
  }

  private var isInBrowser: Bool {
    guard case .loopback = redirect.kind else { return false }
    if case .none = browser { return false }
    return true
  }

  private mutating func decide(_ accept: Bool) -> [FlowEffect] {
    guard case .deciding(let session, let decision) = phase else { return unknown }
    let decided = FlowEffect.report(.decided(account: ticket.account, kind: decision.kind, accepted: accept))
    let isLink = decision.kind == SignInDecision.link
    if isLink { ticket.linkConsent = .given } else { ticket.isPasted = false }
    if accept {
      phase = .adopting(nil)
      return [decided, .adopt(session, ticket)]
    }
    guard isLink else { return [decided] + end(.failure(AgentError(.cancelled))) }
    phase = .undoing
    return [decided, .request(.undo(session, decision.linked), ticket)]
  }

  // MARK: - The end

  /// Ends the flow, unless it is over or something runs that cannot be undone.
  private mutating func end(_ result: FlowResult) -> [FlowEffect] {
    switch phase {
    case .over, .leaving, .undoing: return []
    case .adopting, .exchanging(.factor, _):
      phase = .leaving(result)
      return []
    case .deciding(let session, let decision):
      return close(result) + [.discard(session, ticket, linked: decision.linked)]
    case .opening, .waiting, .requesting, .exchanging: return close(result)
    }
  }

  /// Ends the flow without its request, unless the session of that is being stored. A verification of a second factor
  /// goes on without the flow.
  private mutating func interrupt(_ result: FlowResult) -> [FlowEffect] {
    switch phase {
    case .exchanging: [.cancelRequest] + close(result)
    case .leaving where isFactorFlow: [.cancelRequest] + close(result)
    default: end(result)
    }
  }

  private mutating func close(_ result: FlowResult) -> [FlowEffect] {
    let wasOpen = !isOpening
    phase = .over(result)
    return [.end(result, ticket, wasOpen: wasOpen)]
  }

  /// Ends a flow that the server has discarded. The result of an exchange in flight is discarded.
  private mutating func expire() -> [FlowEffect] {
    if isOver { return [] }
    if isFactorFlow { return [.postpone] }
    // A sign-up that waits for its confirmation ends as every other such sign-up.
    if let dialog = choosing, dialog.form.codeOrigin == .signUp {
      return close(.success(SignInResult(.confirmationSent)))
    }
    return end(.failure(AgentError(.flowTimedOut, account: ticket.account)))
  }
}
