import AccessControl
import AgentProtocol
import AgentServer
import FoundationEssentials
import SessionEngine
import SignInFlows
import SystemSupport

/// Applies the policy to a request before its method runs, as the method's registration specifies.
struct MethodPolicy: Sendable {
  private let policy: Policy
  private let accounts: Accounts
  private let signIn: SignInService

  init(_ services: Services) {
    (policy, accounts, signIn) = (services.policy, services.accounts, services.signIn)
  }

  private struct Place: Decodable {
    var directory: String?
  }

  private struct Verification: Decodable {
    var flow: String?
  }

  private struct SignOut: Decodable {
    var account: String?
    var all: Bool?
  }

  /// Returns the params for the method. If the account was left out, it is added, so that the
  /// method uses the very account of the decision.
  func admit(_ method: String, _ use: PolicyUse, _ params: Data, _ call: Call) async throws(AgentError) -> Data {
    guard method != SessionUse.name else { return try await admit(use: params, call) }
    let params = try await inDirectory(use, params)
    guard policy.isInForce else { return params }
    let question = Policy.Question(method, call)
    switch use {
    case .none, .eachToken: return params
    case .account:
      return try await admit(params, question) { name throws(AgentError) in try await accounts.policyName(name) }
    case .grant:
      return try await admit(params, Policy.Question(method, call, isForGrant: true)) { name throws(AgentError) in
        try await accounts.policyName(name)
      }
    case .signIn:
      return try await admit(params, question) { name throws(AgentError) in try await accounts.signInName(name) }
    case .flow:
      let flow: FlowParams = try Self.read(params)
      return try await admit(params, question, flow: flow.flow)
    case .flowOrSignIn:
      let verification: Verification = try Self.read(params)
      guard let flow = verification.flow else { return try await admit(method, .signIn, params, call) }
      return try await admit(params, question, flow: flow)
    case .signOut:
      let signOut: SignOut = try Self.read(params)
      guard signOut.all == true else {
        return try await admit(params, question) { name throws(AgentError) in try await accounts.policyName(name) }
      }
      for account in await accounts.list() { try await policy.check(account.name, question) }
      return params
    }
  }

  /// Replaces the caller's directory by the directory that selects the account, and adds the account.
  /// Without such a directory, or if the account is named, there is none in the result.
  private func inDirectory(_ use: PolicyUse, _ params: Data) async throws(AgentError) -> Data {
    // The method reports params that cannot be decoded.
    guard let place = try? WireCoding.decode(Place.self, from: params), let directory = place.directory else {
      return params
    }
    guard DirectoryAccount.isResolved(directory) else { throw .unresolvedDirectory }
    var bound: DirectoryAccount?
    let located = try Self.changing(params) { members in
      let isNamed = ["account", "flow"].contains { members[$0] ?? .null != .null } || members["all"] == .bool(true)
      bound = isNamed ? nil : accounts.tokens.account(in: directory)?.value
      members["directory"] = bound.map { .string($0.directory) }
      if let bound { members["account"] = .string(bound.account) }
    }
    if let bound, [.account, .grant, .signOut].contains(use) { try await requireAccount(bound) }
    return located
  }

  /// Names the directory if its account was removed.
  private func requireAccount(_ bound: DirectoryAccount) async throws(AgentError) {
    do throws(AgentError) {
      _ = try await accounts.policyName(bound.account)
    } catch  where error.kind == .unknownAccount {
      throw AgentError(
        .unknownAccount,
        "There is no account named \(ForeignText.shown(bound.account, limit: 40)), which is set for "
          + "\(ForeignText.shown(bound.directory, limit: 200)).", hint: "ritualctl use --list", account: bound.account)
    }
  }

  /// `session.use`, whose directory is not the caller's.
  private func admit(use params: Data, _ call: Call) async throws(AgentError) -> Data {
    guard policy.isInForce else { return params }
    let place: SessionUse.Params = try Self.read(params)
    let question = Policy.Question(SessionUse.name, call)
    guard place.forget == true, let directory = place.directory else {
      return try await admit(params, question) { name throws(AgentError) in try await accounts.policyName(name) }
    }
    if let bound = accounts.tokens.directories.first(where: { $0.directory.utf8.elementsEqual(directory.utf8) }) {
      try await policy.check(bound.account, question)
    }
    return params
  }

  /// An unknown flow is for the method to reject.
  private func admit(_ params: Data, _ question: Policy.Question, flow: String) async throws(AgentError) -> Data {
    if let account = await signIn.account(ofFlow: flow) { try await policy.check(account, question) }
    return params
  }

  private func admit(
    _ params: Data, _ question: Policy.Question, _ name: (String?) async throws(AgentError) -> String
  ) async throws(AgentError) -> Data {
    let named: AccountParams = try Self.read(params)
    let account = try await name(named.account)
    try await policy.check(account, question)
    return named.account == nil ? try Self.naming(account, in: params) : params
  }

  /// Decodes the params that the policy needs. The error does not name the invalid member.
  private static func read<Params: Decodable>(_ params: Data) throws(AgentError) -> Params {
    do {
      return try WireCoding.decode(Params.self, from: params)
    } catch {
      throw AgentError(.invalidParams)
    }
  }

  private static func naming(_ account: String, in params: Data) throws(AgentError) -> Data {
    try changing(params) { $0["account"] = .string(account) }
  }

  private static func changing(
    _ params: Data, _ change: (inout [String: JSONValue]) -> Void
  ) throws(AgentError) -> Data {
    guard case .object(var members) = try read(params) as JSONValue else { throw AgentError(.invalidParams) }
    change(&members)
    do {
      return try WireCoding.encode(JSONValue.object(members))
    } catch {
      throw AgentError(.internalError)
    }
  }
}

extension Policy.Question {
  /// A question to the policy about a call of `method`.
  init(_ method: String, _ call: Call, isForGrant: Bool = false) {
    self.init(method: method, connection: call.connection.id, pid: call.peer.pid, isForGrant: isForGrant)
  }
}
