import AgentClient
import AgentProtocol

/// A sign-in with email and password.
struct PasswordSignIn {
  let command: SignInCommand
  let output: Output
  /// True if Enter in place of the password sends a code, as on the sign-in page.
  var offersCode = false

  /// The maximum length of a password in bytes, ample because bcrypt on the server uses 72.
  private static let passwordLimit = 1024

  func run() throws -> ExitStatus {
    // Connects first, so that the user does not type a password in vain.
    let connection = try command.common.connect()
    let terminal = command.passwordStdin && command.email != nil ? nil : ControllingTerminal.open()
    let email = try command.email ?? ask(terminal) { try $0.ask("Email: ") }
    guard let password = try password(terminal) else {
      return try command.codeSignIn(CodeRecipient(email: Menu.trimmed(email)), output).run()
    }
    let params = PasswordParams(
      account: command.account.account, project: command.project, email: email, password: password,
      replace: command.replace ? true : nil)
    let result =
      command.signUp
      ? try connection.call(SignInSignUp.self, params) : try connection.call(SignInPassword.self, params)
    if result.outcome == .confirmationSent, !output.json, !command.passwordStdin, let terminal {
      return try confirm(email, on: terminal)
    }
    return try SignInEnd(
      common: command.common, skipsConfirmation: command.yes, account: command.account.account,
      confirmation: codeSignIn(email).options.nextCommand,
      secondFactor: command.mfa, canAskForFactor: !command.passwordStdin
    ).report(result, connection, output)
  }

  /// Asks for the code from the confirmation email.
  private func confirm(_ email: String, on terminal: ControllingTerminal) throws -> ExitStatus {
    try terminal.show(
      "a confirmation email was sent to \(email, limit: 320); press Enter alone to send another one")
    return try codeSignIn(email).ask(on: terminal, pause: Self.mailPause)
  }

  /// A sign-in with the code of the confirmation email, which was sent already.
  private func codeSignIn(_ email: String) -> CodeSignIn {
    var signIn = command.codeSignIn(CodeRecipient(email: email), output)
    signIn.options.isSent = true
    return signIn
  }

  /// The default of the time in seconds in which the project sends no other email to an address.
  private static let mailPause = 60.0

  /// The password; nil if a code is wanted in its place.
  private func password(_ terminal: ControllingTerminal?) throws -> String? {
    if command.passwordStdin { return try Streams.readSecret("password", limit: Self.passwordLimit) }
    let question: Words = offersCode ? "Password (or Enter for a code by email): " : "Password: "
    let password = try ask(terminal) { try $0.askSecretly(question) }
    guard !password.isEmpty else {
      if offersCode { return nil }
      throw Failure(.cancelled, "cancelled")
    }
    // A typing error in a new password would lock the user out.
    if command.signUp, try ask(terminal, { try $0.askSecretly("Confirm password: ") }) != password {
      throw Failure(.failed, "the passwords do not match")
    }
    return password
  }

  private func ask(
    _ terminal: ControllingTerminal?, _ question: (ControllingTerminal) throws -> String
  ) throws -> String {
    guard let terminal else {
      throw Failure(
        .usage, "there is no terminal to prompt for the email and password",
        hint: "ritualctl sign-in email\(command.account.hintSuffix) --email ADDRESS --password-stdin < FILE")
    }
    return try question(terminal)
  }
}

/// A sign-in with a token from another program: an identity token, or the refresh token of a
/// session.
struct TokenSignIn {
  let command: SignInCommand
  let output: Output

  /// The maximum length in bytes, as in the agent; identity tokens have about 1 KiB.
  private static let tokenLimit = 16 * 1024

  func exchange() throws -> ExitStatus {
    let token = try Streams.readSecret("identity token", limit: Self.tokenLimit)
    let params = SignInIDToken.Params(
      account: command.account.account, project: command.project, provider: command.method?.word ?? "",
      idToken: token, nonce: command.nonce, replace: command.replace ? true : nil, name: command.name,
      acceptLink: command.yes ? true : nil)
    let connection = try command.common.connect()
    return try report(try connection.call(SignInIDToken.self, params), connection)
  }

  func importSession() throws -> ExitStatus {
    let token = try Streams.readSecret("refresh token", limit: Self.tokenLimit)
    output.warning("stop using this session elsewhere, or both will be signed out")
    let params = SignInImportSession.Params(
      account: command.account.account, project: command.project, refreshToken: token,
      replace: command.replace ? true : nil)
    let connection = try command.common.connect()
    return try report(try connection.call(SignInImportSession.self, params), connection)
  }

  private func report(_ account: AccountStatus, _ connection: AgentConnection) throws -> ExitStatus {
    try SignInEnd(
      common: command.common, skipsConfirmation: command.yes, secondFactor: command.mfa, canAskForFactor: false
    ).report(SignInResult(.signedIn, account: account), connection, output)
  }
}
