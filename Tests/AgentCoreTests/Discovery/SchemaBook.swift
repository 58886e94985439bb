import AgentProtocol

/// The JSON Schemas (draft 07) of types, learned from their own `init(from:)`: each type is asked to decode itself from a
/// `ShapeDecoder`, which notes what it asks for. So a schema cannot say anything else than what the server decodes.
final class SchemaBook {
  /// What is learned of a type: how a value of it is described, and any value of it.
  struct Page<Value> {
    let schema: JSONValue
    let value: Value
  }

  /// Deeper than any type of the protocol; a type that holds itself would never end.
  private static let deepest = 32

  /// The schemas of the named types that were met, by name.
  private(set) var named: [String: JSONValue] = [:]
  private var depth = 0

  /// The schema of `type`: a reference to `named`, except for what JSON has of its own.
  func schema(of type: (some Decodable).Type) throws -> JSONValue { try page(of: type).schema }

  /// The schema of an object that is not worth a name: the params of a method.
  func plainSchema(of type: (some Decodable).Type) throws -> JSONValue {
    let decoder = ShapeDecoder(book: self, type: Self.name(of: type))
    _ = try type.init(from: decoder)
    return decoder.shape.schema
  }

  func page<Value: Decodable>(of type: Value.Type) throws -> Page<Value> {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw UnknownShape(type: Self.name(of: type)) }
    if let plain = plain(type) { return plain }
    if let list = type as? any ListShape.Type { return try collection(of: type, try list.schema(in: self), list.none) }
    let decoder = ShapeDecoder(book: self, type: Self.name(of: type))
    let value = try type.init(from: decoder)
    named[Self.name(of: type)] = decoder.shape.schema
    return Page(schema: Self.reference(to: Self.name(of: type)), value: value)
  }

  /// What JSON has of its own, and what checks its text while it decodes.
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

  /// `SessionToken.Result`: the type's name without its module.
  static func name(of type: any Any.Type) -> String {
    String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
  }
}

/// A type whose shape cannot be told from its decoding: give it keyed members or a single value.
struct UnknownShape: Error {
  let type: String
}

/// An array or a dictionary by strings: what its elements are, and one without any.
protocol ListShape: Decodable {
  static func schema(in book: SchemaBook) throws -> JSONValue
  static var none: Self { get }
}

extension Array: ListShape where Element: Decodable {
  static func schema(in book: SchemaBook) throws -> JSONValue {
    .object(["type": .string("array"), "items": try book.schema(of: Element.self)])
  }
  static var none: Self { [] }
}

extension Dictionary: ListShape where Key == String, Value: Decodable {
  static func schema(in book: SchemaBook) throws -> JSONValue {
    .object(["type": .string("object"), "additionalProperties": try book.schema(of: Value.self)])
  }
  static var none: Self { [:] }
}
