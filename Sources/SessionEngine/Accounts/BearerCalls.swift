package import AgentProtocol
import Crypto
import FoundationEssentials
package import SupabaseAuth
import SystemSupport

/// Requests to the auth server with the access token of an account's user. If the server rejects
/// the token, the request is retried once with a newer token, if one exists.
package struct BearerCalls: Sendable {
  package typealias Body<Value> = @Sendable (any AuthServer, BearerToken) async throws(AuthError) -> Value
  package typealias Target = (account: String, project: Project)

  let accounts: Accounts
  private let explain: @Sendable (AuthError, Target) async -> AgentError

  /// - Parameter explain: Returns the user's error for a refused or failed request.
  package init(accounts: Accounts, explain: @escaping @Sendable (AuthError, Target) async -> AgentError) {
    self.accounts = accounts
    self.explain = explain
  }

  package init(accounts: Accounts) {
    self.init(accounts: accounts) { error, target in await accounts.explained(error, target.account) }
  }

  /// Runs `body` with the account's access token.
  /// - Throws: the errors of `session.token`, and the server's error.
  package func run<Value: Sendable>(
    _ account: String, _ body: @escaping Body<Value>
  ) async throws(AgentError) -> Value {
    let target = try await accounts.apiTarget(account)
    let token = try await accounts.token(SessionToken.Params(account: account))
    switch try await send(token.accessToken, target, body) {
    case .success(let value): return value
    case .failure(let error) where error.code == .badJWT:
      let rejected = SHA256.hash(data: Data(token.accessToken.utf8)).hexadecimal
      let newer = try await accounts.token(SessionToken.Params(account: account, rejected: rejected))
      guard newer.unchanged != true else { throw AgentError.from(error, account: account) }
      switch try await send(newer.accessToken, target, body) {
      case .success(let value): return value
      case .failure(let error): throw await explain(error, target)
      }
    case .failure(let error): throw await explain(error, target)
    }
  }

  private func send<Value: Sendable>(
    _ token: String, _ target: Target, _ body: @escaping Body<Value>
  ) async throws(AgentError) -> Result<Value, AuthError> {
    // While the token was awaited, the account may have got another session. The token is sent only
    // to its own origin (SE-2).
    guard try await accounts.apiTarget(target.account).project.origin == target.project.origin else {
      throw AgentError(.misconfigured, account: target.account)
    }
    return await accounts.requests.run { () async -> Result<Value, AuthError> in
      do throws(AuthError) {
        return .success(try await body(target.project.server, BearerToken(token)))
      } catch {
        return .failure(error)
      }
    }
  }
}
