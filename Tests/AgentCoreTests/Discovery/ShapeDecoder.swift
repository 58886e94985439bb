import AgentProtocol

/// A decoder without input. It records the members that a type requests, their types and which are
/// optional, and returns placeholder values.
struct ShapeDecoder: Decoder {
  /// The members that a type requested.
  final class Shape {
    fileprivate let type: String
    fileprivate var members: [String: JSONValue] = [:]
    fileprivate var optional: Set<String> = []
    /// The schema of a type that is a single value, such as a name.
    fileprivate var single: JSONValue?

    fileprivate init(type: String) { self.type = type }

    /// A JSON Schema. Members that the type does not name are forbidden, so that a misspelled
    /// member is detected.
    var schema: JSONValue {
      if let single { return noted(single, MemberNotes.of(type)) }
      var members = members
      for (name, schema) in members { members[name] = noted(schema, MemberNotes.of(type + "." + name)) }
      var object: [String: JSONValue] = [
        "type": .string("object"), "properties": .object(members), "additionalProperties": .bool(false),
      ]
      let required = members.keys.filter { !optional.contains($0) }.sorted()
      if !required.isEmpty { object["required"] = .array(required.map { .string($0) }) }
      return .object(object)
    }

    private func noted(_ schema: JSONValue, _ notes: [String: JSONValue]) -> JSONValue {
      guard case .object(let keywords) = schema else { return schema }
      return .object(keywords.merging(notes) { $1 })
    }
  }

  let shape: Shape
  private let book: SchemaRegistry

  init(book: SchemaRegistry, type: String) {
    self.book = book
    shape = Shape(type: type)
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members<Key>(shape: shape, book: book))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw UnknownShape(type: shape.type) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(shape: shape, book: book) }
}

extension ShapeDecoder {
  /// Records each member. The standard library's `decodeIfPresent` calls `decodeNil` first, which
  /// marks the member as optional.
  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let shape: Shape
    let book: SchemaRegistry

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }
    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool {
      shape.optional.insert(key.stringValue)
      return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      let page = try book.page(of: type)
      shape.members[key.stringValue] = page.schema
      return page.value
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw UnknownShape(type: shape.type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw UnknownShape(type: shape.type)
    }
    func superDecoder() throws -> any Decoder { throw UnknownShape(type: shape.type) }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw UnknownShape(type: shape.type) }
  }

  /// Records the schema of the single value.
  private struct Single: SingleValueDecodingContainer {
    let shape: Shape
    let book: SchemaRegistry

    var codingPath: [any CodingKey] { [] }
    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let page = try book.page(of: type)
      shape.single = page.schema
      return page.value
    }
  }
}
