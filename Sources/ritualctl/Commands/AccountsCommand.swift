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

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let list = try common.ask(SessionList.self, Empty(), within: timeout.limit)
    if list.accounts.isEmpty { output.note("no accounts yet\n  ritualctl sign-in") }
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

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let status = try common.connect().call(SessionUseAPI.self, account.params)
    try output.answer(AccountAnswer(value: status))
    return .done
  }
}

/// `identities`: lists the sign-in methods that are linked to the account's user (LK-3).
struct IdentitiesCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "identities", abstract: "List linked sign-in methods."
  ).examples("ritualctl identities", "ritualctl identities --account work")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    try output.answer(IdentitiesShown(value: try common.connect().call(IdentityList.self, account.params)))
    return .done
  }
}

struct IdentitiesShown: Answer {
  let value: IdentityList.Result

  func text(_ style: Style) -> String {
    var table = Table(gaps: [2, 2])
    for identity in value.identities {
      table.rows.append([
        .init(ForeignText.shown(identity.identityID)), .init(ProviderName.shown(identity.provider)),
        .init(ForeignText.shown(identity.email ?? "")),
      ])
    }
    let note = value.isCurrent ? [] : ["the server did not answer; this is the last known list"]
    return (table.lines(style) + note).joined(separator: "\n")
  }
}

/// `link`: links a sign-in method to the account's user in the browser (LK-3).
struct LinkCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link Apple or Google as a sign-in method.",
    discussion:
      "The project must allow manual linking. The URL for the browser is printed as by `ritualctl sign-in`."
  ).examples("ritualctl link google", "ritualctl link apple --account work --no-browser")

  @Argument(help: "Sign-in method: apple or google.") var method: SignInMethod
  @OptionGroup var account: AccountOption
  @Flag(help: "Do not open a browser: print only the URL, and wait for the redirect URL.")
  var noBrowser = false
  @Option(help: ArgumentHelp("Maximum time to wait for the browser.", valueName: "seconds")) var timeout: Double?
  @Option(help: ArgumentHelp("Loopback port for the redirect, for ssh -L.", valueName: "port")) var redirectPort: Int?
  @Flag(help: "Also show the URL as a QR code (requires qrencode).") var qr = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if method == .email { throw ValidationError("only apple and google can be linked") }
    if let timeout, !(timeout > 0 && timeout.isFinite) {
      throw ValidationError("--timeout must be a positive number of seconds")
    }
    if let redirectPort, !(1...65_535).contains(redirectPort) {
      throw ValidationError("--redirect-port must be between 1 and 65535")
    }
    try BrowserOptions.validate(qr: qr, common)
  }

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let way = BrowserOptions(
      common: common, noBrowser: noBrowser, timeout: timeout, redirectPort: redirectPort, qr: qr,
      skipsConfirmation: false,
      done: "\(method.displayName) is linked to")
    return try BrowserSignIn(options: way, provider: method, output: output) { connection in
      try connection.call(
        IdentityLink.self,
        IdentityLink.Params(
          account: account.account, provider: method.rawValue, redirect: way.redirect, timeout: timeout,
          detach: way.detach, port: redirectPort))
    }.run()
  }
}

/// `unlink`: unlinks a sign-in method (LK-3).
struct UnlinkCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Unlink a sign-in method. The last one cannot be removed."
  ).examples("ritualctl unlink 4c7d9a52-0c5e-4f6b-9d27-1e2f3a4b5c6d")

  @Argument(
    help: ArgumentHelp("ID shown by `ritualctl identities`.", valueName: "id"),
    completion: .custom(Completion.identities))
  var identity: String
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let params = IdentityUnlink.Params(account: account.account, identityID: identity)
    try output.answer(IdentitiesShown(value: try common.connect().call(IdentityUnlink.self, params)))
    return .done
  }
}
