package import AgentProtocol
package import SupabaseAuth
import SystemSupport

/// Requests to the auth server with the access token of an account's user. If the server refuses the
/// token, the request is repeated once with a newer token. A token that replaced a refused one, and is
/// refused too, causes no further refresh, in this call or a later one.
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
    var token = try await accounts.token(SessionToken.Params(account: account)).accessToken
    var isNewer = false
    while true {
      switch try await send(token, target, body) {
      case .success(let value):
        await accounts.tokenAccepted(token, of: account)
        return value
      case .failure(let error) where !Self.refusals.contains(error.code): throw await explain(error, target)
      // The server has just continued the session.
      case .failure where isNewer: throw AgentError.from(AuthError(.badJWT, "refused"), account: account)
      case .failure(let error):
        token = try await accounts.token(instead: token, of: account, refusedBy: error)
        isNewer = true
      }
    }
  }

  /// Refusals of the token or its session. Only the refresh grant tells whether the session has ended.
  private static let refusals: Set<AuthError.Code> = [.badJWT, .sessionNotFound, .userNotFound]

  private func send<Value: Sendable>(
    _ token: String, _ target: Target, _ body: @escaping Body<Value>
  ) async throws(AgentError) -> Result<Value, AuthError> {
    // While the token was awaited, the account may have got another session. The token is sent only
    // to its own origin.
    guard try await accounts.apiTarget(target.account).project.origin == target.project.origin else {
      throw AgentError(.misconfigured, account: target.account)
    }
    return await accounts.requests.result { () throws(AuthError) in
      try await body(target.project.server, BearerToken(token))
    }
  }
}

extension Accounts {
  /// The token with which to repeat a request after the auth server refused `token`, from memory or
  /// from a refresh.
  ///
  /// - Throws: `signInNeeded` if the session has ended; `serviceUnavailable` if no refresh can help now.
  func token(
    instead token: String, of name: String, refusedBy error: AuthError
  ) async throws(AgentError) -> String {
    if accounts[name]?.session?.accessToken == token {
      if error.code == .userNotFound { update(name) { $0.userMissing() } }
      if error.code == .badJWT, update(name, { $0.tokenRefused() }) != true {
        throw AgentError.from(error, account: name)
      }
    }
    let newer = try await self.token(
      SessionToken.Params(account: name, rejected: TokenEntry.fingerprint(of: token)))
    guard newer.unchanged != true else { throw AgentError.from(error, account: name) }
    return newer.accessToken
  }

  func tokenAccepted(_ token: String, of name: String) {
    if accounts[name]?.session?.accessToken == token { update(name) { $0.tokenAccepted() } }
  }

  /// True if `error` says that the auth server refuses the account's tokens, so that it answers, and what
  /// was last known is no substitute for its answer.
  package func refusesToken(_ name: String, _ error: AgentError) -> Bool {
    guard error.kind == .serviceUnavailable, let account = accounts[name] else { return false }
    return account.isTokenRefused || account.session?.replacesRefused == true
  }
}
