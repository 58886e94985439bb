@testable import AuthSandbox

/// The shape of a JSON value: member names and types without values, as text, so that a difference
/// is readable.
enum Shape {
  /// Members of every user.
  private static let userMembers: Set<String> = [
    "id", "aud", "role", "email", "phone", "app_metadata", "user_metadata", "identities", "created_at", "updated_at",
    "is_anonymous",
  ]

  static func of(_ json: JSON) -> String {
    switch json {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .string: "string"
    // An array has the shape of its first element; an empty array is a shape of its own.
    case .array(let elements): elements.first.map { "[\(of($0))]" } ?? "[]"
    case .object(let members): object(members)
    }
  }

  private static func object(_ members: [String: JSON]) -> String {
    "{" + members.keys.sorted().map { "\($0):\(of(members[$0]!))" }.joined(separator: ",") + "}"
  }

  /// Both shapes, with the recording's abbreviation for a user resolved against the response.
  static func compared(recorded: JSON, answered: JSON) -> (recorded: String, answered: String) {
    guard case .object(var left) = recorded, case .object(var right) = answered, left["user"] == "{…user…}" else {
      return (of(recorded), of(answered))
    }
    if let user = right["user"]?.object, userMembers.isSubset(of: user.keys) { right["user"] = "{…user…}" }
    left["user"] = "{…user…}"
    return (object(left), object(right))
  }

  /// `json` without the members that `recorded` does not show.
  static func narrowed(_ json: JSON, to recorded: JSON) -> JSON {
    switch (json, recorded) {
    case (.object(let members), .object(let shown)):
      .object(
        members.reduce(into: [:]) { kept, member in
          if let pattern = shown[member.key] { kept[member.key] = narrowed(member.value, to: pattern) }
        })
    case (.array(let elements), .array(let shown)):
      .array(shown.first.map { pattern in elements.map { narrowed($0, to: pattern) } } ?? elements)
    default: json
    }
  }
}
