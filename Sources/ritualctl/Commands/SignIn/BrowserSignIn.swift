import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

/// A sign-in in a browser: on this machine (SI-7a), or elsewhere, with the redirect URL pasted
/// (SI-7c).
struct BrowserSignIn {
  let options: BrowserOptions
  /// The provider; nil lets the user choose on the sign-in page (SI-1).
  let provider: SignInMethod?
  let output: Output
  /// Starts the flow.
  let start: (AgentConnection) throws -> SignInStart.Result

  func run() throws -> ExitStatus {
    let connection = try options.common.connect()
    while true {
      let flow = try start(connection)
      if let warning = flow.warning { output.warning(ForeignText.shown(warning, limit: 1000)) }
      if options.detach == true {
        try output.answer(BegunAnswer(value: .init(flow)))
        return .signInNeeded
      }
      try show(flow.url)
      switch try wait(for: flow, connection) {
      case .result(let result):
        let end = SignInEnd(
          connection: connection, skipsConfirmation: options.skipsConfirmation, printsResultAsNote: options.noBrowser,
          done: options.done)
        return try end.report(result, output)
      case .restart: _ = try? connection.call(SignInCancel.self, FlowParams(flow: flow.flow))
      }
    }
  }

  /// Whether pasted URLs are accepted: a browser elsewhere may not be able to reach this machine.
  private var acceptsPastedURL: Bool { options.noBrowser || Browser.isElsewhere }

  // MARK: - The URL

  private func show(_ url: String) throws {
    let shown = ForeignText.shown(url, limit: CallbackURL.limit)
    if options.noBrowser && !output.json {
      try Streams.write(shown + "\n", to: STDOUT_FILENO)
    } else {
      output.remark("open this URL to sign in\(provider.map { " with \($0.displayName)" } ?? ""):\n  \(shown)")
    }
    if options.qr { try QRCode.show(shown, on: STDERR_FILENO) }
    guard !options.noBrowser else { return explainPaste() }
    guard let obstacle = Browser.open(url) else {
      // The program of BROWSER may fail, and its browser may not reach this machine.
      if Browser.isElsewhere { output.note("the program in BROWSER was started; \(paste)") }
      return
    }
    guard !output.json else {
      throw Failure(
        .usage, obstacle,
        hint: "use --no-browser to get the URL as JSON, and ritualctl complete-sign-in to finish the sign-in")
    }
    output.note(obstacle + explanation)
  }

  private var explanation: String {
    "\n  open the URL in any browser; " + (acceptsPastedURL ? paste : Self.otherwise)
  }

  private static let otherwise =
    "if the browser cannot reach this machine, copy the redirect URL and run:\n  ritualctl complete-sign-in"

  private var paste: String {
    let here =
      ControllingTerminal.isInUse
      ? "if the browser cannot reach this machine, paste the redirect URL here, or run in another terminal:"
      : "if the browser cannot reach this machine, copy the redirect URL and run:"
    return "\(here)\n  ritualctl complete-sign-in"
  }

  private func explainPaste() { output.note("open the URL in any browser; \(paste)") }

  // MARK: - Waiting

  private func wait(for flow: SignInStart.Result, _ connection: AgentConnection) throws -> FlowWait.End {
    let isWatched = isatty(STDERR_FILENO) == 1
    return try FlowWait(
      connection: connection, output: output, flow: flow,
      countdown: Countdown(output, acceptsPastedURL: acceptsPastedURL),
      acceptsPastedURL: acceptsPastedURL, endsOnTimeout: options.timeout != nil || !isWatched || output.json
    ).run()
  }
}

/// The document of --json for a sign-in that waits for a browser elsewhere.
struct BegunAnswer: Answer {
  struct Value: Codable {
    /// `begun`.
    let outcome: String
    /// The ID of the flow.
    let flow: String
    /// The URL to open.
    let url: String
    /// When the flow expires on the server.
    let expiresAt: Timestamp

    init(_ flow: SignInStart.Result) {
      (outcome, self.flow, url, expiresAt) = ("begun", flow.flow, flow.url, flow.expiresAt)
    }
  }

  let value: Value

  func text(_ style: Style) -> String { ForeignText.shown(value.url, limit: CallbackURL.limit) }
}

/// The options of a command that uses a browser.
struct BrowserOptions {
  let common: CommonOptions
  let noBrowser: Bool
  let timeout: Double?
  let redirectPort: Int?
  /// Whether to show the URL also as a QR code.
  var qr = false
  /// The value of `--yes`.
  let skipsConfirmation: Bool
  /// The start of the final message, before the account's name.
  var done = SignInAnswer.signedIn

  /// The redirect mode. With a port, given for `ssh -L`, the browser can reach this machine.
  var redirect: String? { noBrowser && redirectPort == nil ? "manual" : nil }

  /// Whether the flow outlives the command. With --json, the document with the URL appears only
  /// when the command ends.
  var detach: Bool? { noBrowser && common.json ? true : nil }

  static func validate(qr: Bool, _ common: CommonOptions) throws {
    if qr && common.json { throw ValidationError("--json and --qr cannot be combined: the JSON has the URL") }
  }
}

extension SignInCommand {
  /// The browser options of a sign-in.
  var browserOptions: BrowserOptions {
    BrowserOptions(
      common: common, noBrowser: noBrowser, timeout: timeout, redirectPort: redirectPort, qr: qr,
      skipsConfirmation: yes)
  }

  /// A sign-in on the provider's page, or on the agent's sign-in page if `provider` is nil.
  func browserSignIn(_ provider: SignInMethod?, _ output: Output) -> BrowserSignIn {
    BrowserSignIn(options: browserOptions, provider: provider, output: output) { connection in
      var params = SignInStart.Params(
        account: account.account, project: project, provider: provider?.rawValue, replace: replace ? true : nil,
        redirect: browserOptions.redirect, timeout: timeout, detach: browserOptions.detach, port: redirectPort,
        takeOver: takeOver ? true : nil)
      do {
        return try connection.call(SignInStart.self, params)
      } catch let error as AgentError where error.kind == .flowBusy && !takeOver {
        // SI-10: only one sign-in at a time, but the person may prefer this one.
        let question = "Another sign-in for this account is in progress. Cancel it and sign in here?"
        guard ControllingTerminal.isInUse, try ControllingTerminal.open()?.confirm(question) == true else {
          throw error
        }
        params.takeOver = true
        return try connection.call(SignInStart.self, params)
      }
    }
  }
}
