/// The params of a method that uses an account: the named one, else the one that is set for the
/// directory of the caller or the nearest one above it (`session.use`), else the default account.
public protocol DirectoryParams: Codable, Sendable {
  var account: String? { get }
  /// The directory in which the caller runs, without symbolic links. Ignored if `account` is present.
  var directory: String? { get set }
}

/// An account that is set for a directory and everything below it.
public struct DirectoryAccount: Codable, Sendable, Hashable {
  /// The directory's path, without symbolic links.
  public var directory: String
  /// The name of the account. There may be no account of this name any more: then requests from the
  /// directory fail.
  public var account: String

  public init(directory: String, account: String) { (self.directory, self.account) = (directory, account) }

  /// The maximum length of a path in bytes: PATH_MAX of Linux.
  public static let maxLength = 4096

  /// Whether `path` has the form of realpath(3): absolute, at most `maxLength` bytes, without empty, `.`
  /// and `..` segments, NUL, and a slash at the end.
  public static func isResolved(_ path: String) -> Bool {
    let bytes = path.utf8
    guard bytes.first == UInt8(ascii: "/"), bytes.count <= maxLength else { return false }
    guard bytes.count > 1 else { return true }
    // The length of the segment so far, and whether it has only dots.
    var (length, isDots) = (0, true)
    for byte in bytes.dropFirst() {
      if byte == 0 { return false }
      if byte == UInt8(ascii: "/") {
        if isDots, length <= 2 { return false }
        (length, isDots) = (0, true)
      } else {
        length += 1
        if byte != UInt8(ascii: ".") { isDots = false }
      }
    }
    return !(isDots && length <= 2)
  }
}

/// The params of every method that concerns one account, and has no other params.
public struct AccountParams: DirectoryParams, Hashable {
  public var account: String?
  /// The caller's directory, as in `session.token`.
  public var directory: String?

  public init(account: String? = nil) { self.account = account }
}

/// `session.list`: returns all accounts.
public enum SessionList: AgentMethod {
  public static let name = "session.list"
  public static let notes = MethodNotes("Lists all accounts.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// All accounts.
    public var accounts: [AccountStatus]
    /// The directories that have an account of their own, sorted; absent if there are none, and after a
    /// start with a locked vault until it is unlocked.
    public var directories: [DirectoryAccount]?

    public init(accounts: [AccountStatus], directories: [DirectoryAccount]? = nil) {
      self.accounts = accounts
      self.directories = directories
    }
  }
}

/// `session.status`: returns one account.
public enum SessionStatus: AgentMethod {
  public static let name = "session.status"
  public static let notes = MethodNotes("Returns one account.", .account)
  public typealias Params = AccountParams
  public typealias Result = AccountStatus
}

/// `session.token`: returns the access token, from memory if it is valid for at least
/// `minTTL`.
public enum SessionToken: AgentMethod {
  public static let name = "session.token"
  public static let notes = MethodNotes("Returns a valid access token.", .account, .network, .vault, [.mfaNeeded])

  /// Whether `text` has the form of a `rejected`: 64 lowercase hex digits. Any other text would
  /// never match, and the caller would get the rejected token again and again.
  package static func isFingerprint(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The directory in which the caller runs, without symbolic links. It selects the account if none is
    /// named (`session.use`).
    public var directory: String?
    /// The minimum remaining validity in seconds. The default is 60, or a tenth of the token's
    /// lifetime if that is less.
    public var minTTL: Double?
    /// The SHA-256 of a token that a server rejected, as 64 lowercase hex digits.
    public var rejected: String?
    /// The caller's reason for the request, for the journal.
    public var reason: String?
    /// True to include `endpoints` in the result.
    public var endpoints: Bool?
    /// The lowest acceptable level of the token: `aal2` requires a second factor. The default
    /// is `aal1`.
    public var assurance: String?

    public init(
      account: String? = nil, minTTL: Double? = nil, rejected: String? = nil, reason: String? = nil,
      endpoints: Bool? = nil, assurance: String? = nil
    ) {
      self.account = account
      self.minTTL = minTTL
      self.rejected = rejected
      self.reason = reason
      self.endpoints = endpoints
      self.assurance = assurance
    }
  }

