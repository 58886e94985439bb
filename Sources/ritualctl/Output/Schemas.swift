import AgentProtocol
import FoundationEssentials

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
