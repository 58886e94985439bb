import AgentConfiguration
package import AgentProtocol
package import SessionEngine
package import SupabaseAuth
import SystemSupport

/// Requests of the agent itself to a project's API, with the account's token and a small buffered
/// response. Programs use the proxy. Redirects are not followed because the token would be sent along.
package struct OwnRequests: Sendable {
  private typealias Target = (account: String, project: Project)

  private let accounts: Accounts
  private let refused: RefusedTokens

  /// - Parameter refused: shared with the proxy.
  package init(accounts: Accounts, refused: RefusedTokens = RefusedTokens()) {
    (self.accounts, self.refused) = (accounts, refused)
  }

  /// Sends a request and returns the response, whatever its status. A refusal that is about the
  /// token is retried once with a newer token, if one exists; so is any other 401, once for each
  /// token.
  ///
  /// - Parameters:
  ///   - request: its `url` is a path, and it has no token.
  ///   - isUse: false for a request that no caller made; it does not delay the idle lock.
  /// - Throws: `.invalidParams` and `.denied` for a path that is refused, before anything is sent; the
  ///   errors of `session.token`; `.offline` and similar errors if no response arrived.
  package func send(
    _ request: APIRequest, for account: String, isUse: Bool
  ) async throws(AgentError) -> APIResponse {
    let target = try await accounts.apiTarget(account)
    _ = try await url(of: request, target.account, target.project)
    let token = try await accounts.token(SessionToken.Params(account: target.account, reason: "api"), isUse: isUse)
    let answer = try await send(request, token.accessToken, target)
    guard mayRefresh(after: answer, request, token), let newer = try await newerToken(than: token, isUse) else {
      return answer
    }
    let second = try await send(request, newer.accessToken, target)
    if rejection(in: second, request) != .none { refused.note(fingerprint(newer), of: newer.account) }
    return second
  }

  private func mayRefresh(after answer: APIResponse, _ request: APIRequest, _ token: SessionToken.Result) -> Bool {
    switch rejection(in: answer, request) {
    case .none: false
    case .token: true
    case .unauthorized: !refused.contains(fingerprint(token), of: token.account)
    }
  }

  private func rejection(in answer: APIResponse, _ request: APIRequest) -> TokenRejection {
    TokenRejection(
      status: answer.status, path: request.url,
      challenge: answer.headers.filter { $0.name.lowercased() == "www-authenticate" }.map(\.value),
      body: Array(answer.body.prefix(TokenRejection.maxBody)))
  }

  private func fingerprint(_ token: SessionToken.Result) -> String {
    TokenEntry.fingerprint(of: token.accessToken)
  }

  /// Returns nil if there is no newer token: the token is fresh, and the server still refuses it.
  private func newerToken(
    than token: SessionToken.Result, _ isUse: Bool
  ) async throws(AgentError) -> SessionToken.Result? {
    let newer = try await accounts.token(
      SessionToken.Params(account: token.account, rejected: fingerprint(token), reason: "api"), isUse: isUse)
    return newer.unchanged == true || newer.accessToken == token.accessToken ? nil : newer
  }

  private func send(
    _ request: APIRequest, _ token: String, _ target: Target
  ) async throws(AgentError) -> APIResponse {
    // While the token was awaited, the account may have got another session, or the project another
    // URL. The token is sent only to the origin for which it was requested.
    let current = try await accounts.apiTarget(target.account).project
    guard current.origin == target.project.origin else { throw AgentError(.misconfigured, account: target.account) }
    let url = try await url(of: request, target.account, current)
    var authorized = request
    authorized.url = url.url
    if url.isProject { authorized.headers.append(("apikey", current.settings.anonKey)) }
    authorized.headers.append(("Authorization", "Bearer \(token)"))
    let sent = authorized
    do {
      return try await accounts.requests.result { () throws(AuthError) in
        try await current.server.send(sent)
      }.get()
    } catch {
      // A lock cancels requests in flight.
      if error.code == .cancelled { try await accounts.requireOpen() }
      throw AgentError.from(error, account: target.account)
    }
  }

  /// Throws for a request that may not be sent, or that would take the account's token to an origin
  /// without permission.
  private func url(
    of request: APIRequest, _ account: String, _ project: Project
  ) async throws(AgentError) -> APIRequestURL {
    let url = try APIRequestURL(request.url, project: project)
    if !url.isProject { try await accounts.requireAPIOrigin(account, project) }
    return url
  }
}
