import AgentProtocol
import FoundationEssentials

@testable import ritualctl

/// The generated part of docs/json-output.md: the members of each document and of the shared types.
struct DocumentPage {
  static let path = "docs/json-output.md"
  static let marker = "<!-- The rest is written by script/generate. -->\n"

  let schemas: DocumentSchemas

  var text: String {
    let commands = schemas.commands.sorted { $0.key < $1.key }.flatMap { name, schema in section(name, schema) }
    let shared = schemas.shared.sorted { $0.key < $1.key }
      .filter { $0.value["properties"] != nil }
      .flatMap { name, schema in ["### \(name)", "", schema["description"]?.text ?? "", ""] + table(schema) }
    return (["", "## Documents", ""] + commands + ["## Shared types", ""] + shared).dropLast().joined(separator: "\n")
      + "\n"
  }

  private func section(_ name: String, _ schema: JSONValue) -> [String] {
    let heading = ["### \(name)", "", schema["description"]?.text ?? "", ""]
    guard case .array(let variants)? = schema["anyOf"] else { return heading + table(schema) }
    return heading + variants.flatMap { [$0["description"]?.text ?? "", ""] + table($0) }
  }

  /// The members, except those of every document. `exec` has only errors, which have a section.
  private func table(_ schema: JSONValue) -> [String] {
    guard case .object(let members)? = schema["properties"] else { return [] }
    var required: [JSONValue] = []
    if case .array(let names)? = schema["required"] { required = names }
    let rows = members.sorted { $0.key < $1.key }
      .filter { !["formatVersion", "warnings"].contains($0.key) }
      .map { name, member in
        let optional = required.contains(.string(name)) ? "" : ", optional"
        return "| `\(name)` | \(type(of: member))\(optional) | \(words(about: member)) |"
      }
    return ["| member | type | description |", "|---|---|---|"] + rows + [""]
  }

  private func type(of schema: JSONValue) -> String {
    if schema["items"] == nil, let name = reference(in: schema) {
      guard let type = schemas.shared[name], type["properties"] == nil else {
        return "[\(name)](#\(name.lowercased().filter { $0 != "." }))"
      }
      return self.type(of: type)
    }
    if let items = schema["items"] { return "list of \(type(of: items))" }
    if let values = schema["additionalProperties"] { return "object of \(type(of: values))" }
    if schema["format"]?.text == "date-time" { return "time" }
    return schema["type"]?.text ?? "any value"
  }

  /// The description, and the values of a name.
  private func words(about schema: JSONValue) -> String {
    let target = reference(in: schema).flatMap { schemas.shared[$0] } ?? schema
    var words = schema["description"]?.text ?? ""
    for (keyword, label) in [("enum", "One of"), ("examples", "Values:")] {
      guard case .array(let values)? = target[keyword], !words.contains("`\(values.first?.text ?? "")`") else {
        continue
      }
      words +=
        reference(in: schema) == "ErrorKind"
        ? " See [error kinds](troubleshooting.md#error-kinds)."
        : " \(label) " + values.compactMap(\.text).map { "`\($0)`" }.joined(separator: ", ") + "."
    }
    return words.replacing("|", with: "\\|")
  }

  private func reference(in schema: JSONValue) -> String? {
    (schema["$ref"] ?? schema["items"]?["$ref"])?.text.map { String($0.dropFirst(DocumentSchemas.prefix.count)) }
  }
}
