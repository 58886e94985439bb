import AgentClient
import AgentProtocol
import ArgumentParser

/// `status`: prints what it finds; the exit status says whether the account can give a token.
struct StatusCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the agent, the vault and the accounts.",
    discussion:
      "Exits with 0 if the account (named or default) can give a token now, else with 4 (sign in), 5 (vault locked), "
      + "7 (try again) or 1 (the vault is damaged).")

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    var status = try common.ask(AgentStatusMethod.self, Empty(), within: timeout.limit)
    if status.vault.error == .vaultDamaged { throw AgentError(.vaultDamaged, hint: status.vault.protection) }
    if let words = InstalledVersion.complaint(aboutRunning: status.version) { status.health.append(words) }
    if let name = account.account { try select(name, in: &status) }
    try output.answer(StatusAnswer(value: status))
    let asked = account.account == nil ? status.accounts.first(where: \.isDefault) : status.accounts.first
    return Self.exitStatus(of: asked, vault: status.vault)
  }

  /// Leaves the one account.
  private func select(_ name: String, in status: inout AgentStatusMethod.Result) throws {
    let names = status.accounts.map(\.name)
    status.accounts.removeAll { $0.name != name }
    guard status.accounts.isEmpty else { return }
    // While the vault is locked it is not known which accounts there are.
    guard Self.isOpen(status.vault) else { throw AgentError(.vaultLocked, account: name) }
    throw AgentError(
      .unknownAccount, "There is no account named \(ForeignText.shown(name, limit: 40)).",
      hint: names.isEmpty
        ? "ritualctl sign-in" : "the accounts are: \(names.map { ForeignText.shown($0) }.joined(separator: ", "))",
      account: name)
  }

  private static func isOpen(_ vault: VaultSummary) -> Bool { ["open", "copied"].contains(vault.state) }

  private static func exitStatus(of account: AccountStatus?, vault: VaultSummary) -> ExitStatus {
    if account?.tokenUsable == true { return .done }
    guard isOpen(vault) else { return .vaultLocked }
    switch account?.state {
    case nil, .unauthenticated?, .signInNeeded?, .copied?, .misconfigured?: return .signInNeeded
    case .locked?: return .vaultLocked
    default: return .temporary
    }
  }
}

private struct StatusAnswer: Answer {
  let value: AgentStatusMethod.Result

  func text(_ style: Style) -> String {
    let accounts = value.accounts.isEmpty ? ["  " + noAccount] : AccountTable.lines(value.accounts, style)
    let health = value.health.map { style.marked("! " + ForeignText.shown($0, limit: 1000), .yellow) }
    return ([agent] + accounts + health).joined(separator: "\n")
  }

  private var noAccount: String {
    switch value.vault.state {
    case "open", "copied": "no account: ritualctl sign-in"
    case "locked": "names not known while locked"
    default: "names not known: the vault cannot be opened"
    }
  }

  private var agent: String {
    let vault = ForeignText.shown(value.vault.state)
    let opener = value.vault.openedBy.map { " (\(ForeignText.shown($0)))" } ?? ""
    let version = ForeignText.shown(value.version)
    return "agent \(version), up \(Times.length(Int64(value.uptime))), vault \(vault)\(opener)"
  }
}
