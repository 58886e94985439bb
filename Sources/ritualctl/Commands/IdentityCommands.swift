import AgentClient
import AgentProtocol
import ArgumentParser

/// `identities`: lists the sign-in methods that are linked to the account's user (LK-3).
struct IdentitiesCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "identities", abstract: "List linked sign-in methods."
  ).examples("ritualctl identities", "ritualctl identities --account work")
  static let documents = [JSONDocument(IdentityList.Result.self)]

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

/// `link`: adds a sign-in method to the account's user (LK-3, WS-6).
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
    JSONDocument(BegunAnswer.Value.self, "With `--no-browser`."),
    JSONDocument(CodeSentAnswer.Value.self, "With `link email`, without `--code-stdin`."),
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
  @Flag(help: "Do not open a browser: print only the URL, and wait for the redirect URL.")
  var noBrowser = false
  @Option(help: ArgumentHelp("Maximum time to wait for the browser.", valueName: "seconds")) var timeout: Double?
  @Option(help: ArgumentHelp("Loopback port for the redirect, for ssh -L.", valueName: "port")) var redirectPort: Int?
  @Flag(help: "Also show the URL as a QR code (requires qrencode).") var qr = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try MethodArgument.validate(method)
    guard method.isLinkable else { throw ValidationError("only a provider or email can be linked") }
    if method != .email, email != nil || codeStdin || sent {
      throw ValidationError("--email, --code-stdin, and --sent require: link email")
    }
    if method == .email, scopes != nil { throw ValidationError("--scopes requires a provider, such as: link google") }
    if method == .email {
      try BrowserOptions.refuse("link", noBrowser: noBrowser, timeout: timeout, redirectPort: redirectPort, qr: qr)
    }
    try CodeOptions.validate(readsCode: codeStdin, isSent: sent, common)
    try BrowserOptions.validate(timeout: timeout, redirectPort: redirectPort, qr: qr, common)
  }

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    return try method == .email ? linkEmail(output) : linkProvider(output)
  }

  private func linkProvider(_ output: Output) throws -> ExitStatus {
    let way = BrowserOptions(
      common: common, noBrowser: noBrowser, timeout: timeout, redirectPort: redirectPort, qr: qr,
      skipsConfirmation: false,
      done: "\(method.title) is linked to")
    return try BrowserSignIn(options: way, title: method.title, output: output) { connection in
      try connection.call(
        IdentityLink.self,
        IdentityLink.Params(
          account: account.account, provider: method.word, scopes: scopes, redirect: way.redirect, timeout: timeout,
          detach: way.detach, port: redirectPort))
    }.run()
  }

  private func linkEmail(_ output: Output) throws -> ExitStatus {
    let address = try AddressQuestion(
      noun: "email address", question: "Email: ", command: "ritualctl link email --email ADDRESS\(account.hintSuffix)"
    ).answer(given: email, readsCode: codeStdin, output)
    let options = CodeOptions(
      common: common, account: account, recipient: .email(address), purpose: .link, readsCode: codeStdin, isSent: sent,
      done: "the email address is linked to")
    return try CodeSignIn(options: options, output: output).run()
  }
}

/// `unlink`: unlinks a sign-in method (LK-3).
struct UnlinkCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Unlink a sign-in method. The last one cannot be removed."
  ).examples("ritualctl unlink 4c7d9a52-0c5e-4f6b-9d27-1e2f3a4b5c6d")
  static let documents = [JSONDocument(IdentityList.Result.self)]

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
