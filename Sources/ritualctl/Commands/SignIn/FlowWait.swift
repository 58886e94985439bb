import AgentClient
import AgentProtocol
import Glibc
import SystemSupport

/// Waits for a flow's end. A person may paste the address that the browser ended on into this very terminal, sees how much
/// time is left, and can begin again with one key when nothing has come for a while (SI-11).
final class FlowWait {
  enum End {
    case result(SignInResult)
    /// The person wants a fresh start.
    case again
  }

  let connection: AgentConnection
  let output: Output
  let flow: SignInStart.Result
  let countdown: Countdown
  /// Whether lines of the terminal are addresses.
  let takesPaste: Bool
  /// Whether the agent's "nothing has come yet" is the end: so for scripts, and where a limit was given.
  let endsWhenLate: Bool
  private var lastCheck = ContinuousClock.now

  init(
    connection: AgentConnection, output: Output, flow: SignInStart.Result, countdown: Countdown, takesPaste: Bool,
    endsWhenLate: Bool
  ) {
    (self.connection, self.output, self.flow, self.countdown) = (connection, output, flow, countdown)
    (self.takesPaste, self.endsWhenLate) = (takesPaste, endsWhenLate)
  }

  func run() throws -> End {
    var isLate = false
    while true {
      do {
        return try once(isLate)
      } catch let error as AgentError where error.kind == .flowTimedOut && !endsWhenLate && Times.now < flow.expiresAt {
        if !isLate { explain(error) }
        isLate = true
      }
    }
  }

  private func explain(_ error: AgentError) {
    countdown.clear()
    let hint = error.data.hint.map { "\n  " + ForeignText.shown($0, limit: 1000) } ?? ""
    output.remark(
      "\(ForeignText.shown(error.message, limit: 1000))\(hint)\n  still waiting; Enter begins again, Ctrl-C cancels")
  }

  private func once(_ isLate: Bool) throws -> End {
    let wait = try connection.start(SignInWait.self, FlowParams(flow: flow.flow))
    defer { countdown.clear() }
    // What is typed ahead belongs to a question that may come.
    var readsTerminal = ControllingTerminal.isInUse && (takesPaste || isLate)
    while true {
      if let result = try connection.answer(to: wait, within: .zero) { return .result(result) }
      countdown.show(until: flow.expiresAt)
      guard awaitInput(readsTerminal) else {
        try checkAgent()
        continue
      }
      guard let line = try Streams.readLine(from: STDIN_FILENO, limit: CallbackAddress.limit) else {
        readsTerminal = false
        continue
      }
      countdown.clear()
      if let address = try? CallbackAddress.checked(line) {
        if takesPaste, let result = try handIn(address, wait) { return .result(result) }
      } else if isLate {
        return .again
      }
    }
  }

  /// What the address led to; nil where it was the wrong one and the flow goes on.
  private func handIn(_ address: String, _ wait: StartedRequest<SignInWait>) throws -> SignInResult? {
    do {
      return try connection.call(SignInComplete.self, SignInComplete.Params(callback: address))
    } catch let error as AgentError {
      // Where this ended the flow, the waiting request hears of it at once, and says it better.
      if let result = try connection.answer(to: wait, within: .milliseconds(200)) { return result }
      output.remark(Failure(error).text(showsKind: false))
      return nil
    }
  }

  /// A person may take long, and a running agent ends every flow in time; a stopped one is not waited for.
  private func checkAgent() throws {
    guard lastCheck.duration(to: .now) >= Self.checkInterval else { return }
    lastCheck = .now
    _ = try connection.call(AgentHello.self, AgentHello.Params(client: "liveness"), timeout: .seconds(10))
  }

  private static let checkInterval = Duration.seconds(30)

  /// Sleeps until the terminal or the agent has something, or the countdown is due; whether it is the terminal.
  private func awaitInput(_ readsTerminal: Bool) -> Bool {
    // poll(2) passes over negative descriptors.
    var entries = [
      pollfd(fd: readsTerminal ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return poll(&entries, nfds_t(entries.count), countdown.isShown ? 1000 : 10_000) > 0 && entries[0].revents != 0
  }
}

/// How long the flow still lives, on one line of standard error that is written anew each second. Nothing where nobody looks
/// at it, and nothing where a person pastes: it would write into what is typed.
struct Countdown {
  let isShown: Bool

  init(_ output: Output, takesPaste: Bool) {
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    isShown = isatty(STDERR_FILENO) == 1 && !output.json && !output.quiet && !isDumb && !takesPaste
  }

  func show(until end: Timestamp) {
    guard isShown else { return }
    let left = max(0, end.unixSeconds - Times.now.unixSeconds)
    let seconds = left % 60
    write("\r\u{1B}[Kwaiting for the browser, \(left / 60):\(seconds < 10 ? "0" : "")\(seconds) left; Ctrl-C cancels")
  }

  func clear() { if isShown { write("\r\u{1B}[K") } }

  private func write(_ text: String) { try? Streams.write(text, to: STDERR_FILENO) }
}

/// The address as a QR code on the terminal, by qrencode(1): for a phone that is at hand where no browser is.
enum QRCode {
  /// - Throws: where there is no qrencode, with what to install.
  static func show(_ address: String, on descriptor: Int32) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure }
    // The child's copy of the writing end would keep its input open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The address on standard input: arguments can be read by everybody.
    let child = ChildProcess(
      ["qrencode", "--type=UTF8", "--output=-"], input: .descriptor(ends[0]), output: .descriptor(descriptor),
      error: .inherited)
    let pid = try? child.start()
    close(ends[0])
    if pid != nil { try? Streams.write(address, to: ends[1]) }
    close(ends[1])
    guard let pid, ChildProcess.exitStatus(of: pid) == 0 else { throw failure }
  }

  private static var failure: Failure {
    Failure(.failed, "no QR code can be drawn: qrencode is missing", hint: "sudo apt install qrencode")
  }
}
