/// `events.subscribe`: the present state first, then every change, as `event` notifications on this connection (SE-5).
public enum EventsSubscribe: AgentMethod {
  public static let name = "events.subscribe"
  public static let notes = MethodNotes("The present state, then every change, as `event` notifications.")

  public struct Params: Codable, Sendable, Hashable {
    /// Where the subscriber was when it lost its connection.
    public var since: Position?
    /// Adds the token to each event that brings one.
    public var tokens: Bool?

    public init(since: Position? = nil, tokens: Bool? = nil) {
      self.since = since
      self.tokens = tokens
    }
  }

  /// A place in the agent's stream of events.
  public struct Position: Codable, Sendable, Hashable {
    /// Another one after each start of the agent.
    public var epoch: String
    public var sequence: UInt64

    public init(epoch: String, sequence: UInt64) {
      self.epoch = epoch
      self.sequence = sequence
    }
  }

  public typealias Result = Position
}

/// The name of an event, in the words that Supabase clients use (SE-5). Open: a client ignores what it does not know.
public struct EventType: RawRepresentable, Sendable, Hashable, Codable {
  /// The name on the wire.
  public let rawValue: String
  /// An event type by its name.
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

  /// Grows by one with each change; the present state that a new subscriber gets carries the number it is as of.
  public var sequence: UInt64
  public var type: EventType
  public var at: Timestamp
  /// The account that changed; absent for what is not about one.
  public var account: String?
  /// The account after the change.
  public var status: AccountStatus?
  /// Why, in words, for `SIGNED_OUT` and `STATE_CHANGED`; for `ACCOUNT_LINKED` the provider and how it was linked.
  public var reason: String?
  /// The question that a program waits for (`APPROVAL_NEEDED`), or that is answered or over (`APPROVAL_ANSWERED`).
  public var approval: Approval?
  /// The new token, for subscribers that asked for tokens.
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
