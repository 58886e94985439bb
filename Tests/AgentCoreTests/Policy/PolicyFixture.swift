import AgentConfiguration
import AgentProtocol
import Foundation
import Logging
import NIOCore
import NIOPosix
import SessionVault
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentCore
@testable import AgentServer
@testable import Egress
@testable import SessionEngine
@testable import SignInFlows

/// The agent's methods over a scripted server, with policy rules and invented callers.
struct PolicyFixture: Sendable {
  let agent: AccountsFixture
  let services: Services
  let methods: MethodTable
  let lookUp: CallerLookup
  let grants: Grants
  let listener: GrantListener

  var policy: Policy { services.policy }
  var clock: ManualClock { agent.clock }

  /// Opens a connection whose peer is `caller`.
  func connect(_ id: UInt64, _ caller: Caller, pid: Int32? = nil) async -> Call {
    let table = services.records.issuedTokens
    table.callers.opened(id, caller)
    policy.opened(id)
    let handle = ConnectionHandle(id: id, send: { _ in }, cut: { _ in })
    return Call(peer: Peer(pid: pid ?? Int32(id), uid: 1, gid: 1), connection: handle)
  }

  func connect(_ id: UInt64, unit: String?) async -> Call { await connect(id, Caller(start: id, unit: unit)) }

  /// Sends one request on the general path. Returns its error, or nil on success.
  func refusal(_ method: String, _ params: String = "{}", _ call: Call) async -> AgentError? {
    await errorOf { try await answer(method, params, call) }
  }

  func answer(_ method: String, _ params: String = "{}", _ call: Call) async throws -> JSONValue {
    guard let entry = methods[method] else { throw AgentError(.methodNotFound) }
    return try WireCoding.decode(JSONValue.self, from: try await entry(Data(params.utf8), call).result)
  }

  /// True if the event loop answers `session.token` for the connection.
  func isHot(_ call: Call, account: String? = nil, opener: ConnectionOpener? = nil) -> Bool {
    var path = HotPath(tokens: agent.accounts.tokens, clock: clock, policy: policy)
    var output = ByteBuffer()
    let params = account.map { #"{"account":"\#($0)"}"# } ?? "{}"
    return path.answer(
      ByteBuffer(string: #"{"jsonrpc":"2.0","id":1,"method":"session.token","params":\#(params)}"#), into: &output,
      for: .init(id: call.connection.id, pid: call.peer.pid), opener) == .answered(needsCaller: false)
  }

  func audited(_ event: AuditEvent) -> [AuditFacts] {
    services.records.audit.pending().entries.filter { $0.event == event }
  }

  /// How often the log would show the event, repetitions by the same process included.
  func auditedCount(_ event: AuditEvent) -> UInt64 {
    _ = services.records.audit.pending()
    return services.records.audit.open.filter { $0.event == event }.reduce(0) { $0 + ($1.count ?? 1) }
  }
}

extension PolicyFixture {
  static let running = TestFixture<PolicyFixture>()
  /// The fixture of a test with the trait `policy`.
  static var ruled: PolicyFixture { running.current }

  fileprivate static func trait(_ rules: @escaping @Sendable () throws -> [PolicyRule]) -> FixtureTrait {
    running.trait { try await withPolicy(try rules(), $0) }
  }
}

extension Trait where Self == FixtureTrait {
  /// Gives the test the agent's methods under `rules`: `PolicyFixture.ruled`.
  static func policy(_ rules: @autoclosure @escaping @Sendable () throws -> [PolicyRule]) -> Self {
    PolicyFixture.trait(rules)
  }
}

/// Runs `body` under `rules`, with the accounts `work` (the default) and `home` signed in.
func withPolicy(
  _ rules: [PolicyRule], _ body: @Sendable (PolicyFixture) async throws -> Void
) async throws {
  try await withAccounts { agent async throws in
    try await agent.signIn("work", token: "1")
    try await agent.signIn("home", user: "user-2", token: "2")
    let lookUp = CallerLookup()
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    let records = Records(clock: agent.clock, lookUp: lookUp)
    let policy = Policy(rules, records: records, lookUp: lookUp, clock: agent.clock, logger: logger)
    let unavailable = AgentError(.vaultUnavailable)
    let folder = try makeScratchDirectory()
    defer { try? FileManager.default.removeItem(at: folder) }
    let grants = Grants(policy: policy, records: records, clock: agent.clock)
    let listener = GrantListener(directory: folder.path + "/grants")
    agent.accounts.tokens.onLock { grants.endAll(.locked) }
    agent.observers.add { grants.note($0) }
    let services = Services(
      accounts: agent.accounts,
      signIn: SignInService(
        accounts: agent.accounts, projects: agent.projects, settings: { SignInConfiguration() }, clock: agent.clock,
        logger: logger, eventLoopGroup: .singleton),
      vault: VaultAccess(
        .failure(unavailable), accounts: agent.accounts, revocations: agent.revocations, clock: agent.clock,
        logger: logger),
      profiles: ProfileService(accounts: agent.accounts, request: OwnRequests(accounts: agent.accounts).send),
      identities: IdentityService(accounts: agent.accounts),
      audit: .failure(unavailable), records: records, policy: policy,
      grants: GrantService(
        accounts: agent.accounts, policy: policy, records: records, grants: grants, listener: listener),
      status: { fatalError("not asked for") },
      reload: { _ in throw AgentError(.notReady) })
    let fixture = PolicyFixture(
      agent: agent, services: services, methods: MethodTable(services), lookUp: lookUp, grants: grants,
      listener: listener)
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    grants.close()
    await services.signIn.shutdown()
    await lookUp.close()
    try result.get()
  }
}
