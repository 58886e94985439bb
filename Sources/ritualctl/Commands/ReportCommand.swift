import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

/// `report`: everything that a bug report needs, without secrets.
struct ReportCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Print a bug report without secrets, or write it to a file.",
    discussion: """
      Contains the versions, the units, the configuration, the status, the result of `ritualctl doctor` and the last \
      lines of the agent's journal. Tokens, keys, addresses, URLs and IDs are replaced, equal ones by the same word; \
      names of accounts, projects and units stay. Read it before you publish it.

      With a file, the report is printed, and written with mode 0600 once you confirm that; without a terminal, that \
      needs --yes. Works without a running agent, too.
      """
  ).examples("ritualctl report", "ritualctl report report.txt", "ritualctl report report.txt --yes")
  static let documents = [JSONDocument(ReportAnswer.self)]

  /// Lines of the journal: some minutes of a faulty agent, and days of a healthy one.
  private static let journalLines = "200"

  private static let units = ["ritual-agent.service", "ritual-agent.socket", "ritual-agent-egress.socket"]
  /// Of the units; not their environment, which may have secrets.
  private static let properties =
    "Id,LoadState,ActiveState,SubState,Result,UnitFileState,FragmentPath,DropInPaths,ExecMainStatus,NRestarts,PrivateUsers"
  /// A configuration has some hundred bytes for each project.
  private static let maxFileSize = 64 * 1024

  @Argument(help: "File to write; by default the report is only printed.", completion: .file()) var file: String?
  @Flag(help: "Skip the confirmation prompt.") var yes = false
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let report = ReportAnswer(sections: sections())
    guard let file else {
      try output.answer(report)
      return .done
    }
    if !yes {
      guard ControllingTerminal.isInUse, let terminal = ControllingTerminal.open() else {
        throw Failure(
          .usage, "there is no terminal to confirm the report",
          hint: "ritualctl report \(Quoted.ifNeeded(Words(file))) --yes")
      }
      try output.stream(report)
      guard try terminal.confirm("Write this report to \(file)?") else { throw Failure(.cancelled, "cancelled") }
    }
    let path = file.hasPrefix("/") ? file : "./" + file
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let folder = path[..<slash].isEmpty ? "/" : String(path[..<slash])
    try UserDirectory(folder).replace(String(path[path.index(after: slash)...]), with: report.text(.plain).text + "\n")
    if yes { try output.answer(report, "wrote \(file)") } else { output.note("wrote \(file)") }
    return .done
  }

  private func sections() -> [ReportAnswer.Section] {
    let status = try? common.ask(AgentStatusMethod.self, .init(), within: AnswerTimeout.defaults.limit)
    let checks = (try? LocalChecks(socket: common.socket).all()) ?? []
    let path = try? AgentPaths.ofThisProcess().configuration
    let text = path.flatMap(Self.content) ?? ""
    var censor = ReportCensor(status, configuration: text)
    let parts = [
      ("versions", Self.versions(status)),
      ("units", Self.tool("systemctl", ["--user", "show", "--property", Self.properties] + Self.units)),
      ("configuration", ReportCensor.configuration(text)),
      ("status", status.map { Self.withoutUsers($0).text(.plain).text } ?? "the agent does not answer"),
      ("doctor", DoctorReport(checks).text(.plain).text),
      (
        "journal",
        Self.tool(
          "journalctl",
          [
            "--user", "--unit", "ritual-agent.service", "--lines", Self.journalLines, "--no-pager", "--no-hostname",
            "--output", "short-iso",
          ])
      ),
    ]
    return parts.map { .init(name: $0.0, text: censor.censored($0.1)) }
  }

  private static func versions(_ status: AgentStatusMethod.Result?) -> String {
    var system = utsname()
    uname(&system)
    let kernel = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let name = content("/etc/os-release")?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
    return """
      ritualctl \(AgentVersion.current)
      ritual-agentd \(status?.version ?? "unknown")
      Linux \(kernel)
      \(name.map { String($0.dropFirst("PRETTY_NAME=".count)) } ?? "unknown distribution")
      """
  }

  private static func content(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return (try? Streams.readStart(from: file, limit: maxFileSize)).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func tool(_ program: String, _ arguments: [String]) -> String {
    let text = (try? CapturedTool.run(program, arguments)) ?? nil
    return text ?? "\(program) cannot be run, or reports an error"
  }

  private static func withoutUsers(_ status: AgentStatusMethod.Result) -> AgentStatusMethod.Result {
    var status = status
    for index in status.accounts.indices {
      (status.accounts[index].user, status.accounts[index].identities) = (nil, [])
    }
    return status
  }
}

