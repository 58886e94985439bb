import AgentClient
import AgentProtocol
import Glibc

/// A sign-in through a browser: on this machine (SI-7a), or anywhere, with the address that it ended on pasted (SI-7c).
struct BrowserSignIn {
  let way: BrowserWay
  /// Nil: the sign-in page asks (SI-1).
  let provider: SignInMethod?
  let output: Output
  /// Begins the flow.
  let start: (AgentConnection) throws -> SignInStart.Result

  func run() throws -> ExitStatus {
    let connection = try way.common.connect()
    while true {
      let flow = try start(connection)
      if let warning = flow.warning { output.warning(ForeignText.shown(warning, limit: 1000)) }
      try show(flow.url)
      switch try wait(for: flow, connection) {
      case .result(let result):
        let end = SignInEnd(
          connection: connection, acceptsAnybody: way.acceptsAnybody, saysSoAsNote: way.noBrowser, done: way.done)
        return try end.report(result, output)
      case .again: _ = try? connection.call(SignInCancel.self, FlowParams(flow: flow.flow))
      }
    }
  }

  /// A browser elsewhere may not come back to this machine: then the address that it ends on is pasted.
  private var takesPaste: Bool { way.noBrowser || Browser.isElsewhere }

  // MARK: - The address

  private func show(_ url: String) throws {
    let shown = ForeignText.shown(url, limit: CallbackAddress.limit)
    if way.noBrowser && !output.json {
      try Streams.write(shown + "\n", to: STDOUT_FILENO)
    } else {
      output.remark("open this address to sign in\(provider.map { " with \($0.words)" } ?? ""):\n  \(shown)")
    }
    if way.qr { try QRCode.show(shown, on: STDERR_FILENO) }
    guard !way.noBrowser else { return explainPaste() }
    if let reason = Browser.reasonNotToOpen(url) {
      output.note("no browser is opened here: \(reason)\(explanation)")
    } else if !Browser.open(url) {
      output.note("no browser could be opened: xdg-open is missing\(explanation)")
    }
  }

  private var explanation: String { "\n  open the address in any browser; " + (takesPaste ? paste : Self.otherwise) }

  private static let otherwise =
    "if it does not come back here, copy the address that it ends on and run:\n  ritualctl complete-sign-in"

  private var paste: String {
    let here =
      ControllingTerminal.isInUse
      ? "if it cannot come back here, paste the address that it ends on, or elsewhere run:"
      : "if it cannot come back here, copy the address that it ends on and run:"
    return "\(here)\n  ritualctl complete-sign-in"
  }

  private func explainPaste() { output.note("open the address in any browser; \(paste)") }

  // MARK: - Waiting

  private func wait(for flow: SignInStart.Result, _ connection: AgentConnection) throws -> FlowWait.End {
    let isWatched = isatty(STDERR_FILENO) == 1
    return try FlowWait(
      connection: connection, output: output, flow: flow, countdown: Countdown(output, takesPaste: takesPaste),
      takesPaste: takesPaste, endsWhenLate: way.timeout != nil || !isWatched
    ).run()
  }
}
