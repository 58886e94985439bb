import AgentClient
import AgentProtocol
import ArgumentParser

struct ApprovalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approvals",
    abstract: "Review access requests.",
    subcommands: [
      ApprovalsListCommand.self, ApprovalsAllowCommand.self, ApprovalsDenyCommand.self, ApprovalsRevokeCommand.self,
    ],
    defaultSubcommand: ApprovalsListCommand.self
  ).examples("ritualctl approvals", "ritualctl approvals allow 3f9c02ab71de --for 8h")
}

struct ApprovalsListCommand: LocalCallCommand {
  typealias Method = ApprovalList
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List pending requests and valid answers."
  ).examples("ritualctl approvals list")

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func text(_ list: ApprovalList.Result, _ style: Style) -> Words { Table(holding: list.approvals).text(style) }

  func end(_ list: ApprovalList.Result, _ output: Output) -> ExitStatus {
    if list.approvals.isEmpty { output.note("no pending requests and no valid answers") }
    return .done
  }
}

/// A row of `approvals` or `grants`: who may do something, and until when.
protocol Permission {
  var cells: [Table.Cell] { get }
}

extension Table {
  init(holding permissions: [any Permission]) {
    self.init(gaps: [2, 2, 2, 2, 2, 0], rows: permissions.map(\.cells))
  }

  /// The program that asked, by the facts about it.
  static func asker(_ facts: String?...) -> Cell {
    Cell(facts.compactMap { $0.map { Words($0) } }.joined(separator: "  "))
  }
}

extension Approval: Answer, Permission {
  func text(_ style: Style) -> Words { Table(holding: [self]).text(style) }

  var cells: [Table.Cell] {
    [
      .init("\(id, limit: 40)"), .init("\(state.rawValue, limit: 40)"), .init("\(account, limit: 40)"),
      .init("\(scope == .once ? "once, until" : "until") \(end)"), .init("\(use, limit: 200)"),
      Table.asker(executable, comm.map { "calls itself \($0)" }, unit, "pid \(pid)"),
    ]
  }

  /// The request that asks; for an answer, the methods and paths that it is for.
  private var use: String { (state == .pending ? request : pattern) ?? method }

  /// When the answer ends. A lock of the vault ends an approval, but not a denial.
  private var end: Words {
    if let until { return Times.clock(until) }
    return state == .denied ? "the agent stops" : "locked"
  }
}

struct ApprovalsAllowCommand: CallCommand {
  typealias Method = ApprovalAnswer
  static let configuration = CommandConfiguration(
    commandName: "allow", abstract: "Allow a program to use the account that it requested.",
    discussion:
      "Refused if run in the systemd unit of the requesting program: a program cannot approve its own request."
  ).examples(
    "ritualctl approvals allow 3f9c02ab71de --once", "ritualctl approvals allow 3f9c02ab71de --for 8h",
    "ritualctl approvals allow 3f9c02ab71de --until-lock")

  @Argument(help: "ID shown by the program or by `approvals`.", completion: .custom(Completion.approvals))
  var id: String
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long the approval is valid, such as 15m or 8h, at most until the vault is locked.",
      valueName: "duration"))
  var duration: TimeSpan?
  @Flag(help: "Allow one request, within ten minutes.") var once = false
  @Flag(help: "Allow until the vault is locked (the default).") var untilLock = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try ApprovalAnswer.check(duration)
    guard [duration != nil, once, untilLock].count(where: { $0 }) <= 1 else {
      throw ValidationError("give one of --once, --for and --until-lock")
    }
  }

  var params: ApprovalAnswer.Params {
    ApprovalAnswer.Params(
      id: id, allow: true, for: duration?.seconds, scope: once ? .once : untilLock ? .untilLock : nil)
  }
}

struct ApprovalsDenyCommand: CallCommand {
  typealias Method = ApprovalAnswer
  static let configuration = CommandConfiguration(
    commandName: "deny", abstract: "Deny a program access. Its requests are refused while the answer is valid."
  ).examples("ritualctl approvals deny 3f9c02ab71de --for 1d")

  @Argument(help: "ID shown by the program or by `approvals`.", completion: .custom(Completion.approvals))
  var id: String
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "How long the denial is valid, such as 8h or 2d; by default until the agent stops.", valueName: "duration"))
  var duration: TimeSpan?
  @OptionGroup var common: CommonOptions

  func validate() throws { try ApprovalAnswer.check(duration) }

  var params: ApprovalAnswer.Params { ApprovalAnswer.Params(id: id, allow: false, for: duration?.seconds) }
}

struct ApprovalsRevokeCommand: RevokeCommand {
  typealias Method = ApprovalRevoke
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Delete an answer. The next request needs a new one."
  ).examples("ritualctl approvals revoke 3f9c02ab71de")

  @Argument(help: "ID shown by `approvals`.", completion: .custom(Completion.approvals)) var id: String
  @OptionGroup var common: CommonOptions

  var params: ApprovalParams { ApprovalParams(id: id) }
}

/// `approvals revoke` and `grants revoke`, whose document is the ID that was revoked.
protocol RevokeCommand: AgentCommand {
  associatedtype Method: AgentMethod
  var id: String { get }
  var params: Method.Params { get }
}

extension RevokeCommand {
  static var documents: [JSONDocument] { [JSONDocument(Method.Params.self)] }

  func perform(_ output: Output) throws -> ExitStatus {
    _ = try common.connect().call(Method.self, params)
    try output.answer(params, "\(id, limit: 40): revoked")
    return .done
  }
}

extension ApprovalAnswer {
  /// Checks the value of `--for`.
  fileprivate static func check(_ duration: TimeSpan?) throws {
    guard let duration, !(1...maxSeconds).contains(duration.seconds) else { return }
    throw ValidationError("--for must be between 1s and \(maxSeconds / 86_400)d")
  }
}
