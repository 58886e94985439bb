/// `signIn.nonce`: a nonce for Apple's native sign-in (SI-3), single use.
public enum SignInNonce: AgentMethod {
  public static let name = "signIn.nonce"
  public static let notes = MethodNotes("A nonce for Apple's native sign-in, for single use.")
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Hashable {
    /// 32 characters: goes into `signIn.idToken`.
    public var nonce: String
    /// Its SHA-256 in lowercase hex: goes into the request to Apple.
    public var hashed: String

    public init(nonce: String, hashed: String) {
      self.nonce = nonce
      self.hashed = hashed
    }
  }
}

/// `signIn.methods`: the ways to sign in that the project has on, in the order to offer them (SI-1, SI-12).
public enum SignInMethods: AgentMethod {
  public static let name = "signIn.methods"
  public static let notes = MethodNotes("The ways to sign in that the project has on.", .network, [.misconfigured])

  public struct Params: Codable, Sendable, Hashable {
    public var project: String?

    public init(project: String? = nil) { self.project = project }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// Of `apple`, `google`, `email`.
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
  /// Whether another user's session under this account name may be replaced (SI-15).
  public var replace: Bool?

  public init(account: String?, project: String?, email: String, password: String, replace: Bool? = nil) {
    self.account = account
    self.project = project
    self.email = email
    self.password = password
    self.replace = replace
  }
}

/// How a sign-in ended.
public struct SignInResult: Codable, Sendable, Hashable {
  /// `signedIn`, `confirmationSent` or `decisionNeeded`.
  public var outcome: Outcome
  public var account: AccountStatus?
  /// What the person has to decide, for `decisionNeeded`; answered by `identity.decide`.
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

/// What a person is asked before a sign-in takes effect.
public struct SignInDecision: Codable, Sendable, Hashable {
  /// `newAccount`: a first sign-in by a pasted address; is this you (SI-15)? `link`: the server linked the sign-in to an account
  /// that has other ways to sign in; keep it so (LK-2)?
  public var kind: String
  public var flow: String
  /// The account name that it is for.
  public var account: String
  /// Who signed in.
  public var user: AccountUser
  /// What was linked, for `link`.
  public var identity: AccountIdentity?
  /// The ways to sign in that the account had before, for `link`.
  public var others: [AccountIdentity]?

  /// The kind of a question about a link.
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

/// `signIn.password`.
public enum SignInPassword: AgentMethod {
  public static let name = "signIn.password"
  public static let notes = MethodNotes("Signs in by e-mail and password.", .signIn)
  public typealias Params = PasswordParams
  public typealias Result = SignInResult
}

/// `signIn.signUp`.
public enum SignInSignUp: AgentMethod {
  public static let name = "signIn.signUp"
  public static let notes = MethodNotes("Makes a user by e-mail and password.", .signIn)
  public typealias Params = PasswordParams
  public typealias Result = SignInResult
}

/// `signIn.idToken`: the native exchange for a caller that has an identity token (SI-3).
public enum SignInIDToken: AgentMethod {
  public static let name = "signIn.idToken"
  public static let notes = MethodNotes("Exchanges an identity token of Apple or Google.", .signIn)
  public typealias Result = AccountStatus

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    public var project: String?
    public var provider: String
    public var idToken: String
    /// The raw nonce, from `signIn.nonce`.
    public var nonce: String?
    public var replace: Bool?
    /// The person's name as Apple told it at the first sign-in, which is not in the token (SI-4).
    public var name: String?
    /// The address that Apple told at the first sign-in.
    public var email: String?
    /// Whether an account that has other ways to sign in may be linked without being asked about (LK-2).
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

/// `signIn.importSession`: brings an existing session along (SI-14); checked by one refresh.
public enum SignInImportSession: AgentMethod {
  public static let name = "signIn.importSession"
  public static let notes = MethodNotes("Brings a session along by its refresh token.", .signIn, [.signInNeeded])
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

/// `signIn.start`: begins a sign-in in a browser. The starter's disconnect cancels it unless `detach`.
public enum SignInStart: AgentMethod {
  public static let name = "signIn.start"
  public static let notes = MethodNotes(
    "Begins a sign-in in a browser. The starter's disconnect cancels it unless `detach`.", .signIn)

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    public var project: String?
    /// `apple` or `google`; without one, `url` is the sign-in page.
    public var provider: String?
    public var replace: Bool?
    /// `loopback`, `scheme` or `manual`; by default what the configuration says (`[sign_in] redirect`).
    public var redirect: String?
    /// Seconds until the waiting side is told that nothing came (SI-11).
    public var timeout: Double?
    public var detach: Bool?
    /// The loopback port, for `ssh -L`; a free one by default.
    public var port: Int?
    /// Whether a sign-in of the account that waits for a browser is cancelled for this one; `flowBusy` if not.
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
    /// The address to open in a browser.
    public var url: String
    /// When the server forgets the flow.
    public var expiresAt: Timestamp
    /// What the person has to know before the address is opened (LK-2).
    public var warning: String?

    public init(flow: String, url: String, expiresAt: Timestamp, warning: String? = nil) {
      self.flow = flow
      self.url = url
      self.expiresAt = expiresAt
      self.warning = warning
    }
  }
}

/// The params of the methods that are about one flow.
public struct FlowParams: Codable, Sendable, Hashable {
  public var flow: String

  public init(flow: String) { self.flow = flow }
}

/// `signIn.wait`: the one request that waits for a person.
public enum SignInWait: AgentMethod {
  public static let name = "signIn.wait"
  public static let notes = MethodNotes("Waits for the end of a sign-in.", .flow)
  public typealias Params = FlowParams
  public typealias Result = SignInResult
}

/// `signIn.cancel`.
public enum SignInCancel: AgentMethod {
  public static let name = "signIn.cancel"
  public static let notes = MethodNotes("Ends a sign-in that runs.", [.flowUnknown])
  public typealias Params = FlowParams
  public typealias Result = Empty
}

/// `signIn.complete`: hands in the address that the browser ended on (SI-7).
public enum SignInComplete: AgentMethod {
  public static let name = "signIn.complete"
  public static let notes = MethodNotes("Hands in the address that the browser ended on.", .flow)
  public typealias Result = SignInResult

  public struct Params: Codable, Sendable, Hashable {
    /// The whole address, at most 8 KiB.
    public var callback: String
    /// False where nobody can be asked: a first sign-in, which has to be confirmed, is then refused before the code is used.
    public var canAsk: Bool?

    public init(callback: String, canAsk: Bool? = nil) {
      self.callback = callback
      self.canAsk = canAsk
    }
  }
}

/// `identity.decide`: the answer to a `decisionNeeded`.
public enum IdentityDecide: AgentMethod {
  public static let name = "identity.decide"
  public static let notes = MethodNotes("The answer to a `decisionNeeded`.", .flow)
  public typealias Result = SignInResult

  public struct Params: Codable, Sendable, Hashable {
    public var flow: String
    public var accept: Bool

    public init(flow: String, accept: Bool) {
      self.flow = flow
      self.accept = accept
    }
  }
}
