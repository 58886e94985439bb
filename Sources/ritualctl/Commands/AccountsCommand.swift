import AgentClient
import AgentProtocol
import ArgumentParser

struct AccountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: "List, rename, and remove accounts.",
    subcommands: [AccountsListCommand.self, AccountsRenameCommand.self, AccountsRemoveCommand.self],
    defaultSubcommand: AccountsListCommand.self
  ).examples("ritualctl accounts", "ritualctl accounts --json")
}

/// `accounts list`: lists the accounts.
struct AccountsListCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List accounts."
  ).examples("ritualctl accounts list", "ritualctl accounts list --json | jq -r '.accounts[].name'")
  static let documents = [JSONDocument(SessionList.Result.self)]

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let list = try common.ask(SessionList.self, Empty(), within: timeout.limit)
    if list.accounts.isEmpty, !output.json, !output.quiet {
      let status = try? common.ask(AgentStatusMethod.self, Empty(), within: timeout.limit)
      output.note("no accounts yet\n  \(status?.firstCommand ?? "ritualctl sign-in")")
    }
    try output.answer(AccountsAnswer(value: list))
    return .done
  }
}

private struct AccountsAnswer: Answer {
  let value: SessionList.Result

  func text(_ style: Style) -> String { AccountTable(accounts: value.accounts).text(style) }
}

/// `use`: sets the default account.
struct UseCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Set the default account."
  ).examples("ritualctl use work")
  static let documents = [JSONDocument(AccountStatus.self)]

  @Argument(help: "Account name.", completion: .custom(Completion.accounts)) var account: String
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let status = try common.connect().call(SessionUse.self, AccountParams(account: account))
    try output.answer(AccountAnswer(value: status))
    return .done
  }
}

/// `use-api`: accepts the configured API for an account's token.
struct UseAPICommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "use-api", abstract: "Allow the configured API to receive an account's token.",
    discussion: "A session is bound to the api_url of its sign-in. After api_url changes, API requests are refused "
      + "until you run this command or sign in again."
  ).examples("ritualctl use-api", "ritualctl use-api --account work")
  static let documents = [JSONDocument(AccountStatus.self)]

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let status = try common.connect().call(SessionUseAPI.self, account.params)
    try output.answer(AccountAnswer(value: status))
    return .done
  }
}
