import AgentClient
import AgentProtocol
import ArgumentParser

/// `refresh`: a new token now.
struct RefreshCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: "Refresh the session now, unless that was done within the last 5 s.")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let status = try common.connect().call(SessionRefresh.self, account.params)
    try output.answer(AccountAnswer(value: status))
    return .done
  }
}