  /// A valid access token.
  public struct Result: Codable, Sendable, Hashable {
    /// The account that the token belongs to.
    public var account: String
    /// The directory that selected the account; absent if the account was named, or is the default.
    public var directory: String?
    /// The bearer token. Never log it or pass it as a command-line argument.
    public var accessToken: String
    /// `bearer` (RFC 6750).
    public var tokenType: String
    /// The token's expiry, by this machine's clock.
    public var expiresAt: Timestamp
    /// Seconds until the token expires.
    public var expiresIn: Int
    /// True if the caller reported this token as rejected and there is no newer one. The caller
    /// must not repeat its request.
    public var unchanged: Bool?
    /// The project that accepts the token, if the caller asked for it.
    public var endpoints: Endpoints?

    public init(
      account: String, accessToken: String, tokenType: String, expiresAt: Timestamp, expiresIn: Int,
      unchanged: Bool? = nil, endpoints: Endpoints? = nil
    ) {
      self.account = account
      self.accessToken = accessToken
      self.tokenType = tokenType
      self.expiresAt = expiresAt
      self.expiresIn = expiresIn
      self.unchanged = unchanged
      self.endpoints = endpoints
    }
  }

  /// The project's URLs and key, which a tool needs to use the token. None of them is secret.
  public struct Endpoints: Codable, Sendable, Hashable {
    /// The project URL, without a trailing slash.
    public var projectURL: String
    /// The anon or publishable key, which Supabase expects in the header `apikey`.
    public var anonKey: String
    /// The configured API URL, or the project URL if there is none. Absent if the API URL changed
    /// after the sign-in and was not accepted yet (`session.useAPI`).
    public var apiURL: String?

    public init(projectURL: String, anonKey: String, apiURL: String?) {
      self.projectURL = projectURL
      self.anonKey = anonKey
      self.apiURL = apiURL
    }
  }
}

/// `session.refresh`: refreshes now, unless a refresh ended less than 5 s ago.
public enum SessionRefresh: AgentMethod {
  public static let name = "session.refresh"
  public static let notes = MethodNotes("Refreshes now (at most once every 5 seconds).", .account, .network, .vault)
  public typealias Params = AccountParams
  public typealias Result = AccountStatus
}

/// `session.explain`: returns the refresher's next step, the reason for it, and the recent
/// attempts.
public enum SessionExplain: AgentMethod {
  public static let name = "session.explain"
  public static let notes = MethodNotes("Explains the next refresh; lists recent attempts.", .account, .vault)
  public typealias Params = AccountParams

  public struct Result: Codable, Sendable, Hashable {
    /// The account.
    public var account: AccountStatus
    /// Sentences, most important first.
    public var explanation: [String]
    /// The recent attempts, newest first.
    public var tries: [RefreshTry]

    public init(account: AccountStatus, explanation: [String], tries: [RefreshTry]) {
      self.account = account
      self.explanation = explanation
      self.tries = tries
    }
  }
}

/// One refresh attempt.
public struct RefreshTry: Codable, Sendable, Hashable {
  /// When the attempt began.
  public var at: Timestamp
  /// The trigger: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.
  public var reason: String
  /// `refreshed`, `ended`, `failed`, `refused`, `banned`, `paused`, `misconfigured`.
  public var outcome: String
  /// The HTTP status, if the server answered.
  public var status: Int?
  /// The kind of the error, if the attempt failed.
  public var error: ErrorKind?
  /// The duration of the attempt in seconds.
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

/// `session.use`: makes an account the default, or the account of a directory and everything below it.
/// Returns the account.
public enum SessionUse: AgentMethod {
  public static let name = "session.use"
  public static let notes = MethodNotes("Sets the default account, or the account for a directory.", .account, .vault)
  public typealias Result = AccountStatus

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    /// The directory to set the account for, as an absolute path without symbolic links. Absent for the
    /// default account.
    public var directory: String?
    /// True to undo that for `directory`.
    public var forget: Bool?

