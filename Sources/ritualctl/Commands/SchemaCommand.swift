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

/// The schemas of all `--json` documents, which share the types in `$defs`.
struct JSONSchemas: Decodable {
  private let commands: [String: [String: JSONValue]]
  private let shared: [String: JSONValue]

  private enum CodingKeys: String, CodingKey {
    case commands
    case shared = "$defs"
  }

  init() throws {
    let json = Self.generated.withUTF8Buffer { Data($0) }
    self = try WireCoding.decode(Self.self, from: json)
  }

  /// The names of the documents: those of the commands, `error` and `help`.
  var names: [String] { commands.keys.sorted() }

  /// The schema of one document, with the shared types that it uses; nil for an unknown name.
  subscript(name: String) -> JSONValue? {
    guard var schema = commands[name] else { return nil }
    var used: [String: JSONValue] = [:]
    collect(.object(schema), &used)
    if !used.isEmpty { schema["$defs"] = .object(used) }
    return .object(schema)
  }

  /// Adds the shared types to which `schema` refers, directly or through others.
  private func collect(_ schema: JSONValue, _ used: inout [String: JSONValue]) {
    switch schema {
    case .array(let items): for item in items { collect(item, &used) }
    case .object(let members):
      for member in members.values { collect(member, &used) }
      guard case .string(let reference)? = members["$ref"] else { return }
      let name = String(reference.dropFirst(Self.prefix.count))
      guard used[name] == nil, let type = shared[name] else { return }
      used[name] = type
      collect(type, &used)
    default: break
    }
  }

  /// The beginning of every reference to a shared type.
  static let prefix = "#/$defs/"
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
