import AgentProtocol
package import SessionEngine
import SupabaseAuth
import SystemSupport

/// One sign-in through a browser or with a code, from its start until one minute after its end: a state machine that
/// `handle` moves, without I/O. `SignInService` keeps the flows and runs the effects.
///
///     opening → waiting ⇄ requesting
///                 ↑ ↓
///              exchanging → adopting ⇄ deciding → undoing → over
///
/// Every phase may also go to `over` directly, but a session that is being stored, a second factor that is being
/// verified, and, at a lock, a code that is being verified are `leaving` until their result.
///
/// Invariants: only a successful exchange uses up the state; a rejected code or password leads back to `waiting`; a
/// session that is not stored is discarded; a flow ends once, and has no effect afterwards but to discard a session.
/// Only the phases before the end hold the verifier and what the person entered.
package struct Flow: Sendable {
  /// How the flow signs in.
  enum Kind: Sendable {
    /// The person chooses on the agent's page, whose path cannot be guessed.
    case page(path: String)
    case projectPage(String)
    case provider
    /// Single sign-on with the identity provider of this domain.
    case sso(domain: String)
    /// Another identity is linked to the account's user.
    case link
    /// A flow of `signIn.sendCode`, which belongs to no program. It leaves its account free while it waits
    /// (`SignInTicket.isIdle`): its ticket is claimed for the exchange.
    case code(createUser: Bool)
    /// The page asks for a second factor; the session is stored already. `linked` is the sign-in method that was linked
    /// before, as shown to people. Leaves its account free.
    case factor(path: String, linked: String?)
  }

  enum Phase: Sendable {
    /// The port is opened, and the server is asked for what the flow begins with.
    case opening(Dialog)
    case waiting(Dialog)
    /// The page waits for the answer to a request that is no sign-in.
    case requesting(Errand, Dialog)
    /// A callback's code, a code, or a form is being exchanged. A callback or code that arrives meanwhile gets the same
    /// result.
    case exchanging(Exchange, Dialog)
    /// The session is being stored, of a sign-in with this code if any; the flow can no longer be cancelled.
    case adopting(PendingCode?)
    /// Signed in; the person must confirm the session or a link.
    case deciding(Session, SignInDecision)
    /// A declined link is being undone.
    case undoing
    /// The flow was ended during something that cannot be undone: it ends with this result unless that succeeds.
    case leaving(FlowResult)
    case over(FlowResult)
  }

  /// A request of the page that is no sign-in.
  enum Errand: Sendable {
    case code(to: CodeAddress, from: PagePath, CodeForm.Origin)
    case sso
    case factorCode(AccountFactor)

    var title: String { if case .sso = self { "One moment…" } else { "Sending the code…" } }

    /// The page that shows the error.
    var page: PagePath {
      switch self {
      case .code(_, let page, _): page
      case .sso: .singleSignOn
      case .factorCode: .sendFactorCode
      }
    }
  }

  enum Exchange: Sendable {
    case callback(CallbackSource)
    case code
    case password(PagePath)
    case anonymous
    case factor
  }

  /// The facts that a flow has from the person and the server until it is signed in.
  struct Dialog: Sendable {
    let pkce: PKCE
    /// The URL at the server for a manual link or single sign-on, for one use.
    var url: String?
    /// When single sign-on was started last, here or on the page.
    var ssoStartedAt: BootTime?
    /// The code that was sent last, if the flow waits for one.
    var code: PendingCode?
    /// The error of the last rejected callback, for the page.
    var lastRefusal: AgentError?
    /// The project's settings, once received.
    var settings: ProjectSettings?
    var form = FormEntries()
    var factor = FactorQuestion()
  }

  /// The browser of the flow. The launch URL is an argument of the program that opened the browser, where every user of
  /// the machine can read it, so it is valid once.
  enum Browser: Sendable {
    case none
    /// It has come back with the flow's own callback.
    case returned
    /// It has loaded the launch URL.
    case launched
  }

  /// A visit of a browser outside of this system, as from Windows on WSL.
  enum OutsideVisit: Sendable {
    case none
    case seen
    /// A waiting caller was told.
    case told
  }

  let id: String
  let kind: Kind
  /// The secret that binds callbacks to this flow.
  let state: String
  /// The value of the cookie. A browser receives it through the launch URL, or with the flow's own callback.
  let cookie: String
  /// Additional OAuth scopes for the provider.
  let scopes: String?
  let waitTimeout: Duration
  /// True if the page asks for a second factor after the sign-in.
  let asksSecondFactor: Bool
  let startedAt: BootTime

  var phase: Phase
  var redirect: Redirect
  var deadline: BootTime
  package var ticket: SignInTicket
  /// The method for telemetry counts; `page` until a method is chosen there.
  var method: AuthMethod
  var browser = Browser.none
  var outsideVisit = OutsideVisit.none
  /// The number of rejected callbacks.
  var failures = 0

  /// Creates a flow whose port is still to be opened, with fresh secrets.
  init(
    _ kind: Kind, _ ticket: SignInTicket, redirect: Redirect = Redirect(.loopback(port: 0)), scopes: String? = nil,
    code: PendingCode? = nil, waitTimeout: Duration, asksSecondFactor: Bool = true, now: BootTime
  ) {
    (self.kind, self.ticket, self.redirect, self.scopes) = (kind, ticket, redirect, scopes)
    (self.waitTimeout, self.asksSecondFactor, startedAt) = (waitTimeout, asksSecondFactor, now)
    id = RandomText.base64url(bytes: 16)
    (state, cookie) = (Self.secret(), Self.secret())
    phase = .opening(Dialog(pkce: .fresh(), code: code))
    deadline = now.advanced(by: kind.lifetime(code?.address))
    method = if case .page = kind { .page } else if case .projectPage = kind { .page } else { ticket.authMethod }
  }

  /// Creates the flow that asks for a second factor in the browser of a flow whose session is stored.
  init(after flow: Flow, id: String, now: BootTime) {
    (self.id, state, cookie, scopes) = (id, flow.state, flow.cookie, nil)
    kind = .factor(path: flow.pagePath ?? "", linked: flow.linkedMethod)
    waitTimeout = min(flow.waitTimeout, SignInLimits.secondFactorLifetime)
    (asksSecondFactor, startedAt, redirect) = (true, now, flow.redirect)
    (browser, method) = (flow.browser, flow.method)
    phase = .waiting(Dialog(pkce: .fresh()))
    deadline = now.advanced(by: SignInLimits.secondFactorLifetime)
    ticket = flow.ticket
    (ticket.id, ticket.linksTo) = (nil, nil)
  }

  private static func secret() -> String { RandomText.base64url(bytes: SignInLimits.secretBytes) }

  static func pagePath() -> String { "/sign-in/" + secret() }
}

