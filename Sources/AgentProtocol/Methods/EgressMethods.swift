/// `egress.grant`: opens a loopback URL or a Unix socket for one tool, with a placeholder token. The grant
/// acts as the program that asks for it, and ends with its time, a lock, a sign-out, or the agent.
public enum EgressGrant: AgentMethod {
  public static let name = "egress.grant"
  public static let notes = MethodNotes(
    "Opens a loopback URL or a socket, and a placeholder token, for one tool, which never gets the access token.",
    .account, .vault, [.denied, .tooMany])

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// How long the grant is valid, in seconds: one hour if absent, 24 hours at most.
    public var `for`: Double?
    /// HTTP methods that the grant is limited to; absent for all.
    public var methods: [String]?
    /// Paths that the grant is limited to, by whole segments; absent for all.
    public var paths: [String]?
    /// True to end the grant when the calling process ends.
    public var process: Bool?
    /// `key` (the default): what Supabase's clients take for a public key; `jwt`: a JWT with the claims
    /// `sub`, `role`, `aud` and `exp` and a random signature.
    public var form: String?
    /// Prefix of the placeholder token, instead of the usual prefix of a key.
    public var prefix: String?
    /// True for a Unix socket in a directory of its own, which can be given to a container or a sandbox,
    /// instead of the loopback URL.
    public var socket: Bool?
    /// Another name for this machine that the grant answers to, and that its URL has: for a sandbox whose
    /// proxy resolves it to the loopback address.
    public var host: String?

    public init(
      account: String? = nil, for seconds: Double? = nil, methods: [String]? = nil, paths: [String]? = nil,
      process: Bool? = nil, form: String? = nil, prefix: String? = nil, socket: Bool? = nil, host: String? = nil
    ) {
      self.account = account
      self.for = seconds
      self.methods = methods
      self.paths = paths
      self.process = process
      self.form = form
      self.prefix = prefix
      self.socket = socket
      self.host = host
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The id that `egress.revoke` takes.
    public var id: String
    /// `http://127.0.0.1:PORT`; `http://localhost` for a socket. With `host`, the name is the host.
    public var url: String
    /// The path of the socket, if one was asked for: the only file of its directory, which is what to bind
    /// or mount.
    public var socket: String?
    /// The placeholder token: the tool sends it as bearer token or as `apikey`. It is worth nothing
    /// anywhere else.
    public var token: String
    /// When the grant ends.
    public var expiresAt: Timestamp
    /// The account of the grant.
    public var account: String?
    /// The directory that selected the account; absent if the account was named, or is the default.
    public var directory: String?

    public init(
      id: String, url: String, socket: String? = nil, token: String, expiresAt: Timestamp, account: String? = nil
    ) {
      self.account = account
      self.id = id
      self.url = url
      self.socket = socket
      self.token = token
      self.expiresAt = expiresAt
    }
  }
}

/// `egress.list`: returns the grants that are valid, oldest first, without their placeholder tokens.
public enum EgressList: AgentMethod {
  public static let name = "egress.list"
  public static let notes = MethodNotes("Lists the grants.")
  public typealias Params = Empty

  /// A valid grant.
  public struct Grant: Codable, Sendable, Hashable {
    /// The id that `egress.revoke` takes.
    public var id: String
    /// The account whose token is added.
    public var account: String
    /// HTTP methods that the grant is limited to; absent for all.
    public var methods: [String]?
    /// Paths that the grant is limited to; absent for all.
    public var paths: [String]?
    /// The process that asked for the grant.
    public var pid: Int32
    /// The executable of that process, without arguments; absent if it cannot be read.
    public var executable: String?
    /// The name that the process gives itself, which any program can choose; only if the executable
    /// cannot be read.
    public var comm: String?
    /// The systemd unit of that process; absent if it has none.
    public var unit: String?
    /// True if the grant ends with that process.
    public var process: Bool
    /// When the grant was made.
    public var createdAt: Timestamp
    /// When the grant ends.
    public var expiresAt: Timestamp
    /// The number of requests that were sent with the grant.
    public var requests: UInt64

    public init(
      id: String, account: String, methods: [String]?, paths: [String]?, pid: Int32, executable: String?,
      comm: String?, unit: String?, process: Bool, createdAt: Timestamp, expiresAt: Timestamp, requests: UInt64
    ) {
      self.id = id
      self.account = account
      self.methods = methods
      self.paths = paths
      self.pid = pid
      self.executable = executable
      self.comm = comm
      self.unit = unit
      self.process = process
      self.createdAt = createdAt
      self.expiresAt = expiresAt
      self.requests = requests
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The valid grants, oldest first.
    public var grants: [Grant]

    public init(grants: [Grant]) { self.grants = grants }
  }
}

/// `egress.revoke`: ends a grant and its streams.
public enum EgressRevoke: AgentMethod {
  public static let name = "egress.revoke"
  public static let notes = MethodNotes("Ends a grant.")

  public struct Params: Codable, Sendable, Hashable {
    /// The id of the grant.
    public var id: String

    public init(id: String) { self.id = id }
  }

  public typealias Result = Empty
}
