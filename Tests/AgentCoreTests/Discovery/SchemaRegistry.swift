import AgentProtocol

/// The JSON Schemas (draft 07) of types, derived from their own `init(from:)`. Each type decodes
/// itself from a `ShapeDecoder`, which records the requested members, so a schema always matches
/// what the server decodes.
final class SchemaRegistry {
  /// The schema of a type, and any value of the type.
  struct Page<Value> {
    let schema: JSONValue
    let value: Value
  }

  /// The maximum nesting depth, above that of any type of the protocol. A recursive type would not
  /// terminate.
  private static let maxDepth = 32

  /// The schemas of the named types found so far, by name.
  private(set) var named: [String: JSONValue] = [:]
  private var depth = 0

  /// Returns the schema of `type`: a reference into `named`, or an inline schema for a type that
  /// JSON has itself.
  func schema(of type: (some Decodable).Type) throws -> JSONValue { try page(of: type).schema }

  /// Returns the schema of an object that needs no name, such as the params of a method.
  func plainSchema(of type: (some Decodable).Type) throws -> JSONValue {
    let decoder = ShapeDecoder(book: self, type: Self.name(of: type))
    _ = try type.init(from: decoder)
    return decoder.shape.schema
  }

  func page<Value: Decodable>(of type: Value.Type) throws -> Page<Value> {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else { throw UnknownShape(type: Self.name(of: type)) }
    if let plain = plain(type) { return plain }
    if let list = type as? any ListShape.Type { return try collection(of: type, try list.schema(in: self), list.none) }
    let decoder = ShapeDecoder(book: self, type: Self.name(of: type))
    let value = try type.init(from: decoder)
    named[Self.name(of: type)] = decoder.shape.schema
    return Page(schema: Self.reference(to: Self.name(of: type)), value: value)
  }

  /// The page of a type that JSON has itself, or that validates its text while decoding. nil for
  /// other types.
  private func plain<Value>(_ type: Value.Type) -> Page<Value>? {
    func page(_ value: some Any, _ members: [String: JSONValue]) -> Page<Value>? {
      (value as? Value).map { Page(schema: .object(members), value: $0) }
    }
    return switch type {
    case is String.Type: page("", ["type": .string("string")])
    case is Bool.Type: page(false, ["type": .string("boolean")])
    case is Double.Type: page(0.0, ["type": .string("number")])
    case is Int.Type: page(0, ["type": .string("integer")])
    case is Int32.Type: page(Int32(0), ["type": .string("integer")])
    case is Int64.Type: page(Int64(0), ["type": .string("integer")])
    case is UInt64.Type: page(UInt64(0), ["type": .string("integer"), "minimum": .integer(0)])
    case is JSONValue.Type: page(JSONValue.null, [:])
    case is Timestamp.Type:
      page(
        Timestamp(unixSeconds: 0),
        [
          "type": .string("string"), "format": .string("date-time"),
          "pattern": .string("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"),
        ])
    default: nil
    }
  }

  private func collection<Value>(
    of type: Value.Type, _ schema: JSONValue, _ none: any Decodable
  ) throws -> Page<Value> {
    guard let value = none as? Value else { throw UnknownShape(type: Self.name(of: type)) }
    return Page(schema: schema, value: value)
  }

  static func reference(to name: String) -> JSONValue {
    .object(["$ref": .string("#/components/schemas/" + name)])
  }

  /// The name of the type without its module, such as `SessionToken.Result`.
  static func name(of type: any Any.Type) -> String {
    String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
  }
}

/// A type whose shape cannot be derived from its decoding. Give the type keyed members or a single
/// value.
struct UnknownShape: Error {
  let type: String
}

/// An array, or a dictionary with string keys: its schema and an empty value.
protocol ListShape: Decodable {
  static func schema(in book: SchemaRegistry) throws -> JSONValue
  static var none: Self { get }
}

extension Array: ListShape where Element: Decodable {
  static func schema(in book: SchemaRegistry) throws -> JSONValue {
    .object(["type": .string("array"), "items": try book.schema(of: Element.self)])
  }
  static var none: Self { [] }
}

extension Dictionary: ListShape where Key == String, Value: Decodable {
  static func schema(in book: SchemaRegistry) throws -> JSONValue {
    .object(["type": .string("object"), "additionalProperties": try book.schema(of: Value.self)])
  }
  static var none: Self { [:] }
}
