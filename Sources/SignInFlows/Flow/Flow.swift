import AgentConfiguration
import AgentProtocol
package import SessionEngine
import SupabaseAuth
import SystemSupport

/// One sign-in through a browser, from its start until one minute after its end.
///
///     waiting → exchanging → adopting → over
///        ↑_________|   \→ deciding ↗        every phase but `adopting` may also go to `over` directly
///
/// Invariants: only a successful exchange uses up the state; a rejected code or password leads back
/// to `waiting`; the verifier is kept until the flow is over.
package struct Flow: Sendable {
  enum Phase: Sendable {
    case waiting
    /// A callback's code, or a password from the page's form, is being exchanged. Every callback or
    /// form that arrives meanwhile gets the same result.
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
  /// The unguessable path of the sign-in page; nil if the provider was given at the start.
  let pagePath: String?
  let waitTimeout: Duration
  let deadline: BootTime
  /// The loopback listener. Nil for a flow without one, and after the service keeps its port or
  /// another flow takes it over.
  var listener: LoopbackListener?
  let outcome = FlowOutcome()
  /// Settled when a person must be asked about a link (LK-2).
  let question = FlowOutcome()

  /// The server's URL for linking another identity manually; nil for a sign-in.
  var linkURL: String?
  /// Nil once the flow is over.
  var pkce: PKCE?
  package var ticket: SignInTicket
  var phase = Phase.waiting
  var failures = 0
  /// The method for telemetry counts; `page` until a method is chosen there.
  var method = AuthMethod.page
  /// The error of the last rejected callback, for the page.
  var lastRefusal: AgentError?
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
      provider: provider, redirectTo: redirect.url(attempt: state), challenge: pkce?.challenge ?? "")
  }

  /// The URL that the person opens.
  var launchURL: String {
    if let linkURL { return linkURL }
    if let pagePath, case .loopback(let port) = redirect.kind { return "http://127.0.0.1:\(port)\(pagePath)" }
    return authorizeURL(ticket.provider)
  }
}

extension SignInTicket {
  /// Returns a ticket for the same sign-in with another provider, chosen on the page.
  func with(_ provider: Provider) -> SignInTicket {
    var copy = self
    copy.provider = provider
    return copy
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
  /// The provider; nil if the sign-in page asks for it.
  let provider: Provider?
  /// The timeout of one `signIn.wait` call (SI-11).
  let waitTimeout: Duration

  /// Creates a request; `settings` supply what `params` omit.
  /// - Throws: `.invalidParams` for an invalid combination.
  init(_ params: SignInStart.Params, _ settings: SignInConfiguration) throws(AgentError) {
    // Only the loopback redirect has a port.
    let redirect = params.redirect ?? (params.port == nil ? settings.redirect : "loopback")
    redirectMode = try Self.way(redirect, port: params.port)
    provider = try Self.provider(params.provider)
    let seconds = params.timeout ?? Double(settings.timeoutSeconds)
    guard seconds.isFinite, seconds > 0 else {
      throw AgentError(.invalidParams, "The timeout must be a number of seconds greater than 0.")
    }
    waitTimeout = min(.seconds(min(seconds, 3600)), SignInLimits.flowLifetime)
    guard provider != nil || redirect == "loopback" else {
      throw AgentError(
        .invalidParams, "There is no sign-in page without a browser on this machine: choose a sign-in method.",
        hint: "ritualctl sign-in apple|google|email")
    }
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

  private static func provider(_ name: String?) throws(AgentError) -> Provider? {
    switch name {
    case nil: return nil
    case "apple": return .apple
    case "google": return .google
    default: throw AgentError(.invalidParams, "The provider must be apple or google.")
    }
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
    switch outcome.settled {
    case .success(let result): succeeded(result)
    case .failure(let error): failed(error)
    case nil: running
    }
  }

  /// Returns what all pages of the flow show.
  func page(at now: BootTime) -> PageFlow {
    let host = ticket.project.endpoint.origin.split(separator: "/").last.map(String.init) ?? ""
    let rest = Int(now.duration(to: deadline).seconds.rounded(.up))
    return PageFlow(
      host: host, account: ticket.account, isLinking: linkURL != nil, secondsLeft: isOver ? nil : max(rest, 0))
  }

  /// Returns the page with the sign-in methods.
  /// - Parameter settings: the project's settings; nil if the project could not be asked. Then all
  ///   methods are offered, and the server rejects those that are disabled.
  func choicePage(_ settings: ProjectSettings?) -> ChoicePage {
    let isOn = { (provider: Provider) in settings?.isOn(provider) ?? true }
    return ChoicePage(
      methods: [Provider.apple, .google, .email].filter(isOn).compactMap(MethodButton.of), refusal: lastRefusal)
  }

  /// The command that starts the same flow again in a terminal. Names of accounts, projects and
  /// providers need no quoting in a shell.
  private var command: String {
    if linkURL != nil { return "ritualctl link \(ticket.provider.rawValue) --account \(ticket.account)" }
    let method = pagePath == nil ? " " + ticket.provider.rawValue : ""
    // An existing account has its project. The only project of most configurations is "default".
    let project = ticket.isNewAccount && ticket.project.name != "default" ? " --project \(ticket.project.name)" : ""
    return "ritualctl sign-in\(method) --account \(ticket.account)\(project)"
  }

  private func succeeded(_ result: SignInResult) -> PageState {
    guard result.outcome != .confirmationSent else { return .confirmationSent(command: command) }
    let user = result.account?.user
    return .signedIn(
      PageState.SignedIn(
        who: user?.email ?? user?.name, linked: linkURL == nil ? nil : LinkPage.shown(ticket.provider.rawValue)))
  }

  private func failed(_ error: AgentError) -> PageState {
    switch error.kind {
    case .cancelled: .cancelled(command: command)
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

  /// True if the page may open the provider again. The URL of a manual link is the server's, for
  /// one use.
  private var repeats: Bool { linkURL == nil }

  /// Returns whether the page may send the browser to this provider: any provider from the choice,
  /// else the one that was given at the start.
  func offers(_ provider: Provider) -> Bool {
    pagePath != nil || repeats && provider == ticket.provider
  }
}
