import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

/// The address to which a code is sent.
struct CodeRecipient {
  /// The address, if it is one for mails; otherwise `phone` is a number.
  var email: String?
  var phone: String?

  var address: String { email ?? phone ?? "" }

  var shown: Words { Words(address, limit: 320) }

  /// The option that names the address, for a shell.
  var option: Words { "\(email == nil ? "--phone" : "--email") \(Quoted.ifNeeded(shown))" }
}

/// A question for an address that no option names.
struct AddressQuestion {
  /// The noun of the question, such as `email address`.
  let noun: Words
  let question: Words
  /// The command that needs no terminal.
  let command: Words

  /// The given value, or what the person answers on the terminal.
  func answer(given: String?, readsCode: Bool, _ output: Output) throws -> String {
    if let given { return given }
    for (option, isGiven) in [("--json", output.json), ("--code-stdin", readsCode)] where isGiven {
      throw Failure(.usage, "the \(noun) is missing, and \(option) asks for nothing", hint: command)
    }
    guard let terminal = ControllingTerminal.open() else {
      throw Failure(.usage, "the \(noun) is missing, and there is no terminal to ask for it", hint: command)
    }
    let answer = Menu.trimmed(try terminal.ask(question))
    guard !answer.isEmpty else { throw Failure(.cancelled, "cancelled") }
    return answer
  }
}

/// The options of a command that takes a code.
struct CodeOptions {
  let account: AccountOption
  var project: String?
  let recipient: CodeRecipient
  /// Whether an unknown address creates a user.
  var createsUser = false
  var purpose = CodePurpose.signIn
  /// Whether another user's session may be replaced.
  var replaces = false
  /// Whether the code is read from standard input (`--code-stdin`).
  var readsCode = false
  /// Whether a code was sent before (`--sent`).
  var isSent = false
  let end: SignInEnd

  /// The command that takes the code that was sent.
  var nextCommand: Words { "\(sendCommand) --code-stdin --sent" }

  /// The command that sends a code.
  var sendCommand: Words {
    let command: Words = purpose == .link ? "link email" : recipient.email == nil ? "sign-in phone" : "sign-in code"
    let project: Words = project.map { " --project \($0)" } ?? ""
    let flags: Words = (replaces ? " --replace" : "") + (end.skipsConfirmation ? " --yes" : "")
    let socket: Words = end.common.socket.map { " --socket \(Quoted.ifNeeded(Words($0)))" } ?? ""
    return "ritualctl \(command) \(recipient.option)\(account.hintSuffix)\(project)\(flags)\(socket)"
  }

  /// Whether a link from the mail is accepted in place of the code. The agent has none for a link of
  /// an address to a user.
  var acceptsLink: Bool { purpose == .signIn && recipient.email != nil }

  static func validate(readsCode: Bool, isSent: Bool, _ common: CommonOptions) throws(ValidationError) {
    if isSent && common.json && !readsCode {
      throw ValidationError("--sent and --json require --code-stdin: JSON asks nothing")
    }
  }
}

/// A sign-in with a code or a link from a mail, or with a code from a text message;
/// also adds an email address to the account's user. Codes and links are never arguments and never
/// part of a message.
struct CodeSignIn {
  var options: CodeOptions
  let output: Output

  func run() throws -> ExitStatus {
    if options.readsCode { return try readCode() }
    guard !output.json, let terminal = ControllingTerminal.open() else { return try send() }
    return try ask(on: terminal)
  }

  /// Asks for the code on a terminal.
  /// - Parameter pause: the seconds until another code can be sent, if a code was sent before; nil if
  ///   Enter alone sends none.
  func ask(on terminal: ControllingTerminal, pause: Double? = nil) throws -> ExitStatus {
    let prompt = CodePrompt(signIn: self, terminal: terminal, connection: try options.end.common.connect())
    let result = try prompt.run(pause: pause)
    return try report(result, prompt.connected())
  }

  // MARK: - Without a terminal

  /// Reads the code from standard input. A code that was sent before is not sent again, because that
  /// would void it.
  private func readCode() throws -> ExitStatus {
    let sent = try options.isSent ? nil : sendOnce(reuse: true)
    if let account = sent?.account { return try report(SignInResult(.signedIn, account: account)) }
    let input = try CodeInput(Streams.readSecret("code", limit: CodeInput.limit), for: options)
    do {
      // The code may have taken minutes to arrive.
      return try report(try verify(input, flow: sent?.flow, options.end.common.connect()))
    } catch let error as AgentError where error.kind == .codeInvalid {
      var failure = Failure(error)
      failure.hints = ["to request a new code: \(options.sendCommand)"]
      throw failure
    }
  }

