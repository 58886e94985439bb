/// The rule for account names, `[a-z0-9][a-z0-9._-]{0,31}`. It also applies to project
/// names.
public enum AccountName {
  /// The name of the account that a first sign-in creates.
  public static let `default` = "default"

  /// The maximum length in characters, which fits a status table and a unit name.
  public static let maxLength = 32

  /// The rule in words, after the subject of the sentence.
  package static let rule = "has 1 to 32 characters from a-z, 0-9, '.', '-', '_' and starts with a letter or digit"

  /// Whether `name` is a valid account name.
  public static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, bytes.count <= maxLength, isAlphanumeric(first) else { return false }
    return bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
  }

  /// Whether a new account can have the name: it has to be a host for the egress proxy.
  ///
  /// `localhost` is the default account there, a last label of digits makes an IP address of a name
  /// (WHATWG URL, section 3.5), and `xn--` announces another script (RFC 5890).
  public static func isValidForNew(_ name: String) -> Bool {
    guard isValid(name), name != "localhost" else { return false }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = labels.last, labels.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("xn--") }) else { return false }
    return !last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && !isHexadecimal(last)
  }

  /// A number in the notation of C, which URL parsers also read as an address.
  private static func isHexadecimal(_ label: Substring) -> Bool {
    label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
  }

  /// The rule for new accounts in words, after `rule`.
  package static let newRule =
    "; a new one is not localhost, has no empty part and none that starts with xn--, and its last part is not a number"

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

/// The `state` of an account. A newer agent may send other values.
public struct AccountState: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String
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
  /// A newer agent wrote the account's record, which this one does not change.
  public static let formatTooNew = AccountState(rawValue: "formatTooNew")

  /// Every state that this version knows.
  public static let known: [AccountState] = [
    .unauthenticated, .authenticated, .degraded, .signInNeeded, .locked, .copied, .misconfigured, .formatTooNew,
  ]
}

/// The operation that runs for an account. A newer agent may send other values.
public struct AccountActivity: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No operation runs.
  public static let none = AccountActivity(rawValue: "none")
  /// A sign-in is in progress.
  public static let authenticating = AccountActivity(rawValue: "authenticating")
  /// A refresh is in progress.
  public static let refreshing = AccountActivity(rawValue: "refreshing")
}

/// An account as `session.status` returns it, without any token. Email and name come from the
/// server: escape control characters in them before you show them.
///
/// In Swift, `ForeignText` does.
public struct AccountStatus: Sendable, Hashable, Codable {
  /// The account's name.
  public var name: String
  /// Whether requests without an account name use this account.
  public var isDefault: Bool
  /// The project's name in the configuration.
  public var project: String
  /// The origin that issued the session, or the configured origin if there is no session.
  public var origin: String?
  /// The configured URL of the project, without a slash at the end; absent if it is not configured.
  public var projectURL: String?
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
  /// The session's level of assurance and the level that is possible; absent without a session.
  public var assurance: AccountAssurance?
  /// When the session started, and when and why it ends or ended.
  public var session: SessionLife?
  /// Whether a second factor is needed; present in the result of a sign-in.
  public var mfa: SecondFactorNeed?
  /// The directory that selected this account (`session.status`, `ritualctl whoami`).
  public var directory: String?

  /// Creates an account status; omitted values are unknown.
  public init(
    name: String, isDefault: Bool, project: String, origin: String? = nil, state: AccountState,
    activity: AccountActivity = .none, tokenUsable: Bool = false, user: AccountUser? = nil,
    identities: [AccountIdentity] = [], expiresAt: Timestamp? = nil, refresh: RefreshStatus? = nil,
    onboarding: String? = nil, ended: EndedSession? = nil, assurance: AccountAssurance? = nil,
    session: SessionLife? = nil, mfa: SecondFactorNeed? = nil
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
    self.assurance = assurance
    self.session = session
    self.mfa = mfa
  }
}

/// The life of an account's session.
public struct SessionLife: Sendable, Hashable, Codable {
  /// When the user signed in; absent if that is not known.
  public var startedAt: Timestamp?
  /// When the session is expected to end; absent if no limit is known.
  public var endsAt: Timestamp?
  /// True if `endsAt` follows from an earlier session of this project, not from `session_limit`.
  public var isEstimate: Bool?
  /// Why the session ended, or why the server currently refuses to continue it.
  public var endReason: SessionEndReason?

  public init(
    startedAt: Timestamp? = nil, endsAt: Timestamp? = nil, isEstimate: Bool? = nil, endReason: SessionEndReason? = nil
  ) {
    self.startedAt = startedAt
    self.endsAt = endsAt
    self.isEstimate = isEstimate
    self.endReason = endReason
  }
}

/// The reason why a session ended. A newer agent may send other values.
public struct SessionEndReason: RawRepresentable, Sendable, Hashable, Codable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Signed out on this machine.
  public static let signedOut = SessionEndReason(rawValue: "signedOut")
  /// A sign-out, a password change or a second factor elsewhere.
  public static let endedElsewhere = SessionEndReason(rawValue: "endedElsewhere")
  /// The project's time limit for sessions.
  public static let timebox = SessionEndReason(rawValue: "timebox")
  /// The project's limit for sessions that are not used.
  public static let inactivity = SessionEndReason(rawValue: "inactivity")
  /// The project's limit for sessions without the second factor.
  public static let lowAssurance = SessionEndReason(rawValue: "lowAssurance")
  /// The project allows one session for each user, and a newer one exists. Not final: if that one is
  /// signed out, this one works again.
  public static let newerSignIn = SessionEndReason(rawValue: "newerSignIn")
  /// The user was deleted.
  public static let userGone = SessionEndReason(rawValue: "userGone")
  /// The server gave no reason that this version knows.
  public static let unknown = SessionEndReason(rawValue: "unknown")

  /// Every reason that this version knows.
  public static let known: [SessionEndReason] = [
    .signedOut, .endedElsewhere, .timebox, .inactivity, .lowAssurance, .newerSignIn, .userGone, .unknown,
  ]
}

/// The signed-in user.
public struct AccountUser: Sendable, Hashable, Codable {
  /// The user's id on the server, a UUID.
  public var id: String
  /// The user's email address.
  public var email: String?
  /// The user's name.
  public var name: String?
  /// The user's phone number, without `+`.
  public var phone: String?
  /// The method of the last sign-in: a provider by Supabase's name, `email`, `phone`, `sso` or
  /// `anonymous`.
  public var provider: String?
  /// True for an anonymous user, who is lost with a sign-out.
  public var isAnonymous: Bool?

  public init(
    id: String, email: String?, name: String?, provider: String?, phone: String? = nil, isAnonymous: Bool? = nil
  ) {
    self.id = id
    self.email = email
    self.name = name
    self.phone = phone
    self.provider = provider
    self.isAnonymous = isAnonymous
  }
}

/// A linked sign-in method.
public struct AccountIdentity: Sendable, Hashable, Codable {
  /// The id that `identity.unlink` and `ritualctl unlink` take.
  public var identityID: String
  /// A provider by Supabase's name, `email` or `phone`.
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
