import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

/// `sign-in`: signs in with any sign-in method.
struct SignInCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in",
    abstract: "Sign in with Apple, Google, or email and password.",
    discussion: """
      The URL for the browser is always printed, except with --json. With --json and --no-browser, the JSON has the \
      URL, the command does not wait, and `ritualctl complete-sign-in` finishes the sign-in. Passwords and tokens are \
      read from the terminal or from standard input, never from an argument. Exit status 4: a confirmation email was \
      sent; open the link in it, then sign in. With --no-browser and --json, the URL is still to be opened.
      """,
    aliases: ["login"]
  ).examples(
    "ritualctl sign-in", "ritualctl sign-in google --account work", "# With a browser on another machine",
    "ritualctl sign-in apple --no-browser", "# In a script",
    "pass ritual | ritualctl sign-in email --email me@example.org --password-stdin")

  @Argument(help: "Sign-in method: apple, google, or email. If omitted, you are asked.") var method: SignInMethod?
  @OptionGroup var account: AccountOption
  @Option(
    help: ArgumentHelp("Project; by default the account's, or the only one.", valueName: "name"),
    completion: .custom(Completion.projects))
  var project: String?
  @Flag(help: "Do not open a browser: print only the URL, and wait for the redirect URL.")
  var noBrowser = false
  @Option(help: ArgumentHelp("Maximum time to wait for the browser.", valueName: "seconds")) var timeout: Double?
  @Option(help: ArgumentHelp("Email address.", valueName: "address")) var email: String?
  @Flag(help: "Read the password from standard input.") var passwordStdin = false
  @Flag(help: "Create a new user.") var signUp = false
  @Flag(name: .customLong("id-token-stdin"), help: "Read an Apple or Google identity token from standard input.")
  var idTokenStdin = false
  @Option(help: ArgumentHelp("The user's name as reported by Apple, with --id-token-stdin.", valueName: "text"))
  var name: String?
  @Option(help: ArgumentHelp("Raw nonce of the identity token.", valueName: "text")) var nonce: String?
  @Flag(help: "Read the refresh token of an existing session from standard input.") var sessionStdin = false
  @Flag(help: "Replace another user's session under this account name.") var replace = false
  @Option(help: ArgumentHelp("Loopback port for the redirect, for ssh -L.", valueName: "port")) var redirectPort: Int?
  @Flag(help: "Cancel another sign-in of this account that is waiting for a browser.") var takeOver = false
  @Flag(help: "Also show the URL as a QR code (requires qrencode).") var qr = false
  @Flag(help: "Skip the confirmation prompt.") var yes = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [passwordStdin, idTokenStdin, sessionStdin].count(where: { $0 }) <= 1 else {
      throw ValidationError("use only one of --password-stdin, --id-token-stdin, and --session-stdin")
    }
    let isPassword = email != nil || passwordStdin || signUp
    if isPassword, let method, method != .email {
      throw ValidationError("--email, --password-stdin, and --sign-up require: sign-in email")
    }
    if idTokenStdin && (method == nil || method == .email) {
      throw ValidationError("--id-token-stdin requires: sign-in apple, or sign-in google")
    }
    if name != nil && !idTokenStdin { throw ValidationError("--name requires --id-token-stdin") }
    if nonce != nil && !idTokenStdin { throw ValidationError("--nonce requires --id-token-stdin") }
    if sessionStdin && (method != nil || isPassword) {
      throw ValidationError("--session-stdin cannot be combined with another sign-in method")
    }
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
    let status = try signIn(output)
    if status == .done { ServiceAtLogin(common: common, output: output).enableAfterFirstSignIn() }
    return status
  }

  private func signIn(_ output: Output) throws -> ExitStatus {
    if sessionStdin { return try TokenSignIn(command: self, output: output).importSession() }
    if idTokenStdin { return try TokenSignIn(command: self, output: output).exchange() }
    switch try chosenMethod() {
    case .email: return try PasswordSignIn(command: self, output: output).run()
    case let provider: return try browserSignIn(provider, output).run()
    }
  }

  /// The method that is named or follows from the options; nil if a browser on this desktop shows
  /// the sign-in page; else the user's choice on the terminal (SI-1).
  private func chosenMethod() throws -> SignInMethod? {
    if let method { return method }
    if email != nil || passwordStdin || signUp { return .email }
    if !noBrowser && !Browser.isElsewhere { return nil }
    guard ControllingTerminal.isInUse, let terminal = ControllingTerminal.open() else {
      throw Failure(
        .usage, "specify a sign-in method, because there is no terminal to prompt for it",
        hint: "ritualctl sign-in apple|google|email\(account.hintSuffix)")
    }
    let offered = try common.connect().call(SignInMethods.self, SignInMethods.Params(project: project)).methods
    let methods = SignInMethod.allCases.filter { offered.contains($0.rawValue) }
    guard let first = methods.first else {
      throw Failure(.failed, "the project has not enabled Apple, Google, or email")
    }
    guard methods.count > 1 else { return first }
    return methods[try terminal.choose("Sign in with", methods.map { .init(title: $0.displayName, name: $0.rawValue) })]
  }
}

/// The sign-in methods, in display order.
enum SignInMethod: String, ExpressibleByArgument, CaseIterable {
  case apple, google, email

  var displayName: String {
    switch self {
    case .apple: "Apple"
    case .google: "Google"
    case .email: "Email and password"
    }
  }
}

/// `complete-sign-in`: finishes a sign-in with the URL to which the browser was redirected (SI-7).
struct CompleteSignInCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete-sign-in",
    abstract: "Finish a sign-in by pasting the redirect URL.",
    discussion:
      "Without a URL, asks on the terminal or reads standard input. A first sign-in shows the user and asks for "
      + "confirmation; without a terminal it requires --yes, and is refused before the code in the URL is used."
  ).examples("ritualctl complete-sign-in", "wl-paste | ritualctl complete-sign-in --yes")

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
    let status = try SignInEnd(connection: connection, skipsConfirmation: yes, isStarter: false).report(result, output)
    if status == .done { ServiceAtLogin(common: common, output: output).enableAfterFirstSignIn() }
    return status
  }

  private func callback() throws -> String {
    let text = try url ?? pasted() ?? Streams.readLine(from: STDIN_FILENO, limit: CallbackURL.limit) ?? ""
    return try CallbackURL.checked(text)
  }

  private func pasted() throws -> String? {
    guard isatty(STDIN_FILENO) == 1, let terminal = ControllingTerminal.open() else { return nil }
    return try terminal.ask("Paste the redirect URL: ")
  }
}

/// The redirect URL, copied from the browser's address bar.
enum CallbackURL {
  /// The maximum length in bytes, as in the protocol; URLs from the server have some hundred bytes.
  static let limit = 8 * 1024

  static func checked(_ text: String) throws -> String {
    var address = text[...]
    while address.first?.isWhitespace == true { address.removeFirst() }
    while address.last?.isWhitespace == true { address.removeLast() }
    guard !address.isEmpty else { throw Failure(.usage, "no URL given", hint: "ritualctl complete-sign-in URL") }
    guard address.utf8.count <= limit else { throw Failure(.usage, "the URL is longer than \(limit) bytes") }
    return String(address)
  }
}
