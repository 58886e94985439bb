/// `events.subscribe`: sends the current state, then every change, as `event` notifications on this
/// connection.
public enum EventsSubscribe: AgentMethod {
  public static let name = "events.subscribe"
  public static let notes = MethodNotes(
    "Sends the current state, then every change, as `event` notifications.", .vault, [.unknownAccount])

  public struct Params: Codable, Sendable, Hashable {
    /// The last position that the subscriber received before it lost its connection.
    public var since: Position?
    /// The names of the accounts whose events are sent; all if omitted. Other events are always
    /// sent. A rename is followed.
    public var accounts: [String]?
    /// Whether events include new tokens of the named accounts. Requires `accounts`.
    public var tokens: Bool?

    public init(since: Position? = nil, accounts: [String]? = nil, tokens: Bool? = nil) {
      self.since = since
      self.accounts = accounts
      self.tokens = tokens
    }
  }

  /// A position in the agent's event stream.
  public struct Position: Codable, Sendable, Hashable {
    /// Changes with each start of the agent.
    public var epoch: String
    /// The number of the last change.
    public var sequence: UInt64

    public init(epoch: String, sequence: UInt64) {
      self.epoch = epoch
      self.sequence = sequence
    }
  }

  public typealias Result = Position
}

/// The name of an event, in the style of Supabase clients. A client ignores names that it
/// does not know.
public struct EventType: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An account in the current state, sent to a new subscriber.
  public static let initialSession = EventType(rawValue: "INITIAL_SESSION")
  /// A user signed in to the account, or a signed-in account was renamed.
  public static let signedIn = EventType(rawValue: "SIGNED_IN")
  /// The account has a new access token.
  public static let tokenRefreshed = EventType(rawValue: "TOKEN_REFRESHED")
  /// The server's data about the user, or `onboarding`, changed.
  public static let userUpdated = EventType(rawValue: "USER_UPDATED")
  /// The account's session ended; `reason` tells why.
  public static let signedOut = EventType(rawValue: "SIGNED_OUT")
  /// A sign-in method was linked to the account's user.
  public static let accountLinked = EventType(rawValue: "ACCOUNT_LINKED")
  /// The account's state changed in another way; `reason` tells why.
  public static let stateChanged = EventType(rawValue: "STATE_CHANGED")
  /// A second factor was verified: the account has a new access token with a higher level.
  public static let mfaChallengeVerified = EventType(rawValue: "MFA_CHALLENGE_VERIFIED")
  /// A program asked for a token with a second factor that the session does not have; `program` and
  /// `reason` tell which and why.
  public static let mfaNeeded = EventType(rawValue: "MFA_NEEDED")
  /// The account became the default account.
  public static let defaultChanged = EventType(rawValue: "DEFAULT_CHANGED")
  /// The vault was locked.
  public static let vaultLocked = EventType(rawValue: "VAULT_LOCKED")
  /// The vault was unlocked.
  public static let vaultUnlocked = EventType(rawValue: "VAULT_UNLOCKED")
  /// A program made an access request.
  public static let approvalNeeded = EventType(rawValue: "APPROVAL_NEEDED")
  /// An access request was answered, was withdrawn, or ended with a lock of the vault.
  public static let approvalAnswered = EventType(rawValue: "APPROVAL_ANSWERED")
  /// Events were missed and are no longer available. The current state follows.
  public static let resync = EventType(rawValue: "RESYNC")

  /// Every event type that this version sends.
  public static let known: [EventType] = [
    .initialSession, .signedIn, .tokenRefreshed, .userUpdated, .signedOut, .accountLinked, .stateChanged,
    .mfaChallengeVerified, .mfaNeeded,
    .defaultChanged, .vaultLocked, .vaultUnlocked, .approvalNeeded, .approvalAnswered, .resync,
  ]
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
  /// A readable reason, for `SIGNED_OUT` and `STATE_CHANGED`; the program's own reason for `MFA_NEEDED`; for `ACCOUNT_LINKED` the provider and
  /// how it was linked.
  public var reason: String?
  /// The pending access request (`APPROVAL_NEEDED`), or the answered or expired one
  /// (`APPROVAL_ANSWERED`).
  public var approval: Approval?
  /// The new token, for subscribers that requested tokens.
  public var token: SessionToken.Result?
  /// For `MFA_NEEDED`, the program's file and unit, as far as the kernel told.
  public var program: String?

  public init(
    sequence: UInt64, type: EventType, at: Timestamp, account: String? = nil, status: AccountStatus? = nil,
    reason: String? = nil, approval: Approval? = nil, token: SessionToken.Result? = nil, program: String? = nil
  ) {
    self.sequence = sequence
    self.type = type
    self.at = at
    self.account = account
    self.status = status
    self.reason = reason
    self.approval = approval
    self.token = token
    self.program = program
  }
}
