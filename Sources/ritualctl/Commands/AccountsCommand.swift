import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc
import SystemSupport

struct AccountsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts",
    abstract: "List, rename, and remove accounts.",
    subcommands: [AccountsListCommand.self, AccountsRenameCommand.self, AccountsRemoveCommand.self],
    defaultSubcommand: AccountsListCommand.self
  ).examples("ritualctl accounts", "ritualctl accounts --json")
}

struct AccountsListCommand: LocalCallCommand {
  typealias Method = SessionList
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List accounts."
  ).examples("ritualctl accounts list", "ritualctl accounts list --json | jq -r '.accounts[].name'")

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func text(_ list: SessionList.Result, _ style: Style) -> Words { AccountTable(accounts: list.accounts).text(style) }

  func end(_ list: SessionList.Result, _ output: Output) -> ExitStatus {
    if list.accounts.isEmpty, !output.json, !output.quiet {
      let status = try? common.ask(AgentStatusMethod.self, .init(), within: timeout.limit)
      output.note("no accounts yet\n  \(status?.firstCommand ?? "ritualctl sign-in")")
    }
    return .done
  }
}

struct AccountsRenameCommand: CallCommand {
  typealias Method = SessionRename
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename an account.",
    discussion: "The session is kept, and the default account stays the default. Policy rules refer to accounts by "
      + "name: update them, too."
  ).examples("ritualctl accounts rename default work")

  @Argument(help: "Current name.", completion: .custom(Completion.accounts)) var account: String
  @Argument(help: "New name.") var name: String
  @OptionGroup var common: CommonOptions

  var params: SessionRename.Params { SessionRename.Params(account: account, name: name) }
}

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
    try output.answer(result, "removed account \(result.account)")
    if result.isPending { output.warning("the server has not confirmed the sign-out yet; the agent keeps trying") }
    let left = (try? connection.call(SessionList.self).directories ?? [])?.filter { $0.account == account } ?? []
    for one in left {
      output.note("it is still set for a directory\n  ritualctl use --forget \(Quoted.ifNeeded("\(one.directory)"))")
    }
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
    guard yes || status.user?.isAnonymous != true || status.state == .signInNeeded else {
      throw Failure(
        .usage, "account \(account) is anonymous: a removal loses its user for good",
        hint: "to remove it anyway: ritualctl accounts remove \(account) --yes")
    }
    let user = status.user.map { " (\($0.shownName))" as Words } ?? ""
    guard !yes else { return }
    try ControllingTerminal.confirm(
      "Remove account \(account)\(user) from this machine?", final: "a removal",
      orElse: "ritualctl accounts remove \(account) --yes")
  }
}

struct UseCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Set the default account, or the account for a directory.",
    discussion: """
      The account for a directory also applies to everything below it. --account and RITUAL_ACCOUNT come first, then the \
      nearest directory, then the default account. Only this command sets it: no file in a directory does.

      A renamed account keeps its directories. After the removal of an account, commands in its directories fail until \
      you choose another account or use --forget.
      """
  ).examples(
    "ritualctl use work", "ritualctl use work --in .", "ritualctl use --list", "ritualctl use --forget .")
  static let documents = [
    JSONDocument(AccountStatus.self), JSONDocument(DirectoriesAnswer.self, "With `--list`."),
  ]

  @Argument(help: "Account name.", completion: .custom(Completion.accounts)) var account: String?
  @Option(
    name: .customLong("in"), help: ArgumentHelp("Set the account for this directory only.", valueName: "directory"),
    completion: .directory)
  var directory: String?
  @Option(
    help: ArgumentHelp("Undo --in for this directory.", valueName: "directory"), completion: .directory)
  var forget: String?
  @Flag(help: "List the directories that have an account.") var list = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [account != nil, forget != nil, list].count(where: \.self) == 1 else {
      throw ValidationError("use an account, --forget or --list")
    }
    if directory != nil, account == nil { throw ValidationError("--in needs an account") }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    if list {
      let directories = try connection.call(SessionList.self).directories ?? []
      try output.answer(DirectoriesAnswer(directories: directories))
      if directories.isEmpty { output.note("no directory has an account of its own") }
      return .done
    }
    let path = try (directory ?? forget).map { try Self.resolved($0, mustExist: forget == nil) }
    let params = SessionUse.Params(account: account, directory: path, forget: forget == nil ? nil : true)
    try output.answer(try connection.call(SessionUse.self, params))
    return .done
  }

  /// A directory that is gone can still be forgotten, by the path that --list shows.
  private static func resolved(_ directory: String, mustExist: Bool) throws -> String {
    var file = stat()
    guard let path = realpath(directory, nil) else {
      if !mustExist, directory.hasPrefix("/") { return directory }
      throw Failure(.failed, "\(directory, limit: 200): \(errorDescription(errno))")
    }
    defer { free(path) }
    guard stat(path, &file) == 0, file.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(.failed, "\(directory, limit: 200) is not a directory")
    }
    guard let text = String(validatingCString: path) else {
      throw Failure(.failed, "the path of the directory is not valid UTF-8")
    }
    return text
  }
}

