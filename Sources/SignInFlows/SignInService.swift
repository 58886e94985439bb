package import AgentConfiguration
package import AgentProtocol
package import Logging
package import NIOPosix
package import SessionEngine
import SupabaseAuth
package import SystemSupport

/// Sign-in by every method: passwords, identity tokens, imported sessions, and flows through a
/// browser.
///
/// The service owns the flows; the accounts own the resulting sessions. No state is assumed across
/// an `await`: it is read again after each network call.
package actor SignInService {
  let accounts: Accounts
  let projects: Projects
  let settings: @Sendable () -> SignInConfiguration
  let clock: any AgentClock
  let logger: Logger
  /// Called synchronously with each fact. Must not block.
  let report: @Sendable (EngineFact) -> Void
  let eventLoopGroup: MultiThreadedEventLoopGroup

  var flows: [String: Flow] = [:]
  var keptPorts = KeptPorts()
  /// The accounts for which a code is being sent.
  var sending: Set<String> = []
  /// The running imports of sessions, verifications without a flow and anonymous sign-ins, by ticket id.
  var imports: [Revision?: Task<Result<AccountStatus, AgentError>, Never>] = [:]
  private var nonces = IssuedNonces()
  private(set) var isShutDown = false
  /// The number of locks so far. A flow that was prepared before a lock does not begin after it.
  var locks: UInt64 = 0

  /// Creates a service without flows.
  /// - Parameter eventLoopGroup: the group that serves the loopback listeners.
  package init(
    accounts: Accounts, projects: Projects, settings: @escaping @Sendable () -> SignInConfiguration,
    clock: any AgentClock, logger: Logger, eventLoopGroup: MultiThreadedEventLoopGroup,
    report: @escaping @Sendable (EngineFact) -> Void = { _ in }
  ) {
    self.report = report
    self.accounts = accounts
    self.projects = projects
    self.settings = settings
    self.clock = clock
    self.logger = logger
    self.eventLoopGroup = eventLoopGroup
  }

  /// Returns a single-use nonce for a native sign-in (SI-3), valid for ten minutes.
  package func nonce() -> SignInNonce.Result {
    let nonce = nonces.issue(now: clock.now)
    return SignInNonce.Result(nonce: nonce, hashed: IssuedNonces.hashed(nonce))
  }

  func spend(_ nonce: String?) throws(AgentError) {
    if let nonce { try nonces.consume(nonce, now: clock.now) }
  }

  /// Returns the project's enabled sign-in methods, Apple first (SI-1, SI-12, WS-1).
  /// - Throws: `offline` and similar errors if the project cannot be asked.
  package func methods(_ params: SignInMethods.Params) async throws(AgentError) -> SignInMethods.Result {
    let project = try projects.choose(params.project)
    do {
      let found = try await project.server.settings()
      return SignInMethods.Result(
        methods: found.signInProviders.map(\.rawValue), signUp: found.isOn(.email) && !found.disableSignup)
    } catch {
      throw AgentError.from(error)
    }
  }

  /// Ends every flow; waiting callers get `cancelled`. Returns after sessions that are being stored
  /// are stored.
  package func shutdown() async {
    isShutDown = true
    let running = Array(flows.values)
    for flow in running {
      if case .exchanging(let task) = flow.phase { task.cancel() }
    }
    for task in imports.values { task.cancel() }
    for flow in running {
      await end(flow.id, .failure(AgentError(.cancelled)), isForced: true)
      if case .exchanging(let task) = flow.phase { _ = await task.value }
      // A flow whose session is being stored ends when the session is stored.
      _ = await flow.outcome.wait()
    }
    for task in imports.values { _ = await task.value }
    for flow in flows.values {
      flow.timer?.cancel()
      await flow.listener?.close()
    }
    flows = [:]
    for listener in keptPorts.takeAll() { await listener.close() }
  }

  /// Logs the server's error to the journal: its code, never its text.
  func note(_ refusal: AuthError, _ ticket: SignInTicket) {
    var metadata: Logger.Metadata = [
      "account": "\(ticket.account)", "project": "\(ticket.project.name)", "method": "\(ticket.provider.rawValue)",
      "code": "\(ForeignText.shown(refusal.code.rawValue))", "status": "\(refusal.status ?? 0)",
    ]
    if let detail = refusal.connectionFailure { metadata["detail"] = "\(detail)" }
    logger.notice("the auth server rejected a sign-in", metadata: JournalEvent.signInRefused.with(metadata))
  }

  /// - Parameter method: `.page` while the person has not chosen one.
  func note(
    _ what: Logger.Message, _ ticket: SignInTicket, _ error: AgentError? = nil, method: AuthMethod? = nil
  ) {
    let method = method == .page ? AuthMethod.page.rawValue : ticket.provider.rawValue
    var metadata: Logger.Metadata = [
      "account": "\(ticket.account)", "project": "\(ticket.project.name)", "method": "\(method)",
    ]
    metadata["kind"] = (error?.kind.rawValue).map { "\($0)" }
    logger.info(what, metadata: JournalEvent.signIn.with(metadata))
  }

  /// Returns the account of a flow, or nil for an unknown flow.
  package func account(ofFlow id: String) -> String? { flows[id]?.ticket.account }
}

/// Telemetry counts of sign-ins (OP-5): no account, no email address, no text from the server.
extension SignInService {
  /// Counts the start of a sign-in, and its method unless the page will ask for it.
  func countStart(_ method: AuthMethod) {
    if method != .page { report(.counted(.authMethodSelected(method))) }
    report(.counted(.authStarted(method)))
  }

  /// Counts a choice on the sign-in page.
  func choseOnPage(_ provider: Provider, _ flow: String) { count(AuthMethod(provider), chosenOnPageOf: flow) }

  func count(_ method: AuthMethod, chosenOnPageOf flow: String) {
    flows[flow]?.method = method
    report(.counted(.authMethodSelected(method)))
  }

  /// Counts the end of a flow.
  func countEnd(of flow: Flow, _ result: FlowOutcome.Value) {
    switch result {
    // A sign-up that waits for confirmation by email has no session yet.
    case .success(let result) where result.outcome != .signedIn: break
    case .success: report(.counted(.authCompleted(flow.method, flow.startedAt.duration(to: clock.now))))
    case .failure(let error): report(.counted(.ended(flow.method, error)))
    }
  }

  /// Counts the success of a sign-in without a browser. A sign-up that waits for confirmation by
  /// email is not counted.
  func countEnd(_ method: AuthMethod, _ begun: BootTime, _ value: some Sendable) {
    if let result = value as? SignInResult, result.outcome != .signedIn { return }
    report(.counted(.authCompleted(method, begun.duration(to: clock.now))))
  }
}
