import ArgumentParser
import Glibc

/// Renders `--help` in at most 80 columns, fewer on a narrow terminal, because the parser's own help repeats the common options
/// in each command and does not wrap the usage line.
struct HelpText {
  static let width = min(80, Style(.never, isJSON: false, of: STDOUT_FILENO).columns)
  /// Texts in the right column start at most here.
  private static let maxColumn = min(26, width / 3)

  private let root: CommandDescription
  /// The command and those above it, without the program.
  private let path: [CommandDescription]
  /// The groups of the program's commands.
  private let groups: [CommandGroup]

  init(_ path: [CommandDescription], root: CommandDescription, groups: [CommandGroup]) {
    (self.root, self.path, self.groups) = (root, path, groups)
  }

  var text: String {
    let sections = path.last.map(sections) ?? rootSections
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  // MARK: The program

  private var rootSections: [String] {
    let groups = groups.map { group in
      let commands = group.commandNames.compactMap { root.child(named: $0) }
      return Self.section(group.name, Self.rows(of: commands))
    }
    return [Self.wrapped(root.abstract ?? ""), "Usage: ritualctl <command> [options]"] + groups + [
      Self.section("Options of every command", root.options.map(Self.row)),
      Self.section("Environment", Self.environment),
      Self.section("Exit status", Self.exitStatuses),
      examples(of: root),
      Self.wrapped("Help for a command: ritualctl <command> --help", indent: 2, firstIndent: 0) + "\n"
        + Self.wrapped("Manual: man ritualctl, man ritualctl-<command>", indent: 2, firstIndent: 0)
        + (OwnProgram.documents.map { "\nGuides: \($0)" } ?? ""),
    ]
  }

  private static let environment = [
    ("RITUAL_ACCOUNT", "Account to use without --account."),
    ("RITUAL_AGENT_SOCKET", "Path of the agent's socket without --socket."),
    ("NO_COLOR", "If set and not empty, the same as --color never, unless --color always is given."),
    ("BROWSER", "Program that opens the sign-in page; by default xdg-open."),
    ("XDG_CONFIG_HOME", "Directory of the configuration; by default ~/.config."),
    ("XDG_STATE_HOME", "Directory of the vault and the audit log; by default ~/.local/state."),
    ("XDG_DATA_HOME", "Directory of the vault's key file; by default ~/.local/share."),
    ("XDG_RUNTIME_DIR", "Directory of the agent's socket; by default /run/user/UID."),
  ]

  private static let exitStatuses: [(String, String)] = {
    let statuses = [
      "0  success", "1  failure", "2  cancelled", "3  agent not reachable", "4  sign-in needed", "5  vault locked",
      "6  denied by policy", "7  temporary failure, try again", "8  second factor needed", "64 wrong usage",
    ]
    let rows = (0..<3).map { statuses[$0].padded(to: 14) + statuses[$0 + 3].padded(to: 25) + statuses[$0 + 6] }
    let fits = rows.allSatisfy { $0.count + 2 <= width }
    return (fits ? rows + statuses.suffix(1) : statuses).map { ($0, "") }
  }()

  // MARK: One command

  private func sections(_ command: CommandDescription) -> [String] {
    let aliases = command.aliases ?? []
    let isCommon = { (option: CommandDescription.Argument) in
      root.options.contains { $0.longName == option.longName }
    }
    let common = root.options.compactMap(\.longName).filter { !["--version", "--help"].contains($0) }
    return [
      Self.wrapped(command.abstract ?? ""),
      usage(command),
      aliases.isEmpty ? "" : "Alias: " + aliases.map { name(of: path.dropLast()) + " " + $0 }.joined(separator: ", "),
    ] + command.paragraphs.map { Self.wrapped($0) } + [
      Self.section("Commands", Self.rows(of: command.children, defaultName: command.defaultChild?.commandName)),
      examples(of: command),
      Self.section("Arguments", command.positionals.map(Self.row)),
      Self.section("Options", command.options.filter { !isCommon($0) && $0.shouldDisplay }.map(Self.row)),
      Self.wrapped(
        "Common options (\(common.joined(separator: ", "))): see ritualctl --help", indent: 2, firstIndent: 0),
    ]
  }

  private func usage(_ command: CommandDescription) -> String {
    var words = [name(of: path[...])]
    if !command.children.isEmpty { words.append(command.defaultChild == nil ? "<command>" : "[<command>]") }
    words.append("[options]")
    words += command.positionals.map { argument in
      let name = "<\(argument.valueName ?? "")>" + (argument.isRepeating ? "..." : "")
      return argument.isAfterTerminator ? "-- \(name)" : argument.isOptional ? "[\(name)]" : name
    }
    return Self.wrapped("Usage: " + words.joined(separator: " "), indent: 9, firstIndent: 0)
  }

  private func name(of path: ArraySlice<CommandDescription>) -> String {
    (["ritualctl"] + path.map(\.commandName)).joined(separator: " ")
  }

  private func examples(of command: CommandDescription) -> String {
    Self.section("Examples", command.examples.map { ($0, "") })
  }

  // MARK: Layout

  private static func rows(of commands: [CommandDescription], defaultName: String? = nil) -> [(String, String)] {
    commands.map { command in
      let names = ([command.commandName] + (command.aliases ?? [])).joined(separator: ", ")
      return (names + (command.commandName == defaultName ? " (default)" : ""), firstSentence(command.abstract ?? ""))
    }
  }

  private static func row(_ argument: CommandDescription.Argument) -> (String, String) {
    let value = "<\(argument.valueName ?? "")>"
    let names =
      (argument.names ?? []).filter { $0.kind == "short" }.map { "-" + $0.name } + [argument.longName].compactMap { $0 }
    let label = argument.isPositional ? value : names.joined(separator: ", ") + (argument.takesValue ? " \(value)" : "")
    let abstract = argument.abstract ?? ""
    guard argument.takesValue, let value = argument.defaultValue, !value.isEmpty else { return (label, abstract) }
    return (label, "\(abstract) Default: \(value.hasSuffix(".0") ? String(value.dropLast(2)) : value).")
  }

  private static func firstSentence(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let end = words.firstIndex(where: { $0.hasSuffix(".") }) else { return text }
    return words[...end].joined(separator: " ")
  }

  /// A heading with indented rows of a label and a text; empty without rows.
  private static func section(_ title: String, _ rows: [(String, String)]) -> String {
    rows.isEmpty ? "" : (["\(title):"] + Self.rows(rows)).joined(separator: "\n")
  }

  /// Indented rows of a label and a text. A label that does not fit before `maxColumn` has a line of its own.
  static func rows(_ rows: [(String, String)], maxColumn: Int = maxColumn) -> [String] {
    let column = min(maxColumn, (rows.map(\.0.count).max() ?? 0) + 4)
    return rows.map { label, text in
      guard !text.isEmpty else {
        // A comment of an example is folded, a command is copied.
        return label.hasPrefix("#") ? wrapped(label, indent: 4, firstIndent: 2) : "  " + label
      }
      let body = wrapped(text, indent: column)
      guard label.count + 4 <= column else { return "  \(label)\n\(body)" }
      return "  " + label + body.dropFirst(label.count + 2)
    }
  }

  /// Breaks lines between words. A word that is longer than a line stays whole.
  static func wrapped(_ text: String, indent: Int = 0, firstIndent: Int? = nil) -> String {
    var lines: [String] = []
    var line = String(repeating: " ", count: firstIndent ?? indent)
    var isEmpty = true
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        (line, isEmpty) = (String(repeating: " ", count: indent), true)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [line]).joined(separator: "\n")
  }
}

extension String {
  func padded(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}

extension CommandGroup {
  var commandNames: [String] { subcommands.compactMap { $0.configuration.commandName } }
}
