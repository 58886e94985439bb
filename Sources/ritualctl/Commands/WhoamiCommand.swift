import AgentClient
import AgentProtocol
import ArgumentParser

/// `whoami`: prints who is signed in, as the part of `status` that a person asks for most.
struct WhoamiCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami",
    abstract: "Show the user who is signed in.",
    discussion: "Shows the user of the account (named or default). The exit status is that of `ritualctl status`."
  ).examples("ritualctl whoami", "ritualctl whoami --account work --json")

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    var status = try common.ask(AgentStatusMethod.self, Empty(), within: timeout.limit)
    if status.vault.error == .vaultDamaged { throw AgentError(.vaultDamaged, hint: status.vault.protection) }
    if let name = account.account { try StatusCommand().select(name, in: &status) }
    let asked = account.account == nil ? status.accounts.first(where: \.isDefault) : status.accounts.first
    let exit = StatusCommand.exitStatus(of: asked, vault: status.vault)
    guard let asked, asked.user != nil, ![.unauthenticated, .signInNeeded].contains(asked.state) else {
      throw AgentError(exit == .vaultLocked ? .vaultLocked : .signInNeeded, account: account.account)
    }
    try output.answer(WhoamiAnswer(value: asked))
    return exit
  }
}

/// Such as `anna@example.org (Google), account work`.
private struct WhoamiAnswer: Answer {
  let value: AccountStatus

  func text(_ style: Style) -> String { "\(value.user?.displayName ?? ""), account \(ForeignText.shown(value.name))" }
}
