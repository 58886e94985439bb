/// `identity.list`: the ways to sign in that belong to the account's user (LK-3).
public enum IdentityList: AgentMethod {
  public static let name = "identity.list"
  public static let notes = MethodNotes("The ways to sign in of the account's user.", .account, .network, .vault)
  public typealias Params = AccountParams

  public struct Result: Codable, Sendable, Hashable {
    public var account: String
    public var identities: [AccountIdentity]
    /// False where the server could not be asked, and this is what it said last.
    public var isCurrent: Bool

    public init(account: String, identities: [AccountIdentity], isCurrent: Bool) {
      self.account = account
      self.identities = identities
      self.isCurrent = isCurrent
    }
  }
}

/// `identity.link`: begins to link another way to sign in to the account's user, through a browser. It goes on as a sign-in:
/// `signIn.wait`, `signIn.complete` and `signIn.cancel` take its flow. The starter's disconnect cancels it unless `detach`.
public enum IdentityLink: AgentMethod {
  public static let name = "identity.link"
  public static let notes = MethodNotes(
    "Begins to link another provider; goes on as a sign-in does.", .signIn, .account, [.linkingDisabled])
  public typealias Result = SignInStart.Result

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    /// `apple` or `google`.
    public var provider: String
    /// As in `signIn.start`.
    public var redirect: String?
    /// As in `signIn.start`.
    public var timeout: Double?
    public var detach: Bool?
    /// As in `signIn.start`.
    public var port: Int?

    public init(
      account: String? = nil, provider: String, redirect: String? = nil, timeout: Double? = nil, detach: Bool? = nil,
      port: Int? = nil
    ) {
      self.account = account
      self.provider = provider
      self.redirect = redirect
      self.timeout = timeout
      self.detach = detach
      self.port = port
    }
  }
}

/// `identity.unlink`: takes a way to sign in away from the account's user; the last one stays.
public enum IdentityUnlink: AgentMethod {
  public static let name = "identity.unlink"
  public static let notes = MethodNotes(
    "Removes one of the ways to sign in; the last one stays.", .account, .network, .vault,
    [.lastIdentity, .linkingDisabled])
  /// What is left.
  public typealias Result = IdentityList.Result

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    /// `AccountIdentity.identityID`.
    public var identityID: String

    public init(account: String? = nil, identityID: String) {
      self.account = account
      self.identityID = identityID
    }
  }
}

/// What `profile.get` and `profile.update` answer (SE-6). The profile's texts are foreign: pass them through `ForeignText`
/// before showing them.
public struct ProfileResult: Codable, Sendable, Hashable {
  /// The account whose user it belongs to.
  public var account: String
  /// `needed` or `complete`.
  public var onboarding: String
  /// The profile as the API has it; absent where there is none yet.
  public var profile: [String: JSONValue]?
  /// What Apple told at the first sign-in and the profile lacks (SI-4): `profile.update` sends it along.
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

/// `profile.get`: the profile of the account's user, read from the API now.
public enum ProfileGet: AgentMethod {
  public static let name = "profile.get"
  public static let notes = MethodNotes("The user's profile at the API.", .account, .network, .vault)
  public typealias Params = AccountParams
  public typealias Result = ProfileResult
}

/// `profile.update`: changes members of the profile; the others stay.
public enum ProfileUpdate: AgentMethod {
  public static let name = "profile.update"
  public static let notes = MethodNotes("Changes members of the profile.", .account, .network, .vault, [.denied])
  public typealias Result = ProfileResult

  public struct Params: Codable, Sendable, Hashable {
    public var account: String?
    /// The members to change; `null` resets one. At most 32 KiB as JSON.
    public var set: [String: JSONValue]

    public init(account: String? = nil, set: [String: JSONValue]) {
      self.account = account
      self.set = set
    }
  }
}