/// The bug report.
struct ReportAnswer: Answer {
  static let isFolded = false
  /// A part of the report.
  struct Section: Codable {
    /// `versions`, `units`, `configuration`, `status`, `doctor` or `journal`.
    let name: String
    /// The text, without secrets.
    let text: String
  }

  /// The parts, in the order of the text.
  let sections: [Section]

  func text(_ style: Style) -> Words {
    sections.map { "## \($0.name)\n\n" + Words(lines: $0.text) }.joined(separator: "\n\n")
  }
}

/// Replaces what identifies a person, a project or a session. Equal texts get the same word.
struct ReportCensor {
  private var words: [String: String] = [:]
  private var counts: [String: Int] = [:]
  /// The texts that are confidential, the longest first, each with the kind of its replacement.
  private let known: [(text: String, kind: String)]

  /// A shorter text would be found everywhere.
  private static let minKnownLength = 5
  /// Shorter than all tokens and IDs, longer than words and numbers.
  private static let minSecretLength = 20

  init(_ status: AgentStatusMethod.Result?, configuration: String) {
    let users = (status?.accounts ?? []).compactMap(\.user)
    var known = users.flatMap { user in
      [(user.id, "id"), (user.email, "email"), (user.phone, "phone"), (user.name, "name")]
    }.compactMap { text, kind in text.map { (text: $0, kind: kind) } }
    known += Self.strings(configuration).map { (text: $0, kind: "value") }
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    known += [(text: home, kind: "home")]
    self.known = known.filter { $0.text.utf8.count >= Self.minKnownLength }
      .sorted { $0.text.utf8.count > $1.text.utf8.count }
  }

  mutating func censored(_ text: String) -> String {
    var text = text
    for (secret, kind) in known where text.contains(secret) {
      text = text.replacing(secret, with: kind == "home" ? "~" : word(for: secret, kind))
    }
    var result = ""
    var isHost = false
    var rest = text[...]
    while let first = rest.first {
      guard Self.isWordCharacter(first) else {
        // The host of a URL follows the slashes.
        isHost = result.hasSuffix(":/") && first == "/"
        result.append(first)
        rest.removeFirst()
        continue
      }
      let end = rest.firstIndex { !Self.isWordCharacter($0) && !(isHost && $0 == ":") } ?? rest.endIndex
      result += censored(word: String(rest[..<end]), isHost: isHost)
      isHost = false
      rest = rest[end...]
    }
    return result
  }

  private mutating func censored(word text: String, isHost: Bool) -> String {
    if isHost { return word(for: text, "host") }
    if let at = text.firstIndex(of: "@"), at != text.startIndex, text[at...].contains(".") {
      return word(for: text, "email")
    }
    if text.hasPrefix("eyJ") || text.hasPrefix("sb_") { return word(for: text, "token") }
    let (digits, letters) = (text.count { $0.isNumber }, text.count { $0.isLetter })
    if text.hasPrefix("+"), letters == 0, digits >= 7 { return word(for: text, "phone") }
    // Words of people and programs have few digits. The refresh tokens of Supabase have 12 letters and digits.
    let isSecret =
      text.utf8.count >= Self.minSecretLength
      ? digits * 8 >= text.count : text.utf8.count >= 10 && digits > 0 && digits + letters == text.count
    if isSecret && letters > 0 || Self.isRefreshToken(text) { return word(for: text, "id") }
    return isHostName(text) ? word(for: text, "host") : text
  }

