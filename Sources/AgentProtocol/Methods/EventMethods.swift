/// `events.subscribe`: sends the current state, then every change, as `event` notifications on this
/// connection (SE-5).
public enum EventsSubscribe: AgentMethod {
  public static let name = "events.subscribe"
  public static let notes = MethodNotes("Sends the current state, then every change, as `event` notifications.")

  public struct Params: Codable, Sendable, Hashable {
    /// The last position that the subscriber received before it lost its connection.
    public var since: Position?
    /// Whether events include new tokens.
    public var tokens: Bool?

    public init(since: Position? = nil, tokens: Bool? = nil) {
      self.since = since
      self.tokens = tokens
    }
  }

  /// A position in the agent's event stream.
  public struct Position: Codable, Sendable, Hashable {
    /// Changes with each start of the agent.
    public var epoch: String
    public var sequence: UInt64

    public init(epoch: String, sequence: UInt64) {
      self.epoch = epoch
      self.sequence = sequence
    }
  }

  public typealias Result = Position
}

/// The name of an event, in the style of Supabase clients (SE-5). A client ignores names that it
/// does not know.
public struct EventType: RawRepresentable, Sendable, Hashable, Codable {
  /// The name on the wire.
  public let rawValue: String
  /// Creates an event type from its name, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let initialSession = EventType(rawValue: "INITIAL_SESSION")
  public static let signedIn = EventType(rawValue: "SIGNED_IN")
  public static let tokenRefreshed = EventType(rawValue: "TOKEN_REFRESHED")
  public static let userUpdated = EventType(rawValue: "USER_UPDATED")
  public static let signedOut = EventType(rawValue: "SIGNED_OUT")
  public static let accountLinked = EventType(rawValue: "ACCOUNT_LINKED")
  public static let stateChanged = EventType(rawValue: "STATE_CHANGED")
  public static let defaultChanged = EventType(rawValue: "DEFAULT_CHANGED")
  public static let vaultLocked = EventType(rawValue: "VAULT_LOCKED")
  public static let vaultUnlocked = EventType(rawValue: "VAULT_UNLOCKED")
  public static let approvalNeeded = EventType(rawValue: "APPROVAL_NEEDED")
  public static let approvalAnswered = EventType(rawValue: "APPROVAL_ANSWERED")
  public static let resync = EventType(rawValue: "RESYNC")
}

/// The params of an `event` notification.
public struct AgentEvent: Sendable, Hashable, Codable {
  /// The method name of the notification.
  public static let method = "event"

  /// Increases by one with each change. Events that describe the current state to a new subscriber
  /// carry the number of the last change in that state.
  public var sequence: UInt64
  /// The kind of change.
  public var type: EventType
  /// When it changed.
  public var at: Timestamp
  /// The account that changed; absent if the event does not concern an account.
  public var account: String?
  /// The account after the change.
  public var status: AccountStatus?
  /// A readable reason, for `SIGNED_OUT` and `STATE_CHANGED`; for `ACCOUNT_LINKED` the provider and
  /// how it was linked.
  public var reason: String?
  /// The pending access request (`APPROVAL_NEEDED`), or the answered or expired one
  /// (`APPROVAL_ANSWERED`).
  public var approval: Approval?
  /// The new token, for subscribers that requested tokens.
  public var token: SessionToken.Result?

  public init(
    sequence: UInt64, type: EventType, at: Timestamp, account: String? = nil, status: AccountStatus? = nil,
    reason: String? = nil, approval: Approval? = nil, token: SessionToken.Result? = nil
  ) {
    self.sequence = sequence
    self.type = type
    self.at = at
    self.account = account
    self.status = status
    self.reason = reason
    self.approval = approval
    self.token = token
  }
}
