/// A second factor of the account's user. The name comes from the server: escape control characters
/// in it before you show it.
///
/// In Swift, `ForeignText` does.
public struct AccountFactor: Codable, Sendable, Hashable {
  /// The factor's ID on the server, a UUID.
  public var id: String
  /// `totp` (an authenticator app), `phone` (a text message), or another type that the server names.
  public var type: String
  /// The name that the user gave to the factor.
  public var name: String?
  /// `verified` or `unverified`. Only a verified factor counts.
  public var status: String

  public init(id: String, type: String, name: String?, status: String) {
    self.id = id
    self.type = type
    self.name = name
    self.status = status
  }

  /// Whether the factor counts.
  public var isVerified: Bool { status == "verified" }
}

/// The authenticator assurance levels of an account (NIST SP 800-63B), as the claim `aal` of
/// Supabase's tokens.
public struct AccountAssurance: Codable, Sendable, Hashable {
  /// The level of the newest access token: `aal1`, or `aal2` after a second factor.
  public var current: String
  /// The level that the user can reach: `aal2` if and only if a verified factor exists.
  public var possible: String

  /// The level without a second factor.
  public static let aal1 = "aal1"
  /// The level with a second factor.
  public static let aal2 = "aal2"

  public init(current: String, possible: String) {
    self.current = current
    self.possible = possible
  }
}

/// A sign-in's need for a second factor.
public struct SecondFactorNeed: Codable, Sendable, Hashable {
  /// True if the user has a verified factor and the session does not have its level yet. The session
  /// is stored and works; what requires the second factor does not.
  public var needed: Bool
  /// The user's verified factors.
  public var factors: [AccountFactor]
  /// The flow in which the agent's page asks for the code, for `signIn.wait` and `signIn.cancel`;
  /// absent if no page asks.
  public var flow: String?
  /// The other accounts of this agent whose sessions end with a verification: those of the same user
  /// without a second factor.
  public var endsAccounts: [String]?
  /// When the server ends a session without the second factor; absent if that is not known.
  public var endsAt: Timestamp?
  /// When a second factor was verified elsewhere, which probably ended the account's former session.
  public var verifiedElsewhereAt: Timestamp?

  public init(
    needed: Bool, factors: [AccountFactor], flow: String? = nil, endsAccounts: [String]? = nil,
    endsAt: Timestamp? = nil, verifiedElsewhereAt: Timestamp? = nil
  ) {
    self.needed = needed
    self.factors = factors
    self.flow = flow
    self.endsAccounts = endsAccounts
    self.endsAt = endsAt
    self.verifiedElsewhereAt = verifiedElsewhereAt
  }
}