  /// Whether 12 small letters are a refresh token of Supabase, of which one in twelve has no digit (base32), rather than
  /// an English word, of which few have this length and another end.
  private static func isRefreshToken(_ text: String) -> Bool {
    text.utf8.count == 12 && text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
      && !wordEndings.contains(text.suffix(3))
  }

  private static let wordEndings: Set<Substring> = [
    "ary", "ate", "ble", "ent", "ers", "ess", "ful", "hip", "ial", "ied", "ies", "ing", "ion", "ise", "ist", "ity",
    "ive",
    "ize", "lly", "nce", "nds", "nts", "ons", "ory", "ous", "red", "tal", "ted", "tes", "tly", "zed",
  ]

  /// Whether a word with dots is a host name rather than the name of a unit, a file or a method.
  private func isHostName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, !labels.contains(""), let last = labels.last, last.count > 1 else { return false }
    return last.allSatisfy(\.isLetter) && !Self.endings.contains(last)
      && !(Wire.capabilities + ["projects"]).contains(String(labels[0]))
  }

  /// The ends of the names of units and files.
  private static let endings: Set<Substring> = [
    "conf", "key", "log", "md", "scope", "service", "slice", "so", "sock", "socket", "swap", "target", "timer", "toml",
  ]

  private mutating func word(for secret: String, _ kind: String) -> String {
    if let word = words[secret] { return word }
    counts[kind, default: 0] += 1
    let word = "[\(kind) \(counts[kind] ?? 0)]"
    words[secret] = word
    return word
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "._-+%@=~".contains(character)
  }

  // MARK: - Configuration

  /// Keys whose texts are names or words of ours.
  private static let shownKeys: Set<String> = [
    "account", "action", "api_encoded_slashes", "mfa", "policy", "redirect", "unit", "methods", "session_limit",
    "idle_lock", "timeout",
  ]

  /// The sections and keys of a configuration, and the values that are no secrets. Comments are left out.
  static func configuration(_ text: String) -> String {
    text.split(separator: "\n").compactMap { line in
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.isEmpty || line.hasPrefix("#") { return nil }
      if line.hasPrefix("[") {
        return line.split(separator: "]").first.map { "\($0)]" + (line.hasPrefix("[[") ? "]" : "") }
      }
      guard let (key, value) = pair(line) else { return "[…]" }
      return "\(key) = \(isShown(key, value) ? value : "[…]")"
    }.joined(separator: "\n")
  }

  private static func pair(_ line: Substring) -> (key: String, value: String)? {
    guard let sign = line.firstIndex(of: "=") else { return nil }
    let key = line[..<sign].filter { $0 != " " }
    return (key, String(line[line.index(after: sign)...].drop { $0 == " " }))
  }

  private static func isShown(_ key: String, _ value: String) -> Bool {
    if value == "true" || value == "false" || value.allSatisfy({ $0.isNumber }) { return true }
    return shownKeys.contains(key)
      && value.allSatisfy { $0.isLetter || $0.isNumber || "\"'[], ._-".contains($0) }
  }

  /// The texts of values that are not shown, and the hosts and ports of their URLs.
  private static func strings(_ text: String) -> [String] {
    text.split(separator: "\n").flatMap { line -> [String] in
      guard let (key, value) = pair(line), !isShown(key, value) else { return [] }
      let parts = value.split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
      let texts = parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      return texts
        + texts.compactMap { text in
          text.firstRange(of: "://").map { String(text[$0.upperBound...].prefix { $0 != "/" }) }
        }
    }
  }
}