/// The directories that have an account of their own.
struct DirectoriesAnswer: Answer {
  /// The directories, sorted by path.
  let directories: [DirectoryAccount]

  func text(_ style: Style) -> Words {
    Table(gaps: [2, 0], rows: directories.map { [.init($0.account), .init("\($0.directory, limit: .max)")] }).text(
      style)
  }
}

struct UseAPICommand: AccountCallCommand {
  typealias Method = SessionUseAPI
  static let configuration = CommandConfiguration(
    commandName: "use-api", abstract: "Allow the configured API to receive an account's token.",
    discussion: "A session is bound to the api_url of its sign-in. After api_url changes, API requests are refused "
      + "until you run this command or sign in again."
  ).examples("ritualctl use-api", "ritualctl use-api --account work")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions
}

struct RefreshCommand: AccountCallCommand {
  typealias Method = SessionRefresh
  static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: "Refresh now (at most once every 5 seconds)."
  ).examples("ritualctl refresh", "ritualctl refresh --account work")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions
}

struct WhoamiCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami",
    abstract: "Show the user who is signed in.",
    discussion: "Shows the user of the account (named or default). The exit status is that of `ritualctl status`."
  ).examples("ritualctl whoami", "ritualctl whoami --account work --json")
  static let documents = [JSONDocument(AccountStatus.self)]

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let name = account.account
    let status = try common.ask(AgentStatusMethod.self, .init(), within: timeout.limit).limited(to: name)
    guard var asked = status.account(name), let user = asked.user, !asked.isSignedOut else {
      throw status.noUser(name)
    }
    let level = asked.assurance.flatMap { $0.current == AccountAssurance.aal1 ? nil : ", \($0.current)" as Words }
    if name == nil { asked.directory = status.here?.directory }
    let reason = account.reason(status.here, isDefault: asked.isDefault).map { ", \($0)" as Words }
    try output.answer(asked, "\(user.displayName), account \(asked.name)\(level ?? "")\(reason ?? "")")
    return status.exitStatus(name)
  }
}

extension AgentStatusMethod.Result {
  /// Why there is no user, in the agent's words for a token.
  fileprivate func noUser(_ name: String?) -> Failure {
    guard vault.isOpen else { return closedVault(name) }
    guard let account = account(name) else {
      if let here {
        return Failure(
          .usage, "there is no account named \(here.account), which is \(here.reason)", hint: "ritualctl use --list")
      }
      let words = accounts.isEmpty ? "No account is signed in." : "There is no default account."
      return Failure(AgentError(.signInNeeded, words, hint: accounts.isEmpty ? firstCommand : "ritualctl use ACCOUNT"))
    }
    // The default message is that of a session that has ended.
    let words = account.state == .signInNeeded ? nil : "Account \(account.name) is not signed in."
    return Failure(AgentError(.signInNeeded, words, account: account.name))
  }
}
