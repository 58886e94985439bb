import AgentClient
import AgentProtocol
import ArgumentParser

/// `use`: the account that is meant where none is named.
struct UseCommand: AgentCommand {
  static let configuration = CommandConfiguration(commandName: "use", abstract: "Make an account the default one.")

  @Argument(help: "The account.") var account: String
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let status = try common.connect().call(SessionUse.self, AccountParams(account: account))
    try output.answer(AccountAnswer(value: status))
    return .done
  }
}