typealias FlowResult = Result<SignInResult, AgentError>

extension Flow.Kind {
  /// The time of a flow from its start, or from its code.
  func lifetime(_ address: CodeAddress?) -> Duration {
    switch self {
    case .page, .provider, .link: SignInLimits.flowLifetime
    // The project's page may send a mail, or continue to single sign-on.
    case .projectPage: SignInLimits.pageCodeLifetime
    case .sso: SignInLimits.ssoLifetime
    case .code: address?.provider == .phone ? SignInLimits.textLifetime : SignInLimits.mailLifetime
    case .factor: SignInLimits.secondFactorLifetime
    }
  }
}

extension Flow {
  var isOver: Bool { result != nil }

  var result: FlowResult? { if case .over(let result) = phase { result } else { nil } }

  var isOpening: Bool { if case .opening = phase { true } else { false } }

  var isCodeFlow: Bool { if case .code = kind { true } else { false } }

  var isFactorFlow: Bool { if case .factor = kind { true } else { false } }

  /// True while a code of a second factor is being verified, which cannot be undone.
  var isVerifyingFactor: Bool {
    switch phase {
    case .exchanging(.factor, _): true
    case .leaving: isFactorFlow
    default: false
    }
  }

  /// True while a result is due that a stop waits for.
  var isSettling: Bool {
    switch phase {
    case .exchanging, .adopting, .undoing, .leaving: true
    case .opening, .waiting, .requesting, .deciding, .over: false
    }
  }

