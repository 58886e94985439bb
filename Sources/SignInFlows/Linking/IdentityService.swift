package import AgentProtocol
import FoundationEssentials
package import SessionEngine
import SupabaseAuth
import SystemSupport

/// Lists and unlinks the sign-in methods of an account's user. Linking is a flow:
/// `SignInService.link`.
package struct IdentityService: Sendable {
  let accounts: Accounts
  private let calls: BearerCalls

  package init(accounts: Accounts) {
    self.accounts = accounts
    calls = BearerCalls(accounts: accounts) { error, target in
      guard error.code == .manualLinkingDisabled else { return await accounts.explained(error, target.account) }
      await accounts.noteManualLinking(target.project, false)
      return AgentError(.linkingDisabled, hint: LinkMessages.whoCanAllow, account: target.account)
    }
  }

  /// Returns the server's current list, or the last known list if the server cannot be reached.
  package func list(_ params: AccountParams) async throws(AgentError) -> IdentityList.Result {
    let name = try await accounts.apiTarget(params.account).account
    do {
      let user = try await user(of: name)
      return IdentityList.Result(account: name, identities: StoredUser(user).identities, isCurrent: true)
    } catch {
      guard error.data.retryable, await !accounts.refusesToken(name, error) else { throw error }
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
        .lastIdentity, hint: "link another sign-in method first: ritualctl link PROVIDER --account \(name)",
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
    let asked = accounts.clock.now
    let user = try await calls.run(name) { server, token throws(AuthError) in try await server.user(token) }
    await accounts.seen(user, of: name, .elsewhere, asked: asked)
    return user
  }

  private static func listed(_ identities: [Identity]) -> [AccountIdentity] {
    identities.map { AccountIdentity(identityID: $0.identityID, provider: $0.provider.rawValue, email: $0.email) }
  }
}

enum LinkMessages {
  static let whoCanAllow =
    "the project's administrator can allow it in the Supabase dashboard (Authentication, Sign In / Providers, "
    + "manual linking)"

  static let whoCanRemove =
    "the project's administrator can remove it in the Supabase dashboard (Authentication, Users), or allow manual "
    + "linking there"
}
