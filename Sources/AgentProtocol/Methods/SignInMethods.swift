/// `signIn.nonce`: returns a single-use nonce for Apple's native sign-in (SI-3).
public enum SignInNonce: AgentMethod {
  public static let name = "signIn.nonce"
  public static let notes = MethodNotes("Returns a single-use nonce for Apple's native sign-in.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// 32 characters, for `signIn.idToken`.
    public var nonce: String
    /// The SHA-256 of `nonce` in lowercase hex, for the request to Apple.
    public var hashed: String

    public init(nonce: String, hashed: String) {
      self.nonce = nonce
      self.hashed = hashed
    }
  }
}

/// `signIn.methods`: returns the sign-in methods that are enabled in the project, in display order
/// (SI-1, SI-12).
public enum SignInMethods: AgentMethod {
  public static let name = "signIn.methods"
  public static let notes = MethodNotes("Lists the project's enabled sign-in methods.", .network, [.misconfigured])

  public struct Params: Codable, Sendable, Hashable {
    public var project: String?

    public init(project: String? = nil) { self.project = project }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// A subset of `apple`, `google`, `email`.
    public var methods: [String]
    public var signUp: Bool

    public init(methods: [String], signUp: Bool) {
      self.methods = methods
      self.signUp = signUp
    }
  }
}

/// The params of `signIn.password` and `signIn.signUp`. Never log them.
public struct PasswordParams: Codable, Sendable, Hashable {
  public var account: String?
  public var project: String?
  public var email: String
  public var password: String
  /// Whether the sign-in may replace another user's session under this account name (SI-15).
  public var replace: Bool?

  public init(account: String?, project: String?, email: String, password: String, replace: Bool? = nil) {
    self.account = account
    self.project = project
    self.email = email
    self.password = password
    self.replace = replace
  }
}

/// The outcome of a sign-in.
public struct SignInResult: Codable, Sendable, Hashable {
  /// `signedIn`, `confirmationSent` or `decisionNeeded`.
  public var outcome: Outcome
  /// For `signedIn`, the account.
  public var account: AccountStatus?
  /// For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer.
  public var decision: SignInDecision?

  public struct Outcome: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let signedIn = Outcome(rawValue: "signedIn")
    public static let confirmationSent = Outcome(rawValue: "confirmationSent")
    public static let decisionNeeded = Outcome(rawValue: "decisionNeeded")
  }

  public init(_ outcome: Outcome, account: AccountStatus? = nil, decision: SignInDecision? = nil) {
    self.outcome = outcome
    self.account = account
    self.decision = decision
  }
}

/// A decision that a person makes before a sign-in takes effect.
public struct SignInDecision: Codable, Sendable, Hashable {
  /// `newAccount`: confirm the user of a first sign-in by a pasted URL (SI-15). `link`: accept that
  /// the server linked the sign-in to an account with other sign-in methods (LK-2).
  public var kind: String
  /// The flow that `identity.decide` takes.
  public var flow: String
  /// The name of the account to sign in to.
  public var account: String
  /// The user who signed in.
  public var user: AccountUser
  /// For `link`, the linked sign-in method.
  public var identity: AccountIdentity?
  /// For `link`, the sign-in methods that the account had before.
  public var others: [AccountIdentity]?

  /// The value of `kind` for a linking decision.
  public static let link = "link"

  public init(
    kind: String, flow: String, account: String, user: AccountUser, identity: AccountIdentity? = nil,
    others: [AccountIdentity]? = nil
  ) {
    self.kind = kind
    self.flow = flow
    self.account = account
    self.user = user
    self.identity = identity
    self.others = others
  }
}

/// `signIn.password`: signs in with email and password.
public enum SignInPassword: AgentMethod {
  public static let name = "signIn.password"
  public static let notes = MethodNotes("Signs in with email and password.", .signIn)
  public typealias Params = PasswordParams
  public typealias Result = SignInResult
}

/// `signIn.signUp`: creates a user with email and password.
public enum SignInSignUp: AgentMethod {
  public static let name = "signIn.signUp"
  public static let notes = MethodNotes("Creates a user with email and password.", .signIn)
  public typealias Params = PasswordParams
  public typealias Result = SignInResult
}

/// `signIn.idToken`: signs in with an identity token that the caller obtained natively (SI-3).
public enum SignInIDToken: AgentMethod {
  public static let name = "signIn.idToken"
  public static let notes = MethodNotes("Exchanges an Apple or Google identity token.", .signIn)
  public typealias Result = AccountStatus

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    public var project: String?
    public var provider: String
    public var idToken: String
    /// The raw nonce, from `signIn.nonce`.
    public var nonce: String?
    public var replace: Bool?
    /// The person's name from Apple's first sign-in; the token does not contain it (SI-4).
    public var name: String?
    /// The email address from Apple's first sign-in.
    public var email: String?
    /// Whether the sign-in may be linked to an account with other sign-in methods without
    /// confirmation (LK-2).
    public var acceptLink: Bool?