  /// The flow's facts; nil once it is signed in or over.
  var dialog: Dialog? {
    switch phase {
    case .opening(let dialog), .waiting(let dialog), .requesting(_, let dialog), .exchanging(_, let dialog): dialog
    case .adopting, .deciding, .undoing, .leaving, .over: nil
    }
  }

  /// The code that the flow waits for, or with which it is signing in.
  var code: PendingCode? { if case .adopting(let code) = phase { code } else { dialog?.code } }

  /// The dialog of a flow whose page takes a form.
  var open: Dialog? { if case .waiting(let dialog) = phase { dialog } else { nil } }

  /// True if a caller is to be told that the browser must be helped.
  var hasUntoldVisit: Bool { outsideVisit == .seen && open != nil }

  /// The dialog of a flow with the page for all methods, while it takes a form.
  var choosing: Dialog? { if case .page = kind { open } else { nil } }

  /// The answer to the callers that wait for the flow: its result, or the question about a link.
  var news: FlowResult? {
    if case .deciding(_, let decision) = phase, decision.kind == SignInDecision.link {
      return .success(SignInResult(.decisionNeeded, decision: decision))
    }
    return result
  }

  /// The time until the next `flowTimedOut` of `signIn.wait`: also at the end of the identity provider's time.
  func nextTimeout(_ now: BootTime) -> Duration {
    guard let start = dialog?.ssoStartedAt else { return waitTimeout }
    let rest = now.duration(to: start.advanced(by: SignInLimits.ssoPageLifetime))
    return rest > .zero ? min(waitTimeout, rest) : waitTimeout
  }

  /// Until when the port of an ended flow stays bound: a browser returns within the lifetime of a flow, and a flow that
  /// waits for a code lives for hours.
  func portDeadline(_ now: BootTime) -> BootTime { min(deadline, now.advanced(by: SignInLimits.flowLifetime)) }

  /// The unguessable path of the page; nil if the agent has none for this flow.
  var pagePath: String? {
    switch kind {
    case .page(let path), .factor(let path, _): path.isEmpty ? nil : path
    default: nil
    }
  }

  /// The URL that the person opens.
  var launchURL: String {
    if let url = dialog?.url { return url }
    if case .projectPage(let page) = kind { return projectPageURL(page) }
    if let pagePath, case .loopback(let port) = redirect.kind { return "http://127.0.0.1:\(port)\(pagePath)" }
    return authorizeURL(ticket.provider)
  }

  /// Returns the browser's URL for signing in with this provider.
  func authorizeURL(_ provider: Provider) -> String {
    ticket.project.endpoint.authorizeURL(
      provider: provider, scopes: scopes, redirectTo: redirect.url(attempt: state),
      challenge: dialog?.pkce.challenge ?? "")
  }

  /// The project's own page, with what it needs in the fragment, which browsers do not send to its server.
  private func projectPageURL(_ page: String) -> String {
    let items = [
      ("code_challenge", dialog?.pkce.challenge ?? ""), ("code_challenge_method", "s256"),
      ("redirect_to", redirect.url(attempt: state)),
    ]
    return page + "#" + PercentEncoding.query(items).dropFirst()
  }

  /// Returns whether the page may send the browser to this provider: any provider from the choice, else the one that
  /// was given at the start.
  func offers(_ provider: Provider) -> Bool {
    switch kind {
    case .page: true
    case .provider: provider == ticket.provider
    case .projectPage, .sso, .link, .code, .factor: false
    }
  }

  /// True if a person pasted the callback, which may then belong to someone else. The handler of the scheme is
  /// not a person, and is the only source for flows of a scheme.
  func isPasted(_ source: CallbackSource) -> Bool {
    if case .scheme = redirect.kind { return false }
    return source == .submitted
  }

  /// How a person goes on while the flow waits for a code.
  var codeHint: String {
    let isPhone = ticket.provider == .phone
    let command = ticket.linksTo != nil ? "link email" : isPhone ? "sign-in phone" : "sign-in code"
    let link = isPhone ? "" : "; or open the link in the email on this computer"
    return "enter it: ritualctl \(command) --sent --account \(ticket.account)" + link
  }
}
