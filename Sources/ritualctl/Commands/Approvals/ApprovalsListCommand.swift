import AgentClient
import AgentProtocol
import ArgumentParser

/// `approvals list`: questions that wait, and answers that hold.
struct ApprovalsListCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show what waits for an answer, and the answers that hold.")

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let list = try common.ask(ApprovalList.self, Empty(), within: timeout.limit)
    try output.answer(ApprovalsAnswer(value: list))
    if list.approvals.isEmpty { output.note("nothing waits, and nothing is remembered") }
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

/// One approval, as `allow` and `deny` show it.
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
      .init(ForeignText.shown(account, limit: 40)), .init(until.map { "until \(Times.clock($0))" } ?? "until the lock"),
      .init(ForeignText.shown(method, limit: 40)), .init(asker),
    ]
  }

  private var asker: String {
    [executable, unit, "pid \(pid)"].compactMap { $0.map { ForeignText.shown($0) } }.joined(separator: "  ")
  }
}
