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
/// The service keeps the flows and runs their effects; only `deliver` changes a flow. The accounts own the resulting
/// sessions. No state is assumed across an `await`: it is read again after each network call.
package actor SignInService {
  /// What belongs to a flow besides its state.
  struct FlowResources {
    /// Nil for a flow without one, and after the service keeps its port or another flow takes it over.
    var listener: LoopbackListener?
    /// The request in flight, or the session that is being stored, until the flow has its answer. A separate task, so
    /// that a browser or client that disconnects does not interrupt it.
    var request: Task<FlowResult?, Never>?
    /// Ends the flow at its deadline, and later removes it.
    var timer: Task<Void, Never>?
  }

  let accounts: Accounts
  let projects: Projects
  let settings: @Sendable () -> SignInConfiguration
  let clock: any AgentClock
  let logger: Logger
  /// Called synchronously with each fact. Must not block.
  let report: @Sendable (EngineFact) -> Void
  let eventLoopGroup: MultiThreadedEventLoopGroup

  private(set) var flows: [String: Flow] = [:]
  var resources: [String: FlowResources] = [:]
  let followers = WaiterList<Flow>()
  var keptPorts = KeptPorts()
  /// The running imports of sessions, verifications without a flow and anonymous sign-ins, by ticket id.
  var imports: [Revision?: Task<Result<AccountStatus, AgentError>, Never>] = [:]
  private var nonces = IssuedNonces()
  private(set) var isShutDown = false
  /// The number of locks so far. A flow whose start was requested before a lock does not begin after it.
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

  /// Returns a single-use nonce for a native sign-in, valid for ten minutes.
  package func nonce() -> SignInNonce.Result {
    let nonce = nonces.issue(now: clock.now)
    return SignInNonce.Result(nonce: nonce, hashed: IssuedNonces.hashed(nonce))
  }

  func spend(_ nonce: String?) throws(AgentError) {
    if let nonce { try nonces.consume(nonce, now: clock.now) }
  }

  /// Returns the project's enabled sign-in methods, Apple first.
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
    for task in imports.values { task.cancel() }
    // A flow whose session is being stored ends when the session is stored.
    let settling = flows.values.filter(\.isSettling).compactMap { resources[$0.id]?.request }
    for id in flows.keys { await deliver(.shutdown, to: id) }
    for task in settling { _ = await task.value }
    for task in imports.values { _ = await task.value }
    for own in resources.values {
      own.timer?.cancel()
      await own.listener?.close()
    }
    (flows, resources) = ([:], [:])
    for listener in keptPorts.takeAll() { await listener.close() }
  }

  package func account(ofFlow id: String) -> String? { flows[id]?.ticket.account }
}

/// The flows: the only code that changes one, and runs its effects.
extension SignInService {
  /// Adds a flow, which ends at its deadline.
  func add(_ flow: Flow, _ listener: LoopbackListener? = nil) {
    flows[flow.id] = flow
    resources[flow.id] = FlowResources(listener: listener)
    startTimer(flow)
  }

  /// Forgets a flow, and returns its listener.
  @discardableResult
  func remove(_ id: String) -> LoopbackListener? {
    flows[id] = nil
    guard let own = resources.removeValue(forKey: id) else { return nil }
    own.timer?.cancel()
    return own.listener
  }

  /// Delivers an event, and runs what follows.
  /// - Parameter waits: true for a sender that waits for the result of a request that the event causes or joins.
  /// - Returns: the result for the sender; nil if there is none.
  @discardableResult
  func deliver(_ event: FlowEvent, to id: String, waits: Bool = false) async -> FlowResult? {
    await reply(to: event, of: id, waits: waits).result
  }

  /// Delivers an event of a browser.
  func answer(to event: FlowEvent, of id: String) async -> LoopbackAnswer {
    await reply(to: event, of: id, waits: false).page ?? .seeOther(.home)
  }

  private func reply(
    to event: FlowEvent, of id: String, waits: Bool
  ) async -> (result: FlowResult?, page: LoopbackAnswer?) {
    guard var flow = flows[id] else { return (.failure(AgentError(.flowUnknown)), nil) }
    let deadline = flow.deadline
    let effects = flow.handle(event, now: clock.now)
    flows[id] = flow
    if flow.deadline != deadline, !flow.isOver { startTimer(flow) }
    var (result, page): (FlowResult?, LoopbackAnswer?)
    for effect in effects {
      if case .show(let shown) = effect { page = shown }
      result = await run(effect, event, flow, waits) ?? result
    }
    followers.resume(id, returning: flows[id] ?? flow)
    return (result, page)
  }

