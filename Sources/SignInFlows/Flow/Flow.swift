import AgentConfiguration
import AgentProtocol
package import SessionEngine
import SupabaseAuth
import SystemSupport

/// One sign-in through a browser or with a code, from its start until one minute after its end.
///
///     waiting → exchanging → adopting → over
///        ↑_________|   \→ deciding ↗        every phase but `adopting` may also go to `over` directly
///
/// Invariants: only a successful exchange uses up the state; a rejected code or password leads back
/// to `waiting`; the verifier is kept until the flow is over.
///
/// A flow of `signIn.sendCode` leaves its account free while it waits (`isIdle`): its ticket is claimed for the exchange.
package struct Flow: Sendable {
  enum Phase: Sendable {
    case waiting
    /// A callback's code, a mailed code, or a password from the page's form is being exchanged. Every callback, code
    /// or form that arrives meanwhile gets the same result.
    case exchanging(Task<FlowOutcome.Value, Never>)
    /// Signed in; the person must confirm the session (SI-15) or a link (LK-2).
    case deciding(Session, SignInDecision)
    /// The session is being stored; the flow can no longer be cancelled.
    case adopting
    case over
  }

  let id: String
  /// The secret that binds callbacks to this flow.
  let state: String
  let redirect: Redirect
  /// The unguessable path of the sign-in page; nil if the method was given at the start, or the project has its own
  /// page.
  let pagePath: String?
  /// Additional OAuth scopes for the provider.
  var scopes: String?
  let waitTimeout: Duration
  let startedAt: BootTime
  var deadline: BootTime
  /// The loopback listener. Nil for a flow without one, and after the service keeps its port or
  /// another flow takes it over.
  var listener: LoopbackListener?
  let outcome = FlowOutcome()
  /// Settled when a person must be asked about a link (LK-2).
  let question = FlowOutcome()

  /// The server's URL for linking another identity manually; nil for a sign-in.
  var linkURL: String?
  /// The domain and the URL of single sign-on, if it was chosen at the start.
  var sso: (domain: String, url: String)?
  /// When single sign-on was started last, here or on the page.
  var ssoStartedAt: BootTime?
  /// The project's own sign-in page, if it replaces the agent's.
  var projectPage: String?
  /// Nil once the flow is over.
  var pkce: PKCE?
  package var ticket: SignInTicket
  var phase = Phase.waiting
  var failures = 0
  /// The method for telemetry counts; `page` until a method is chosen there.
  var method = AuthMethod.page
  /// The error of the last rejected callback, for the page.
  var lastRefusal: AgentError?
  /// The code that was sent last, if the flow waits for one. Nil once the flow is over.
  var code: PendingCode?
  /// True while a code or a pasted mail link is being verified, which uses it up.
  var isVerifying = false
  /// True while the code of a callback is being exchanged.
  var isRedeemingCallback = false
  /// True for a flow of `signIn.sendCode`, which belongs to no program.
  var isCodeFlow = false
  /// True if the page asks for a second factor after the sign-in.
  var asksSecondFactor = true
  /// The question for a second factor, for a flow that asks for one; nil for a sign-in. Such a flow leaves its account
  /// free.
  var factor: FactorQuestion?
  var visit = PageVisit()
  /// How to end the flow if its session is not stored, because a question came up: the flow was ended while it was `adopting`.
  var requestedEnd: FlowOutcome.Value?
  /// The task that ends the flow at its deadline, and later removes it.
  var timer: Task<Void, Never>?

  var isOver: Bool { if case .over = phase { true } else { false } }

  /// The result of the flow, or the question about a link, whichever comes first; nil at the deadline.
  func firstNews(until deadline: Deadline) async -> FlowOutcome.Value? {
    let isDecided = question.settled != nil
    return await withTaskGroup(of: FlowOutcome.Value?.self) { group in
      group.addTask { await outcome.wait(until: deadline) }
      if !isDecided { group.addTask { await question.wait(until: deadline) } }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  /// Returns the browser's URL for signing in with this provider.
  func authorizeURL(_ provider: Provider) -> String {
    ticket.project.endpoint.authorizeURL(
      provider: provider, scopes: scopes, redirectTo: redirect.url(attempt: state), challenge: pkce?.challenge ?? "")
  }

  /// The time until the next `flowTimedOut` of `signIn.wait`: also at the end of the identity provider's time.
  func nextTimeout(_ now: BootTime) -> Duration {
    guard let ssoStartedAt else { return waitTimeout }
    let rest = now.duration(to: ssoStartedAt.advanced(by: SignInLimits.ssoPageLifetime))
    return rest > .zero ? min(waitTimeout, rest) : waitTimeout
  }

  /// How a person goes on while the flow waits for a code.
  var codeHint: String {
    let isPhone = ticket.provider == .phone
    let command = ticket.linksTo != nil ? "link email" : isPhone ? "sign-in phone" : "sign-in code"
    let link = isPhone ? "" : "; or open the link in the mail on this computer"
    return "enter it: ritualctl \(command) --sent --account \(ticket.account)" + link
  }

  /// Where a mailed link or an identity provider sends the browser; nil once the flow is over.
  var target: PKCERedirect? {
    pkce.map { PKCERedirect(url: redirect.url(attempt: state), challenge: $0.challenge) }
  }

  /// The project's own page, with what it needs in the fragment, which browsers do not send to its server (WS-7).
  private func projectPageURL(_ page: String) -> String {
    let items = [
      ("code_challenge", pkce?.challenge ?? ""), ("code_challenge_method", "s256"),
      ("redirect_to", redirect.url(attempt: state)),
    ]
    return page + "#" + PercentEncoding.query(items).dropFirst()
  }

  /// The URL that the person opens.
  var launchURL: String {
    if let linkURL { return linkURL }
    if let sso { return sso.url }
    if let projectPage { return projectPageURL(projectPage) }
    if let pagePath, case .loopback(let port) = redirect.kind { return "http://127.0.0.1:\(port)\(pagePath)" }
    return authorizeURL(ticket.provider)
  }
}

/// The validated parameters of `signIn.start`.
struct FlowRequest: Sendable {
  enum RedirectMode: Sendable {
    case loopback(port: Int?)
    case scheme
    case manual
  }

  let redirectMode: RedirectMode
  /// The provider; nil if the sign-in page asks for it, or for single sign-on.
  let provider: Provider?
  /// Additional OAuth scopes for the provider.
  let scopes: String?
  /// The domain for single sign-on.
  let ssoDomain: String?
  /// The timeout of one `signIn.wait` call (SI-11).
  let waitTimeout: Duration
  /// True if the page asks for a second factor after the sign-in (MF-3).
  let asksSecondFactor: Bool

  private static let maxScopesLength = 1024

  /// Creates a request; `settings` supply what `params` omit.
  /// - Throws: `.invalidParams` for an invalid combination.
  init(_ params: SignInStart.Params, _ settings: SignInConfiguration) throws(AgentError) {
    // Only the loopback redirect has a port.
    let redirect = params.redirect ?? (params.port == nil ? settings.redirect : "loopback")
    redirectMode = try Self.way(redirect, port: params.port)
    provider = try Self.provider(params.provider)
    ssoDomain = try params.sso.map { sso throws(AgentError) in try SSODomain.checked(sso.domain) }
    guard provider == nil || ssoDomain == nil else {
      throw AgentError(.invalidParams, "Choose either a provider or single sign-on.")
    }
    scopes = try Self.scopes(params.scopes, provider)
    asksSecondFactor = try Self.asks(params.mfa) ?? settings.asksForSecondFactor
    // An organization's page has more time than a provider's. A timeout that was given counts.
    let least = ssoDomain == nil ? 0 : SignInLimits.ssoPageLifetime.seconds
    waitTimeout = try Self.waitTimeout(
      params.timeout, least: max(Double(settings.timeoutSeconds), least),
      lifetime: ssoDomain == nil ? SignInLimits.flowLifetime : SignInLimits.ssoLifetime)
    guard provider != nil || ssoDomain != nil || redirect == "loopback" else {
      throw AgentError(
        .invalidParams, "There is no sign-in page without a browser on this machine: choose a sign-in method.",
        hint: "ritualctl sign-in METHOD, such as github, email or code")
    }
  }

  /// The method that was chosen; the page's flows begin with Apple, which the page replaces.
  var method: Provider { ssoDomain == nil ? provider ?? .apple : .sso }

  var isPage: Bool { provider == nil && ssoDomain == nil }

  /// Returns the timeout of one `signIn.wait`: the given one in seconds, else `least`, and no longer than the flow.
  static func waitTimeout(_ given: Double?, least: Double, lifetime: Duration) throws(AgentError) -> Duration {
    let seconds = given ?? least
    guard seconds.isFinite, seconds > 0 else {
      throw AgentError(.invalidParams, "The timeout must be a number of seconds greater than 0.")
    }
    return min(.seconds(min(seconds, 3600)), lifetime)
  }

  private static func asks(_ mfa: String?) throws(AgentError) -> Bool? {
    switch mfa {
    case nil: return nil
    case "ask": return true
    case "later": return false
    default: throw AgentError(.invalidParams, "The parameter mfa must be ask or later.")
    }
  }

  /// The grammar of OAuth (RFC 6749, section 3.3).
  private static func scopes(_ text: String?, _ provider: Provider?) throws(AgentError) -> String? {
    guard let text else { return nil }
    guard provider != nil else { throw AgentError(.invalidParams, "Scopes require a provider.") }
    let isValid = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    guard isValid, (1...maxScopesLength).contains(text.utf8.count) else {
      throw AgentError(.invalidParams, "The scopes must be words of printable ASCII, separated by spaces.")
    }
    return text
  }

  private static func way(_ redirect: String, port: Int?) throws(AgentError) -> RedirectMode {
    if let port, !(1...65_535).contains(port) || redirect != "loopback" {
      throw AgentError(.invalidParams, "The port must be 1 to 65535, and requires the loopback redirect.")
    }
    switch redirect {
    case "loopback": return .loopback(port: port)
    case "scheme": return .scheme
    case "manual": return .manual
    default: throw AgentError(.invalidParams, "The redirect must be loopback, scheme or manual.")
    }
  }

  static func provider(_ name: String?) throws(AgentError) -> Provider? {
    guard let name else { return nil }
    guard let provider = Provider.named(name) else {
      throw AgentError(
        .invalidParams, "\(ForeignText.shown(name, limit: 40)) is not a provider that signs in through a browser.")
    }
    return provider
  }
}

/// The result of a flow: settled once, awaited by any number of tasks. Thread-safe.
final class FlowOutcome: Sendable {
  typealias Value = Result<SignInResult, AgentError>

  private let value = SettledValue<Value>()

  /// The result, or nil while the flow runs.
  var settled: Value? { value.settled }

  /// Only the first call has an effect.
  func settle(_ value: Value) { self.value.settle(value) }

  /// Waits until the flow ends. Returns nil at the deadline, and a `cancelled` failure as soon as
  /// the waiting task is cancelled.
  func wait(until deadline: Deadline) async -> Value? {
    do {
      return try await value.wait(until: deadline)
    } catch {
      return error == .timedOut ? nil : .failure(AgentError(.cancelled))
    }
  }

  /// Waits until the flow ends. Returns a `cancelled` failure as soon as the waiting task is
  /// cancelled.
  func wait() async -> Value {
    do { return try await value.wait() } catch { return .failure(AgentError(.cancelled)) }
  }
}

/// The state of a flow for its page.
extension Flow {
  var pageState: PageState {
    if let factor { return factorState(factor) }
    return switch outcome.settled {
    case .success(let result): succeeded(result)
    case .failure(let error): failed(error)
    case nil: running
    }
  }

  /// Returns what all pages of the flow show.
  func page(at now: BootTime) -> PageFlow {
    let host = ticket.project.endpoint.origin.split(separator: "/").last.map(String.init) ?? ""
    let rest = Int(now.duration(to: deadline).seconds.rounded(.up))
    // A verification that was sent has no time limit here, and cannot be left.
    let hasTimeLimit = !isOver && !isVerifyingFactor
    return PageFlow(
      host: host, account: ticket.account, purpose: purpose, secondsLeft: hasTimeLimit ? max(rest, 0) : nil)
  }

  private var purpose: PageFlow.Purpose {
    if factor != nil { return .secondFactor }
    return ticket.linksTo == nil ? .signIn : .link
  }

  /// The command that starts the same flow again in a terminal. Names of accounts, projects and
  /// providers need no quoting in a shell.
  var command: String {
    if factor != nil { return "ritualctl mfa verify --account \(ticket.account)" }
    if ticket.linksTo != nil { return "ritualctl link \(ticket.provider.rawValue) --account \(ticket.account)" }
    // An existing account has its project. The only project of most configurations is "default".
    let project = ticket.isNewAccount && ticket.project.name != "default" ? " --project \(ticket.project.name)" : ""
    return "ritualctl sign-in\(methodArguments) --account \(ticket.account)\(project)"
  }

  /// The method as arguments of `ritualctl sign-in`; empty if a page asks for it.
  private var methodArguments: String {
    if let sso { return " sso --domain \(sso.domain)" }
    if isCodeFlow, ticket.provider == .email { return " code" }
    return pagePath == nil && projectPage == nil ? " " + ticket.provider.rawValue : ""
  }

  private func succeeded(_ result: SignInResult) -> PageState {
    guard result.outcome != .confirmationSent else { return .confirmationSent(command: command) }
    return .signedIn(end(result, linked: linkedMethod))
  }

  /// The sign-in method that the flow links, as shown to people; nil for a sign-in.
  var linkedMethod: String? { ticket.linksTo == nil ? nil : ProviderName.shown(ticket.provider.rawValue) }

  private func failed(_ error: AgentError) -> PageState {
    switch error.kind {
    case .cancelled: .cancelled(nil, command: command)
    case .flowTimedOut: .expired(command: command)
    default: .failed(error, command: command)
    }
  }

  private var running: PageState {
    switch phase {
    case .exchanging, .adopting, .over: .working
    case .deciding(_, let decision): decision.kind == SignInDecision.link ? .question(decision) : .deciding
    case .waiting: pagePath == nil ? .waiting(lastRefusal, repeats ? .of(ticket.provider) : nil) : .choosing
    }
  }

  /// True if the page may open the provider again. The URL of a manual link or of single sign-on is the server's, for
  /// one use; a code and the project's page have no provider.
  private var repeats: Bool { linkURL == nil && sso == nil && projectPage == nil && !isCodeFlow }

  /// Returns whether the page may send the browser to this provider: any provider from the choice,
  /// else the one that was given at the start.
  func offers(_ provider: Provider) -> Bool {
    pagePath != nil || repeats && provider == ticket.provider
  }
}
