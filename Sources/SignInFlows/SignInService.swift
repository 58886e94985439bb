package import AgentConfiguration
package import AgentProtocol
package import Logging
package import NIOPosix
package import SessionEngine
import SupabaseAuth
package import SystemSupport

/// Signing in, by every way: passwords, identity tokens, sessions that are brought along, and flows through a browser.
///
/// It owns the flows; the accounts own what comes out of them. It holds nothing while it waits for the network: every
/// state is read again after each `await`.
package actor SignInService {
  let accounts: Accounts
  let projects: Projects
  let settings: @Sendable () -> SignInConfiguration
  let clock: any AgentClock
  let logger: Logger
  /// Called synchronously with each fact. It must not block.
  let report: @Sendable (EngineFact) -> Void
  let eventLoopGroup: MultiThreadedEventLoopGroup

  var flows: [String: Flow] = [:]
  var keptPorts = KeptPorts()
  var attempts = PasswordAttempts()
  /// Sessions that are being taken over, by ticket.
  var imports: [UInt64: Task<Result<AccountStatus, AgentError>, Never>] = [:]
  private var nonces = IssuedNonces()
  private(set) var isShutDown = false
  /// The number of locks; a flow that was prepared before a lock does not begin after it.
  var locks: UInt64 = 0

  /// - Parameter eventLoopGroup: serves the loopback listeners.
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

  /// A nonce for a native sign-in (SI-3), single use, good for ten minutes.
  package func nonce() -> SignInNonce.Result {
    let nonce = nonces.issue(now: clock.now)
    return SignInNonce.Result(nonce: nonce, hashed: IssuedNonces.hashed(nonce))
  }

  func spend(_ nonce: String?) throws(AgentError) {
    if let nonce { try nonces.spend(nonce, now: clock.now) }
  }

  /// What the project has on, Apple first (SI-1, SI-12).
  /// - Throws: `offline` and the like, where the project cannot be asked.
  package func methods(_ params: SignInMethods.Params) async throws(AgentError) -> SignInMethods.Result {
    let project = try projects.choose(params.project)
    do {
      let found = try await project.server.settings()
      let methods = [Provider.apple, .google, .email].filter(found.isOn)
      return SignInMethods.Result(
        methods: methods.map(\.rawValue), signUp: found.isOn(.email) && !found.disableSignup)
    } catch {
      throw AgentError.from(error)
    }
  }

  /// Ends every flow; whoever waits gets `cancelled`. Returns when what was being stored is stored.
  package func shutdown() async {
    isShutDown = true
    let running = Array(flows.values)
    for flow in running {
      if case .exchanging(let task) = flow.phase { task.cancel() }
    }
    for task in imports.values { task.cancel() }
    for flow in running {
      await end(flow.id, .failure(AgentError(.cancelled)))
      if case .exchanging(let task) = flow.phase { _ = await task.value }
      // A session that is being stored at this moment ends its flow soon.
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

  /// Writes down what the server answered, for the journal: its code and never its text.
  func note(_ refusal: AuthError, _ ticket: SignInTicket) {
    var metadata: Logger.Metadata = [
      "account": "\(ticket.account)", "project": "\(ticket.project.name)", "method": "\(ticket.provider.rawValue)",
      "code": "\(ForeignText.shown(refusal.code.rawValue))", "status": "\(refusal.status ?? 0)",
    ]
    if let detail = refusal.connectionFailure { metadata["detail"] = "\(detail)" }
    logger.notice("the auth server refused a sign-in", metadata: JournalEvent.signInRefused.with(metadata))
  }

  func note(_ what: Logger.Message, _ ticket: SignInTicket, _ error: AgentError? = nil) {
    var metadata: Logger.Metadata = [
      "account": "\(ticket.account)", "project": "\(ticket.project.name)", "method": "\(ticket.provider.rawValue)",
    ]
    metadata["kind"] = (error?.kind.rawValue).map { "\($0)" }
    logger.info(what, metadata: JournalEvent.signIn.with(metadata))
  }

  /// Whose sign-in it is; nil for a flow that is not known.
  package func account(ofFlow id: String) -> String? { flows[id]?.ticket.account }
}

/// What is counted of sign-ins (OP-5): no account, no address, no server's words.
extension SignInService {
  /// A sign-in was begun; its method was chosen with it, but on the page.
  func countStart(_ method: AuthMethod) {
    if method != .page { report(.counted(.authMethodSelected(method))) }
    report(.counted(.authStarted(method)))
  }

  /// Somebody chose on the sign-in page.
  func choseOnPage(_ provider: Provider, _ flow: String) {
    let method = AuthMethod(provider)
    flows[flow]?.method = method
    report(.counted(.authMethodSelected(method)))
  }

  /// A flow is over.
  func countEnd(of flow: Flow, _ result: FlowOutcome.Value) {
    switch result {
    // A mail to confirm is no session yet.
    case .success(let result) where result.outcome != .signedIn: break
    case .success: report(.counted(.authCompleted(flow.method, flow.age(clock.now))))
    case .failure(let error): report(.counted(.ended(flow.method, error)))
    }
  }

  /// A sign-in without a browser brought `value`: a mail to confirm is no session yet.
  func countEnd(_ method: AuthMethod, _ begun: BootTime, _ value: some Sendable) {
    if let result = value as? SignInResult, result.outcome != .signedIn { return }
    report(.counted(.authCompleted(method, begun.duration(to: clock.now))))
  }
}

extension Flow {
  /// How long ago it was begun.
  fileprivate func age(_ now: BootTime) -> Duration { SignInBounds.flowLife - now.duration(to: deadline) }
}