    public init(account: String? = nil, directory: String? = nil, forget: Bool? = nil) {
      self.account = account
      self.directory = directory
      self.forget = forget
    }
  }
}

/// `session.rename`: gives an account another name.
public enum SessionRename: AgentMethod {
  public static let name = "session.rename"
  public static let notes = MethodNotes("Renames an account.", .account, .vault, [.flowBusy])

  public struct Params: Codable, Sendable, Hashable {
    /// The current name.
    public var account: String
    /// The new name.
    public var name: String

    public init(account: String, name: String) {
      self.account = account
      self.name = name
    }
  }

  public typealias Result = AccountStatus
}

/// `session.remove`: signs an account out and deletes all that is stored about it.
public enum SessionRemove: AgentMethod {
  public static let name = "session.remove"
  public static let notes = MethodNotes(
    "Signs an account out and deletes everything stored about it.", .account, .network, .vault, [.flowBusy])

  public struct Params: Codable, Sendable, Hashable {
    public var account: String
    /// Required to remove the account of an anonymous user, who is lost with the session.
    public var discard: Bool?

    public init(account: String, discard: Bool? = nil) {
      self.account = account
      self.discard = discard
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The name of the removed account.
    public var account: String
    /// True if the server has not confirmed the end of the session yet; the agent keeps trying.
    public var isPending: Bool

    public init(account: String, isPending: Bool) {
      self.account = account
      self.isPending = isPending
    }
  }
}

/// `session.useAPI`: records that a person accepts the currently configured API origin. Until then,
/// no request with the account's token is sent to that origin.
public enum SessionUseAPI: AgentMethod {
  public static let name = "session.useAPI"
  public static let notes = MethodNotes(
    "Allows the configured API to receive the account's token.", .account, .vault)
  public typealias Params = AccountParams
  public typealias Result = AccountStatus
}

/// The scope of a sign-out, as in `POST /logout?scope=`.
public struct SignOutScope: RawRepresentable, Codable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Only this session.
  public static let local = SignOutScope(rawValue: "local")
  /// Every session of the user.
  public static let global = SignOutScope(rawValue: "global")
  /// Every session of the user except this one.
  public static let others = SignOutScope(rawValue: "others")
}

/// `session.signOut`: ends the session on this machine immediately, and on the server as soon as it
/// is reachable.
public enum SessionSignOut: AgentMethod {
  public static let name = "session.signOut"
  public static let notes = MethodNotes(
    "Ends a session here immediately, and on the server once it is reachable.", .account, .network, .vault)

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`. Ignored with `all`.
    public var directory: String?
    public var scope: SignOutScope?
    /// Signs out every account instead of one.
    public var all: Bool?
    /// Required to sign out an anonymous user, who is lost with the session.
    public var discard: Bool?

    public init(account: String? = nil, scope: SignOutScope? = nil, all: Bool? = nil, discard: Bool? = nil) {
      self.account = account
      self.scope = scope
      self.all = all
      self.discard = discard
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The accounts that were signed out.
    public var accounts: [String]
    /// The accounts whose revocation the server has not confirmed yet; the agent keeps trying.
    public var pending: [String]
    /// With `all`, the accounts whose sign-out failed, and why. Absent if there are none.
    public var failed: [Failure]?

    public init(accounts: [String], pending: [String], failed: [Failure]? = nil) {
      self.accounts = accounts
      self.pending = pending
      self.failed = failed
    }
  }

  /// An account that is still signed in.
  public struct Failure: Codable, Sendable, Hashable {
    /// The account's name.
    public var account: String
    /// The kind of the error.
    public var kind: ErrorKind
    /// The message for the user.
    public var message: String

    public init(account: String, kind: ErrorKind, message: String) {
      self.account = account
      self.kind = kind
      self.message = message
    }
  }
}
