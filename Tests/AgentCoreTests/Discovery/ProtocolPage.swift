import AgentProtocol
import Foundation

@testable import AgentServer

/// The part of docs/protocol.md that lists every method with its parameters, result members and
/// errors, and every type.
struct ProtocolPage {
  static let path = "docs/protocol.md"
  static let begin = "<!-- methods: written by script/generate -->\n"
  static let end = "<!-- methods: end -->\n"

  let document: OpenRPCDocument
  let table: MethodTable
  let comments: SourceComments

  /// Returns `page` with this part replaced; nil if the page has no place for it.
  func placed(in page: String) -> String? {
    guard let first = page.range(of: Self.begin), let last = page.range(of: Self.end) else { return nil }
    return page[..<first.upperBound] + "\n" + text + "\n" + page[last.lowerBound...]
  }

  private var text: String {
    let always = ErrorGroup.always.kinds.map { "`\($0.rawValue)`" }.sorted().joined(separator: ", ")
    let intro = """
      `?` marks an optional member. If `account` is omitted, the default account is used. Besides the
      errors that are listed for a method, every method can return
      \(always).
      In the lists of errors, `account…`, `network…`, `vault…` and `sign-in…` stand for several:

      """
    let groups = Dictionary(grouping: document.methods.map(\.name)) { $0.prefix { $0 != "." } }
    let overview = groups.sorted { $0.key < $1.key }.map { _, names in
      "- " + names.map { "[`\($0)`](#\(Self.anchor($0)))" }.joined(separator: " · ")
    }
    let methods = document.methods.map(section)
    let types = document.components.schemas.sorted { $0.key < $1.key }.filter {
      !isOfOneMethod($0.key) && $0.key != "ErrorKind" && !$0.key.hasPrefix("OpenRPCDocument")
    }
    .map { typeSection($0.key, $0.value) }
    let kinds = Self.groups.map { name, group in
      "- `\(name)…`: " + group.kinds.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    }
    return intro + "\n" + kinds.joined(separator: "\n") + "\n\n" + overview.joined(separator: "\n") + "\n\n"
      + methods.joined(separator: "\n")
      + "\n## Types\n\nMembers and values that a newer agent adds are ignored by a client.\n\n"
      + types.joined(separator: "\n")
  }

  // MARK: - Methods

  private func section(_ method: JSONValue) -> String {
    let name = method.name
    var lines = ["### `\(name)`", "", method["summary"]?.text ?? "", ""]
    let params = table[name].map { SchemaRegistry.name(of: $0.shape.params) } ?? ""
    lines += Self.rows(
      "Parameters:",
      method.items("params").map { param in
        row(param.name, param["required"] == .bool(true), param["schema"], comment(params, param.name))
      })
    let schema = method["result"]?["schema"]
    let type = schema?.reference ?? ""
    if isOfOneMethod(type) {
      lines += members("Result:", of: type, document.components.schemas[type])
    } else {
      lines += ["Result: \(type == "Empty" ? "an empty object" : link(type)).", ""]
    }
    let errors = Self.errors(Set(method.items("errors").compactMap(\.reference)))
    if !errors.isEmpty {
      lines += ["Errors: " + errors.map { "`\($0)`" }.joined(separator: ", ") + ".", ""]
    }
    return lines.joined(separator: "\n")
  }

  /// The groups of errors that have a name on the page, those that contain others first.
  private static let groups = [
    ("sign-in", ErrorGroup.signIn), ("account", .account), ("network", .network), ("vault", .vault),
  ]

  /// The errors of a method without those of every method, as groups and single kinds.
  private static func errors(_ all: Set<String>) -> [String] {
    var covered = Set(ErrorGroup.always.kinds.map(\.rawValue))
    var names: [String] = []
    for (name, group) in groups {
      let kinds = Set(group.kinds.map(\.rawValue))
      guard kinds.isSubset(of: all), !kinds.isSubset(of: covered) else { continue }
      covered.formUnion(kinds)
      names.append(name + "…")
    }
    return names + all.subtracting(covered).sorted()
  }

  /// Whether the type is described with the method that returns it.
  private func isOfOneMethod(_ type: String) -> Bool { type.hasSuffix(".Result") || type == "Empty" }

