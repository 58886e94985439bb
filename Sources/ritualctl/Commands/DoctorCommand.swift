import AgentProtocol
import ArgumentParser

/// `doctor`: reports problems and how to solve them. Always prints its report, which contains no
/// secrets.
struct DoctorCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the setup and show how to fix problems.",
    discussion: """
      Safe to paste into a bug report: prints no tokens, email addresses, keys, or project URLs. Exits with 0 if no \
      check failed, else with 1; warnings are not failures. Works without a running agent, too.
      """
  ).examples("ritualctl doctor", "ritualctl doctor --json | jq '.checks[] | select(.outcome != \"ok\")'")
  static let documents = [JSONDocument(DoctorReport.self)]

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let report = DoctorReport(try LocalChecks(socket: common.socket).all())
    try output.answer(DoctorAnswer(value: report))
    return report.isHealthy ? .done : .failed
  }
}

/// The document of `--json`.
struct DoctorReport: Codable {
  /// The results of the checks.
  let checks: [DiagnosticCheck]
  /// Whether no check failed.
  let isHealthy: Bool
  /// The version of this program.
  let version: String

  init(_ checks: [DiagnosticCheck]) {
    let home = HomePath()
    self.checks = checks.map(home.shortened)
    isHealthy = !checks.contains { $0.outcome == .fail }
    version = AgentVersion.current
  }
}

private struct DoctorAnswer: Answer {
  let value: DoctorReport

  func text(_ style: Style) -> String { value.checks.map { Self.line($0, style) }.joined(separator: "\n") }

  /// One check, such as `FAIL  vault: locked`, with the next step on a second line.
  private static func line(_ check: DiagnosticCheck, _ style: Style) -> String {
    let project = check.project.map { " (\(shown($0)))" } ?? ""
    let first = "\(mark(check.outcome, style))  \(shown(check.name))\(project): \(shown(check.words))"
    return ([first] + [check.next.map { "        " + shown($0) }].compactMap { $0 }).joined(separator: "\n")
  }

  private static func mark(_ outcome: CheckOutcome, _ style: Style) -> String {
    switch outcome {
    case .ok: style.marked("ok  ", .green)
    case .fail: style.marked("FAIL", .red)
    default: style.marked("warn", .yellow)
    }
  }

  private static func shown(_ text: String) -> String { ForeignText.shown(text, limit: 1000) }
}
