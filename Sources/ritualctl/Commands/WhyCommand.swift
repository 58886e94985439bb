import AgentClient
import AgentProtocol
import ArgumentParser

/// `why`: the refresher's plan and its past.
struct WhyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", abstract: "Say what the refresher will do next and why, and its last tries.")

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.ask(SessionExplain.self, account.params, within: timeout.limit)
    try output.answer(WhyAnswer(value: result))
    return .done
  }
}

private struct WhyAnswer: Answer {
  let value: SessionExplain.Result

  func text(_ style: Style) -> String {
    let sentences = value.explanation.map { ForeignText.shown($0, limit: 1000) }
    guard !value.tries.isEmpty else { return (sentences + ["no tries yet"]).joined(separator: "\n") }
    var table = Table(gaps: [2, 2, 2, 2])
    table.rows = value.tries.map { Self.row($0) }
    let tries = table.lines(style).map { "  " + $0 }
    return (sentences + ["last tries, newest first:"] + tries).joined(separator: "\n")
  }

  private static func row(_ one: RefreshTry) -> [Table.Cell] {
    let colour: Style.Colour = one.outcome == "refreshed" ? .green : one.outcome == "ended" ? .red : .yellow
    let reply = [one.status.map { "HTTP \($0)" }, one.error.map { ForeignText.shown($0.rawValue) }]
    return [
      .init(Times.clock(one.at)), .init(ForeignText.shown(one.reason)), .init(ForeignText.shown(one.outcome), colour),
      .init(milliseconds(one.latency)), .init(reply.compactMap { $0 }.joined(separator: " ")),
    ]
  }

  private static func milliseconds(_ seconds: Double) -> String {
    // A day, in case that the agent's clock has gone astray.
    "\(Int((max(0, min(seconds, 86_400)) * 1000).rounded())) ms"
  }
}