  // MARK: - Types

  private func typeSection(_ name: String, _ schema: JSONValue) -> String {
    var lines = ["### `\(name)`", ""]
    if let comment = comments.paragraph(of: name) { lines += [comment, ""] }
    let values = schema.items("enum") + schema.items("examples")
    if !values.isEmpty {
      lines += values.compactMap(\.text).map { "- `\($0)`: \(comment(name, $0))" } + [""]
    }
    return (lines + members(nil, of: name, schema)).joined(separator: "\n")
  }

  private func members(_ title: String?, of type: String, _ schema: JSONValue?) -> [String] {
    guard let schema else { return [] }
    return Self.rows(
      title,
      schema.properties.sorted { $0.key < $1.key }.map { name, value in
        row(name, schema.requires(name), value, comment(type, name))
      })
  }

  private func comment(_ type: String, _ member: String) -> String {
    // An extension of OpenRPC, such as `x-notifications`, is a property without the prefix.
    let property = member.hasPrefix("x-") ? String(member.dropFirst(2)) : member
    return comments.of(type, member: property) ?? Self.common[member] ?? ""
  }

  /// Members that mean the same in every type.
  private static let common = [
    "account": "The account's name.", "accounts": "The accounts.", "approval": "The access request.",
    "at": "The time.", "email": "The email address.", "executable": "The file that the process runs.",
    "file": "The file's name.", "flow": "The ID of the sign-in.", "identities": "The linked sign-in methods.",
    "kind": "The kind.", "message": "The message for people.", "method": "The method.",
    "name": "The name.", "nonce": "The raw nonce.", "outcome": "The outcome.",
    "pid": "The process ID.", "project": "The project's name in the configuration.",
    "protocol": "The protocol version.",
    "provider": "`apple`, `google` or `email`.", "replace": "Whether to replace another user's session.",
    "scope": "Which sessions end. The default is `local`.", "state": "The state.", "unit": "The systemd unit.",
    "user": "The user.", "version": "The version.",
  ]

  private static func rows(_ title: String?, _ rows: [String]) -> [String] {
    rows.isEmpty ? [] : (title.map { [$0, ""] } ?? []) + rows + [""]
  }

  private func row(_ name: String, _ isRequired: Bool, _ schema: JSONValue?, _ comment: String) -> String {
    let words = comment.isEmpty ? schema?["description"]?.text ?? "" : comment
    return "- `\(name)\(isRequired ? "" : "?")` (\(kind(schema))): \(words)"
  }

  private func kind(_ schema: JSONValue?) -> String {
    guard let schema else { return "any" }
    if let type = schema.reference { return link(type) }
    if let items = schema["items"] { return "array of \(kind(items))" }
    if let values = schema["additionalProperties"], values != .bool(false) { return "object of \(kind(values))" }
    if schema["format"]?.text == "date-time" { return "time" }
    return schema["type"]?.text ?? "any"
  }

  /// A link to a type, or to the method that has it as its result, from this or another page.
  func link(_ type: String, page: String = "") -> String {
    if type == "OpenRPCDocument" { return "an [OpenRPC document](https://spec.open-rpc.org)" }
    if type == "ErrorKind" { return "[`ErrorKind`](\(page)#errors)" }
    guard isOfOneMethod(type) else { return "[`\(type)`](\(page)#\(Self.anchor(type)))" }
    let method = document.methods.first { $0["result"]?["schema"]?.reference == type }?.name ?? type
    return "the result of [`\(method)`](\(page)#\(Self.anchor(method)))"
  }

  private static func anchor(_ heading: String) -> String { heading.lowercased().filter { $0 != "." } }
}

/// The members of a JSON Schema that the generators read.
extension JSONValue {
  var name: String { self["name"]?.text ?? "" }

  var properties: [String: JSONValue] { if case .object(let all)? = self["properties"] { all } else { [:] } }

  func items(_ member: String) -> [JSONValue] { if case .array(let items)? = self[member] { items } else { [] } }

  func requires(_ property: String) -> Bool { items("required").contains(.string(property)) }

  /// The name in a `$ref`.
  var reference: String? { self["$ref"]?.text.flatMap { $0.split(separator: "/").last.map(String.init) } }
}
