import Foundation

/// Validates values against JSON Schemas, as far as docs/openrpc.json (draft 07) and
/// docs/json-output.json (draft 2020-12) use them. The check is strict: an unknown keyword is an error.
struct SchemaCheck {
  /// The schemas to which others refer: `components.schemas` or `$defs`.
  let named: [String: JSON]
  /// Whether an object may only have the members that its schema names, even if the schema allows
  /// others.
  var refusesUnknownMembers = false

  private static let words: Set<String> = ["description", "examples", "format", "title"]
  private static let known: Set<String> = words.union([
    "$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "pattern", "minimum", "maximum",
    "const", "anyOf",
  ])

  /// The violations in `value`, each with its path; empty if the value is valid.
  func complaints(_ value: JSON, _ schema: JSON, at place: String = "$") -> [String] {
    if let reference = schema["$ref"]?.text {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      guard let target = named[name] else { return ["\(place): there is no schema \(reference)"] }
      return complaints(value, target, at: place)
    }
    let unknown = Set(schema.object.keys).subtracting(Self.known).map { "\(place): unknown keyword \($0)" }
    return unknown + wrongType(value, schema, place) + wrongValue(value, schema, place)
      + wrongMembers(value, schema, place) + wrongItems(value, schema, place) + noVariant(value, schema, place)
  }

  /// A value that fits the schema, unless it has a pattern: an object has only the required members.
  func value(for schema: JSON) -> JSON {
    if let name = schema["$ref"]?.text?.split(separator: "/").last { return value(for: named[String(name)] ?? [:]) }
    if let known = (schema["enum"] ?? schema["examples"])?.array.first { return known }
    switch schema["type"]?.text {
    case "object":
      let required = (schema["required"]?.array ?? []).compactMap(\.text)
      return .object(
        Dictionary(uniqueKeysWithValues: required.map { ($0, value(for: schema["properties"]?[$0] ?? [:])) }))
    case "array": return []
    case "boolean": return false
    case "integer", "number": return schema["minimum"] ?? 1
    default: return "x"
    }
  }

  private func noVariant(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
    let found = (schema["anyOf"]?.array ?? []).map { complaints(value, $0, at: place) }
    return found.contains([]) ? [] : found.flatMap { $0 }
  }

  private func wrongType(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
    guard let type = schema["type"]?.text else { return [] }
    let fits =
      switch (type, value) {
      case ("string", .string), ("boolean", .bool), ("number", .number), ("array", .array), ("object", .object): true
      case ("integer", .number(let number)): number == number.rounded()
      default: false
      }
    return fits ? [] : ["\(place): is no \(type)"]
  }

  private func wrongValue(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
    var found: [String] = []
    if let choices = schema["enum"], !choices.array.contains(value) { found.append("\(place): is not of the enum") }
    if let constant = schema["const"], value != constant { found.append("\(place): is not \(constant.encoded)") }
    if let text = value.text, let pattern = schema["pattern"]?.text,
      (try? Regex(pattern).firstMatch(in: text)).flatMap({ $0 }) == nil
    {
      found.append("\(place): does not match \(pattern)")
    }
    if let number = value.number {
      if let least = schema["minimum"]?.number, number < least { found.append("\(place): is less than \(least)") }
      if let most = schema["maximum"]?.number, number > most { found.append("\(place): is more than \(most)") }
    }
    return found
  }

  private func wrongMembers(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
    guard case .object(let members) = value else { return [] }
    let properties = schema["properties"]?.object ?? [:]
    let missing = (schema["required"]?.array ?? []).compactMap(\.text).filter { members[$0] == nil }
      .map { "\(place): \($0) is missing" }
    return missing
      + members.flatMap { name, member in
        if let known = properties[name] { return complaints(member, known, at: place + "." + name) }
        switch schema["additionalProperties"] {
        case .bool(false)?: return ["\(place): \(name) is one too many"]
        case .object(let rest)?: return complaints(member, .object(rest), at: place + "." + name)
        default: return refusesUnknownMembers && !properties.isEmpty ? ["\(place): \(name) is one too many"] : []
        }
      }
  }

  private func wrongItems(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
    guard case .array(let elements) = value, let items = schema["items"] else { return [] }
    return elements.enumerated().flatMap { complaints($1, items, at: "\(place)[\($0)]") }
  }
}
