import AgentConfiguration
package import AgentProtocol
import SupabaseAuth
import SystemSupport

/// Restricts a session's token to the API origin that was configured at sign-in, or that the user
/// accepted since (SE-2). Does not affect tokens for local tools, or refreshes.
extension Accounts {
  /// - Throws: `misconfigured`, with the command that accepts the new origin, if the configured API
  ///   origin has changed.
  package func requireAPIOrigin(_ name: String, _ project: Project) throws(AgentError) {
    guard let account = accounts[name], let change = apiChange(account, project) else { return }
    throw AgentError(
      .misconfigured,
      "The API of \(name) is now \(change.new); its session was created for \(change.old). Nothing was sent.",
      hint: "if you trust it: ritualctl use-api --account \(name)", account: name)
  }

  /// The URLs and the key for a tool that uses the token of `name` itself. Without the API URL until
  /// the user accepts a changed one, because the tool would send the token there.
  ///
  /// - Throws: `misconfigured` if the session belongs to another origin than the project's.
  func endpoints(of name: String) throws(AgentError) -> SessionToken.Endpoints {
    let account = try resolve(name)
    guard let project = project(of: account) else { throw misconfigured(account) }
    let api = project.settings.apiURL == nil ? project.endpoint.url : project.apiOrigin
    return SessionToken.Endpoints(
      projectURL: project.endpoint.url, anonKey: project.settings.anonKey,
      apiURL: apiChange(account, project) == nil ? api : nil)
  }

  /// The change of the API origin, if any. The origin that issued the session is always allowed.
  private func apiChange(_ account: Account, _ project: Project) -> (old: String, new: String)? {
    guard let session = account.session, let old = session.apiOrigin, old != project.apiOrigin,
      project.apiOrigin != session.origin
    else { return nil }
    return (old, project.apiOrigin)
  }

  /// Accepts the currently configured API origin (`ritualctl use-api`). Durable on return.
  package func useAPI(_ name: String?) async throws(AgentError) -> AccountStatus {
    let target = try apiTarget(name)
    let origin = target.project.apiOrigin
    do throws(CommitFailure) {
      try await commit(target.account) { draft throws(AgentError) in
        guard let session = draft.account?.session, session.apiOrigin != origin else { return }
        draft.change { $0.apiOriginChanged(origin) }
        draft.then = { [self] in report(.apiAccepted(account: target.account, origin: origin)) }
      }
    } catch {
      throw error.error(target.account)
    }
    return try status(target.account)
  }

  /// Binds sessions of an older version to the currently configured API origin when they are first
  /// read.
  func bindAPIOrigins() async {
    for name in accounts.keys.sorted() where accounts[name]?.session.map({ $0.apiOrigin == nil }) == true {
      try? await commit(name) { draft throws(AgentError) in
        guard let account = draft.account, let session = account.session, session.apiOrigin == nil, !account.isCopied,
          let project = project(of: account)
        else { return }
        draft.change { $0.apiOriginChanged(project.apiOrigin) }
        draft.ifUnstored = .isKept
      }
    }
  }

  /// Problems for the status: accounts whose API origin has changed since the sign-in.
  package func apiComplaints() -> [String] {
    accounts.values.sorted { $0.name < $1.name }.compactMap { account in
      guard let project = project(of: account), let change = apiChange(account, project) else { return nil }
      return "the API of \(account.name) is now \(change.new), but its session was created for \(change.old): "
        + "ritualctl use-api --account \(account.name)"
    }
  }
}