  private func startTimer(_ flow: Flow) {
    let (id, deadline) = (flow.id, flow.deadline)
    resources[id]?.timer?.cancel()
    resources[id]?.timer = Task {
      guard (try? await clock.sleep(until: deadline)) != nil else { return }
      // This task is the flow's timer, which the end of the flow would cancel.
      resources[id]?.timer = nil
      await deliver(.deadline, to: id)
    }
  }

  private func run(_ effect: FlowEffect, _ event: FlowEvent, _ flow: Flow, _ waits: Bool) async -> FlowResult? {
    let id = flow.id
    switch effect {
    case .request(let request, let ticket):
      return await start(id, waits) {
        await self.deliver(.answered(await self.answer(to: request, ticket, of: id)), to: id, waits: true)
      }
    case .adopt(let session, let ticket):
      return await start(id, waits) {
        let result = await self.adoption(of: session, ticket)
        let next = RandomText.base64url(bytes: 16)
        return await self.deliver(.adopted(session, result, next: next), to: id)
      }
    case .cancelRequest: resources[id]?.request?.cancel()
    case .discard(let session, let ticket, let linked): await discard(session, linked: linked, ticket)
    case .free(let ticket): await accounts.endSignIn(ticket)
    case .tell(let result): return result
    case .join(let again):
      guard waits, let task = resources[id]?.request else { return nil }
      let result = await task.value
      if case .success? = result { return result }
      return again ? await deliver(event, to: id, waits: true) : result
    case .follow:
      guard waits else { return nil }
      do { return .success(try await wait(id)) } catch { return .failure(error) }
    case .show: break
    case .handOver(let next): handOver(id, to: next)
    case .postpone: await deliver(.ended(await currentResult(flow.ticket.account)), to: id)
    case .end(let result, let ticket, let wasOpen):
      await end(flow, result, ticket, wasOpen: wasOpen)
      return result
    case .report(let fact): report(fact)
    case .noteRefusal(let error): note("callback rejected", flow.ticket, error)
    }
    return nil
  }

  private func start(
    _ id: String, _ waits: Bool, _ body: @escaping @Sendable () async -> FlowResult?
  ) async -> FlowResult? {
    let task = Task { await body() }
    resources[id]?.request = task
    return waits ? await task.value : nil
  }

  private func adoption(of session: Session, _ ticket: SignInTicket) async -> Result<Adoption, AgentError> {
    do throws(AgentError) {
      let adoption = try await accounts.adopt(session, for: ticket)
      if case .signedIn(let account) = adoption {
        let replaced = AgentError(.cancelled, "The account was signed in again.", account: account.name)
        await endFactorQuestions(of: account.name, .failure(replaced))
      }
      return .success(adoption)
    } catch {
      return .failure(error)
    }
  }

  /// Follows the end of a flow, whose account is freed before its waiters are resumed.
  private func end(_ flow: Flow, _ result: FlowResult, _ ticket: SignInTicket, wasOpen: Bool) async {
    let (id, portDeadline) = (flow.id, flow.portDeadline(clock.now))
    defer { followers.resume(id, returning: flow) }
    resources[id]?.timer?.cancel()
    // The task keeps nothing else of the flow, such as a token or an address.
    resources[id]?.timer = isShutDown ? nil : Task { await retire(id, portDeadline) }
    await accounts.endSignIn(ticket)
    guard wasOpen else { return }
    guard !flow.isFactorFlow else { return note("no longer asking for a second factor", ticket) }
    countEnd(of: flow, result)
    if case .failure(let error) = result { note("sign-in ended", ticket, error) } else { note("signed in", ticket) }
  }

  /// Retires the listener `listenerGrace` after the flow's end, and removes the flow after
  /// `resultLifetime`.
  private func retire(_ id: String, _ portDeadline: BootTime) async {
    let now = clock.now
    guard (try? await clock.sleep(until: now.advanced(by: SignInLimits.listenerGrace))) != nil else { return }
    await keepPort(of: id, until: portDeadline)
    guard (try? await clock.sleep(until: now.advanced(by: SignInLimits.resultLifetime))) != nil else { return }
    remove(id)
  }
}

/// The journal, and the telemetry counts of sign-ins: no account, no email address, no text from the server.
extension SignInService {
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

  /// Counts the start of a sign-in, and its method unless the page will ask for it.
  func countStart(_ method: AuthMethod) {
    if method != .page { report(.counted(.authMethodSelected(method))) }
    report(.counted(.authStarted(method)))
  }

  private func countEnd(of flow: Flow, _ result: FlowResult) {
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
