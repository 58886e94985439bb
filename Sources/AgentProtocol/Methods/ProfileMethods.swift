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
