import AgentProtocol
import ArgumentParser
import FoundationEssentials

/// A command as the parser describes it with `--experimental-dump-help`, from which the manual pages
/// are made, too.
struct CommandDescription: Decodable {
  let commandName: String
  let aliases: [String]?
  let abstract: String?
  private let discussion: String?
  private let defaultSubcommand: String?
  private let arguments: [Argument]?
  private let subcommands: [CommandDescription]?

  /// An option, a flag, or a positional argument.
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let defaultValue: String?
    let isOptional: Bool
    let isRepeating: Bool
    let parsingStrategy: String
    let shouldDisplay: Bool
    /// The accepted values; nil if any value is accepted.
    let allValues: [String]?

    var isPositional: Bool { kind == "positional" }
    var takesValue: Bool { kind == "option" }
    /// Whether the argument is read only after `--`.
    var isAfterTerminator: Bool { parsingStrategy == "postTerminator" }

    /// Such as `--account`.
    var longName: String? { names?.first { $0.kind == "long" }.map { "--" + $0.name } }

    func isNamed(_ name: String, _ kind: String) -> Bool {
      names?.contains { $0.kind == kind && $0.name == name } == true
    }
  }

  /// Describes a program by its root command.
  static func of(_ program: any ParsableCommand.Type) throws -> CommandDescription {
    struct Dump: Decodable { let command: CommandDescription }
    return try WireCoding.decode(Dump.self, from: Data(program._dumpHelp().utf8)).command
  }

  /// The commands below this one, without the parser's own `help`.
  var children: [CommandDescription] { (subcommands ?? []).filter { $0.commandName != "help" } }

  /// The command that runs if none of `children` is named.
  var defaultChild: CommandDescription? { children.first { $0.commandName == defaultSubcommand } }

  func child(named name: String) -> CommandDescription? {
    children.first { $0.commandName == name || $0.aliases?.contains(name) == true }
  }

  var positionals: [Argument] { (arguments ?? []).filter(\.isPositional) }

  /// The options that are accepted after the command's name.
  var options: [Argument] {
    ((arguments ?? []) + (defaultChild?.arguments ?? [])).filter { !$0.isPositional }
  }

  /// The paragraphs before the examples.
  var paragraphs: [String] {
    let lines = (discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.prefix { $0 != Self.examplesHeading }
    return text.split(separator: "").map { $0.joined(separator: "\n") }
  }

  /// The example command lines, with comment lines that start with `#`.
  var examples: [String] {
    let lines = (discussion ?? "").split(separator: "\n").drop { $0 != Self.examplesHeading }
    return lines.dropFirst().map { String($0.drop { $0 == " " }) }
  }

  fileprivate static let examplesHeading: Substring = "Examples:"
}

extension CommandConfiguration {
  /// This configuration with example command lines, as the last paragraph of the discussion. Thus
  /// the parser's dump and the manual page contain them, too. A line that starts with `#` is a
  /// comment on the following line.
  func examples(_ lines: String...) -> Self {
    var configuration = self
    if !discussion.isEmpty { configuration.discussion += "\n\n" }
    configuration.discussion += "\(CommandDescription.examplesHeading)\n"
    // Appended one by one, because frequent commands come here: the first `joined` of a program takes 70 µs.
    for line in lines { configuration.discussion += "\n  \(line)" }
    return configuration
  }
}