    public init(
      account: String?, project: String? = nil, provider: String, idToken: String, nonce: String?,
      replace: Bool? = nil, name: String? = nil, email: String? = nil, acceptLink: Bool? = nil
    ) {
      self.account = account
      self.project = project
      self.provider = provider
      self.idToken = idToken
      self.nonce = nonce
      self.replace = replace
      self.name = name
      self.email = email
      self.acceptLink = acceptLink
    }
  }
}

/// `signIn.importSession`: imports an existing session (SI-14), verified by one refresh.
public enum SignInImportSession: AgentMethod {
  public static let name = "signIn.importSession"
  public static let notes = MethodNotes("Imports a session from its refresh token.", .signIn, [.signInNeeded])
  public typealias Result = AccountStatus

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    public var project: String?
    public var refreshToken: String
    public var replace: Bool?

    public init(account: String?, project: String? = nil, refreshToken: String, replace: Bool? = nil) {
      self.account = account
      self.project = project
      self.refreshToken = refreshToken
      self.replace = replace
    }
  }
}

/// `signIn.start`: starts a sign-in in a browser. Closing the caller's connection cancels it unless
/// `detach` is set.
public enum SignInStart: AgentMethod {
  public static let name = "signIn.start"
  public static let notes = MethodNotes(
    "Starts a sign-in in a browser. It is cancelled if the caller disconnects, unless `detach`.", .signIn)

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    public var project: String?
    /// `apple` or `google`; if absent, `url` is the sign-in page.
    public var provider: String?
    public var replace: Bool?
    /// `loopback`, `scheme` or `manual`; the default is `[sign_in] redirect` of the configuration.
    public var redirect: String?
    /// The timeout of each `signIn.wait`, in seconds. The flow continues after `flowTimedOut`
    /// (SI-11).
    public var timeout: Double?
    public var detach: Bool?
    /// The loopback port, for `ssh -L`; the default is any free port.
    public var port: Int?
    /// Whether this sign-in cancels another sign-in of the account that waits for a browser. If
    /// not, the error is `flowBusy`.
    public var takeOver: Bool?

    public init(
      account: String? = nil, project: String? = nil, provider: String? = nil, replace: Bool? = nil,
      redirect: String? = nil, timeout: Double? = nil, detach: Bool? = nil, port: Int? = nil, takeOver: Bool? = nil
    ) {
      self.account = account
      self.project = project
      self.provider = provider
      self.replace = replace
      self.redirect = redirect
      self.timeout = timeout
      self.detach = detach
      self.port = port
      self.takeOver = takeOver
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    public var flow: String
    /// The URL to open in a browser.
    public var url: String
    /// When the flow expires on the server.
    public var expiresAt: Timestamp
    /// A warning to show before the URL is opened (LK-2).
    public var warning: String?

    public init(flow: String, url: String, expiresAt: Timestamp, warning: String? = nil) {
      self.flow = flow
      self.url = url
      self.expiresAt = expiresAt
      self.warning = warning
    }
  }
}

/// The params of the methods that concern one flow.
public struct FlowParams: Codable, Sendable, Hashable {
  public var flow: String

  public init(flow: String) { self.flow = flow }
}

/// `signIn.wait`: waits for the outcome of a sign-in. Besides `approval.wait`, the only request
/// that waits for a person.
public enum SignInWait: AgentMethod {
  public static let name = "signIn.wait"
  public static let notes = MethodNotes("Waits until a sign-in ends.", .flow)
  public typealias Params = FlowParams
  public typealias Result = SignInResult
}

/// `signIn.cancel`: cancels a sign-in in progress.
public enum SignInCancel: AgentMethod {
  public static let name = "signIn.cancel"
  public static let notes = MethodNotes("Cancels a running sign-in.", [.flowUnknown])
  public typealias Params = FlowParams
  public typealias Result = Empty
}

/// `signIn.complete`: finishes a sign-in with the URL to which the browser was redirected (SI-7).
public enum SignInComplete: AgentMethod {
  public static let name = "signIn.complete"
  public static let notes = MethodNotes("Finishes a sign-in with its redirect URL.", .flow)
  public typealias Result = SignInResult

  public struct Params: Codable, Sendable, Hashable {
    /// The complete URL, at most 8 KiB.
    public var callback: String
    /// Whether a person can confirm. If false, a first sign-in, which needs confirmation, is
    /// refused before the code is used.
    public var canAsk: Bool?

    public init(callback: String, canAsk: Bool? = nil) {
      self.callback = callback
      self.canAsk = canAsk
    }
  }
}
