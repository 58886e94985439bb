import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

struct SignInCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in",
    abstract: "Sign in with a provider, a password, a code, single sign-on, or as an anonymous user.",
    discussion: """
      Methods: apple, google, or another provider by Supabase's name, such as github or custom:acme; email (with a \
      password); code (by email) and phone (a code by text message); sso (single sign-on with your organization's \
      email domain); anonymous (without an address).

      The URL for the browser is always printed, except with --json. With --json and --no-browser, the JSON has the \
      URL, the command does not wait, and `ritualctl complete-sign-in` finishes the sign-in. Passwords, codes, links \
      from a mail, and tokens are read from the terminal or from standard input, never from an argument.

      A user with a second factor is then asked for its code. Without a terminal, with Ctrl-C, or with --mfa later, \
      the sign-in is done without it, and `ritualctl mfa verify` takes the code later.

      Exit status 4: the sign-in must still be finished. A code or a confirmation email was sent, and there is no \
      terminal to ask for the code, or --no-browser and --json were given.
      """,
    aliases: ["login"]
  ).examples(
    "ritualctl sign-in", "ritualctl sign-in google --account work", "ritualctl sign-in github --scopes read:org",
    "ritualctl sign-in code --email me@example.org", "ritualctl sign-in sso --domain example.org",
    "# With a browser on another machine",
    "ritualctl sign-in apple --no-browser", "# In a script",
    "pass ritual | ritualctl sign-in email --email me@example.org --password-stdin")
  static let documents = [
    JSONDocument(SignInResult.self, "The outcome."),
    JSONDocument(BegunAnswer.self, "With `--no-browser`."),
    JSONDocument(CodeSentAnswer.self, "With `code` or `phone`, without `--code-stdin`."),
  ]

  @Argument(
    help: "apple, google, another provider, email, code, phone, sso, or anonymous. If omitted, you are asked.",
    completion: .custom(Completion.methods))
  var method: SignInMethod?
  @OptionGroup var account: AccountOption
  @Option(
    help: ArgumentHelp(
      "Project to sign in to; by default the account's project, or the only one that is configured.",
      valueName: "name"),
    completion: .custom(Completion.projects))
  var project: String?
  @Option(help: ArgumentHelp("More OAuth scopes for a provider, separated by spaces.", valueName: "scopes"))
  var scopes: String?
  @OptionGroup var browser: BrowserFlags
  @Option(help: ArgumentHelp("Email address.", valueName: "address")) var email: String?
  @Flag(help: "Read the password from standard input.") var passwordStdin = false
  @Option(help: ArgumentHelp("Phone number with country code.", valueName: "number")) var phone: String?
  @Flag(help: "Read the code, or the link from the email, from standard input. A code is sent first, if none was.")
  var codeStdin = false
  @Flag(help: "Use a code that was sent before, or elsewhere; send none.") var sent = false
  @Option(help: ArgumentHelp("Email domain of your organization, for sso.", valueName: "domain")) var domain: String?
  @Flag(help: "Create a new user.") var signUp = false
  @Flag(name: .customLong("id-token-stdin"), help: "Read the provider's identity token from standard input.")
  var idTokenStdin = false
  @Option(help: ArgumentHelp("The user's name as reported by Apple, with --id-token-stdin.", valueName: "text"))
  var name: String?
  // A nonce is random base64url, which may start with a hyphen.
  @Option(parsing: .unconditional, help: ArgumentHelp("Raw nonce of the identity token.", valueName: "text"))
  var nonce: String?
  @Flag(help: "Read the refresh token of an existing session from standard input.") var sessionStdin = false
  @Flag(help: "Replace another user's session under this account name.") var replace = false
  @Flag(help: "Cancel another sign-in of this account that is waiting for a browser.") var takeOver = false
  @Option(
    help: ArgumentHelp(
      "Whether to ask for a second factor after the sign-in: ask or later; by default as configured.",
      valueName: "when"))
  var mfa: SecondFactorChoice?
  @Flag(help: "Skip the confirmation prompt.") var yes = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let method { try MethodArgument.validate(method) }
    guard [passwordStdin, idTokenStdin, sessionStdin, codeStdin].count(where: { $0 }) <= 1 else {
      throw ValidationError("use only one of --password-stdin, --code-stdin, --id-token-stdin, and --session-stdin")
    }
    if sessionStdin && named != nil {
      throw ValidationError("--session-stdin cannot be combined with another sign-in method")
    }
    try require("--email", if: email != nil, .email, .code)
    try require("--password-stdin", if: passwordStdin, .email)
    try require("--sign-up", if: signUp, .email, .code, .phone)
    try require("--phone", if: phone != nil, .phone)
    try require("--code-stdin", if: codeStdin, .code, .phone)
    try require("--sent", if: sent, .code, .phone)
    try require("--domain", if: domain != nil, .sso)
    for (option, isGiven) in [("--scopes", scopes != nil), ("--id-token-stdin", idTokenStdin)] where isGiven {
      guard named?.isProvider == true else {
        throw ValidationError("\(option) requires a provider, such as: sign-in google")
      }
    }
    if name != nil && !idTokenStdin { throw ValidationError("--name requires --id-token-stdin") }
    if nonce != nil && !idTokenStdin { throw ValidationError("--nonce requires --id-token-stdin") }
    let isNeedless = named.map { [.code, .phone, .anonymous].contains($0) } == true
    try browser.validate(common, needless: isNeedless ? "sign-in" : nil, takeOver ? ["--take-over"] : [])
    try CodeOptions.validate(readsCode: codeStdin, isSent: sent, common)
  }

  /// Checks that an option fits the method.
  private func require(_ option: String, if isGiven: Bool, _ methods: SignInMethod...) throws(ValidationError) {
    guard isGiven, !methods.contains(where: { $0 == named }) else { return }
    throw ValidationError("\(option) requires: \(DidYouMean.list(methods.map { "sign-in \($0.word)" }))")
  }

  /// Warns of browser options that have no effect.
  private func reportUnusedOptions(_ means: Words, _ output: Output) {
    for option in (takeOver ? ["--take-over"] : []) + browser.given {
      output.warning("\(option) has no effect: a sign-in with \(means) needs no browser")
    }
  }

  /// The method that is named or follows from the options; nil if neither does.
  private var named: SignInMethod? {
    if let method { return method }
    if phone != nil { return .phone }
    if domain != nil { return .sso }
    return email != nil || passwordStdin || signUp ? .email : nil
  }

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let status = try signIn(output)
    if status == .done { ServiceAtLogin(common: common, output: output).enableAfterFirstSignIn() }
    return status
  }

  private func signIn(_ output: Output) throws -> ExitStatus {
    if sessionStdin || idTokenStdin { reportUnusedOptions("a token", output) }
    if sessionStdin { return try TokenSignIn(command: self, output: output).importSession() }
    if idTokenStdin { return try TokenSignIn(command: self, output: output).exchange() }
    switch try chosenMethod() {
    case .email?:
      if named != nil { reportUnusedOptions("a password", output) }
      return try PasswordSignIn(command: self, output: output, offersCode: named == nil).run()
    case .code?:
      let address = try answer(email, "email address", "Email: ", "code --email ADDRESS", output)
      return try codeSignIn(CodeRecipient(email: address), output).run()
    case .phone?:
      let number = try answer(phone, "phone number", "Phone number with country code: ", "phone --phone NUMBER", output)
      return try codeSignIn(CodeRecipient(phone: number), output).run()
    case .sso?:
      let domain = try answer(
        domain, "email domain", "Email domain of your organization: ", "sso --domain DOMAIN", output)
      return try singleSignOn(domain, output).run()
    case .anonymous?: return try signInAnonymously(output)
    case let provider: return try browserSignIn(provider, output).run()
    }
  }

  /// The method that is named or follows from the options; nil if a browser on this desktop shows
  /// the sign-in page; else the user's choice on the terminal.
  private func chosenMethod() throws -> SignInMethod? {
    if let named { return named }
    if !browser.noBrowser && !Browser.isElsewhere { return nil }
    guard ControllingTerminal.isInUse, let terminal = ControllingTerminal.open() else {
      throw Failure(
        .usage, "specify a sign-in method, because there is no terminal to prompt for it",
        hint: "ritualctl sign-in apple|google|email|code\(account.hintSuffix)")
    }
    let enabled = try common.connect().call(SignInMethods.self, SignInMethods.Params(project: project)).methods
    let methods = enabled.map { SignInMethod($0) }
    guard let first = methods.first else { throw Failure(.failed, "the project has not enabled any sign-in method") }
    guard methods.count > 1 else { return first }
    let menu = Menu(question: "Continue with", choices: methods.map { .init(title: $0.title, name: $0.word) })
    return methods[try menu.choose(on: terminal)]
  }

  /// The value of an option, or what the person answers.
  private func answer(
    _ given: String?, _ noun: Words, _ question: Words, _ arguments: Words, _ output: Output
  ) throws -> String {
    try AddressQuestion(
      noun: noun, question: question, command: "ritualctl sign-in \(arguments)\(account.hintSuffix)"
    ).answer(given: given, readsCode: codeStdin, output)
  }

  /// A sign-in with a code that is sent to `recipient`.
  func codeSignIn(_ recipient: CodeRecipient, _ output: Output) -> CodeSignIn {
    let options = CodeOptions(
      account: account, project: project, recipient: recipient, createsUser: signUp, replaces: replace,
      readsCode: codeStdin, isSent: sent,
      end: SignInEnd(
        common: common, skipsConfirmation: yes, account: account.account, secondFactor: mfa,
        canAskForFactor: !codeStdin))
    return CodeSignIn(options: options, output: output)
  }

  private func signInAnonymously(_ output: Output) throws -> ExitStatus {
    let params = SignInAnonymous.Params(account: account.account, project: project)
    let status = try common.connect().call(SignInAnonymous.self, params)
    let result = SignInResult(.signedIn, account: status)
    try output.answer(result, SignInEnd.words(result))
    output.note(
      "a sign-out loses this user; to keep it, add a sign-in method:\n"
        + "  ritualctl link email --account \(status.name)")
    return .done
  }
}

