/// `identity.list`: returns the sign-in methods that are linked to the account's user.
public enum IdentityList: AgentMethod {
  public static let name = "identity.list"
  public static let notes = MethodNotes("Lists the linked sign-in methods.", .account, .network, .vault)
  public typealias Params = AccountParams

  public struct Result: Codable, Sendable, Hashable {
    /// The account whose user has the sign-in methods.
    public var account: String
    /// The linked sign-in methods.
    public var identities: [AccountIdentity]
    /// False if the server could not be asked and the list is its last known answer.
    public var isCurrent: Bool

    public init(account: String, identities: [AccountIdentity], isCurrent: Bool) {
      self.account = account
      self.identities = identities
      self.isCurrent = isCurrent
    }
  }
}

/// `identity.link`: starts to link another sign-in method to the account's user in a browser. The
/// flow continues like a sign-in, with `signIn.wait`, `signIn.complete` and `signIn.cancel`.
/// Closing the caller's connection cancels the flow unless `detach` is set.
public enum IdentityLink: AgentMethod {
  public static let name = "identity.link"
  public static let notes = MethodNotes(
    "Starts linking another provider; continues like a sign-in.", .signIn, .account, [.linkingDisabled])
  public typealias Result = SignInStart.Result

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// A provider by Supabase's name. For an email address, see `signIn.sendCode`.
    public var provider: String
    /// As in `signIn.start`.
    public var scopes: String?
    /// As in `signIn.start`.
    public var redirect: String?
    /// As in `signIn.start`.
    public var timeout: Double?
    /// As in `signIn.start`.
    public var detach: Bool?
    /// As in `signIn.start`.
    public var port: Int?

    public init(
      account: String? = nil, provider: String, scopes: String? = nil, redirect: String? = nil,
      timeout: Double? = nil, detach: Bool? = nil, port: Int? = nil
    ) {
      self.account = account
      self.provider = provider
      self.scopes = scopes
      self.redirect = redirect
      self.timeout = timeout
      self.detach = detach
      self.port = port
    }
  }
}

/// `identity.unlink`: unlinks a sign-in method from the account's user. The last one cannot be
/// removed.
public enum IdentityUnlink: AgentMethod {
  public static let name = "identity.unlink"
  public static let notes = MethodNotes(
    "Unlinks a sign-in method; the last one cannot be removed.", .account, .network, .vault,
    [.lastIdentity, .linkingDisabled])
  /// The remaining sign-in methods.
  public typealias Result = IdentityList.Result

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// The `identityID` of the sign-in method, from `identity.list`.
    public var identityID: String

    public init(account: String? = nil, identityID: String) {
      self.account = account
      self.identityID = identityID
    }
  }
}

/// The result of `profile.get` and `profile.update`. The profile comes from the server:
/// escape control characters in it before you show it.
///
/// In Swift, `ForeignText` does.
public struct ProfileResult: Codable, Sendable, Hashable {
  /// The account whose user has the profile.
  public var account: String
  /// `needed` or `complete`.
  public var onboarding: String
  /// The profile from the API; absent if there is none yet.
  public var profile: [String: JSONValue]?
  /// Values that Apple sent at the first sign-in and that the profile lacks.
  /// `profile.update` adds them.
  public var prefill: [String: JSONValue]?

  public init(
    account: String, onboarding: String, profile: [String: JSONValue]?, prefill: [String: JSONValue]? = nil
  ) {
    self.account = account
    self.onboarding = onboarding
    self.profile = profile
    self.prefill = prefill
  }
}

/// `profile.get`: fetches the profile of the account's user from the API.
public enum ProfileGet: AgentMethod {
  public static let name = "profile.get"
  public static let notes = MethodNotes("Returns the user's profile from the API.", .account, .network, .vault)
  public typealias Params = AccountParams
  public typealias Result = ProfileResult
}

/// `profile.update`: changes members of the profile and leaves the others unchanged.
public enum ProfileUpdate: AgentMethod {
  public static let name = "profile.update"
  public static let notes = MethodNotes("Updates fields of the profile.", .account, .network, .vault, [.denied])
  public typealias Result = ProfileResult

  public struct Params: DirectoryParams, Hashable {
    public var account: String?
    /// The caller's directory, as in `session.token`.
    public var directory: String?
    /// The members to change; `null` resets a member. At most 32 KiB as JSON.
    public var set: [String: JSONValue]

    public init(account: String? = nil, set: [String: JSONValue]) {
      self.account = account
      self.set = set
    }
  }
}

/// `identity.decide`: answers a `decisionNeeded`.
public enum IdentityDecide: AgentMethod {
  public static let name = "identity.decide"
  public static let notes = MethodNotes("Answers a sign-in with the outcome `decisionNeeded`.", .flow)
  public typealias Result = SignInResult

  public struct Params: Codable, Sendable, Hashable {
    /// The flow of the decision.
    public var flow: String
    /// Whether the person accepts. If not, the account is not changed, and a link is undone.
    public var accept: Bool

    public init(flow: String, accept: Bool) {
      self.flow = flow
      self.accept = accept
    }
  }
}
