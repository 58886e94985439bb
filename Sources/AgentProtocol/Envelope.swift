/// The `id` of a request: a string, a number or null (JSON-RPC 2.0, section 4). It comes back as it was sent.
public enum RequestID: Sendable, Hashable, Codable {
  case null
  case integer(Int64)
  case number(Double)
  case string(String)

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    }
  }
}

/// A request or, without an `id`, a notification (JSON-RPC 2.0, section 4), with its params already typed.
public struct RequestEnvelope<Params: Codable & Sendable>: Codable, Sendable {
  /// Always "2.0".
  public var jsonrpc = "2.0"
  /// Absent in a notification, which gets no answer.
  public var id: RequestID?
  /// The method's name.
  public var method: String
  /// The method's params; absent where it has none.
  public var params: Params?

  /// A request, or a notification where `id` is nil.
  public init(id: RequestID?, method: String, params: Params?) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// An answer: either `result` or `error` (JSON-RPC 2.0, section 5).
public struct ResponseEnvelope<Result: Codable & Sendable>: Codable, Sendable {
  /// Always "2.0".
  public var jsonrpc = "2.0"
  /// The request's id; null where the request could not be read.
  public var id: RequestID
  /// The method's result.
  public var result: Result?
  /// Why there is none.
  public var error: AgentError?

  /// An answer with a result.
  public init(id: RequestID, result: Result) {
    self.id = id
    self.result = result
  }

  /// An answer with an error.
  public init(id: RequestID, error: AgentError) {
    self.id = id
    self.error = error
  }
}

/// The params and result of a method that has none: `{}` on the wire.
public struct Empty: Codable, Sendable, Hashable {
  /// The one value.
  public init() {}
}

/// A method of the protocol: its name and the types on the wire, one place for agent and clients.
public protocol AgentMethod: Sendable {
  /// What the caller sends in `params`.
  associatedtype Params: Codable & Sendable
  /// What the agent sends in `result`.
  associatedtype Result: Codable & Sendable
  /// The name on the wire, such as `session.token`.
  static var name: String { get }
  /// The summary and the errors that `rpc.discover` shows.
  static var notes: MethodNotes { get }
}
