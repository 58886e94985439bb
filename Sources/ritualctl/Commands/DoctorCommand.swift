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
    try output.answer(report)
    return report.isHealthy ? .done : .failed
  }
}

/// The document of `--json`.
struct DoctorReport: Answer {
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

extension DoctorReport {
  func text(_ style: Style) -> Words { checks.flatMap { Self.lines($0, style) }.joined(separator: "\n") }

  /// One check, such as `FAIL  vault: locked`, with the next step on a line of its own.
  private static func lines(_ check: DiagnosticCheck, _ style: Style) -> [Words] {
    let project: Words = check.project.map { " (\($0, limit: 1000))" } ?? ""
    let first: Words =
      "\(mark(check.outcome, style))  \(check.name, limit: 1000)\(project): \(check.words, limit: 1000)"
    return style.lines(first, indent: 6) + (check.next.map { ["        \($0, limit: 1000)"] } ?? [])
  }

  private static func mark(_ outcome: CheckOutcome, _ style: Style) -> Words {
    switch outcome {
    case .ok: style.marked("ok  ", .green)
    case .fail: style.marked("FAIL", .red)
    default: style.marked("warn", .yellow)
    }
  }
}
