import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

/// A sign-in in a browser: on this machine, or elsewhere, with the redirect URL pasted.
struct BrowserSignIn {
  let options: BrowserOptions
  /// The provider or organization; nil lets the user choose on the sign-in page.
  let title: Words?
  let output: Output
  /// Starts the flow.
  let start: (AgentConnection) throws -> SignInStart.Result
  /// The minutes that an organization's page allows; nil if only the flow has a limit.
  var pageMinutes: Int?

  func run() throws -> ExitStatus {
    let connection = try options.end.common.connect()
    while true {
      let flow = try start(connection)
      if let warning = flow.warning { output.warning("\(warning, limit: 1000)") }
      if options.detach == true {
        try output.answer(
          BegunAnswer(outcome: "begun", flow: flow.flow, url: flow.url, expiresAt: flow.expiresAt))
        return .signInNeeded
      }
      try show(flow.url)
      switch try FlowWait(self, flow: flow, connection).run() {
      case .result(let result):
        return try options.end.report(result, connection, output, asNote: options.flags.noBrowser)
      case .restart: _ = try? connection.call(SignInCancel.self, FlowParams(flow: flow.flow))
      }
    }
  }

  /// Whether pasted URLs are accepted: a browser elsewhere may not be able to reach this machine.
  var acceptsPastedURL: Bool { options.elsewhere == nil && (options.flags.noBrowser || Browser.isElsewhere) }

  // MARK: - The URL

  private func show(_ url: String) throws {
    let shown = Words(url, limit: PastedURL.limit)
    if options.flags.noBrowser && !output.json {
      try Streams.write(shown.text + "\n", to: STDOUT_FILENO)
    } else {
      let purpose: Words =
        options.end.requiresSecondFactor ? "enter the code" : "sign in\(title.map { " with \($0)" } ?? "")"
      output.remark("open this URL to \(purpose):\n  \(shown)")
    }
    if let pageMinutes { output.remark("finish within \(pageMinutes) minutes") }
    if options.flags.qr { try QRCode.show(shown.text, on: STDERR_FILENO) }
    guard !options.flags.noBrowser else { return output.note("open the URL in any browser; \(paste)") }
    guard let obstacle = Browser.open(url).map({ Words($0) }) else {
      // The browser of a program in BROWSER may not reach this machine, nor may one on Windows.
      if acceptsPastedURL { output.note("a browser was started; \(paste)") }
      return
    }
    guard !output.json else {
      throw Failure(
        .usage, obstacle,
        hint: options.elsewhere.map { "\($0) --code-stdin" }
          ?? "use --no-browser to get the URL as JSON, and ritualctl complete-sign-in to finish the sign-in")
    }
    output.note(obstacle + explanation)
  }

  private var explanation: Words {
    if let command = options.elsewhere {
      return "\n  open the URL in a browser on this machine; without one, use:\n  \(command)"
    }
    return "\n  open the URL in any browser; "
      + (acceptsPastedURL ? paste : "\(Self.copies)\n  ritualctl complete-sign-in")
  }

  private static let copies: Words =
    "when the browser shows an error page at http://127.0.0.1:…, copy its address and run:"

  private var paste: Words {
    let here: Words =
      ControllingTerminal.isInUse
      ? "when the browser shows an error page at http://127.0.0.1:…, copy its address and paste it here, or run in another terminal:"
      : Self.copies
    return "\(here)\n  ritualctl complete-sign-in"
  }
}

/// The document of --json for a sign-in that waits for a browser elsewhere.
struct BegunAnswer: Answer {
  /// `begun`.
  let outcome: String
  /// The ID of the flow.
  let flow: String
  /// The URL to open.
  let url: String
  /// When the flow expires on the server.
  let expiresAt: Timestamp

  func text(_ style: Style) -> Words { Words(url, limit: PastedURL.limit) }
}

/// The flags of `sign-in` and `link` for the browser.
struct BrowserFlags: ParsableArguments {
  @Flag(help: "Do not open a browser: print only the URL, and wait for the redirect URL.")
  var noBrowser = false
  @Option(help: ArgumentHelp("Maximum time to wait for the browser.", valueName: "seconds")) var timeout: Double?
  @Option(help: ArgumentHelp("Loopback port for the redirect, for ssh -L.", valueName: "port")) var redirectPort: Int?
  @Flag(help: "Also show the URL as a QR code (requires qrencode).") var qr = false

