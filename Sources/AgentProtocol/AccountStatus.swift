/// The rule for account names (SI-15), `[a-z0-9][a-z0-9._-]{0,31}`. It also applies to project
/// names.
public enum AccountName {
  /// The name of the account that a first sign-in creates.
  public static let `default` = "default"

  /// The maximum length in characters, which fits a status table and a unit name.
  public static let maxLength = 32

  /// Whether `name` is a valid account name.
  public static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, bytes.count <= maxLength, isAlphanumeric(first) else { return false }
    return bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// The `state` of an account. A newer agent may send other values.
public struct AccountState: RawRepresentable, Sendable, Hashable, Codable {
  /// The name on the wire.
  public let rawValue: String
  /// Creates a state from its name, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Never signed in, or signed out.
  public static let unauthenticated = AccountState(rawValue: "unauthenticated")
  /// Signed in.
  public static let authenticated = AccountState(rawValue: "authenticated")
  /// A refresh is overdue; attempts continue.
  public static let degraded = AccountState(rawValue: "degraded")
  /// The server ended the session.
  public static let signInNeeded = AccountState(rawValue: "signInNeeded")
  /// The vault is locked.
  public static let locked = AccountState(rawValue: "locked")
  /// The vault was copied from another machine.
  public static let copied = AccountState(rawValue: "copied")
  /// The configuration names another origin than the one that issued the session.
  public static let misconfigured = AccountState(rawValue: "misconfigured")

  /// Every state that this version knows.
  public static let known: [AccountState] = [
    .unauthenticated, .authenticated, .degraded, .signInNeeded, .locked, .copied, .misconfigured,
  ]
}

/// The operation that runs for an account. A newer agent may send other values.
public struct AccountActivity: RawRepresentable, Sendable, Hashable, Codable {
  /// The name on the wire.
  public let rawValue: String
  /// Creates an activity from its name, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No operation runs.
  public static let none = AccountActivity(rawValue: "none")
  /// A sign-in is in progress.
  public static let authenticating = AccountActivity(rawValue: "authenticating")
  /// A refresh is in progress.
  public static let refreshing = AccountActivity(rawValue: "refreshing")
}

/// An account as `session.status` returns it, without any token. Email and name come from the
/// server: pass them through `ForeignText` before showing them.
public struct AccountStatus: Sendable, Hashable, Codable {
  /// The account's name.
  public var name: String
  /// Whether requests without an account name use this account.
  public var isDefault: Bool
  /// The project's name in the configuration.
  public var project: String
  /// The origin that issued the session, or the configured origin if there is no session.
  public var origin: String?
  /// The state of the session.
  public var state: AccountState
  /// The operation that runs for the account.
  public var activity: AccountActivity
  /// Whether `session.token` would return a token immediately.
  public var tokenUsable: Bool
  /// The signed-in user.
  public var user: AccountUser?
  /// The sign-in methods that are linked to the user.
  public var identities: [AccountIdentity]
  /// The access token's expiry, by this machine's clock.
  public var expiresAt: Timestamp?
  /// The refresh schedule; absent without a session.
  public var refresh: RefreshStatus?
  /// `needed` or `complete`, once the profile is known.
  public var onboarding: String?
  /// Why and when the session ended; present in state `signInNeeded`.
  public var ended: EndedSession?

  /// Creates an account status; omitted values are unknown.
  public init(
    name: String, isDefault: Bool, project: String, origin: String? = nil, state: AccountState,
    activity: AccountActivity = .none, tokenUsable: Bool = false, user: AccountUser? = nil,
    identities: [AccountIdentity] = [], expiresAt: Timestamp? = nil, refresh: RefreshStatus? = nil,
    onboarding: String? = nil, ended: EndedSession? = nil
  ) {
    self.name = name
    self.isDefault = isDefault
    self.project = project
    self.origin = origin
    self.state = state
    self.activity = activity
    self.tokenUsable = tokenUsable
    self.user = user
    self.identities = identities
    self.expiresAt = expiresAt
    self.refresh = refresh
    self.onboarding = onboarding
    self.ended = ended
  }
}

/// The signed-in user.
public struct AccountUser: Sendable, Hashable, Codable {
  /// The user's id on the server, a UUID.
  public var id: String
  /// The user's email address.
  public var email: String?
  /// The user's name.
  public var name: String?
  /// The method of the last sign-in: `apple`, `google` or `email`.
  public var provider: String?

  public init(id: String, email: String?, name: String?, provider: String?) {
    self.id = id
    self.email = email
    self.name = name
    self.provider = provider
  }
}

/// A linked sign-in method.
public struct AccountIdentity: Sendable, Hashable, Codable {
  /// The id that `identity.unlink` and `ritualctl unlink` take.
  public var identityID: String
  /// `apple`, `google` or `email`.
  public var provider: String
  /// The email address at the provider.
  public var email: String?

  public init(identityID: String, provider: String, email: String?) {
    self.identityID = identityID
    self.provider = provider
    self.email = email
  }
}

/// The refresh schedule of an account and its recent failures.
public struct RefreshStatus: Sendable, Hashable, Codable {
  /// When the next attempt is due.
  public var nextAt: Timestamp?
  /// The number of failed attempts since the last success.
  public var attempts: Int
  /// The most recent error since the last success.
  public var lastError: AgentError?
  /// Seconds by which the server's clock is ahead of this machine's, measured at its last answer. A
  /// skew of about one second is normal.
  public var clockSkew: Int?

  public init(nextAt: Timestamp?, attempts: Int, lastError: AgentError?, clockSkew: Int? = nil) {
    self.nextAt = nextAt
    self.attempts = attempts
    self.lastError = lastError
    self.clockSkew = clockSkew
  }
}

/// The end of a session without a sign-out on this machine.
public struct EndedSession: Sendable, Hashable, Codable {
  /// When the session ended.
  public var at: Timestamp
  /// A readable reason, such as "ended elsewhere".
  public var reason: String

  public init(at: Timestamp, reason: String) {
    self.at = at
    self.reason = reason
  }
}
