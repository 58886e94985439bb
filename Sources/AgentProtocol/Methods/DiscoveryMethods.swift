/// `rpc.discover`: returns the agent's methods as an OpenRPC 1.3 document. Needs no network and no
/// open vault.
public enum RPCDiscover: AgentMethod {
  public static let name = "rpc.discover"
  public static let notes = MethodNotes("Returns this document.")
  public typealias Params = Empty
  public typealias Result = OpenRPCDocument
}

/// An OpenRPC document (specification 1.3, section "OpenRPC Object"), limited to the members that
/// the agent uses.
public struct OpenRPCDocument: Codable, Sendable, Hashable {
  /// The version of the OpenRPC specification.
  public var openrpc: String
  /// The title of the document and the version of the agent.
  public var info: Info
  /// Method objects, sorted by name.
  public var methods: [JSONValue]
  /// The types and errors that several methods share.
  public var components: Components
  /// The notifications of the agent: content descriptors of the params, by notification name.
  /// OpenRPC defines no member for notifications, but reserves `x-` for extensions.
  public var notifications: [JSONValue]

  /// The described interface.
  public struct Info: Codable, Sendable, Hashable {
    /// The title of the document: `Ritual Agent`.
    public var title: String
    /// The version of the agent.
    public var version: String

    public init(title: String, version: String) {
      self.title = title
      self.version = version
    }
  }

  /// The types and errors that several methods share.
  public struct Components: Codable, Sendable, Hashable {
    /// JSON Schemas (draft 07) of types that several methods share, by name.
    public var schemas: [String: JSONValue]
    /// Error objects, by kind.
    public var errors: [String: JSONValue]

    public init(schemas: [String: JSONValue], errors: [String: JSONValue]) {
      self.schemas = schemas
      self.errors = errors
    }
  }

  private enum CodingKeys: String, CodingKey {
    case openrpc, info, methods, components
    case notifications = "x-notifications"
  }

  public init(openrpc: String, info: Info, methods: [JSONValue], components: Components, notifications: [JSONValue]) {
    self.openrpc = openrpc
    self.info = info
    self.methods = methods
    self.components = components
    self.notifications = notifications
  }
}
