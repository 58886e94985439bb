public import FoundationEssentials

/// Numbers that both ends of the socket keep to.
public enum Wire {
  /// The version of the protocol that `agent.hello` names. It grows when an old client would misread an answer.
  public static let protocolVersion = 1

  /// What `agent.hello` answers in `capabilities`: the groups of methods that this version has.
  public static let capabilities = [
    "agent", "api", "approval", "audit", "events", "identity", "profile", "rpc", "session", "signIn", "telemetry",
    "vault",
  ]

  /// The usual bound of one line, in bytes: a request is some hundred bytes, a callback address at most 8 KiB.
  public static let frameLimit = 64 * 1024

  /// The bound of one long line, in bytes: 8 MiB of body are 10.7 MiB in base64, and some headers.
  public static let longFrameLimit = 12 * 1024 * 1024

  /// The largest body that `api.request` carries each way, in bytes.
  public static let bodyLimit = 8 * 1024 * 1024

  /// How long a caller of `session.token` waits for a refresh at most, in seconds (TK-4).
  public static let longestWait = 15
}

/// How every value of the protocol is written and read: JSON with sorted keys and unescaped slashes, so that equal
/// values are equal bytes. One place, so that agent and clients cannot differ. Safe from any thread.
public enum WireCoding {
  /// The bytes of `value`, without a newline.
  public static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// The value that `bytes` hold. Members that `type` does not know are ignored, as a newer peer may send them.
  public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    try JSONDecoder().decode(type, from: bytes)
  }
}

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

/// Any JSON value (RFC 8259). Integers that fit `Int64` stay integers, so that request ids come back as they were sent.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension JSONValue {
  /// The member of an object; nil where this is no object or has no such member.
  public subscript(_ member: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[member]
  }

  /// The text of a JSON string; nil for every other kind of value.
  public var text: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }
}

/// The version of the agent, as `agent.hello`, `agent.status` and `--version` say it.
public enum AgentVersion {
  /// Semantic versioning; the CHANGELOG has a heading for each.
  public static let current = "0.1.0"
}

/// A method's summary, and the errors that it may return beside those of every method. `rpc.discover` shows both.
public struct MethodNotes: Sendable {
  public let summary: String
  public let errors: [ErrorKind]

  public init(_ summary: String, _ groups: ErrorGroup...) {
    self.summary = summary
    errors = ([.always] + groups).flatMap(\.kinds).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

/// A named set of errors. An array literal of kinds makes one, too.
public struct ErrorGroup: Sendable, ExpressibleByArrayLiteral {
  public let kinds: [ErrorKind]

  public init(arrayLiteral kinds: ErrorKind...) { self.kinds = kinds }

  private init(_ groups: [ErrorGroup], _ kinds: ErrorKind...) { self.kinds = groups.flatMap(\.kinds) + kinds }

  /// Errors that every method may return.
  public static let always: ErrorGroup = [.invalidParams, .internalError, .notReady, .tooLarge, .tooMany]
  /// Errors of a method that uses an account.
  public static let account: ErrorGroup = [.unknownAccount, .signInNeeded, .misconfigured, .denied, .approvalNeeded]
  public static let network: ErrorGroup = [.offline, .serviceUnavailable, .rateLimited, .timedOut]
  public static let vault: ErrorGroup = [
    .vaultLocked, .vaultCopied, .vaultDamaged, .vaultUnavailable, .wrongKey, .storageFull, .formatTooNew,
  ]
  /// A sign-in that begins, or is sent at once.
  public static let signIn = ErrorGroup(
    [network, vault], .invalidCredentials, .emailNotConfirmed, .userExists, .weakPassword, .methodDisabled, .wrongUser,
    .flowBusy, .misconfigured, .identityTaken, .callbackInvalid, .cancelled, .denied, .approvalNeeded)
  /// A sign-in that runs.
  public static let flow = ErrorGroup([signIn], .flowUnknown, .flowTimedOut)
}
