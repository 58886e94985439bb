/// `signIn.nonce`: returns a single-use nonce for Apple's native sign-in.
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

/// `signIn.methods`: returns the sign-in methods that are enabled in the project, in display order.
public enum SignInMethods: AgentMethod {
  public static let name = "signIn.methods"
  public static let notes = MethodNotes("Lists the project's enabled sign-in methods.", .network, [.misconfigured])

  public struct Params: Codable, Sendable, Hashable {
    public var project: String?

    public init(project: String? = nil) { self.project = project }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The enabled methods in display order: `apple`, `google`, the other providers by name, then
    /// `email`, `phone`, `sso` and `anonymous`. Every one is a word that `ritualctl sign-in` takes.
    public var methods: [String]
    /// Whether a new user can sign up by email.
    public var signUp: Bool

    public init(methods: [String], signUp: Bool) {
      self.methods = methods
      self.signUp = signUp
    }
  }
}

/// The params of `signIn.password` and `signIn.signUp`. Never log them.
public struct PasswordParams: DirectoryParams, Hashable {
  public var account: String?
  /// The caller's directory, as in `session.token`.
  public var directory: String?
  public var project: String?
  public var email: String
  /// The password.
  public var password: String
  /// Whether the sign-in may replace another user's session under this account name.
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
  /// For `signedIn`, whether a second factor is needed.
  public var mfa: SecondFactorNeed?

  /// How a sign-in ended. A newer agent may send other values.
  public struct Outcome: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The user is signed in.
    public static let signedIn = Outcome(rawValue: "signedIn")
    /// The server sent a confirmation email. The user signs in after opening the link in it.
    public static let confirmationSent = Outcome(rawValue: "confirmationSent")
    /// A person must decide before the sign-in takes effect.
    public static let decisionNeeded = Outcome(rawValue: "decisionNeeded")
  }

  /// Creates a result. The account's `mfa` becomes the result's.
  public init(_ outcome: Outcome, account: AccountStatus? = nil, decision: SignInDecision? = nil) {
    self.outcome = outcome
    self.account = account
    self.account?.mfa = nil
    self.decision = decision
    mfa = account?.mfa
  }
}

/// A decision that a person makes before a sign-in takes effect.
public struct SignInDecision: Codable, Sendable, Hashable {
  /// `newAccount`: confirm the user of a first sign-in by a pasted URL. `link`: accept that
  /// the server linked the sign-in to an account with other sign-in methods.
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

/// `signIn.idToken`: signs in with an identity token that the caller obtained natively.
public enum SignInIDToken: AgentMethod {
  public static let name = "signIn.idToken"
  public static let notes = MethodNotes("Exchanges a provider's identity token.", .signIn)
  public typealias Result = AccountStatus

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    public var project: String?
    public var provider: String
    /// The identity token, a JWT of the provider.
    public var idToken: String
    /// The raw nonce, from `signIn.nonce`.
    public var nonce: String?
    public var replace: Bool?
    /// The person's name from Apple's first sign-in; the token does not contain it.
    public var name: String?
    /// The email address from Apple's first sign-in.
    public var email: String?
    /// Whether the sign-in may be linked to an account with other sign-in methods without
    /// confirmation.
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

/// `signIn.importSession`: imports an existing session, verified by one refresh.
public enum SignInImportSession: AgentMethod {
  public static let name = "signIn.importSession"
  public static let notes = MethodNotes("Imports a session from its refresh token.", .signIn, [.signInNeeded])
  public typealias Result = AccountStatus

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    public var project: String?
    /// The refresh token of the session.
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

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    public var project: String?
    /// A provider by Supabase's name, such as `apple`, `github` or `custom:acme`. If this and `sso`
    /// are absent, `url` is the sign-in page: the project's own, if one is configured.
    public var provider: String?
    /// Additional OAuth scopes for the provider, separated by spaces.
    public var scopes: String?
    /// Single sign-on (SAML) instead of a provider.
    public var sso: SingleSignOn?
    public var replace: Bool?
    /// `loopback`, `scheme` or `manual`; the default is `[sign_in] redirect` of the configuration.
    public var redirect: String?
    /// The timeout of each `signIn.wait`, in seconds. The flow continues after `flowTimedOut`.
    public var timeout: Double?
    /// Whether the flow continues if the caller disconnects; otherwise it is cancelled.
    public var detach: Bool?
    /// The loopback port, for `ssh -L`; the default is any free port.
    public var port: Int?
    /// Whether this sign-in cancels another sign-in of the account that waits for a browser. If
    /// not, the error is `flowBusy`.
    public var takeOver: Bool?
    /// `ask` or `later`: whether the page asks for a second factor after the sign-in. The default is
    /// `[sign_in] mfa` of the configuration.
    public var mfa: String?

    public init(
      account: String? = nil, project: String? = nil, provider: String? = nil, scopes: String? = nil,
      sso: SingleSignOn? = nil, replace: Bool? = nil, redirect: String? = nil, timeout: Double? = nil,
      detach: Bool? = nil, port: Int? = nil, takeOver: Bool? = nil, mfa: String? = nil
    ) {
      self.account = account
      self.project = project
      self.provider = provider
      self.scopes = scopes
      self.sso = sso
      self.replace = replace
      self.redirect = redirect
      self.timeout = timeout
      self.detach = detach
      self.port = port
      self.takeOver = takeOver
      self.mfa = mfa
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    public var flow: String
    /// The URL to open in a browser.
    public var url: String
    /// When the flow expires on the server.
    public var expiresAt: Timestamp
    /// A warning to show before the URL is opened.
    public var warning: String?

    public init(flow: String, url: String, expiresAt: Timestamp, warning: String? = nil) {
      self.flow = flow
      self.url = url
      self.expiresAt = expiresAt
      self.warning = warning
    }
  }
}

/// The organization whose identity provider signs in.
public struct SingleSignOn: Codable, Sendable, Hashable {
  /// The organization's email domain, such as `example.org`; upper case counts as lower case.
  public var domain: String

