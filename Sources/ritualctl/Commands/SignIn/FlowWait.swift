import AgentClient
import AgentProtocol
import Glibc
import SystemSupport

/// Waits for the end of a flow. Meanwhile a person can paste the redirect URL into the terminal,
/// sees the remaining time, and can restart the flow with one key after the timeout.
final class FlowWait {
  enum End {
    case result(SignInResult)
    /// The person wants to restart the flow.
    case restart
  }

  private let follower: FlowFollower
  private let output: Output
  private let flow: SignInStart.Result
  private let countdown: Countdown
  /// The end of the time for the organization's page, or of the flow. The countdown shows it first.
  private let pageEnd: Timestamp
  /// Whether lines from the terminal are read as redirect URLs.
  private let acceptsPastedURL: Bool
  /// Whether the agent's `flowTimedOut` ends the wait: for scripts, and if `--timeout` was given.
  private let endsOnTimeout: Bool
  /// The end of `--timeout` of a single sign-on, which `flowTimedOut` does not end before: it also
  /// reports the end of the time for the organization's page.
  private let deadline: ContinuousClock.Instant?
  /// The first `flowTimedOut`.
  private var lateness: AgentError?
  /// Whether the terminal's input has ended. Input after that may answer a later question.
  private var isInputEnded = false

  init(_ signIn: BrowserSignIn, flow: SignInStart.Result, _ connection: AgentConnection) {
    let common = signIn.options.end.common
    let timeout = signIn.options.flags.timeout
    (output, self.flow, acceptsPastedURL) = (signIn.output, flow, signIn.acceptsPastedURL)
    follower = FlowFollower(connection, flow: flow.flow) { try common.connect() }
    countdown = Countdown(output, acceptsPastedURL: acceptsPastedURL)
    endsOnTimeout = timeout != nil || isatty(STDERR_FILENO) != 1 || output.json
    if let minutes = signIn.pageMinutes {
      pageEnd = min(Timestamp(unixSeconds: Times.now.unixSeconds + Int64(minutes) * 60), flow.expiresAt)
      // Longer than any flow.
      deadline = timeout.map { .now + .milliseconds(Int64(min($0, 86_400) * 1000)) }
    } else {
      (pageEnd, deadline) = (flow.expiresAt, nil)
    }
  }

  func run() throws -> End {
    defer { countdown.clear() }
    while true {
      if let result = try result() { return .result(result) }
      if let lateness, let deadline, .now >= deadline { throw lateness }
      countdown.show(until: Times.now < pageEnd ? pageEnd : flow.expiresAt)
      guard awaitInput() else { continue }
      guard let line = try Streams.readLine(from: STDIN_FILENO, limit: PastedURL.limit) else {
        isInputEnded = true
        continue
      }
      countdown.clear()
      if let address = try? PastedURL.checked(line) {
        if acceptsPastedURL, let result = try complete(address) { return .result(result) }
      } else if isLate {
        return .restart
      }
    }
  }

  /// The result of the flow; nil while it runs.
  private func result(within limit: Duration = .zero) throws -> SignInResult? {
    switch try follower.news(within: limit) {
    case .ended(let result): return result
    case .lost(let error): throw error
    case .late(let error):
      // Not a timeout, but a browser on Windows: its URL can be pasted, here or into another command.
      let isVisit = error.data.retryAfter == 0 && !output.json
      guard continues || isVisit else { throw error }
      if !isLate { explain(error) }
      (lateness, isInputEnded) = (error, false)
    case nil: break
    }
    return nil
  }

  private var isLate: Bool { lateness != nil }

  /// Whether the wait continues after `flowTimedOut`.
  private var continues: Bool {
    Times.now < flow.expiresAt && (deadline.map { .now < $0 } ?? !endsOnTimeout)
  }

  private func explain(_ error: AgentError) {
    countdown.clear()
    let hint: Words = error.data.hint.map { "\n  \($0, limit: 1000)" } ?? ""
    let keys: Words = ControllingTerminal.isInUse ? "; press Enter to start again, Ctrl-C to cancel" : ""
    output.remark("\(error.message, limit: 1000)\(hint)\n  still waiting\(keys)")
  }

  /// Completes the sign-in with the URL. Returns nil if the URL was wrong and the flow continues.
  private func complete(_ address: String) throws -> SignInResult? {
    do {
      return try follower.connected().call(SignInComplete.self, SignInComplete.Params(callback: address))
    } catch let error as AgentError {
      // If the error ended the flow, the pending `signIn.wait` fails immediately with a better
      // message.
      if let result = try result(within: .milliseconds(200)) { return result }
      output.remark(Failure(error).text())
      return nil
    }
  }

  /// Waits for input from the terminal or the agent, or until the countdown needs an update.
  /// Returns whether the terminal has input.
  private func awaitInput() -> Bool {
    let readsTerminal = ControllingTerminal.isInUse && (acceptsPastedURL || isLate) && !isInputEnded
    // poll(2) ignores negative descriptors.
    var entries = [readsTerminal ? STDIN_FILENO : -1, follower.descriptor ?? -1].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    return poll(&entries, nfds_t(entries.count), pause) > 0 && entries[0].revents != 0
  }

  /// The maximum time until the next check, in milliseconds.
  private var pause: Int32 {
    var pause = countdown.isShown ? .seconds(1) : follower.pause
    if isLate, let deadline { pause = min(pause, max(.zero, ContinuousClock.now.duration(to: deadline))) }
    return Int32((pause / .milliseconds(1)).rounded(.up))
  }
}

/// The remaining time of the flow, on a line of standard error that is updated every second. Hidden
/// if standard error is not a terminal, and if a person may paste, because it would overwrite the
/// input.
struct Countdown {
  let isShown: Bool

  init(_ output: Output, acceptsPastedURL: Bool) {
    isShown =
      isatty(STDERR_FILENO) == 1 && !output.json && !output.quiet && !TerminalKind.isDumb && !acceptsPastedURL
  }

  func show(until end: Timestamp) {
    guard isShown else { return }
    let left = max(0, end.unixSeconds - Times.now.unixSeconds)
    let seconds = left % 60
    let clock = "\(left / 60):\(seconds < 10 ? "0" : "")\(seconds)"
    let line = "waiting for the browser, \(clock) left; press Ctrl-C to cancel"
    // A line that the terminal itself breaks could not be erased.
    let fits = line.count < TerminalKind.size(of: STDERR_FILENO)?.columns ?? .max
    write("\r\u{1B}[K" + (fits ? line : "waiting, \(clock) left"))
  }

  func clear() { if isShown { write("\r\u{1B}[K") } }

  private func write(_ text: String) { try? Streams.write(text, to: STDERR_FILENO) }
}

/// Shows the URL as a QR code on the terminal with qrencode(1), for a phone.
enum QRCode {
  /// - Throws: a failure that names the package to install if qrencode is missing.
  static func show(_ address: String, on descriptor: Int32) throws {
    guard let pipe = Pipe() else { throw failure }
    // The URL is passed on standard input, because every user can read arguments.
    let child = ChildProcess(
      ["qrencode", "--type=UTF8", "--output=-"], input: .descriptor(pipe.reading), output: .descriptor(descriptor),
      error: .inherited)
    let pid = try? child.start()
    // The pipe holds a URL, so this does not wait for the reader.
    if pid != nil { try? Streams.write(address, to: pipe.writing) }
    pipe.closeWriting()
    guard let pid, ChildProcess.exitStatus(of: pid) == 0 else { throw failure }
  }

  private static var failure: Failure {
    Failure(.failed, "no QR code can be shown: qrencode is missing", hint: "sudo apt install qrencode")
  }
}
