package import AgentProtocol
import SystemSupport

/// A session's token goes to the API's origin that was configured when the person signed in, or to one that they accepted
/// since (SE-2). Tokens for local tools and refreshes have nothing to do with it.
extension Accounts {
  /// - Throws: `misconfigured`, with the command that accepts the new origin, where the configuration names another one.
  package func requireAPIOrigin(_ name: String, _ project: Project) throws(AgentError) {
    guard let account = accounts[name], let change = apiChange(account, project) else { return }
    throw AgentError(
      .misconfigured,
      "The API of \(name) is now \(change.new); its session was made for \(change.old). Nothing was sent.",
      hint: "ritualctl use-api --account \(name), if you trust it", account: name)
  }

  /// The project's own origin is the one that issued the session.
  private func apiChange(_ account: Account, _ project: Project) -> (old: String, new: String)? {
    guard let session = account.session, let old = session.apiOrigin, old != project.apiOrigin,
      project.apiOrigin != session.origin
    else { return nil }
    return (old, project.apiOrigin)
  }

  /// A person accepts the API's origin that is configured now (`ritualctl use-api`). Durable when it returns.
  package func useAPI(_ name: String?) async throws(AgentError) -> AccountStatus {
    let target = try apiTarget(name)
    let origin = target.project.apiOrigin
    await writeGate.enter(target.account)
    defer { writeGate.leave(target.account) }
    guard var account = accounts[target.account], let old = account.session else { return try status(target.account) }
    guard old.apiOrigin != origin else { return describe(account) }
    // A session that waits to be written brings the origin with it.
    if account.unsaved == nil {
      var record = account.stored
      record.session?.apiOrigin = origin
      try await store().save(record)
    }
    account = accounts[target.account] ?? account
    account.apiOriginChanged(origin)
    accounts[target.account] = account
    report(.apiAccepted(account: target.account, origin: origin))
    return describe(account)
  }

  /// Sessions of an older version take the origin that is configured when they are first read.
  func bindAPIOrigins() async {
    for name in accounts.keys.sorted() where accounts[name]?.session?.apiOrigin == nil {
      await writeGate.enter(name)
      if let account = accounts[name], account.session != nil, !account.isCopied, let project = project(of: account) {
        accounts[name]?.apiOriginChanged(project.apiOrigin)
        // Where this fails, the next refresh stores it.
        if account.unsaved == nil, let changed = accounts[name] { try? await store().save(changed.stored) }
      }
      writeGate.leave(name)
    }
  }

  /// Accounts whose API is another one than their session was made for, for the status.
  package func apiComplaints() -> [String] {
    accounts.values.sorted { $0.name < $1.name }.compactMap { account in
      guard let project = project(of: account), let change = apiChange(account, project) else { return nil }
      return "the API of \(account.name) is now \(change.new), and its session was made for \(change.old): "
        + "ritualctl use-api --account \(account.name)"
    }
  }
}
