import AgentClient
import AgentProtocol
import ArgumentParser

/// `audit`: shows the audit log, or verifies its integrity.
struct AuditCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show who signed in and out, and which programs got tokens; newest last.",
    discussion: "With --verify it says whether an entry was changed, removed or moved, and exits with 0 if none was, "
      + "else with 1.")

  @OptionGroup var common: CommonOptions

  @Flag(help: "Hold every entry against the chain instead; needs the open vault.")
  var verify = false

  @Option(help: ArgumentHelp("Show so many entries, 10000 at most.", valueName: "count"))
  var limit = AuditList.defaultLimit

  /// The timeout of a request, because reading a log of many files takes a while.
  private static let requestTimeout = Duration.seconds(120)

  func validate() throws {
    guard (1...AuditList.maxLimit).contains(limit) else {
      throw ValidationError("--limit is 1 to \(AuditList.maxLimit).")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    guard verify else {
      let list = try connection.call(AuditList.self, AuditList.Params(limit: limit), timeout: Self.requestTimeout)
      try output.answer(AuditAnswer(value: list))
      if list.more { output.note("older entries are there: --limit shows more") }
      warnings(about: list).forEach(output.note)
      return .done
    }
    let result = try connection.call(AuditVerify.self, timeout: Self.requestTimeout)
    try output.answer(AuditVerifyAnswer(value: result))
    return result.isWhole ? .done : .failed
  }

  private func warnings(about list: AuditList.Result) -> [String] {
    var found: [String] = []
    if !list.unknownFiles.isEmpty {
      let rest = list.unknownCount - list.unknownFiles.count
      found.append(
        "unknown files in the audit log's directory, not shown: "
          + list.unknownFiles.map { ForeignText.shown($0) }.joined(separator: ", ")
          + (rest > 0 ? " and \(rest) more" : "") + " (ritualctl audit --verify)")
    }
    if list.leftOut > 0 {
      found.append("\(list.leftOut) lines that the agent did not write are not shown: ritualctl audit --verify")
    }
    if !list.isChecked { found.append("the vault is locked: these entries are not verified") }
    return found
  }
}

private struct AuditAnswer: Answer {
  let value: AuditList.Result

  func text(_ style: Style) -> String {
    var table = Table(gaps: [2, 2, 2, 2])
    table.rows = value.entries.map { entry in
      let facts = entry.facts
      return [
        .init(Times.clock(facts.at)), .init(ForeignText.shown(facts.event.rawValue)),
        .init(ForeignText.shown(facts.account ?? "")), .init(facts.details),
      ]
    }
    return table.lines(style).joined(separator: "\n")
  }
}

extension AuditFacts {
  /// All facts without a column of their own.
  fileprivate var details: String {
    let parts = [
      way.map { $0 == "token" ? "token" : "token by \($0)" }, token,
      count.map { event == .tokenIssued ? "\($0)×" : "\($0)" },
      pid.map { "pid \($0)" }, executable, unit, provider, project.map { "project \($0)" },
      accepted.map { $0 ? "yes" : "no" }, detail,
    ]
    return parts.compactMap { $0.map { ForeignText.shown($0) } }.joined(separator: "  ")
  }
}

private struct AuditVerifyAnswer: Answer {
  let value: AuditVerify.Result

  func text(_ style: Style) -> String {
    ([verdict] + findings + [unsealed, interruptions].compactMap { $0 } + ["It does not prove:"]
      + value.limits.map { "  " + ForeignText.shown($0) }).joined(separator: "\n")
  }

  private var verdict: String {
    let range = "entries \(value.first) to \(value.sealed)"
    if !value.isWhole, value.findings.allSatisfy({ $0.kind == "unknownFile" }) {
      return "\(range) are as the agent wrote them; other files are in the log's directory"
    }
    return value.isWhole ? "\(range) are as the agent wrote them" : "\(range) are not as the agent wrote them"
  }

  private var findings: [String] {
    value.findings.map { finding in
      let entries = finding.first.map { first in
        let last = finding.last ?? first
        return first == last ? "entry \(first)" : "entries \(first) to \(last)"
      }
      let what = [Self.words(finding.kind), entries].compactMap { $0 }.joined(separator: ": ")
      return "  \(ForeignText.shown(finding.file)): \(what)"
    }
  }

  private static func words(_ kind: String) -> String {
    switch kind {
    case "edited": "was changed"
    case "removed": "was taken out"
    case "cut": "was cut off at the end"
    case "reordered": "stands in another place"
    case "repeated": "stands there more than once"
    case "exchanged": "is not the file that the agent wrote"
    case "missingFile": "the file is gone"
    case "noKey": "the vault has lost the key to check it"
    case "unknownFile": "unknown file, not written by the agent"
    default: ForeignText.shown(kind)
    }
  }

  private var unsealed: String? {
    value.unsealed > 0 ? "\(value.unsealed) entries after those are not sealed yet" : nil
  }

  private var interruptions: String? {
    guard !value.interruptions.isEmpty else { return nil }
    let places = value.interruptions.map { "\($0)" }.joined(separator: ", ")
    return "the agent was ended without a stop after entry \(places): entries of the second before may be missing"
  }
}

/// `metrics`: prints the agent's counters for a collector.
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

  /// The text without its final newline, which the output adds.
  func text(_ style: Style) -> String { String(OpenMetricsText.text(value.families).dropLast()) }
}
