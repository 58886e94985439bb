public import FoundationEssentials

/// Limits and version numbers that both ends of the socket use.
public enum Wire {
  /// The protocol version in `agent.hello`. It increases when an old client would misread an
  /// answer.
  public static let protocolVersion = 1

  /// The `capabilities` in the answer to `agent.hello`: the method groups of this version.
  public static let capabilities = [
    "agent", "approval", "audit", "egress", "events", "identity", "mfa", "profile", "rpc", "session", "signIn",
    "telemetry", "vault",
  ]

  /// The maximum length of a line to the agent, in bytes. A request has some hundred bytes, a
  /// callback URL at most 8 KiB, a profile 32 KiB.
  public static let frameLimit = 64 * 1024

  /// The maximum length of the response to one request, in bytes: 1,000 accounts with several
  /// identities each. A connection has at most one long response that its client has not read.
  public static let answerLimit = 2 * 1024 * 1024
}

/// The JSON encoding of the agent and its clients: sorted keys and unescaped slashes, so that equal
/// values have equal bytes. Thread-safe.
public enum WireCoding {
  /// Encodes `value`, without a newline.
  public static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  /// Decodes a value of `type`. Unknown members are ignored, because a newer peer may send them.
  public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
    try JSONDecoder().decode(type, from: bytes)
  }
}

/// The `id` of a request: a string, a number or null (JSON-RPC 2.0, section 4). The answer repeats
/// it unchanged.
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

/// A request or, without an `id`, a notification (JSON-RPC 2.0, section 4), with typed params.
public struct RequestEnvelope<Params: Codable & Sendable>: Codable, Sendable {
  /// Always "2.0".
  public var jsonrpc = "2.0"
  /// Absent in a notification, which has no answer.
  public var id: RequestID?
  /// The method's name.
  public var method: String
  /// The method's params; absent if it has none.
  public var params: Params?

  /// Creates a request, or a notification if `id` is nil.
  public init(id: RequestID?, method: String, params: Params?) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// A response with either `result` or `error` (JSON-RPC 2.0, section 5).
public struct ResponseEnvelope<Result: Codable & Sendable>: Codable, Sendable {
  /// Always "2.0".
  public var jsonrpc = "2.0"
  /// The request's id; null if the request could not be parsed.
  public var id: RequestID
  /// The method's result.
  public var result: Result?
  /// The error, if the request failed.
  public var error: AgentError?

  /// Creates a response with a result.
  public init(id: RequestID, result: Result) {
    self.id = id
    self.result = result
  }

  /// Creates a response with an error.
  public init(id: RequestID, error: AgentError) {
    self.id = id
    self.error = error
  }
}

/// The params or result of a method without any: `{}` on the wire.
public struct Empty: Codable, Sendable, Hashable {
  /// Creates the only value.
  public init() {}
}

/// A method of the protocol: its name and its types on the wire, shared by the agent and its
/// clients.
public protocol AgentMethod: Sendable {
  /// The type of `params` in the request.
  associatedtype Params: Codable & Sendable
  /// The type of `result` in the response.
  associatedtype Result: Codable & Sendable
  /// The name on the wire, such as `session.token`.
  static var name: String { get }
  /// The summary and the errors in the answer to `rpc.discover`.
  static var notes: MethodNotes { get }
}

/// Any JSON value (RFC 8259). Integers that fit `Int64` stay integers, so that request ids are
/// returned unchanged.
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
  /// The member of an object; nil if the value is not an object or has no such member.
  public subscript(_ member: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[member]
  }

  /// The text of a JSON string; nil for any other kind of value.
  public var text: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }
}

/// The version of the agent in `agent.hello`, `agent.status` and `--version`.
public enum AgentVersion {
  /// A semantic version. The CHANGELOG has a heading for each version.
  public static let current = "0.1.0"
}

/// A method's summary, and the errors that it may return besides those of every method.
/// `rpc.discover` returns both.
public struct MethodNotes: Sendable {
  public let summary: String
  public let errors: [ErrorKind]

  public init(_ summary: String, _ groups: ErrorGroup...) {
    self.summary = summary
    errors = ([.always] + groups).flatMap(\.kinds).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

/// A named set of errors; also created from an array literal of kinds.
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
  /// Errors of a method that starts a sign-in or signs in directly.
  public static let signIn = ErrorGroup(
    [network, vault], .invalidCredentials, .emailNotConfirmed, .userExists, .weakPassword, .methodDisabled, .wrongUser,
    .flowBusy, .misconfigured, .identityTaken, .callbackInvalid, .cancelled, .denied, .approvalNeeded, .captchaRequired)
  /// Errors of a sign-in in progress.
  public static let flow = ErrorGroup([signIn], .flowUnknown, .flowTimedOut)
}
