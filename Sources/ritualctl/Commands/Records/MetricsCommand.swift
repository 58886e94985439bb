import AgentClient
import AgentProtocol
import ArgumentParser

/// `metrics`: what the agent counted, for a collector.
struct MetricsCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Print the agent's counters as OpenMetrics text.",
    discussion: "Nothing is sent anywhere, and there are no names, addresses or ids among them.")

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let snapshot = try common.ask(TelemetrySnapshot.self, Empty(), within: timeout.limit)
    try output.answer(MetricsAnswer(value: snapshot))
    return .done
  }
}

private struct MetricsAnswer: Answer {
  let value: TelemetrySnapshot.Result

  /// Without the last newline, which the output adds.
  func text(_ style: Style) -> String { String(OpenMetricsText.text(value.families).dropLast()) }
}
