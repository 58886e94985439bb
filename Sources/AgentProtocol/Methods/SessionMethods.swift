/// The params of every method that is about one account: without a name the default account is meant.
public struct AccountParams: Codable, Sendable, Hashable {
  public var account: String?

  public init(account: String? = nil) { self.account = account }
}

/// `session.list`: all accounts.
public enum SessionList: AgentMethod {
  public static let name = "session.list"
  public static let notes = MethodNotes("All accounts.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    public var accounts: [AccountStatus]

    public init(accounts: [AccountStatus]) { self.accounts = accounts }
  }
}

/// `session.status`: one account.
public enum SessionStatus: AgentMethod {
  public static let name = "session.status"
  public static let notes = MethodNotes("One account.", .account)
  public typealias Params = AccountParams
  public typealias Result = AccountStatus
}

/// `session.token`: the access token (TK-1). Answered from memory while it is good for long enough.
public enum SessionToken: AgentMethod {
  public static let name = "session.token"
  public static let notes = MethodNotes("The access token.", .account, .network, .vault)

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    /// The least remaining life in seconds; by default 60, or a tenth of the token's life if that is less.
    public var minTTL: Double?
    /// The SHA-256 of a token that a server refused, 64 lowercase hex digits (TK-4).
    public var rejected: String?
    /// Why the caller asks, for the journal.
    public var reason: String?

    public init(account: String? = nil, minTTL: Double? = nil, rejected: String? = nil, reason: String? = nil) {
      self.account = account
      self.minTTL = minTTL
      self.rejected = rejected
      self.reason = reason
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    public var account: String
    /// The bearer token: never log it, never put it into an argument.
    public var accessToken: String
    /// `bearer` (RFC 6750).
    public var tokenType: String
    /// When it ends, by this machine's clock.
    public var expiresAt: Timestamp
    /// Seconds that it lives from now.
    public var expiresIn: Int
    /// True where the caller named this very token as rejected and there is no newer one: do not repeat (TK-4).
    public var unchanged: Bool?

    public init(
      account: String, accessToken: String, tokenType: String, expiresAt: Timestamp, expiresIn: Int,
      unchanged: Bool? = nil
    ) {
      self.account = account
      self.accessToken = accessToken
      self.tokenType = tokenType
      self.expiresAt = expiresAt
      self.expiresIn = expiresIn
      self.unchanged = unchanged
    }
  }
}

/// `session.refresh`: a refresh now, unless one ended less than 5 s ago.
public enum SessionRefresh: AgentMethod {
  public static let name = "session.refresh"
  public static let notes = MethodNotes("A refresh now, unless one ended a moment ago.", .account, .network, .vault)
  public typealias Params = AccountParams
  public typealias Result = AccountStatus
}

/// `session.explain`: what the refresher will do next and why, and its last tries.
public enum SessionExplain: AgentMethod {
  public static let name = "session.explain"
  public static let notes = MethodNotes("What the refresher will do next, and why.", .account, .vault)
  public typealias Params = AccountParams

  public struct Result: Codable, Sendable, Hashable {
    public var account: AccountStatus
    /// Sentences, most important first.
    public var explanation: [String]
    /// The last tries, newest first.
    public var tries: [RefreshTry]

    public init(account: AccountStatus, explanation: [String], tries: [RefreshTry]) {
      self.account = account
      self.explanation = explanation
      self.tries = tries
    }
  }
}

/// One try to refresh.
public struct RefreshTry: Codable, Sendable, Hashable {
  public var at: Timestamp
  /// Why it was made: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.
  public var reason: String
  /// `refreshed`, `ended`, `failed`, `misconfigured`, `superseded`.
  public var outcome: String
  /// The HTTP status, where an answer came.
  public var status: Int?
  /// The kind of the error, where it failed.
  public var error: ErrorKind?
  /// How long it took, in seconds.
  public var latency: Double

  public init(at: Timestamp, reason: String, outcome: String, status: Int?, error: ErrorKind?, latency: Double) {
    self.at = at
    self.reason = reason
    self.outcome = outcome
    self.status = status
    self.error = error
    self.latency = latency
  }
}

/// `session.use`: makes an account the default one.
public enum SessionUse: AgentMethod {
  public static let name = "session.use"
  public static let notes = MethodNotes("Makes an account the default one.", .account, .vault)
  public typealias Params = AccountParams
  public typealias Result = AccountStatus
}

/// `session.useAPI`: a person accepts the API's origin that the configuration names now. Until then no request with the
/// account's token goes there.
public enum SessionUseAPI: AgentMethod {
  public static let name = "session.useAPI"
  public static let notes = MethodNotes(
    "Accepts the API that is configured now for the account's token.", .account, .vault)
  public typealias Params = AccountParams
  public typealias Result = AccountStatus
}

/// How far a sign-out reaches, as `POST /logout?scope=` has it.
public struct SignOutScope: RawRepresentable, Codable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// This session alone.
  public static let local = SignOutScope(rawValue: "local")
  /// Every session of the user.
  public static let global = SignOutScope(rawValue: "global")
  /// Every session of the user but this one, which stays.
  public static let others = SignOutScope(rawValue: "others")
}

/// `session.signOut`: ends the session here at once, and at the server as soon as it can be reached (SE-4).
public enum SessionSignOut: AgentMethod {
  public static let name = "session.signOut"
  public static let notes = MethodNotes(
    "Ends a session here at once, and at the server when it can be reached.", .account, .network, .vault)

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    public var scope: SignOutScope?
    /// Every account instead of one.
    public var all: Bool?

    public init(account: String? = nil, scope: SignOutScope? = nil, all: Bool? = nil) {
      self.account = account
      self.scope = scope
      self.all = all
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The accounts that were signed out.
    public var accounts: [String]
    /// Those whose revocation waits for the server to be reachable.
    public var pending: [String]
    /// With `all`: the accounts that could not be signed out here, and why. Absent where there are none.
    public var failed: [Failure]?

    public init(accounts: [String], pending: [String], failed: [Failure]? = nil) {
      self.accounts = accounts
      self.pending = pending
      self.failed = failed
    }
  }

  /// An account that is still signed in.
  public struct Failure: Codable, Sendable, Hashable {
    public var account: String
    public var kind: ErrorKind
    public var message: String

    public init(account: String, kind: ErrorKind, message: String) {
      self.account = account
      self.kind = kind
      self.message = message
    }
  }
}
