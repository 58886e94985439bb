import AgentClient
import AgentProtocol
import Glibc

/// The dialog on a terminal that takes a code. Meanwhile a mailed link that is opened on this machine
/// ends the sign-in, too. Enter alone sends another code after the project's pause, unless the person
/// said that a code was sent before: another one would void it.
final class CodePrompt {
  private let signIn: CodeSignIn
  private let dialog: FlowDialog
  /// The earliest time for another code; nil if Enter alone sends none.
  private var resendTime: ContinuousClock.Instant?

  init(signIn: CodeSignIn, terminal: ControllingTerminal, connection: AgentConnection) {
    self.signIn = signIn
    dialog = FlowDialog(on: terminal, FlowFollower(connection) { try signIn.options.end.common.connect() })
  }

  private var terminal: ControllingTerminal { dialog.terminal }

  /// - Parameter pause: the seconds until another code can be sent, if a code was sent before; nil if
  ///   Enter alone sends none.
  func run(pause: Double?) throws -> SignInResult {
    do { return try ask(pause) } catch {
      terminal.discardInput()
      throw error
    }
  }

  /// The connection to the agent. A new one if the agent was restarted.
  func connected() throws -> AgentConnection { try dialog.follower.connected() }

  private func ask(_ pause: Double?) throws -> SignInResult {
    if let pause { pauseSending(pause) }
    if !signIn.options.isSent, let result = try sendFirst() { return result }
    let question: Words = signIn.options.acceptsLink ? "Code (or paste the link from the email): " : "Code: "
    var wrongCodes = 0
    while true {
      switch try dialog.next(question) {
      case .ended(let result):
        terminal.discardInput()
        return result
      case .forgotten:
        try terminal.show("this sign-in was replaced, or the agent was restarted; you can still enter the code")
      case .interrupted: throw Failure(.cancelled, "cancelled")
      case .line(let line) where Menu.trimmed(line).isEmpty:
        if let result = try sendAgain() { return result }
      case .line(let line):
        guard let input = try input(line) else { continue }
        do {
          return try signIn.verify(input, flow: dialog.follower.flow, connected())
        } catch let error as AgentError where Self.asksAgain.contains(error.kind) {
          wrongCodes += 1
          guard wrongCodes < FlowDialog.maxWrongCodes else { throw error }
          try terminal.show(error.kind == .codeInvalid ? again(error) : Failure(error).text())
        }
      }
    }
  }

  private func again(_ error: AgentError) -> Words {
    "\(error.message) Try again\(resendTime == nil ? "." : ", or press Enter for a new one.")"
  }

  /// The errors after which another code or link can be entered.
  private static let asksAgain: Set<ErrorKind> = [.codeInvalid, .callbackInvalid, .invalidParams, .flowBusy]

  /// The typed code or link; nil, after an explanation, if the line is neither.
  private func input(_ line: String) throws -> CodeInput? {
    do throws(Failure) { return try CodeInput(line, for: signIn.options) } catch {
      try terminal.show(error.message)
      return nil
    }
  }

  private var recipient: CodeRecipient { signIn.options.recipient }

  // MARK: - Sending

  /// Sends a code. Returns a result if the project needs none.
  private func send() throws -> SignInResult? {
    let sent = try signIn.send(connected())
    if let account = sent.account { return SignInResult(.signedIn, account: account) }
    pauseSending(sent.resendAfter)
    dialog.follower.follow(sent.flow)
    try terminal.show("a code was sent to \(recipient.shown); press Enter alone to send another one")
    return nil
  }

  /// Sends the first code. Within the pause after a code that was sent before, that one is asked for.
  private func sendFirst() throws -> SignInResult? {
    do { return try send() } catch let error as AgentError where error.kind == .rateLimited {
      guard let seconds = error.data.retryAfter else { throw error }
      pauseSending(seconds)
      try terminal.show(Failure(error).message + "\n  if you already have a code, enter it")
      return nil
    }
  }

  /// Sends another code. An error does not end the dialog, because the former code may still be valid.
  private func sendAgain() throws -> SignInResult? {
    guard let resendTime else { return nil }
    let left = ContinuousClock.now.duration(to: resendTime)
    guard left <= .zero else {
      try terminal.show("another code can be sent in \(left.components.seconds + 1) s")
      return nil
    }
    do { return try send() } catch let error as AgentError where ![.cancelled, .vaultLocked].contains(error.kind) {
      if let seconds = error.data.retryAfter { pauseSending(seconds) }
      try terminal.show(Failure(error).text())
      return nil
    }
  }

  private func pauseSending(_ seconds: Double) {
    resendTime = .now + .milliseconds(Int64(max(0, min(seconds, 86_400)) * 1000))
  }
}
