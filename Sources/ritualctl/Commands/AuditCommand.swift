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
    Table(gaps: [2, 0], rows: entries.map { [.init(Times.clock($0.facts.at)), .init($0.facts.sentence)] }).text(style)
  }
}

extension AuditFacts {
  /// The entry in words. The token's fingerprint is only in the JSON document.
  fileprivate var sentence: Words {
    if event == .decided {
      let answer: Words = accepted == true ? "confirmed" : "declined"
      let what: Words = detail == SignInDecision.link ? "link to the account" : "sign-in to the new account"
      return "\(answer): \(what) \(account ?? "" as String)"
    }
    let repeats: Words? = count.flatMap { event == .entriesLost ? "\($0)" : $0 > 1 ? "\($0) times" : nil }
    let classes = statuses?.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" as Words }
    let facts: [Words?] = [
      provider.map { "with \(ProviderName.shown($0))" }, project.map { "project \($0)" },
      account.map { "account \($0)" },
      repeats, classes?.joined(separator: ", "),
      detail.map { Words($0) },
    ]
    return ([subject] + facts.compactMap { $0 }).joined(separator: ", ")
  }

  private var subject: Words {
    switch event {
    case .tokenIssued: "token given to \(program)"
    case .egressUsed: "requests sent for \(program)"
    case .grantMade: "grant made for \(program)"
    case .grantEnded: "grant ended for \(program)"
    case .denied: "access denied to \(program)"
    case .approvalAsked: "approval requested by \(program)"
    case .approvalAnswered: accepted == true ? "access allowed to \(program)" : "access refused to \(program)"
    default: Self.subjects[event] ?? Words(event.rawValue)
    }
  }

  private static let subjects: [AuditEvent: Words] = [
    .agentStarted: "agent started", .agentStopped: "agent stopped", .signedIn: "signed in", .signedOut: "signed out",
    .sessionEnded: "session ended", .linked: "sign-in method linked", .unlinked: "sign-in method unlinked",
    .approvalRevoked: "approval revoked", .apiAccepted: "API accepted", .factorEnrolled: "second factor added",
    .factorVerified: "second factor verified", .factorRemoved: "second factor removed",
    .accountRenamed: "account renamed", .accountRemoved: "account removed", .vaultLocked: "vault locked",
    .vaultUnlocked: "vault unlocked", .keyAdded: "vault key added", .keyRemoved: "vault key removed",
    .rekeyed: "master key replaced", .vaultAdopted: "vault adopted by this machine", .fileBegun: "log file begun",
    .interrupted: "agent ended without a clean stop", .entriesLost: "entries dropped",
  ]

  /// Such as `report.service (pid 648)`.
  private var program: Words {
    let file: Words? = executable.map { Words($0) } ?? comm.map { "a program that calls itself \($0)" }
    let number: Words? = pid.map { "pid \($0)" }
    let facts = [unit == nil ? nil : file, number].compactMap { $0 }
    let name = unit.map { Words($0) } ?? file ?? "a program"
    return facts.isEmpty ? name : "\(name) (\(facts.joined(separator: ", ")))"
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

  /// A program reads the lines.
  static let isFolded = false

  /// The text without its final newline, which the output adds.
  func text(_ snapshot: TelemetrySnapshot.Result, _ style: Style) -> Words {
    Words(lines: String(OpenMetricsText.text(snapshot.families).dropLast()))
  }
}
