import AgentClient
import AgentProtocol
import ArgumentParser

struct AuditCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show sign-ins, sign-outs, and issued tokens, newest last.",
    discussion: "With --verify, reports whether an entry was changed, removed, or moved. Exits with 0 if none was, "
      + "else with 1."
  ).examples("ritualctl audit --limit 20", "ritualctl audit --verify")
  static let documents = [
    JSONDocument(AuditList.Result.self, "Without `--verify`."),
    JSONDocument(AuditVerify.Result.self, "With `--verify`."),
  ]

  @OptionGroup var common: CommonOptions

  @Flag(help: "Verify the log's integrity. The vault must be unlocked.")
  var verify = false

  @Option(help: ArgumentHelp("Number of entries to show, at most 10000.", valueName: "count"))
  var limit = AuditList.defaultLimit

  /// The timeout of a request, because reading a log of many files takes a while.
  private static let requestTimeout = Duration.seconds(120)

  func validate() throws {
    guard (1...AuditList.maxLimit).contains(limit) else {
      throw ValidationError("--limit must be between 1 and \(AuditList.maxLimit)")
    }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    guard verify else {
      let list = try connection.call(AuditList.self, AuditList.Params(limit: limit), timeout: Self.requestTimeout)
      try output.answer(list)
      if list.more { output.note("older entries exist; use --limit N") }
      warnings(about: list).forEach(output.note)
      return .done
    }
    let result = try connection.call(AuditVerify.self, timeout: Self.requestTimeout)
    try output.answer(result)
    return result.isWhole ? .done : .failed
  }

  private func warnings(about list: AuditList.Result) -> [Words] {
    var found: [Words] = []
    if !list.unknownFiles.isEmpty {
      let rest = list.unknownCount - list.unknownFiles.count
      found.append(
        "unknown files in the audit log's directory, not shown: \(list.unknownFiles.listed())"
          + (rest > 0 ? " and \(rest) more" : "") + " (ritualctl audit --verify)")
    }
    if list.leftOut > 0 {
      found.append("lines not written by the agent, not shown: \(list.leftOut) (ritualctl audit --verify)")
    }
    if !list.isChecked { found.append("the vault is locked: these entries are not verified") }
    return found
  }
}

extension AuditList.Result: Answer {
  func text(_ style: Style) -> Words {
    Table(
      gaps: [2, 2, 2, 2],
      rows: entries.map(\.facts).map { facts in
        [.init(Times.clock(facts.at)), .init(facts.event.rawValue), .init(facts.account ?? ""), .init(facts.details)]
      }
    ).text(style)
  }
}

extension AuditFacts {
  /// All facts without a column of their own.
  fileprivate var details: Words {
    let parts = [
      way.map { $0 == "token" ? "token" : "token by \($0)" }, token,
      count.map { event == .entriesLost ? "\($0)" : "\($0)×" },
      statuses.map { $0.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") },
      pid.map { "pid \($0)" }, executable, comm.map { "calls itself \($0)" }, unit, provider,
      project.map { "project \($0)" },
      accepted.map { $0 ? "yes" : "no" }, detail,
    ]
    return parts.compactMap { $0.map { Words($0) } }.joined(separator: "  ")
  }
}

extension AuditVerify.Result: Answer {
  func text(_ style: Style) -> Words {
    ([verdict] + findingLines + [unsealedLine, interruptionLine].compactMap { $0 } + ["Limits of this verification:"]
      + limits.map { "  \($0)" }).joined(separator: "\n")
  }

  private var verdict: Words {
    let range: Words = "entries \(first) to \(sealed)"
    if !isWhole, findings.allSatisfy({ $0.kind == "unknownFile" }) {
      return "\(range) are intact; the log's directory contains other files"
    }
    return isWhole ? "\(range) are intact" : "\(range) are not intact"
  }

  private var findingLines: [Words] {
    findings.map { finding in
      let entries = finding.first.map { first -> Words in
        let last = finding.last ?? first
        return first == last ? "entry \(first)" : "entries \(first) to \(last)"
      }
      let what = [Self.words(finding.kind), entries].compactMap { $0 }.joined(separator: ": ")
      return "  \(finding.file): \(what)"
    }
  }

  private static func words(_ kind: String) -> Words {
    switch kind {
    case "edited": "was changed"
    case "removed": "was removed"
    case "cut": "was truncated"
    case "reordered": "was moved"
    case "repeated": "was duplicated"
    case "exchanged": "was replaced by another file"
    case "missingFile": "the file is missing"
    case "unknownFile": "unknown file, not written by the agent"
    default: Words(kind)
    }
  }

  private var unsealedLine: Words? {
    switch unsealed {
    case ..<1: nil
    case 1: "1 later entry is not sealed yet"
    default: "\(unsealed) later entries are not sealed yet"
    }
  }

  private var interruptionLine: Words? {
    guard !interruptions.isEmpty else { return nil }
    let places = interruptions.map { "\($0)" as Words }.joined(separator: ", ")
    return "the agent ended without a clean shutdown after entry \(places): entries of the last second may be missing"
  }
}

struct MetricsCommand: LocalCallCommand {
  typealias Method = TelemetrySnapshot
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Print the agent's counters in OpenMetrics format.",
    discussion: "Nothing is sent anywhere. The output contains no names, addresses, or IDs."
  ).examples("ritualctl metrics", "ritualctl metrics --json | jq -r '.families[].name'")

  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  /// The text without its final newline, which the output adds.
  func text(_ snapshot: TelemetrySnapshot.Result, _ style: Style) -> Words {
    Words(lines: String(OpenMetricsText.text(snapshot.families).dropLast()))
  }
}
