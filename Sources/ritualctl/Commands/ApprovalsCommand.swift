import AgentClient
import AgentProtocol
import ArgumentParser

/// `approvals`: reviews the access requests of programs under a rule with `action = "ask"`.
struct ApprovalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approvals",
    abstract: "Review access requests.",
    subcommands: [
      ApprovalsListCommand.self, ApprovalsAllowCommand.self, ApprovalsDenyCommand.self, ApprovalsRevokeCommand.self,
    ],
    defaultSubcommand: ApprovalsListCommand.self
  ).examples("ritualctl approvals", "ritualctl approvals allow 3f9c02ab71de --for 3600")
}

/// `approvals list`: shows pending access requests and valid answers.
struct ApprovalsListCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List pending requests and valid answers."
  ).examples("ritualctl approvals list")
  static let documents = [JSONDocument(ApprovalList.Result.self)]

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let list = try common.ask(ApprovalList.self, Empty(), within: timeout.limit)
    try output.answer(ApprovalsAnswer(value: list))
    if list.approvals.isEmpty { output.note("no pending requests and no valid answers") }
    return .done
  }
}

private struct ApprovalsAnswer: Answer {
  let value: ApprovalList.Result

  func text(_ style: Style) -> String {
    var table = Table(gaps: [2, 2, 2, 2, 2, 0])
    table.rows = value.approvals.map(\.row)
    return table.lines(style).joined(separator: "\n")
  }
}

/// One approval, as printed by `allow` and `deny`.
struct ApprovalAnswerLine: Answer {
  let value: Approval

  func text(_ style: Style) -> String {
    var table = Table(gaps: [2, 2, 2, 2, 2, 0])
    table.rows = [value.row]
    return table.lines(style).joined(separator: "\n")
  }
}

extension Approval {
  fileprivate var row: [Table.Cell] {
    [
      .init(ForeignText.shown(id, limit: 40)), .init(ForeignText.shown(state.rawValue, limit: 40)),
      .init(ForeignText.shown(account, limit: 40)), .init("until \(end)"),
      .init(ForeignText.shown(method, limit: 40)), .init(asker),
    ]
  }

  /// When the answer ends. A lock of the vault ends an approval, but not a denial.
  private var end: String {
    if let until { return Times.clock(until) }
    return state == .denied ? "the agent stops" : "locked"
  }

  private var asker: String {
    [executable, comm.map { "calls itself \($0)" }, unit, "pid \(pid)"].compactMap { $0.map { ForeignText.shown($0) } }
      .joined(separator: "  ")
  }
}

/// `approvals allow`: allows an access request.
struct ApprovalsAllowCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow", abstract: "Allow a program to use the account that it requested.",
    discussion:
      "Refused if run in the systemd unit of the requesting program: a program cannot approve its own request."
  ).examples("ritualctl approvals allow 3f9c02ab71de", "ritualctl approvals allow 3f9c02ab71de --for 3600")
  static let documents = [JSONDocument(Approval.self)]

  @Argument(help: "ID shown by the program or by `approvals`.", completion: .custom(Completion.approvals))
  var id: String
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long the approval is valid, at most until the vault is locked (the default).", valueName: "seconds"))
  var seconds: Int?
  @OptionGroup var common: CommonOptions

  func validate() throws { try ApprovalAnswer.check(seconds) }

  func perform(_ output: Output) throws -> ExitStatus {
    try common.answer(id, allow: true, for: seconds, output)
  }
}

/// `approvals deny`: denies an access request.
struct ApprovalsDenyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny", abstract: "Deny a program access. Its requests are refused while the answer is valid."
  ).examples("ritualctl approvals deny 3f9c02ab71de --for 86400")
  static let documents = [JSONDocument(Approval.self)]

  @Argument(help: "ID shown by the program or by `approvals`.", completion: .custom(Completion.approvals))
  var id: String
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long the denial is valid; by default until the agent stops.", valueName: "seconds"))
  var seconds: Int?
  @OptionGroup var common: CommonOptions

  func validate() throws { try ApprovalAnswer.check(seconds) }

  func perform(_ output: Output) throws -> ExitStatus {
    try common.answer(id, allow: false, for: seconds, output)
  }
}

/// `approvals revoke`: deletes an answer.
struct ApprovalsRevokeCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Delete an answer. The next request needs a new one."
  ).examples("ritualctl approvals revoke 3f9c02ab71de")
  static let documents = [JSONDocument(ApprovalParams.self)]

  @Argument(help: "ID shown by `approvals`.", completion: .custom(Completion.approvals)) var id: String
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

extension ApprovalAnswer {
  /// Checks the value of `--for`.
  fileprivate static func check(_ seconds: Int?) throws {
    guard let seconds, !(1...maxSeconds).contains(seconds) else { return }
    throw ValidationError("--for must be between 1 and \(maxSeconds) seconds")
  }
}

extension CommonOptions {
  fileprivate func answer(_ id: String, allow: Bool, for seconds: Int?, _ output: Output) throws -> ExitStatus {
    let params = ApprovalAnswer.Params(id: id, allow: allow, for: seconds)
    try output.answer(ApprovalAnswerLine(value: try connect().call(ApprovalAnswer.self, params)))
    return .done
  }
}
