import AgentClient
import AgentProtocol
import ArgumentParser

/// `accounts`: lists the accounts.
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

/// `use`: sets the default account.
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

/// `use-api`: accepts the configured API for an account's token.
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

/// `identities`: lists the sign-in methods that are linked to the account's user (LK-3).
struct IdentitiesCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "identities", abstract: "List the ways to sign in of the account's user.")

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
    let note = value.isCurrent ? [] : ["the server cannot be asked now; this is what it said last"]
    return (table.lines(style) + note).joined(separator: "\n")
  }
}

/// `link`: links a sign-in method to the account's user in the browser (LK-3).
struct LinkCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Add Apple or Google to the ways to sign in of the account's user.",
    discussion:
      "The project has to allow linking by hand. The address for the browser is printed as `ritualctl sign-in` prints it."
  )

  @Argument(help: "apple or google.") var method: SignInMethod
  @OptionGroup var account: AccountOption
  @Flag(help: "Open no browser: print the address alone, and wait for the address that it ends on.")
  var noBrowser = false
  @Option(help: ArgumentHelp("How long to wait for the browser.", valueName: "seconds")) var timeout: Double?
  @Option(help: ArgumentHelp("The loopback port, for ssh -L.", valueName: "port")) var redirectPort: Int?
  @Flag(help: "Draw the address as a QR code, too (needs qrencode).") var qr = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if method == .email { throw ValidationError("apple or google can be linked") }
    if let timeout, !(timeout > 0 && timeout.isFinite) { throw ValidationError("--timeout is a number of seconds") }
    if let redirectPort, !(1...65_535).contains(redirectPort) { throw ValidationError("a port is 1 to 65535") }
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
    commandName: "unlink", abstract: "Take a way to sign in away from the account's user; the last one stays.")

  @Argument(help: ArgumentHelp("The id that ritualctl identities shows.", valueName: "id")) var identity: String
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let params = IdentityUnlink.Params(account: account.account, identityID: identity)
    try output.answer(IdentitiesShown(value: try common.connect().call(IdentityUnlink.self, params)))
    return .done
  }
}