  /// Only sends the code, because nobody can be asked for it.
  private func send() throws -> ExitStatus {
    guard !options.isSent else {
      throw Failure(.usage, "there is no terminal to ask for the code", hint: "\(options.nextCommand) < FILE")
    }
    let sent = try sendOnce()
    if let account = sent.account { return try report(SignInResult(.signedIn, account: account)) }
    let answer = CodeSentAnswer(
      outcome: "codeSent", flow: sent.flow, address: options.recipient.address, resendAfter: sent.resendAfter)
    try output.answer(
      answer, "a code was sent to \(options.recipient.shown); pass it on standard input to:\n  \(options.nextCommand)")
    return .signInNeeded
  }

  /// Sends a code. Within the project's pause, the error names the command that takes the former code.
  private func sendOnce(reuse: Bool? = nil) throws -> SignInSendCode.Result {
    do {
      return try send(options.end.common.connect(), reuse: reuse)
    } catch let error as AgentError where error.kind == .rateLimited && error.data.retryAfter != nil {
      var failure = Failure(error)
      failure.hints.append("if you already have a code: \(options.nextCommand)")
      throw failure
    }
  }

  // MARK: - Requests

  func send(_ connection: AgentConnection, reuse: Bool? = nil) throws -> SignInSendCode.Result {
    try connection.call(
      SignInSendCode.self,
      SignInSendCode.Params(
        account: options.account.account, project: options.project, email: options.recipient.email,
        phone: options.recipient.phone, createUser: options.createsUser ? true : nil,
        purpose: options.purpose == .signIn ? nil : options.purpose, reuse: reuse,
        replace: options.replaces ? true : nil))
  }

  /// Sends the code or link to the project, once.
  func verify(_ input: CodeInput, flow: String?, _ connection: AgentConnection) throws -> SignInResult {
    do {
      let account = try connection.call(SignInVerifyCode.self, params(input, flow: flow))
      return SignInResult(.signedIn, account: account)
    } catch let error as AgentError where error.kind == .flowUnknown && flow != nil {
      // The agent was restarted, or forgot the flow for another reason. The code may still be valid.
      return try verify(input, flow: nil, connection)
    } catch let error as AgentError where error.kind == .wrongUser && error.data.hint == nil {
      // The link is for another address than the named one: --replace would not help.
      var failure = Failure(error)
      failure.hints = ["name the address to which the email was sent with --email"]
      throw failure
    }
  }

  private func params(_ input: CodeInput, flow: String?) -> SignInVerifyCode.Params {
    var params = SignInVerifyCode.Params(
      code: input.code, link: input.link, replace: options.replaces ? true : nil,
      purpose: options.purpose == .signIn ? nil : options.purpose)
    if let flow {
      params.flow = flow
    } else {
      (params.account, params.project) = (options.account.account, options.project)
      (params.email, params.phone) = (options.recipient.email, options.recipient.phone)
    }
    return params
  }

  private func report(_ result: SignInResult, _ connection: AgentConnection? = nil) throws -> ExitStatus {
    try options.end.report(result, connection ?? options.end.common.connect(), output)
  }
}

/// A code, or the complete link from a mail, as a person typed or pasted it.
struct CodeInput {
  /// The maximum length in bytes of a line with a link, as in the protocol.
  static let limit = PastedURL.limit

  /// The digits; nil for a link.
  let code: String?
  /// The link; nil for a code.
  let link: String?

  /// - Throws: wrong usage, without the text.
  init(_ text: String, for options: CodeOptions) throws(Failure) {
    let text = Menu.trimmed(text)
    let isURL = text.contains("://")
    if isURL, options.acceptsLink {
      (code, link) = (nil, text)
      return
    }
    guard let digits = Self.digits(text) else {
      let words = Self.form
      throw Failure(
        .usage,
        options.acceptsLink
          ? "\(words), and a link starts with https://"
          : options.recipient.email == nil ? words : "\(words); a link must be opened in a browser on this machine")
    }
    (code, link) = (digits, nil)
  }

  /// The code in a typed line, without spaces; nil if it is none.
  static func digits(_ text: String) -> String? {
    let digits = text.filter { !$0.isWhitespace }
    guard (6...10).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits
  }

  static let form: Words = "a code has 6 to 10 digits"
}

/// The document for a code that was sent and must be passed to another command.
struct CodeSentAnswer: Codable {
  /// `codeSent`.
  let outcome: String
  /// The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.
  let flow: String
  /// The email address or phone number to which the code was sent.
  let address: String
  /// Seconds until the project sends another code to this address.
  let resendAfter: Double
}
