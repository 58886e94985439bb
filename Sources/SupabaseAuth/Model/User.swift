public import FoundationEssentials
public import SystemSupport

/// A user of the project. All but `id` may be missing in an answer; what is unknown is ignored. Its texts are foreign:
/// filter them before a terminal sees them. Prints redacted, for e-mail address and id count as secret.
public struct User: Sendable, Hashable, Redacted {
  /// A UUID, by GoTrue's habit; never empty.
  public let id: String
  /// Empty if the user has none.
  public let email: String
  /// What the server itself notes about the user.
  public let appMetadata: AppMetadata
  /// Those members of `user_metadata` that are texts: `name`, `full_name`, `display_name` and the like.
  public let userMetadata: [String: String]
  /// Nil where the answer did not say; empty for the made-up user that sign-up answers for a known address.
  public let identities: [Identity]?
  /// Signed in without any identity.
  public let isAnonymous: Bool
  /// When the user was made.
  public let createdAt: Date?
  /// When the e-mail address was confirmed; nil if it was not.
  public let emailConfirmedAt: Date?
  /// When the user last signed in; a refresh does not count.
  public let lastSignInAt: Date?

  /// A user by its parts.
  public init(
    id: String, email: String = "", appMetadata: AppMetadata = AppMetadata(), userMetadata: [String: String] = [:],
    identities: [Identity]? = nil, isAnonymous: Bool = false, createdAt: Date? = nil, emailConfirmedAt: Date? = nil,
    lastSignInAt: Date? = nil
  ) {
    self.id = id
    self.email = email
    self.appMetadata = appMetadata
    self.userMetadata = userMetadata
    self.identities = identities
    self.isAnonymous = isAnonymous
    self.createdAt = createdAt
    self.emailConfirmedAt = emailConfirmedAt
    self.lastSignInAt = lastSignInAt
  }
}

/// What the server notes about a user: with which providers they can sign in.
public struct AppMetadata: Sendable, Hashable, Codable {
  /// The provider of the first sign-in.
  public let provider: Provider?
  /// All providers that are linked.
  public let providers: [Provider]

  /// Metadata by its parts.
  public init(provider: Provider? = nil, providers: [Provider] = []) {
    self.provider = provider
    self.providers = providers
  }

  /// Reads `app_metadata`; members that are missing or of another type are left out.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    provider = container.text(.provider).map(Provider.init(rawValue:))
    providers = (container.lenient([Lenient<String>].self, .providers) ?? []).compactMap {
      $0.value.map(Provider.init(rawValue:))
    }
  }
}

extension User: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, email, identities
    case appMetadata = "app_metadata"
    case userMetadata = "user_metadata"
    case isAnonymous = "is_anonymous"
    case createdAt = "created_at"
    case emailConfirmedAt = "email_confirmed_at"
    case lastSignInAt = "last_sign_in_at"
  }

  /// Reads GoTrue's user object.
  /// - Throws: `DecodingError` if it is no object or has no usable `id`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let id = try container.decode(String.self, forKey: .id)
    guard id.isUserID else {
      throw DecodingError.dataCorruptedError(forKey: .id, in: container, debugDescription: "not an id")
    }
    self.init(
      id: id, email: container.text(.email) ?? "",
      appMetadata: container.lenient(AppMetadata.self, .appMetadata) ?? AppMetadata(),
      userMetadata: container.texts(in: .userMetadata),
      identities: container.lenient([Lenient<Identity>].self, .identities)?.compactMap(\.value),
      isAnonymous: container.lenient(Bool.self, .isAnonymous) ?? false,
      createdAt: container.date(.createdAt), emailConfirmedAt: container.date(.emailConfirmedAt),
      lastSignInAt: container.date(.lastSignInAt))
  }

  /// Writes the members that it reads, by the same names; times to the millisecond.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(email, forKey: .email)
    try container.encode(appMetadata, forKey: .appMetadata)
    try container.encode(userMetadata, forKey: .userMetadata)
    try container.encodeIfPresent(identities, forKey: .identities)
    try container.encode(isAnonymous, forKey: .isAnonymous)
    try container.encodeIfPresent(createdAt.map(RFC3339.text), forKey: .createdAt)
    try container.encodeIfPresent(emailConfirmedAt.map(RFC3339.text), forKey: .emailConfirmedAt)
    try container.encodeIfPresent(lastSignInAt.map(RFC3339.text), forKey: .lastSignInAt)
  }
}

extension String {
  /// Whether this can be a user's id: not empty, printable ASCII, and at most 128 characters (a UUID has 36).
  var isUserID: Bool { utf8.count <= 128 && isPrintableASCII }
}

/// What `PUT /user` is to change; what is nil stays. Prints redacted.
public struct UserChanges: Sendable, Hashable, Redacted {
  /// A new address; the project may ask for confirmation first.
  public var email: String?
  /// A new password; ends all other sessions.
  public var password: Password?
  /// Members to merge into `user_metadata`; a nil value deletes the key.
  public var data: [String: String?]

  /// Changes by their parts.
  public init(email: String? = nil, password: Password? = nil, data: [String: String?] = [:]) {
    self.email = email
    self.password = password
    self.data = data
  }
}

/// One way in which a user signs in. Texts are foreign; prints redacted.
public struct Identity: Sendable, Hashable, Redacted {
  /// The row's UUID: what `unlink` takes. Older servers leave it out; then empty.
  public let identityID: String
  /// The provider's subject.
  public let id: String
  /// Who vouches for it.
  public let provider: Provider
  /// The address that the provider gave.
  public let email: String?
  /// When it was linked.
  public let createdAt: Date?
  /// When it was last used to sign in.
  public let lastSignInAt: Date?

  /// An identity by its parts.
  public init(
    identityID: String, id: String = "", provider: Provider, email: String? = nil, createdAt: Date? = nil,
    lastSignInAt: Date? = nil
  ) {
    self.identityID = identityID
    self.id = id
    self.provider = provider
    self.email = email
    self.createdAt = createdAt
    self.lastSignInAt = lastSignInAt
  }
}

extension Identity: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, provider, email
    case identityID = "identity_id"
    case createdAt = "created_at"
    case lastSignInAt = "last_sign_in_at"
  }

  /// Reads GoTrue's identity object; only `provider` must be there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      identityID: container.text(.identityID) ?? "", id: container.text(.id) ?? "",
      provider: Provider(rawValue: try container.decode(String.self, forKey: .provider)),
      email: container.text(.email), createdAt: container.date(.createdAt),
      lastSignInAt: container.date(.lastSignInAt))
  }

  /// Writes the members that it reads, by the same names; times to the millisecond.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(identityID, forKey: .identityID)
    try container.encode(id, forKey: .id)
    try container.encode(provider, forKey: .provider)
    try container.encodeIfPresent(email, forKey: .email)
    try container.encodeIfPresent(createdAt.map(RFC3339.text), forKey: .createdAt)
    try container.encodeIfPresent(lastSignInAt.map(RFC3339.text), forKey: .lastSignInAt)
  }
}

/// Who vouches for an identity, by GoTrue's name. Open: a server may name providers that this version does not know.
public struct Provider: RawRepresentable, Sendable, Hashable, Codable {
  /// GoTrue's name, such as `google`. Foreign text where it was decoded.
  public let rawValue: String
  /// A provider by GoTrue's name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sign in with Apple.
  public static let apple = Provider(rawValue: "apple")
  /// Sign in with Google.
  public static let google = Provider(rawValue: "google")
  /// E-mail and password.
  public static let email = Provider(rawValue: "email")
}
