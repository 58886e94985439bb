import AgentClient
import AgentProtocol
import Glibc

/// A sign-in through a browser: on this machine (SI-7a), or anywhere, with the address that it ended on pasted (SI-7c).
struct BrowserSignIn {
  let command: SignInCommand
  let provider: SignInMethod
  let output: Output

  func run() throws -> ExitStatus {
    let connection = try command.common.connect()
    let flow = try connection.call(SignInStart.self, params)
    try show(flow.url)
    let end = SignInEnd(
      connection: connection, acceptsAnybody: command.yes, saysSoAsNote: command.noBrowser)
    return try end.report(try wait(for: flow, connection), output)
  }

  private var params: SignInStart.Params {
    // A port is given for `ssh -L`: then the browser does come back to this machine.
    let isManual = command.noBrowser && command.redirectPort == nil
    return SignInStart.Params(
      account: command.account.account, project: command.project, provider: provider.rawValue,
      replace: command.replace ? true : nil, redirect: isManual ? "manual" : nil, timeout: command.timeout,
      port: command.redirectPort)
  }

  // MARK: - The address

  private func show(_ url: String) throws {
    let shown = ForeignText.shown(url, limit: CallbackAddress.limit)
    if command.noBrowser && !output.json {
      try Streams.write(shown + "\n", to: STDOUT_FILENO)
    } else {
      output.remark("open this address to sign in with \(provider.words):\n  \(shown)")
    }
    guard !command.noBrowser else { return explainPaste() }
    if let reason = Browser.reasonNotToOpen(url) {
      output.note("no browser is opened here: \(reason)\(Self.otherwise)")
    } else if !Browser.open(url) {
      output.note("no browser could be opened: xdg-open is missing\(Self.otherwise)")
    }
  }

  private static let otherwise =
    "\n  open the address in a browser of this machine; or in any, then copy the address that it ends on and run:"
    + "\n  ritualctl complete-sign-in"

  private func explainPaste() {
    let here =
      ControllingTerminal.isInUse ? "paste the address that the browser ends on here, or elsewhere run:" : "then run:"
    output.note("open the address in any browser; \(here)\n  ritualctl complete-sign-in")
  }

  // MARK: - Waiting

  /// Waits for the flow's end. The agent lets a waiting side know when nothing has come for a while (SI-11); a person at a
  /// terminal who set no limit can go on, for a second factor takes its time.
  private func wait(for flow: SignInStart.Result, _ connection: AgentConnection) throws -> SignInResult {
    while true {
      do {
        return try waitOnce(flow.flow, connection)
      } catch let error as AgentError where error.kind == .flowTimedOut && canGoOn(until: flow.expiresAt) {
        let hint = error.data.hint.map { "\n  " + ForeignText.shown($0, limit: 1000) } ?? ""
        output.remark("\(ForeignText.shown(error.message, limit: 1000))\(hint)\n  still waiting; Ctrl-C cancels")
      }
    }
  }

  private func canGoOn(until end: Timestamp) -> Bool {
    command.timeout == nil && isatty(STDERR_FILENO) == 1 && Times.now < end
  }

  private func waitOnce(_ flow: String, _ connection: AgentConnection) throws -> SignInResult {
    let wait = try connection.start(SignInWait.self, FlowParams(flow: flow))
    if command.noBrowser && ControllingTerminal.isInUse {
      return try PastedAddress(connection: connection, output: output).result(of: wait)
    }
    // Without a limit here: the agent has one for each flow, and Ctrl-C is at hand.
    guard let result = try connection.answer(to: wait, within: nil) else { throw Failure(.failed, "no answer came") }
    return result
  }
}
