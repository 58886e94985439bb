import AgentClient
import AgentConfiguration
import AgentProtocol
import ArgumentParser

/// The value of `--mfa`.
enum SecondFactorChoice: String, CaseIterable, ExpressibleByArgument {
  case ask, later

  /// `[sign_in] mfa` of the configuration, which the agent follows too.
  static var configured: Self {
    guard let path = try? AgentPaths.ofThisProcess().configuration,
      (try? Configuration.load(path: path))?.signIn.asksForSecondFactor == false
    else { return .ask }
    return .later
  }
}

/// The step after a sign-in of a user with a second factor: asks for the code, or tells what does not
/// work without it. The session is stored already, so the sign-in has succeeded in any case.
struct SecondFactorStep {
  let common: CommonOptions
  let connection: AgentConnection
  /// The account's name.
  let account: String
  let need: SecondFactorNeed
  let output: Output

  func run(_ choice: SecondFactorChoice?) throws {
    noteElsewhere()
    guard need.needed else { return }
    guard (choice ?? .configured) == .ask, !output.json, !factors.isEmpty, let terminal = ControllingTerminal.open()
    else {
      return noteLater()
    }
    try ask(on: terminal)
  }

  private var factors: [AccountFactor] { need.factors.filter { $0.isVerified && $0.isSupported } }

  private func ask(on terminal: ControllingTerminal) throws {
    let dialog = FlowDialog(on: terminal, FlowFollower(connection) { try common.connect() })
    let prompt = FactorPrompt(
      dialog, account: account, factors: factors, endsAccounts: need.endsAccounts ?? [], flow: need.flow,
      canPostpone: true)
    do {
      guard let status = try prompt.run() else { return noteLeft() }
      output.note(status.verifiedWords)
    } catch let error as AgentError where Self.leavesSession.contains(error.kind) {
      leave(error)
    } catch let error as AgentClientError {
      // Such as an agent that was restarted: the sign-in has succeeded before.
      leave(error)
    }
  }

  private func leave(_ error: any Error) {
    output.warning(Failure(error).text())
    noteLeft()
  }

  /// The note after the prompt. The factor may have been verified elsewhere meanwhile.
  private func noteLeft() {
    let status = try? common.ask(
      SessionStatus.self, AccountParams(account: account), within: CommonOptions.connectTimeout)
    guard let status, status.assurance?.current == AccountAssurance.aal2 else { return noteLater() }
    output.note(status.verifiedWords)
  }

  /// The errors that leave the session as it is.
  private static let leavesSession: Set<ErrorKind> = [
    .codeInvalid, .invalidParams, .flowBusy, .rateLimited, .offline, .serviceUnavailable, .timedOut, .methodDisabled,
  ]

  private func noteElsewhere() {
    guard let at = need.verifiedElsewhereAt else { return }
    output.note(
      "the former session was probably ended by a second factor that was verified elsewhere, \(Times.clock(at))")
  }

  private func noteLater() {
    let end: Words? = need.endsAt.map {
      "\n  without it, the server ends this session \(Times.relative($0)) (\(Times.clock($0)))"
    }
    let step: Words =
      factors.isEmpty
      ? "this user's second factors cannot be verified here: \(need.factors.map(\.title).joined(separator: ", "))"
      : "ritualctl mfa verify --account \(account)"
    output.note(
      "the session has no second factor yet; refused are a token with --assurance aal2, a new password or email "
        + "address, and another second factor\n  \(step)\(end ?? "")")
  }
}

extension AccountStatus {
  /// The message after a verification.
  var verifiedWords: Words {
    "the second factor of account \(name) is verified" + (assurance.map { " (\($0.current))" } ?? "")
  }
}
