import AgentClient
import AgentProtocol
import ArgumentParser

/// `accounts rename`: gives an account another name.
struct AccountsRenameCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename an account.",
    discussion: "The session is kept, and the default account stays the default. Policy rules refer to accounts by "
      + "name: update them, too."
  ).examples("ritualctl accounts rename default work")
  static let documents = [JSONDocument(AccountStatus.self)]

  @Argument(help: "Current name.", completion: .custom(Completion.accounts)) var account: String
  @Argument(help: "New name.") var name: String
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let params = SessionRename.Params(account: account, name: name)
    try output.answer(AccountAnswer(value: try common.connect().call(SessionRename.self, params)))
    return .done
  }
}

/// `accounts remove`: signs an account out and deletes everything stored about it.
struct AccountsRemoveCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Sign an account out and delete everything stored about it.",
    discussion: "Unlike this command, `ritualctl sign-out` keeps the account's name and project, and the data that "
      + "Apple sends only at the first sign-in. Audit log entries are kept in both cases. "
      + "An anonymous user is lost with its session, so its removal requires --yes."
  ).examples("ritualctl accounts remove work")
  static let documents = [JSONDocument(SessionRemove.Result.self)]

  @Argument(help: "Account name.", completion: .custom(Completion.accounts)) var account: String
  @Flag(help: "Skip the confirmation prompt.") var yes = false
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    // An unknown name is reported before a question is asked.
    let status = try connection.call(SessionStatus.self, AccountParams(account: account))
    try confirm(status)
    let result = try connection.call(
      SessionRemove.self, SessionRemove.Params(account: account, discard: yes ? true : nil))
    try output.answer(RemovedAccount(value: result))
    if result.isPending { output.warning("the server has not confirmed the sign-out yet; the agent keeps trying") }
    if status.isDefault {
      let isLast = (try? connection.call(SessionList.self).accounts.isEmpty) == true
      output.note(
        isLast
          ? "there are no accounts now\n  ritualctl sign-in"
          : "there is no default account now\n  ritualctl use ACCOUNT")
    }
    return .done
  }

  private func confirm(_ status: AccountStatus) throws {
    guard !yes else { return }
    guard status.user?.isAnonymous != true || status.state == .signInNeeded else {
      throw Failure(
        .usage, "account \(account) is anonymous: a removal loses its user for good",
        hint: "to remove it anyway: ritualctl accounts remove \(account) --yes")
    }
    guard ControllingTerminal.isInUse, let terminal = ControllingTerminal.open() else {
      throw Failure(
        .usage, "a removal cannot be undone, and there is no terminal to confirm it",
        hint: "ritualctl accounts remove \(account) --yes")
    }
    let user = status.user.map { " (\($0.shownName))" } ?? ""
    guard try terminal.confirm("Remove account \(account)\(user) from this machine?") else {
      throw Failure(.cancelled, "cancelled")
    }
  }
}

private struct RemovedAccount: Answer {
  let value: SessionRemove.Result

  func text(_ style: Style) -> String { "removed account \(value.account)" }
}
