package import AgentProtocol
import SystemSupport

/// What people and scripts see.
extension Accounts {
  /// All accounts by name. Needs no network.
  package func list() -> [AccountStatus] {
    if case .locked(let known, _) = door { return known.statuses }
    return accounts.values.sorted { $0.name < $1.name }.map(describe)
  }

  /// `session.list`.
  ///
  /// - Throws: why the vault cannot be read, and `vaultLocked` where the names are not known while it is locked: an empty list would
  ///   say that nobody is signed in.
  package func listKnown() throws(AgentError) -> [AccountStatus] {
    guard case .locked(let known, let refusal) = door else {
      _ = try store()
      return list()
    }
    if let refusal, refusal.kind == .vaultDamaged || known.names.isEmpty { throw refusal }
    guard !known.names.isEmpty else {
      throw AgentError(.vaultLocked, "The vault is locked; names not known while locked.")
    }
    return known.statuses
  }

  package func status(_ name: String?) throws(AgentError) -> AccountStatus { describe(try resolve(name)) }

  /// Where this machine's clock and a server's differ by so much that people and certificates notice.
  package func clockComplaints() -> [String] {
    let skews = accounts.values.compactMap { account in account.clockSkew(clock).map { (account.project, $0) } }
    return Dictionary(skews) { abs($0) > abs($1) ? $0 : $1 }.filter { abs($0.value) > Self.shownSkew }
      .sorted { $0.key < $1.key }
      .map { project, skew in
        "this machine's clock is \(abs(skew)) s \(skew > 0 ? "behind" : "ahead of") the server of project "
          + "\(project); tokens are not harmed, but set it: timedatectl set-ntp true"
      }
  }

  /// Seconds: an answer may take 12 s, and `Date` counts whole ones.
  private static let shownSkew: Int64 = 30

  /// The configuration was read again: origins may have changed, and what was hopeless may not be so now.
  package func configurationChanged() {
    for name in accounts.keys.sorted() {
      accounts[name]?.configurationChanged(clock.now)
      guard let account = accounts[name] else { continue }
      if let session = account.session {
        publish(session, of: name, received: session.received.bootTime(on: clock))
      }
      announce(account)
    }
    wake.signal()
  }

  /// What the refresher will do next and why, and its last tries (`ritualctl why`).
  package func explain(_ name: String?) throws(AgentError) -> SessionExplain.Result {
    let account = try resolve(name)
    let status = describe(account)
    return SessionExplain.Result(
      account: status, explanation: RefreshExplanation(account, status, clock).sentences, tries: account.tries)
  }
}
