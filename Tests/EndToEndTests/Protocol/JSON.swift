import Foundation

/// A JSON value, decoded independently of the agent's code.
enum JSON: Decodable, Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(_ text: String) throws { self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  subscript(_ member: String) -> JSON? { object[member] }

  var object: [String: JSON] { if case .object(let members) = self { members } else { [:] } }
  var array: [JSON] { if case .array(let elements) = self { elements } else { [] } }
  var text: String? { if case .string(let value) = self { value } else { nil } }
  var number: Double? { if case .number(let value) = self { value } else { nil } }

  /// The value as JSON text.
  var encoded: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): value == value.rounded() ? String(Int64(value)) : String(value)
    case .string(let value): String(decoding: (try? JSONEncoder().encode(value)) ?? Data(), as: UTF8.self)
    case .array(let elements): "[" + elements.map(\.encoded).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSON.string($0).encoded + ":" + $1.encoded }.sorted().joined(separator: ",") + "}"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
