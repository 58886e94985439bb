import AgentProtocol
import FoundationEssentials

@testable import ritualctl

/// The generated part of docs/json-output.md: the members of each document and of the shared types.
/// Types of the protocol are links to its page.
struct DocumentPage {
  static let path = "docs/json-output.md"
  static let marker = "<!-- The rest is written by script/generate. -->\n"

  let schemas: DocumentSchemas
  let protocolPage: ProtocolPage

  var text: String {
    let links = CommandDocuments.table.compactMapValues { documents in
      documents.count == 1 ? link(SchemaRegistry.name(of: documents[0].type)) : nil
    }
    let overview =
      ["| command | members |", "|---|---|"]
      + links.sorted { $0.key < $1.key }.map { "| `\($0)` | \($1) |" } + [""]
    let commands = schemas.commands.sorted { $0.key < $1.key }.filter { links[$0.key] == nil }
      .flatMap { name, schema in section(name, schema) }
    let shared = schemas.shared.sorted { $0.key < $1.key }
      .filter { $0.value["properties"] != nil && link($0.key) == nil }
      .flatMap { name, schema in ["### \(name)", "", schema["description"]?.text ?? "", ""] + members(schema) }
    return (["", "## Documents", ""] + overview + commands + ["## Shared types", ""] + shared).dropLast().joined(
      separator: "\n")
      + "\n"
  }

  private func section(_ name: String, _ schema: JSONValue) -> [String] {
    let heading = ["### \(name)", "", schema["description"]?.text ?? "", ""]
    let types = CommandDocuments.table[name, default: []].map { SchemaRegistry.name(of: $0.type) }
    guard case .array(let variants)? = schema["anyOf"] else { return heading + members(schema) }
    return heading
      + zip(types, variants).flatMap { type, variant in
        let words = variant["description"]?.text ?? ""
        return link(type).map { ["\(words) Members: \($0).", ""] } ?? [words, ""] + members(variant)
      }
  }

  /// A link to the type on the protocol's page; nil if it is not there.
  private func link(_ type: String) -> String? {
    protocolPage.document.components.schemas[type].map { _ in protocolPage.link(type, page: "protocol.md") }
  }

  /// The members, except those of every document. `exec` has only errors, which have a section.
  private func members(_ schema: JSONValue) -> [String] {
    guard schema["properties"] != nil else { return [] }
    let rows = schema.properties.sorted { $0.key < $1.key }
      .filter { !["formatVersion", "warnings"].contains($0.key) }
      .map { name, member in
        "- `\(name)\(schema.requires(name) ? "" : "?")` (\(type(of: member))): \(words(about: member))"
      }
    return rows + [""]
  }

  private func type(of schema: JSONValue) -> String {
    if schema["items"] == nil, let name = reference(in: schema) {
      if let link = link(name) { return link }
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
    var words = schema["description"]?.text ?? ""
    let type = reference(in: schema)
    if let type, link(type) != nil { return words }
    let target = type.flatMap { schemas.shared[$0] } ?? schema
    for (keyword, label) in [("enum", "One of"), ("examples", "Values:")] {
      let values = target.items(keyword)
      if values.isEmpty || words.contains("`\(values[0].text ?? "")`") { continue }
      words += " \(label) " + values.compactMap(\.text).map { "`\($0)`" }.joined(separator: ", ") + "."
    }
    return words
  }

  private func reference(in schema: JSONValue) -> String? { schema.reference ?? schema["items"]?.reference }
}
