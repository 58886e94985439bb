import AgentClient
import AgentProtocol
import ArgumentParser

/// `status`: prints what it finds; the exit status says whether the account can give a token.
struct StatusCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the agent, the vault and the accounts.",
    discussion:
      "Exits with 0 if the account (named or default) can give a token now, else with 4 (sign in), 5 (vault locked) "
      + "or 7 (try again).")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    var status = try common.connect().call(AgentStatusMethod.self)
    if let words = InstalledVersion.complaint(aboutRunning: status.version) { status.health.append(words) }
    if let name = account.account { status.accounts.removeAll { $0.name != name } }
    try output.answer(StatusAnswer(value: status))
    let asked = account.account == nil ? status.accounts.first(where: \.isDefault) : status.accounts.first
    guard asked != nil || account.account == nil || !Self.isOpen(status.vault) else {
      throw AgentError(.unknownAccount, account: account.account)
    }
    return Self.exitStatus(of: asked, vault: status.vault)
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
    let accounts =
      value.accounts.isEmpty ? ["  no account: ritualctl sign-in"] : AccountTable.lines(value.accounts, style)
    let health = value.health.map { style.marked("! " + ForeignText.shown($0, limit: 1000), .yellow) }
    return ([agent] + accounts + health).joined(separator: "\n")
  }

  private var agent: String {
    let vault = ForeignText.shown(value.vault.state)
    let opener = value.vault.openedBy.map { " (\(ForeignText.shown($0)))" } ?? ""
    let version = ForeignText.shown(value.version)
    return "agent \(version), up \(Times.length(Int64(value.uptime))), vault \(vault)\(opener)"
  }
}
