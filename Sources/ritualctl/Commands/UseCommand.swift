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

/// `use-api`: the API of the configuration is accepted for an account's token.
struct UseAPICommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "use-api", abstract: "Let an account's token go to the API that is configured now.",
    discussion: "A session is bound to the api_url of its sign-in. After a change of api_url, API requests are refused "
      + "until this command, or a new sign-in, accepts the new one.")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let status = try common.connect().call(SessionUseAPI.self, account.params)
    try output.answer(AccountAnswer(value: status))
    return .done
  }
}
