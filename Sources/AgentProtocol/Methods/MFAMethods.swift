/// `mfa.list`: returns the second factors of the account's user.
public enum MFAList: AgentMethod {
  public static let name = "mfa.list"
  public static let notes = MethodNotes("Lists the user's second factors.", .account, .network, .vault)
  public typealias Params = AccountParams

  public struct Result: Codable, Sendable, Hashable {
    /// The account whose user has the factors.
    public var account: String
    /// The factors.
    public var factors: [AccountFactor]
    /// The session's level.
    public var assurance: AccountAssurance
    /// The other accounts of this agent whose sessions end with a verification. Every other
    /// session of the user without a second factor ends too.
    public var endsAccounts: [String]
    /// False if the server could not be asked and the list is its last known answer.
    public var isCurrent: Bool

    public init(
      account: String, factors: [AccountFactor], assurance: AccountAssurance, endsAccounts: [String], isCurrent: Bool
    ) {
      self.account = account
      self.factors = factors
      self.assurance = assurance
      self.endsAccounts = endsAccounts
      self.isCurrent = isCurrent
    }
  }
}

/// `mfa.challenge`: has the project send a code to a phone factor. An authenticator app needs
/// none.
public enum MFAChallenge: AgentMethod {
  public static let name = "mfa.challenge"
  public static let notes = MethodNotes(
    "Has the project send a code to a phone factor.", .account, .network, .vault, [.methodDisabled])

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// The factor's ID; may be omitted if the user has one phone factor.
    public var factor: String?

    public init(account: String? = nil, factor: String? = nil) {
      self.account = account
      self.factor = factor
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The factor to which the code belongs.
    public var factor: String
    /// When the code expires, by this machine's clock.
    public var expiresAt: Timestamp

    public init(factor: String, expiresAt: Timestamp) {
      self.factor = factor
      self.expiresAt = expiresAt
    }
  }
}

/// `mfa.verify`: raises the session to `aal2` with a code, or completes an enrolment. Ends every
/// other session of the user without a second factor, on all devices.
public enum MFAVerify: AgentMethod {
  public static let name = "mfa.verify"
  public static let notes = MethodNotes(
    "Verifies a second factor; ends the user's other sessions without one.", .account, .network, .vault,
    [.codeInvalid, .flowBusy, .methodDisabled, .mfaNeeded])
  public typealias Result = AccountStatus

  /// Never log the params.
  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// The factor's ID; may be omitted if the user has one verified factor.
    public var factor: String?
    /// The code: 6 to 10 digits. Spaces are ignored.
    public var code: String

    public init(account: String? = nil, factor: String? = nil, code: String) {
      self.account = account
      self.factor = factor
      self.code = code
    }
  }
}

/// `mfa.enroll`: adds a second factor, which counts once `mfa.verify` has accepted a code for it.
public enum MFAEnroll: AgentMethod {
  public static let name = "mfa.enroll"
  public static let notes = MethodNotes(
    "Adds a second factor; mfa.verify completes it.", .account, .network, .vault, [.methodDisabled, .mfaNeeded])

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// `totp` or `phone`.
    public var type: String
    /// A name for the factor, unique among the user's factors.
    public var name: String?
    /// For `phone`, the number with the country code.
    public var phone: String?

    public init(account: String? = nil, type: String, name: String? = nil, phone: String? = nil) {
      self.account = account
      self.type = type
      self.name = name
      self.phone = phone
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The new factor's ID, for `mfa.verify`. The server forgets an unverified factor after 5
    /// minutes.
    public var factor: String
    /// For `totp`, the secret in base32. Shown once and stored nowhere; never log it.
    public var secret: String?
    /// For `totp`, the `otpauth:` URI for an authenticator app. Contains the secret.
    public var uri: String?

    public init(factor: String, secret: String? = nil, uri: String? = nil) {
      self.factor = factor
      self.secret = secret
      self.uri = uri
    }
  }
}

/// `mfa.remove`: removes a second factor. The session falls to `aal1`.
public enum MFARemove: AgentMethod {
  public static let name = "mfa.remove"
  public static let notes = MethodNotes("Removes a second factor.", .account, .network, .vault, [.mfaNeeded])
  public typealias Result = Empty

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// The factor's ID, from `mfa.list`.
    public var factor: String

    public init(account: String? = nil, factor: String) {
      self.account = account
      self.factor = factor
    }
  }
}

/// `mfa.start`: opens the agent's page for a second factor of a signed-in account. The flow goes on
/// with `signIn.wait` and `signIn.cancel`. Closing the caller's connection cancels it unless `detach`
/// is set.
public enum MFAStart: AgentMethod {
  public static let name = "mfa.start"
  public static let notes = MethodNotes(
    "Opens the agent's page for a second factor.", .account, .network, .vault, [.flowBusy, .methodDisabled])
  public typealias Result = SignInStart.Result

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// As in `signIn.start`.
    public var timeout: Double?
    /// As in `signIn.start`.
    public var detach: Bool?

    public init(account: String? = nil, timeout: Double? = nil, detach: Bool? = nil) {
      self.account = account
      self.timeout = timeout
      self.detach = detach
    }
  }
}