  public init(domain: String) { self.domain = domain }
}

/// The params of the methods that concern one flow.
public struct FlowParams: Codable, Sendable, Hashable {
  public var flow: String

  public init(flow: String) { self.flow = flow }
}

/// `signIn.wait`: waits for the outcome of a sign-in, or of a page that asks for a second factor. A
/// factor that was left for later is no error: `mfa.needed` is true. Besides `approval.wait`, the only
/// request that waits for a person.
public enum SignInWait: AgentMethod {
  public static let name = "signIn.wait"
  public static let notes = MethodNotes("Waits until a sign-in ends.", .flow, [.signInNeeded])
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

/// `signIn.complete`: finishes a sign-in with the URL to which the browser was redirected.
public enum SignInComplete: AgentMethod {
  public static let name = "signIn.complete"
  public static let notes = MethodNotes("Finishes a sign-in with its redirect URL.", .flow, [.codeInvalid])
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

/// The purpose of a code that was sent by email or text message. A newer client may send other values.
public struct CodePurpose: RawRepresentable, Codable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The code signs in, or confirms a sign-up.
  public static let signIn = CodePurpose(rawValue: "signIn")
  /// The code adds an email address to the account's user.
  public static let link = CodePurpose(rawValue: "link")
}

/// `signIn.sendCode`: has the project send a code by email or text message. The
/// returned flow ends when the code is verified or the mailed link is opened on this machine. It does
/// not keep the account busy, and survives the caller.
public enum SignInSendCode: AgentMethod {
  public static let name = "signIn.sendCode"
  public static let notes = MethodNotes(
    "Has the project send a code by email or text message.", .signIn, .account, [.linkingDisabled])

  /// Exactly one of `email` and `phone`.
  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    public var project: String?
    /// The email address to which the code is sent.
    public var email: String?
    /// The phone number to which the code is sent, with the country code.
    public var phone: String?
    /// Whether an unknown address creates a user; the default is false.
    public var createUser: Bool?
    /// The default is `signIn`. `link` adds the email address to the account's user.
    public var purpose: CodePurpose?
    /// Whether a code is used that was sent to this address before and may still be valid, instead of
    /// sending another one. The default is false.
    public var reuse: Bool?
    /// Whether the sign-in may replace another user's session under this account name, also
    /// if the mailed link is opened. The default is false.
    public var replace: Bool?

    public init(
      account: String? = nil, project: String? = nil, email: String? = nil, phone: String? = nil,
      createUser: Bool? = nil, purpose: CodePurpose? = nil, reuse: Bool? = nil, replace: Bool? = nil
    ) {
      self.account = account
      self.project = project
      self.email = email
      self.phone = phone
      self.createUser = createUser
      self.purpose = purpose
      self.reuse = reuse
      self.replace = replace
    }
  }

  public struct Result: Codable, Sendable, Hashable {
    /// The flow, for `signIn.verifyCode`, `signIn.wait` and `signIn.cancel`.
    public var flow: String
    /// Seconds until the project sends another code to this address.
    public var resendAfter: Double
    /// With `purpose: link`, the account, if the project accepted the address without a code. The
    /// flow is then over.
    public var account: AccountStatus?

    public init(flow: String, resendAfter: Double, account: AccountStatus? = nil) {
      self.flow = flow
      self.resendAfter = resendAfter
      self.account = account
    }
  }
}

/// `signIn.verifyCode`: signs in with a code, or with the link of a mail. Works
/// without a flow, also for a code that was requested elsewhere. The code is sent once.
public enum SignInVerifyCode: AgentMethod {
  public static let name = "signIn.verifyCode"
  public static let notes = MethodNotes(
    "Signs in with a code, or with a link from an email.", .flow, .account, [.codeInvalid])
  public typealias Result = AccountStatus

  /// Exactly one of `code` and `link`, and exactly one of `flow`, `email` and `phone`.
  public struct Params: DirectoryParams, Hashable {
    /// The flow from `signIn.sendCode`.
    public var flow: String?
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    public var project: String?
    /// The email address to which the code was sent.
    public var email: String?
    /// The phone number to which the code was sent.
    public var phone: String?
    /// The code: 6 to 10 digits. Spaces are ignored.
    public var code: String?
    /// The complete URL from the mail. It is not opened.
    public var link: String?
    /// Whether the sign-in may replace another user's session under this account name.
    public var replace: Bool?
    /// The default is `signIn`.
    public var purpose: CodePurpose?

    public init(
      flow: String? = nil, account: String? = nil, project: String? = nil, email: String? = nil, phone: String? = nil,
      code: String? = nil, link: String? = nil, replace: Bool? = nil, purpose: CodePurpose? = nil
    ) {
      self.flow = flow
      self.account = account
      self.project = project
      self.email = email
      self.phone = phone
      self.code = code
      self.link = link
      self.replace = replace
      self.purpose = purpose
    }
  }
}

/// `signIn.anonymous`: creates an anonymous user. Refused for an account with a session. A
/// sign-out of an anonymous user loses the user.
public enum SignInAnonymous: AgentMethod {
  public static let name = "signIn.anonymous"
  public static let notes = MethodNotes("Creates an anonymous user and signs in as this user.", .signIn)
  public typealias Result = AccountStatus

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    public var project: String?

    public init(account: String? = nil, project: String? = nil) {
      self.account = account
      self.project = project
    }
  }
}
