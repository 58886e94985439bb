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
    guard case .object(var members) = try read(params) as JSONValue else { throw AgentError(.invalidParams) }
    members["account"] = .string(account)
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
