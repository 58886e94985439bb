package import AgentProtocol
import Crypto
import FoundationEssentials
package import SessionEngine
import SupabaseAuth
import SystemSupport

/// Lists and unlinks the sign-in methods of an account's user (LK-3). Linking is a flow:
/// `SignInService.link`.
package struct IdentityService: Sendable {
  let accounts: Accounts
  private let calls: BearerCalls

  package init(accounts: Accounts) {
    self.accounts = accounts
    calls = BearerCalls(accounts: accounts)
  }

  /// Returns the server's current list, or the last known list if the server cannot be reached.
  package func list(_ params: AccountParams) async throws(AgentError) -> IdentityList.Result {
    let name = try await accounts.apiTarget(params.account).account
    do {
      let user = try await user(of: name)
      return IdentityList.Result(account: name, identities: StoredUser(user).identities, isCurrent: true)
    } catch {
      guard error.data.retryable else { throw error }
      let kept = try await accounts.status(name).identities
      return IdentityList.Result(account: name, identities: kept, isCurrent: false)
    }
  }

  /// Unlinks an identity and returns the remaining ones.
  /// - Throws: `lastIdentity`, before anything is changed; `linkingDisabled`; `invalidParams` for
  ///   an identity that the user does not have.
  package func unlink(_ params: IdentityUnlink.Params) async throws(AgentError) -> IdentityList.Result {
    let name = try await accounts.apiTarget(params.account).account
    let known = try await user(of: name).identities ?? []
    guard let identity = known.first(where: { $0.identityID == params.identityID && !$0.identityID.isEmpty }) else {
      throw AgentError(
        .invalidParams, "This account has no such sign-in method.", hint: "ritualctl identities --account \(name)",
        account: name)
    }
    guard known.count > 1 else {
      throw AgentError(
        .lastIdentity, hint: "link another sign-in method first: ritualctl link apple|google --account \(name)",
        account: name)
    }
    try await calls.run(name) { server, token throws(AuthError) in
      try await server.unlink(identity: identity.identityID, token)
    }
    await accounts.unlinked(identity, of: name)
    // The identity is unlinked, whatever this request returns.
    let left = try? await user(of: name)
    let rest = left.map { StoredUser($0).identities } ?? Self.listed(known.filter { $0 != identity })
    return IdentityList.Result(account: name, identities: rest, isCurrent: left != nil)
  }

  private func user(of name: String) async throws(AgentError) -> User {
    let user = try await calls.run(name) { server, token throws(AuthError) in try await server.user(token) }
    await accounts.seen(user, of: name, .elsewhere)
    return user
  }

  private static func listed(_ identities: [Identity]) -> [AccountIdentity] {
    identities.map { AccountIdentity(identityID: $0.identityID, provider: $0.provider.rawValue, email: $0.email) }
  }
}

/// Requests to the auth server with the access token of an account's user. If the server rejects
/// the token, the request is retried once with a newer token, if one exists.
struct BearerCalls: Sendable {
  typealias Body<Value> = @Sendable (any AuthServer, BearerToken) async throws(AuthError) -> Value

  let accounts: Accounts

  /// Runs `body` with the account's access token.
  /// - Throws: the errors of `session.token`, and the server's error.
  func run<Value: Sendable>(_ account: String, _ body: @escaping Body<Value>) async throws(AgentError) -> Value {
    let target = try await accounts.apiTarget(account)
    let token = try await accounts.token(SessionToken.Params(account: account, reason: "identities"))
    switch try await send(token.accessToken, target.project, account, body) {
    case .success(let value): return value
    case .failure(let error) where error.code == .badJWT:
      let rejected = SHA256.hash(data: Data(token.accessToken.utf8)).hexadecimal
      let newer = try await accounts.token(
        SessionToken.Params(account: account, rejected: rejected, reason: "identities"))
      guard newer.unchanged != true else { throw AgentError.from(error, account: account) }
      switch try await send(newer.accessToken, target.project, account, body) {
      case .success(let value): return value
      case .failure(let error): throw try await agentError(error, target.project, account)
      }
    case .failure(let error): throw try await agentError(error, target.project, account)
    }
  }

  private func send<Value: Sendable>(
    _ token: String, _ project: Project, _ account: String, _ body: @escaping Body<Value>
  ) async throws(AgentError) -> Result<Value, AuthError> {
    // While the token was awaited, the account may have got another session. The token is sent only
    // to its own origin (SE-2).
    guard try await accounts.apiTarget(account).project.origin == project.origin else {
      throw AgentError(.misconfigured, account: account)
    }
    return await accounts.requests.run { () async -> Result<Value, AuthError> in
      do throws(AuthError) {
        return .success(try await body(project.server, BearerToken(token)))
      } catch {
        return .failure(error)
      }
    }
  }

  private func agentError(_ error: AuthError, _ project: Project, _ account: String) async throws(AgentError)
    -> AgentError
  {
    if error.code == .cancelled { try await accounts.requireOpen() }
    guard error.code == .manualLinkingDisabled else { return AgentError.from(error, account: account) }
    await accounts.noteManualLinking(project, false)
    return AgentError(.linkingDisabled, hint: LinkMessages.whoCanAllow, account: account)
  }
}

/// Messages about linking.
enum LinkMessages {
  static let whoCanAllow =
    "the project's administrator can allow it in the Supabase dashboard (Authentication, Sign In / Providers, "
    + "manual linking)"

  static let whoCanRemove =
    "the project's administrator can remove it in the Supabase dashboard (Authentication, Users), or allow manual "
    + "linking there"
}
