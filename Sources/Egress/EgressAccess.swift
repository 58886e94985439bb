package import AccessControl
import AgentConfiguration
import AgentProtocol
package import SessionEngine
import SupabaseAuth
package import SystemSupport

/// The decision whether a request may be sent, where to, and with which token. Thread-safe. A class, because each
/// request passes it on several times.
package final class EgressAccess: Sendable {
  /// The program that makes the requests of a connection, or with a grant. A class, because each request passes
  /// it on several times.
  final class Caller: Sendable {
    let connection: IssuedTokens.Connection
    /// The process that opened the connection, if there are rules and it could be told at once.
    let opener: ConnectionOpener?
    /// The id of the grant that acts for the process.
    let grant: String?
    /// The requests that the grant is limited to; nil for every request.
    let scope: RequestScope?

    init(
      connection: IssuedTokens.Connection, opener: ConnectionOpener?, grant: String? = nil, scope: RequestScope? = nil
    ) {
      (self.connection, self.opener, self.grant, self.scope) = (connection, opener, grant, scope)
    }
  }

  /// A permitted request. Known by its identity, so that a decision about a former request of a connection is not
  /// applied to the next one.
  final class Permit: Sendable {
    let account: String
    let project: Project
    let url: APIRequestURL
    let token: Token
    let caller: Caller
    /// The request as the rules judge it.
    fileprivate let target: Policy.RequestTarget
    /// The id of an approval for this request alone.
    fileprivate let once: String?

    fileprivate init(
      _ account: String, _ project: Project, _ url: APIRequestURL, _ token: Token, _ caller: Caller,
      _ target: Policy.RequestTarget, once: String? = nil
    ) {
      (self.account, self.project, self.url, self.token) = (account, project, url, token)
      (self.caller, self.target, self.once) = (caller, target, once)
    }
  }

  /// A token to be sent. Its description shows no secret.
  struct Token: Sendable, Redacted {
    let exposed: String
    let fingerprint: String
  }

  /// The minimum remaining lifetime of a token that is sent.
  private static let minLifetime = 60
  /// What the policy and the audit log call a request of the proxy.
  private static let method = "egress"

  private let accounts: Accounts
  private let projects: Projects
  private let tokens: TokenSnapshot
  private let policy: Policy
  let records: Records
  let clock: any AgentClock
  private let refused: RefusedTokens

  package init(
    accounts: Accounts, projects: Projects, tokens: TokenSnapshot, policy: Policy, records: Records,
    refused: RefusedTokens = RefusedTokens(), clock: any AgentClock
  ) {
    (self.accounts, self.projects, self.tokens, self.refused) = (accounts, projects, tokens, refused)
    (self.policy, self.records, self.clock) = (policy, records, clock)
  }

  // MARK: - Connections

  /// Registers a connection with the policy, and reads what the rules need to know of its opener.
  func opened(_ connection: UInt64, _ process: PeerProcess, pid: Int32) -> ConnectionOpener? {
    policy.opened(connection)
    return policy.isInForce ? policy.opener(process, pid: pid) : nil
  }

  /// True if the caller of a connection has to be looked up for a decision.
  var hasRules: Bool { policy.isInForce }

  /// Begins the lookup of a connection's caller, once, for rules and the audit log.
  func lookUp(_ caller: Caller, _ process: PeerProcess?) {
    let (policy, connection) = (policy, caller.connection)
    records.issuedTokens.callers.lookUpCaller(of: connection, process, caller.opener) { found in
      if policy.isInForce { policy.found(found, connection.id) }
    }
  }

  func closed(_ connection: UInt64) {
    records.issuedTokens.callers.closed(connection)
    policy.closed(connection)
  }

  // MARK: - Permits

  /// Decides from memory, without an actor; nil if that is not enough. Does not block.
  ///
  /// - Throws: for a request that may not be sent anywhere.
  func permitAtOnce(_ request: EgressRequest, _ caller: Caller) throws(EgressProblem) -> Permit? {
    let now = clock.now
    guard let answer = tokens.answer(account: request.account, minTTL: nil, rejected: nil, now: now),
      answer.expiresIn >= Self.minLifetime, let token = answer.plainToken
    else { return nil }
    let entry = answer.entry
    guard let project = projects.named(entry.destination.project) else { return nil }
    let (url, target): (APIRequestURL, Policy.RequestTarget)
    do throws(AgentError) {
      url = try APIRequestURL(request.target, project: project)
      target = url.judged(as: request.method)
      try Self.checkScope(target, caller, entry.account)
    } catch {
      throw EgressProblem(error)
    }
    guard isAllowedAtOnce(entry.account, target, caller, now),
      entry.destination.matches(project, isProject: url.isProject)
    else { return nil }
    tokens.use(at: now)
    return Permit(
      entry.account, project, url, Token(exposed: token, fingerprint: entry.fingerprint), caller, target)
  }

  private func isAllowedAtOnce(
    _ account: String, _ target: Policy.RequestTarget, _ caller: Caller, _ now: BootTime
  ) -> Bool {
    policy.isAllowed(caller.connection.id, account, target, now: now)
      || caller.opener.map { policy.allowsAtOnce(account, caller.connection.id, $0, target) } ?? false
  }

  private static func question(
    _ caller: Caller, _ target: Policy.RequestTarget, isHeld: Bool = false
  ) -> Policy.Question {
    Policy.Question(
      method: method, connection: caller.connection.id, pid: caller.connection.pid, request: target, isHeld: isHeld)
  }

  /// Decides, after a refresh if the token's remaining lifetime is too short. Waits for a person only as long as
  /// the request asks for, and until the task is cancelled.
  func permit(_ request: EgressRequest, _ caller: Caller) async throws(EgressProblem) -> Permit {
    let end = request.preferredWait.map { clock.now.advanced(by: $0) }
    while true {
      do throws(AgentError) { return try await decide(request, caller) } catch {
        guard let id = error.data.approval, let end else { throw EgressProblem(error) }
        // A denial has its own words at the next decision.
        switch await policy.hold(id, until: end) {
        case .allowed, .denied: continue
        default: throw EgressProblem(error)
        }
      }
    }
  }

  /// Uses up the approval that a permit is for, if it is for one request alone.
  ///
  /// - Returns: false if another request has used it.
  func use(_ permit: Permit) -> Bool { permit.once.map { policy.use($0) } ?? true }

  private func decide(_ request: EgressRequest, _ caller: Caller) async throws(AgentError) -> Permit {
    let account = try await accounts.policyName(request.account)
    // Without a project the path is unclear, and the token's error says why.
    let method = request.method
    var target = Policy.RequestTarget(method: method, path: "")
    if let project = try await accounts.configuredProject(of: account) {
      target = try APIRequestURL(request.target, project: project).judged(as: method)
    }
    try Self.checkScope(target, caller, account)
    let question = Self.question(caller, target, isHeld: request.preferredWait != nil)
    let once = try await policy.checkOnce(account, question)
    let permit = try await permit(request, account, caller, rejected: nil, once: once)
    // The project may have got another URL meanwhile, and so the request another path.
    guard permit.target == target else { return try await decide(request, caller) }
    return permit
  }

  private static func checkScope(
    _ target: Policy.RequestTarget, _ caller: Caller, _ account: String
  ) throws(AgentError) {
    guard caller.scope?.includes(target.compared) ?? true else {
      throw AgentError(
        .denied, "The grant is limited to other methods or paths.", hint: "ritualctl grants", account: account)
    }
  }

  /// Returns a permit with a newer token than that of `permit`; nil if there is none, or if the project
  /// has another URL by now.
  func newer(than permit: Permit, _ request: EgressRequest) async -> Permit? {
    guard
      let newer = try? await self.permit(
        request, permit.account, permit.caller, rejected: permit.token.fingerprint, once: permit.once),
      newer.token.fingerprint != permit.token.fingerprint, newer.url == permit.url
    else { return nil }
    return newer
  }

  private func permit(
    _ request: EgressRequest, _ account: String, _ caller: Caller, rejected: String?, once: String?
  ) async throws(AgentError) -> Permit {
    let minTTL = rejected == nil ? Self.minTTL(tokens, account, clock.now) : nil
    let token = try await accounts.token(
      SessionToken.Params(account: account, minTTL: minTTL, rejected: rejected, reason: Self.method))
    // Read after the token, whose refresh may have taken seconds.
    let target = try await accounts.apiTarget(token.account)
    let url = try APIRequestURL(request.target, project: target.project)
    if !url.isProject { try await accounts.requireAPIOrigin(target.account, target.project) }
    return Permit(
      target.account, target.project, url,
      Token(exposed: token.accessToken, fingerprint: TokenEntry.fingerprint(of: token.accessToken)), caller,
      url.judged(as: request.method), once: once)
  }

  /// The minimum lifetime to ask for. Nil if the default is as long, because an answer to the default
  /// falls back on a shorter one while the auth server does not answer; and for a token whose whole
  /// lifetime is less than twice the minimum, which would be refreshed all the time.
  private static func minTTL(_ tokens: TokenSnapshot, _ account: String, _ now: BootTime) -> Double? {
    // A tenth of the lifetime, and not more than the minimum.
    guard let usual = tokens.answer(account: account, minTTL: 0, rejected: nil, now: now)?.entry.defaultMinLifetime
    else { return nil }
    let minimum = Duration.seconds(minLifetime)
    return usual < minimum && usual * 10 >= minimum * 2 ? Double(minLifetime) : nil
  }

  // MARK: - Permitted requests

  /// Adds `body` to what runs when the policy may no longer allow what it allowed, except by the time of an
  /// approval. Runs on any thread. It must not block.
  func onPolicyChange(_ body: @escaping @Sendable () -> Void) { policy.onChange(body) }

  /// True if the policy still allows a permitted request, as far as that is known without a lookup. Does not
  /// block.
  func isAllowedAtOnce(_ permit: Permit) -> Bool {
    isAllowedAtOnce(permit.account, permit.target, permit.caller, clock.now)
  }

  /// True if the policy still allows a permitted request. Asks nobody.
  func isAllowed(_ permit: Permit) async -> Bool {
    await policy.passes(permit.account, Self.question(permit.caller, permit.target), isApproved: permit.once != nil)
  }

  // MARK: - Answers

  /// True if a refresh can help after a response that says `rejection` of the permit's token.
  func mayRefresh(after rejection: TokenRejection, _ permit: Permit) -> Bool {
    switch rejection {
    case .none: false
    case .token: true
    case .unauthorized: !refused.contains(permit.token.fingerprint, of: permit.account)
    }
  }

  /// Notes that a new token was refused as the one before it.
  func noteRefused(_ permit: Permit) { refused.note(permit.token.fingerprint, of: permit.account) }

  /// Notes an answer of the proxy itself.
  func noteRefusal(_ problem: EgressProblem) { records.telemetry.countEgressRefusal(kind: problem.kind) }

  /// Notes that a request is sent (`IssuedTokens.send`).
  func noteSent(_ account: String, _ caller: Caller) -> (request: IssuedTokens.Request, needsCaller: Bool) {
    records.issuedTokens.send(account: account, grant: caller.grant, to: caller.connection, at: clock.wall)
  }

  /// Notes the status of the response to a request that was sent; nil if there was none.
  func noteEnd(_ request: IssuedTokens.Request, status: Int?) {
    records.telemetry.countEgress(status: status)
    records.issuedTokens.end(request, status: status, at: clock.wall)
  }

  func noteRetry() { records.telemetry.countEgressRetry() }

  func noteConnections(_ change: Int) { records.telemetry.changeEgressConnections(by: change) }
}