  /// The flags as the parser leaves them if none is given.
  static var defaults: Self {
    var flags = Self()
    (flags.noBrowser, flags.timeout, flags.redirectPort, flags.qr) = (false, nil, nil, false)
    return flags
  }

  /// The names of the given flags.
  var given: [String] {
    let flags = [
      ("--no-browser", noBrowser), ("--timeout", timeout != nil), ("--redirect-port", redirectPort != nil),
      ("--qr", qr),
    ]
    return flags.filter(\.1).map(\.0)
  }

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout.isFinite) {
      throw ValidationError("--timeout must be a positive number of seconds")
    }
    if let redirectPort, !(1...65_535).contains(redirectPort) {
      throw ValidationError("--redirect-port must be between 1 and 65535")
    }
  }

  /// - Parameters:
  ///   - command: the command if its method needs no browser; nil otherwise.
  ///   - more: given options that need a browser, too.
  func validate(_ common: CommonOptions, needless command: String?, _ more: [String] = []) throws(ValidationError) {
    if let command, let option = (more + given).first {
      throw ValidationError("\(option) requires a method that uses the browser, such as: \(command) google")
    }
    if qr && common.json { throw ValidationError("--json and --qr cannot be combined: the JSON has the URL") }
  }
}

/// The options of a command that uses a browser.
struct BrowserOptions {
  let flags: BrowserFlags
  let end: SignInEnd
  /// The command for a person whose browser cannot reach this machine; nil if the redirect URL can be
  /// pasted.
  var elsewhere: Words?

  /// The redirect mode. With a port, given for `ssh -L`, the browser can reach this machine.
  var redirect: String? { flags.noBrowser && flags.redirectPort == nil ? "manual" : nil }

  /// Whether the flow outlives the command. With --json, the document with the URL appears only
  /// when the command ends.
  var detach: Bool? { flags.noBrowser && end.common.json ? true : nil }
}

extension SignInCommand {
  /// The browser options of a sign-in.
  var browserOptions: BrowserOptions {
    BrowserOptions(
      flags: browser, end: SignInEnd(common: common, skipsConfirmation: yes, secondFactor: mfa))
  }

  /// A sign-in on the provider's page, or on the sign-in page if `provider` is nil.
  func browserSignIn(_ provider: SignInMethod?, _ output: Output) -> BrowserSignIn {
    BrowserSignIn(options: browserOptions, title: provider?.title, output: output) { connection in
      try start(connection) {
        $0.provider = provider?.word
        $0.scopes = scopes
      }
    }
  }

  /// A sign-in on the page of the organization with this email domain.
  func singleSignOn(_ domain: String, _ output: Output) -> BrowserSignIn {
    BrowserSignIn(
      options: browserOptions, title: Words(domain), output: output,
      start: { connection in try start(connection) { $0.sso = SingleSignOn(domain: domain) } }, pageMinutes: 2)
  }

  private func start(
    _ connection: AgentConnection, _ complete: (inout SignInStart.Params) -> Void
  ) throws -> SignInStart.Result {
    var params = SignInStart.Params(
      account: account.account, project: project, replace: replace ? true : nil, redirect: browserOptions.redirect,
      timeout: browser.timeout, detach: browserOptions.detach, port: browser.redirectPort,
      takeOver: takeOver ? true : nil,
      mfa: mfa?.rawValue)
    complete(&params)
    do {
      return try connection.call(SignInStart.self, params)
    } catch let error as AgentError where error.kind == .flowBusy && !takeOver {
      // SI-10: only one sign-in at a time, but the person may prefer this one.
      let question: Words = "Another sign-in for this account is in progress. Cancel it and sign in here?"
      guard ControllingTerminal.isInUse, try ControllingTerminal.open()?.confirm(question) == true else {
        throw error
      }
      params.takeOver = true
      return try connection.call(SignInStart.self, params)
    }
  }
}