/// `complete-sign-in`: finishes a sign-in with the URL to which the browser was redirected.
struct CompleteSignInCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete-sign-in",
    abstract: "Finish a sign-in by pasting the redirect URL.",
    discussion:
      "Without a URL, asks on the terminal or reads standard input. At a first sign-in, shows the user and asks "
      + "for confirmation. Without a terminal, a first sign-in requires --yes; otherwise it is refused before the code "
      + "in the URL is used."
  ).examples("ritualctl complete-sign-in", "wl-paste | ritualctl complete-sign-in --yes")
  static let documents = [JSONDocument(SignInResult.self)]

  @Argument(help: "The complete redirect URL, including http://.") var url: String?
  @Flag(help: "Skip the confirmation prompt.") var yes = false
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    Interrupts.handle()
    let callback = try callback()
    let connection = try common.connect()
    // The code in the URL can be used only once, so whether the user can confirm is determined
    // first.
    let canAsk = yes || ControllingTerminal.open() != nil
    let result = try connection.call(
      SignInComplete.self, SignInComplete.Params(callback: callback, canAsk: canAsk ? nil : false))
    let end = SignInEnd(common: common, skipsConfirmation: yes, isStarter: false)
    let status = try end.report(result, connection, output)
    if status == .done { ServiceAtLogin(common: common, output: output).enableAfterFirstSignIn() }
    return status
  }

  private func callback() throws -> String {
    let text = try url ?? pasted() ?? Streams.readLine(from: STDIN_FILENO, limit: PastedURL.limit) ?? ""
    let callback = try PastedURL.checked(text)
    guard !callback.contains("/auth/v1/verify?") else {
      throw Failure(
        .usage, "this is a link from an email, which is entered like a code",
        hint: "ritualctl sign-in code --email ADDRESS --sent")
    }
    return callback
  }

  private func pasted() throws -> String? {
    guard isatty(STDIN_FILENO) == 1, let terminal = ControllingTerminal.open() else { return nil }
    return try terminal.ask("Address of the browser's last page (http://127.0.0.1:…): ")
  }
}

/// The redirect URL, copied from the browser's address bar.
enum PastedURL {
  /// The maximum length in bytes, as in the protocol; URLs from the server have some hundred bytes.
  static let limit = 8 * 1024

  static func checked(_ text: String) throws -> String {
    let address = Menu.trimmed(text)
    guard !address.isEmpty else { throw Failure(.usage, "no URL given", hint: "ritualctl complete-sign-in URL") }
    guard address.utf8.count <= limit else { throw Failure(.usage, "the URL is longer than \(limit) bytes") }
    return address
  }
}
