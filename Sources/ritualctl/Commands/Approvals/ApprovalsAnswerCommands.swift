import AgentClient
import AgentProtocol
import ArgumentParser

/// How long an answer is remembered.
struct ApprovalTime: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Remember the answer for so long; until the vault is locked if not given.", valueName: "seconds")
  )
  var seconds: Int?

  func validate() throws {
    guard let seconds, !(1...ApprovalAnswer.longest).contains(seconds) else { return }
    throw ValidationError("--for is 1 to \(ApprovalAnswer.longest) seconds.")
  }
}

/// `approvals allow`
struct ApprovalsAllowCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow", abstract: "Let a program use the account that it asked for.",
    discussion: "Not from the unit of the program that asked: who asks does not answer.")

  @Argument(help: "What the program, or `approvals`, printed.") var id: String
  @OptionGroup var time: ApprovalTime
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    try common.answer(id, allow: true, time, output)
  }
}

/// `approvals deny`
struct ApprovalsDenyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny", abstract: "Refuse it; the program is not asked about again while that holds.")

  @Argument(help: "What the program, or `approvals`, printed.") var id: String
  @OptionGroup var time: ApprovalTime
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    try common.answer(id, allow: false, time, output)
  }
}

/// `approvals revoke`
struct ApprovalsRevokeCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Forget an answer, so that the next request is asked about again.")

  @Argument(help: "What `approvals` printed.") var id: String
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    _ = try common.connect().call(ApprovalRevoke.self, ApprovalParams(id: id))
    try output.answer(RevokedAnswer(value: ApprovalParams(id: id)))
    return .done
  }
}

private struct RevokedAnswer: Answer {
  let value: ApprovalParams

  func text(_ style: Style) -> String { "\(ForeignText.shown(value.id, limit: 40)): revoked" }
}

extension CommonOptions {
  fileprivate func answer(_ id: String, allow: Bool, _ time: ApprovalTime, _ output: Output) throws -> ExitStatus {
    let params = ApprovalAnswer.Params(id: id, allow: allow, for: time.seconds)
    try output.answer(ApprovalAnswerLine(value: try connect().call(ApprovalAnswer.self, params)))
    return .done
  }
}
