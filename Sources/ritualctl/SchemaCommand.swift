import AgentProtocol
import ArgumentParser
import FoundationEssentials

/// `schema`: prints the JSON Schema of a command's `--json` document. Needs no agent.
struct SchemaCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of a command's --json document.",
    discussion:
      "Without a command, lists the documents that have a schema: those of all commands, of errors (error), and of "
      + "--help and --version (help). For events, the schema describes one line. Works without an agent."
  ).examples("ritualctl schema status", "ritualctl schema vault status", "ritualctl schema --json")

  @Argument(help: "Command, such as: status, or: vault status.", completion: .custom(Completion.documents))
  var command: [String] = []
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let schemas = try JSONSchemas()
    guard !command.isEmpty else {
      try output.answer(SchemaListAnswer(value: .init(commands: schemas.names)))
      return .done
    }
    let words = command.joined(separator: " ")
    for name in [words, Self.name(of: command)] {
      guard let name, let schema = schemas[name] else { continue }
      try output.answer(SchemaAnswer(value: .init(command: name, schema: schema)))
      return .done
    }
    throw Failure(.usage, "no --json document is named \(ForeignText.shown(words))", hint: "ritualctl schema")
  }

  /// The name of the command that the words call, with aliases and default subcommands resolved.
  private static func name(of words: [String]) -> String? {
    var type: any ParsableCommand.Type = RitualCtl.self
    var path: [String] = []
    func enter(_ next: any ParsableCommand.Type) {
      type = next
      path.append(next.configuration.commandName ?? "")
    }
    for word in words {
      let children = type.configuration.subcommands
      let called = children.first {
        $0.configuration.commandName == word || $0.configuration.aliases.contains(word)
      }
      guard let called else { return nil }
      enter(called)
    }
    while let inner = type.configuration.defaultSubcommand { enter(inner) }
    return path.joined(separator: " ")
  }
}

/// The names of the documents that have a schema.
struct SchemaListAnswer: Answer {
  struct Value: Codable {
    /// The commands that `ritualctl schema` takes, and `error` and `help`.
    let commands: [String]
  }

  let value: Value

  func text(_ style: Style) -> String { value.commands.joined(separator: "\n") }
}

/// A JSON Schema: the text is the schema alone, for validators.
struct SchemaAnswer: Answer {
  struct Value: Codable {
    /// The command whose document the schema describes.
    let command: String
    /// The JSON Schema.
    let schema: JSONValue
  }

  let value: Value

  func text(_ style: Style) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value.schema)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
