import AgentProtocol
import ArgumentParser

@testable import ritualctl

/// The `--json` documents: one or several for each command, and those of errors and of the help.
enum CommandDocuments {
  static let table = leaves.mapValues { $0.documents }.merging([
    "error": [JSONDocument(ErrorDocument.self)], "help": RitualCtl.documents,
  ]) { $1 }

  /// The descriptions of documents that are not a command's answer.
  private static let others = [
    "error": "The error of any command, on standard error.",
    "help": "The output of `--help` and `--version`, and of `ritualctl` without a command.",
    "exec": "Why the command was not run, on standard error. The output of the command itself is unchanged.",
    "sink": "One line per change of the file.",
    "events": "One line per event: the current state first, then every change.",
  ]

  /// Documents without the member `warnings`.
  static let withoutWarnings: Set = ["events", "help", "sink"]

  static func description(of name: String) -> String {
    others[name] ?? leaves[name]?.configuration.abstract ?? ""
  }

  /// The commands without subcommands, by path.
  private static let leaves = leaves(of: RitualCtl.self, [])

  private static func leaves(
    of command: any ParsableCommand.Type, _ path: [String]
  ) -> [String: any AgentCommand.Type] {
    let children = command.configuration.subcommands
    if children.isEmpty, let leaf = command as? any AgentCommand.Type { return [path.joined(separator: " "): leaf] }
    return children.reduce(into: [:]) { result, child in
      let name = child.configuration.commandName ?? ""
      result.merge(leaves(of: child, path + [name])) { $1 }
    }
  }
}

/// The JSON Schemas of the documents (draft 2020-12), from the types and their comments.
struct DocumentSchemas {
  /// The beginning of every reference to a shared type.
  static let prefix = "#/$defs/"

  private(set) var commands: [String: JSONValue] = [:]
  private(set) var shared: [String: JSONValue] = [:]
  private let comments: SourceComments

  init(_ comments: SourceComments) throws {
    self.comments = comments
    let registry = SchemaRegistry()
    for (name, documents) in CommandDocuments.table {
      commands[name] = try schema(of: documents, name, in: registry)
    }
    for (name, schema) in registry.named {
      shared[name] = described(schema, of: name, by: comments.of(name))
    }
  }

  private func schema(
    of documents: [JSONDocument], _ name: String, in registry: SchemaRegistry
  ) throws -> JSONValue {
    let variants = try documents.map { document in
      let plain = try registry.plainSchema(of: document.type)
      let schema = described(plain, of: SchemaRegistry.name(of: document.type), by: document.when)
      return withCommonMembers(schema, of: name)
    }
    var schema: [String: JSONValue] = [:]
    if variants.count == 1, case .object(let only) = variants[0] {
      schema = only
    } else {
      schema["anyOf"] = .array(variants)
    }
    schema["title"] = .string(["error", "help"].contains(name) ? "ritualctl: \(name)" : "ritualctl \(name) --json")
    schema["description"] = .string(CommandDocuments.description(of: name))
    return .object(schema)
  }

  /// Adds `formatVersion` and `warnings`.
  private func withCommonMembers(_ schema: JSONValue, of name: String) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    var members = schema.properties
    members["formatVersion"] = .object([
      "type": .string("integer"), "const": .integer(Int64(Document<Empty>.formatVersion)),
      "description": .string(
        "The version of the format. It increases when an existing script would misread a document."),
    ])
    if !CommandDocuments.withoutWarnings.contains(name) {
      members["warnings"] = .object([
        "type": .string("array"), "items": .object(["type": .string("string")]),
        "description": .string("Readable warnings; absent if there are none."),
      ])
    }
    object["properties"] = .object(members)
    object["required"] = .array(
      ([.string("formatVersion")] + schema.items("required")).sorted { ($0.text ?? "") < ($1.text ?? "") })
    return .object(object)
  }

  /// The schema with descriptions, open to members that a later version adds.
  private func described(_ schema: JSONValue, of type: String, by words: String?) -> JSONValue {
    guard case .object(var object) = schema else { return schema }
    if object["additionalProperties"] == .bool(false) { object["additionalProperties"] = nil }
    if let words, object["description"] == nil { object["description"] = .string(words) }
    if case .object(let members)? = object["properties"] {
      object["properties"] = .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, member in
            (name, local(described(member, as: comments.of(type, member: name))))
          }))
    }
    return local(.object(object))
  }

  private func described(_ member: JSONValue, as words: String?) -> JSONValue {
    guard case .object(var object) = member, object["description"] == nil, let words else { return member }
    object["description"] = .string(words)
    return .object(object)
  }

  /// The schema with references into `$defs`.
  private func local(_ schema: JSONValue) -> JSONValue {
    switch schema {
    case .array(let items): .array(items.map(local))
    case .object(let members):
      .object(
        Dictionary(
          uniqueKeysWithValues: members.map { name, value in
            guard name == "$ref", let reference = value.text else { return (name, local(value)) }
            return (name, .string(Self.prefix + (reference.split(separator: "/").last ?? "")))
          }))
    default: schema
    }
  }
}
