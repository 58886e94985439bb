import AgentClient
import AgentProtocol
import ArgumentParser

/// `identities`: lists the sign-in methods that are linked to the account's user.
struct IdentitiesCommand: AccountCallCommand {
  typealias Method = IdentityList
  static let configuration = CommandConfiguration(
    commandName: "identities", abstract: "List linked sign-in methods."
  ).examples("ritualctl identities", "ritualctl identities --account work")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions
}

extension IdentityList.Result: Answer {
  func text(_ style: Style) -> Words {
    let rows = identities.map { identity in
      [
        Table.Cell(identity.identityID), Table.Cell(ProviderName.shown(identity.provider)),
        Table.Cell(identity.email ?? ""),
      ]
    }
    let note: [Words] = isCurrent ? [] : ["the server did not answer; this is the last known list"]
    return (Table(gaps: [2, 2], rows: rows).lines(style) + note).joined(separator: "\n")
  }
}

/// `link`: adds a sign-in method to the account's user.
struct LinkCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link a provider or an email address as a sign-in method.",
    discussion: """
      A provider is linked in the browser: the URL is printed, as with `ritualctl sign-in`, and the project must allow \
      manual linking. `link email` sends a code to the address, and asks for it. Either turns an anonymous user into a \
      permanent one.
      """
  ).examples(
    "ritualctl link google", "ritualctl link apple --account work --no-browser",
    "ritualctl link email --email me@example.org")
  static let documents = [
    JSONDocument(SignInResult.self, "The outcome."),
    JSONDocument(BegunAnswer.self, "With `--no-browser`."),
    JSONDocument(CodeSentAnswer.self, "With `link email`, without `--code-stdin`."),
  ]

  @Argument(
    help: "apple, google, another provider by Supabase's name, or email.", completion: .custom(Completion.linkable))
  var method: SignInMethod
  @OptionGroup var account: AccountOption
  @Option(help: ArgumentHelp("More OAuth scopes for the provider, separated by spaces.", valueName: "scopes"))
  var scopes: String?
  @Option(help: ArgumentHelp("Email address to link.", valueName: "address")) var email: String?
  @Flag(help: "Read the code from standard input. A code is sent first, if none was.") var codeStdin = false
  @Flag(help: "Use a code that was sent before; send none.") var sent = false
  @OptionGroup var browser: BrowserFlags
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try MethodArgument.validate(method)
    guard method.isLinkable else { throw ValidationError("only a provider or email can be linked") }
    if method != .email, email != nil || codeStdin || sent {
      throw ValidationError("--email, --code-stdin, and --sent require: link email")
    }
    if method == .email, scopes != nil { throw ValidationError("--scopes requires a provider, such as: link google") }
    try browser.validate(common, needless: method == .email ? "link" : nil)
    try CodeOptions.validate(readsCode: codeStdin, isSent: sent, common)
  }

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    return try method == .email ? linkEmail(output) : linkProvider(output)
  }

  private func linkProvider(_ output: Output) throws -> ExitStatus {
    let way = BrowserOptions(
      flags: browser, end: SignInEnd(common: common, done: "\(method.title) is linked to"))
    return try BrowserSignIn(options: way, title: method.title, output: output) { connection in
      try connection.call(
        IdentityLink.self,
        IdentityLink.Params(
          account: account.account, provider: method.word, scopes: scopes, redirect: way.redirect,
          timeout: browser.timeout, detach: way.detach, port: browser.redirectPort))
    }.run()
  }

  private func linkEmail(_ output: Output) throws -> ExitStatus {
    let address = try AddressQuestion(
      noun: "email address", question: "Email: ", command: "ritualctl link email --email ADDRESS\(account.hintSuffix)"
    ).answer(given: email, readsCode: codeStdin, output)
    let options = CodeOptions(
      account: account, recipient: CodeRecipient(email: address), purpose: .link, readsCode: codeStdin, isSent: sent,
      end: SignInEnd(
        common: common, done: "the email address is linked to", account: account.account,
        canAskForFactor: !codeStdin))
    return try CodeSignIn(options: options, output: output).run()
  }
}

/// `unlink`: unlinks a sign-in method.
struct UnlinkCommand: CallCommand {
  typealias Method = IdentityUnlink
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Unlink a sign-in method. The last one cannot be removed."
  ).examples("ritualctl unlink 4c7d9a52-0c5e-4f6b-9d27-1e2f3a4b5c6d")

  @Argument(
    help: ArgumentHelp("ID shown by `ritualctl identities`.", valueName: "id"),
    completion: .custom(Completion.identities))
  var identity: String
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  var params: IdentityUnlink.Params { IdentityUnlink.Params(account: account.account, identityID: identity) }
}
