import AgentProtocol

@testable import AgentServer

extension OpenRPCDocument {
  /// Describes `methods`, their shared types and the agent's notifications.
  static func describing(_ methods: MethodTable) throws -> OpenRPCDocument {
    let book = SchemaRegistry()
    let described = try methods.names.compactMap { name in
      try methods[name].map { try describe(name, $0, book) }
    }
    let event = try descriptor(AgentEvent.method, try book.schema(of: AgentEvent.self), isRequired: true)
    _ = try book.schema(of: AgentError.self)
    return OpenRPCDocument(
      openrpc: version, info: Info(title: "Ritual Agent", version: AgentVersion.current), methods: described,
      components: Components(
        schemas: book.named,
        errors: Dictionary(uniqueKeysWithValues: ErrorKind.known.map { ($0.rawValue, error($0)) })),
      notifications: [event])
  }

  /// The version of the OpenRPC specification that the document follows.
  private static let version = "1.3.2"

  private static func describe(_ name: String, _ described: MethodTable.Method, _ book: SchemaRegistry) throws
    -> JSONValue
  {
    .object([
      "name": .string(name), "paramStructure": .string("by-name"),
      "params": .array(try params(try book.plainSchema(of: described.shape.params))),
      "result": try descriptor("result", try book.schema(of: described.shape.result), isRequired: true),
      "summary": .string(described.notes.summary),
      "errors": .array(
        described.notes.errors.map { .object(["$ref": .string("#/components/errors/" + $0.rawValue)]) }),
    ])
  }

  /// Content descriptors by name, required ones first (OpenRPC, "Method Object").
  private static func params(_ schema: JSONValue) throws -> [JSONValue] {
    let ordered = schema.properties.map { (name: $0, schema: $1, isRequired: schema.requires($0)) }
      .sorted { ($0.isRequired ? 0 : 1, $0.name) < ($1.isRequired ? 0 : 1, $1.name) }
    return try ordered.map { try descriptor($0.name, $0.schema, isRequired: $0.isRequired) }
  }

  private static func descriptor(_ name: String, _ schema: JSONValue, isRequired: Bool) throws -> JSONValue {
    .object(["name": .string(name), "required": .bool(isRequired), "schema": schema])
  }

  private static func error(_ kind: ErrorKind) -> JSONValue {
    let facts = kind.facts
    return .object([
      "code": .integer(Int64(facts.code)), "message": .string(facts.message),
      "data": .object(["kind": .string(kind.rawValue), "retryable": .bool(facts.retryable)]),
    ])
  }
}
