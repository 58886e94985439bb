/// The rule for account names (SI-15): `[a-z0-9][a-z0-9._-]{0,31}`. Project names keep to it as well.
public enum AccountName {
  /// The name of the account that a first sign-in makes.
  public static let `default` = "default"

  /// The longest name, in characters: fits a status table and a unit name.
  public static let longest = 32

  /// Whether `name` may name an account.
  public static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, bytes.count <= longest, isAlphanumeric(first) else { return false }
    return bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// What `state` of an account says. Open, since a newer agent may know more.
public struct AccountState: RawRepresentable, Sendable, Hashable, Codable {
  /// The name on the wire.
  public let rawValue: String
  /// A state by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Never signed in, or signed out.
  public static let unauthenticated = AccountState(rawValue: "unauthenticated")
  /// Signed in.
  public static let authenticated = AccountState(rawValue: "authenticated")
  /// A refresh is overdue; tries go on.
  public static let degraded = AccountState(rawValue: "degraded")
  /// The server ended the session.
  public static let signInNeeded = AccountState(rawValue: "signInNeeded")
  /// The vault is locked.
  public static let locked = AccountState(rawValue: "locked")
  /// The vault came from another machine.
  public static let copied = AccountState(rawValue: "copied")
  /// The configuration names another origin than the one that issued the session.
  public static let misconfigured = AccountState(rawValue: "misconfigured")

  /// Every state that this version knows.
  public static let known: [AccountState] = [
    .unauthenticated, .authenticated, .degraded, .signInNeeded, .locked, .copied, .misconfigured,
  ]
}

/// What goes on for an account at the moment.
public struct AccountActivity: RawRepresentable, Sendable, Hashable, Codable {
  /// The name on the wire.
  public let rawValue: String
  /// An activity by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Nothing.
  public static let none = AccountActivity(rawValue: "none")
  /// A sign-in runs.
  public static let authenticating = AccountActivity(rawValue: "authenticating")
  /// A refresh runs.
  public static let refreshing = AccountActivity(rawValue: "refreshing")
}

/// An account as `session.status` shows it. It holds no token. E-mail and names come from the server: pass them
/// through `ForeignText` before showing them.
public struct AccountStatus: Sendable, Hashable, Codable {
  /// The account's name.
  public var name: String
  /// Whether requests that name no account mean this one.
  public var isDefault: Bool
  /// The project's name in the configuration.
  public var project: String
  /// The origin that issued the session; the configured one where there is no session.
  public var origin: String?
  public var state: AccountState
  public var activity: AccountActivity
  /// Whether `session.token` would answer at once.
  public var tokenUsable: Bool
  /// Who is signed in.
  public var user: AccountUser?
  /// The ways to sign in that belong to the user.
  public var identities: [AccountIdentity]
  /// When the access token ends, by this machine's clock.
  public var expiresAt: Timestamp?
  public var refresh: RefreshStatus?
  /// `needed` or `complete`, once the profile is known.
  public var onboarding: String?
  /// Why and when the session ended, for `signInNeeded`.
  public var ended: EndedSession?

  /// An account; what is not given is not known.
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

/// Who is signed in.
public struct AccountUser: Sendable, Hashable, Codable {
  /// The user's id at the server, a UUID.
  public var id: String
  public var email: String?
  public var name: String?
  /// The way of the last sign-in: `apple`, `google` or `email`.
  public var provider: String?

  public init(id: String, email: String?, name: String?, provider: String?) {
    self.id = id
    self.email = email
    self.name = name
    self.provider = provider
  }
}

/// One way to sign in.
public struct AccountIdentity: Sendable, Hashable, Codable {
  /// What `identity.unlink` takes.
  public var identityID: String
  public var provider: String
  public var email: String?

  public init(identityID: String, provider: String, email: String?) {
    self.identityID = identityID
    self.provider = provider
    self.email = email
  }
}

/// What the refresher does for an account.
public struct RefreshStatus: Sendable, Hashable, Codable {
  /// When the next try is due.
  public var nextAt: Timestamp?
  /// Failed tries since the last success.
  public var attempts: Int
  /// The last failure since the last success.
  public var lastError: AgentError?
  /// How many seconds the server's clock is ahead of this machine's, by its last answer; about a second is no news.
  public var clockSkew: Int?

  public init(nextAt: Timestamp?, attempts: Int, lastError: AgentError?, clockSkew: Int? = nil) {
    self.nextAt = nextAt
    self.attempts = attempts
    self.lastError = lastError
    self.clockSkew = clockSkew
  }
}

/// How a session ended without a sign-out here.
public struct EndedSession: Sendable, Hashable, Codable {
  public var at: Timestamp
  /// In words, such as "ended elsewhere".
  public var reason: String

  public init(at: Timestamp, reason: String) {
    self.at = at
    self.reason = reason
  }
}
