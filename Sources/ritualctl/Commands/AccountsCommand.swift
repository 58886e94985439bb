import AgentClient
import AgentProtocol
import ArgumentParser

/// `accounts`: every account.
struct AccountsCommand: AgentCommand {
  static let configuration = CommandConfiguration(commandName: "accounts", abstract: "List the accounts.")

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let list = try common.ask(SessionList.self, Empty(), within: timeout.limit)
    if list.accounts.isEmpty { output.note("no account yet\n  ritualctl sign-in") }
    try output.answer(AccountsAnswer(value: list))
    return .done
  }
}

private struct AccountsAnswer: Answer {
  let value: SessionList.Result

  func text(_ style: Style) -> String { AccountTable.lines(value.accounts, style).joined(separator: "\n") }
}
