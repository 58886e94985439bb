public import FoundationEssentials
public import SystemSupport

/// A user of the project. A response may omit everything but `id`; unknown members are ignored. All
/// texts are untrusted: filter them before showing them on a terminal. Prints redacted because
/// email address and id count as secret.
public struct User: Sendable, Hashable, Redacted {
  /// The user id, a UUID in GoTrue; never empty.
  public let id: String
  /// The email address; empty if the user has none.
  public let email: String
  /// The server's own metadata about the user.
  public let appMetadata: AppMetadata
  /// The string members of `user_metadata`: `name`, `full_name`, `display_name` and the like.
  public let userMetadata: [String: String]
  /// The linked identities; nil if the response has none. Empty for the placeholder user in the
  /// sign-up response for a known email address.
  public let identities: [Identity]?
  /// True if the user signed in without any identity.
  public let isAnonymous: Bool
  /// The time of the user's creation.
  public let createdAt: Date?
  /// The time when the email address was confirmed; nil if it was not.
  public let emailConfirmedAt: Date?
  /// The time of the last sign-in; a refresh does not count.
  public let lastSignInAt: Date?

  /// Creates a user from its parts.
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

/// The server's metadata about a user: the providers for sign-in.
public struct AppMetadata: Sendable, Hashable, Codable {
  /// The provider of the first sign-in.
  public let provider: Provider?
  /// All linked providers.
  public let providers: [Provider]

  /// Creates metadata from its parts.
  public init(provider: Provider? = nil, providers: [Provider] = []) {
    self.provider = provider
    self.providers = providers
  }

  /// Decodes `app_metadata`; a member that is missing or of another type is ignored.
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

  /// Decodes GoTrue's user object.
  /// - Throws: `DecodingError` if the value is not an object or has no usable `id`.
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

  /// Encodes the decoded members under the same names, with times to the millisecond.
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
  /// True if the string can be a user id: not empty, printable ASCII, and at most 128 characters (a
  /// UUID has 36).
  var isUserID: Bool { utf8.count <= 128 && isPrintableASCII }
}

/// The changes for `PUT /user`; a nil member is left unchanged. Prints redacted.
public struct UserChanges: Sendable, Hashable, Redacted {
  /// A new email address; the project may require confirmation first.
  public var email: String?
  /// A new password; the change ends all other sessions.
  public var password: Password?
  /// Members to merge into `user_metadata`; a nil value deletes the key.
  public var data: [String: String?]

  /// Creates changes from their parts.
  public init(email: String? = nil, password: Password? = nil, data: [String: String?] = [:]) {
    self.email = email
    self.password = password
    self.data = data
  }
}

/// A sign-in method of a user. Its texts are untrusted; prints redacted.
public struct Identity: Sendable, Hashable, Redacted {
  /// The UUID of the identity's row, as `unlink` takes it; empty if the server omits it, as older
  /// servers do.
  public let identityID: String
  /// The provider's subject.
  public let id: String
  /// The provider of the identity.
  public let provider: Provider
  /// The email address that the provider supplied.
  public let email: String?
  /// The time of linking.
  public let createdAt: Date?
  /// The time of the last sign-in with this identity.
  public let lastSignInAt: Date?

  /// Creates an identity from its parts.
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

  /// Decodes GoTrue's identity object; only `provider` is required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      identityID: container.text(.identityID) ?? "", id: container.text(.id) ?? "",
      provider: Provider(rawValue: try container.decode(String.self, forKey: .provider)),
      email: container.text(.email), createdAt: container.date(.createdAt),
      lastSignInAt: container.date(.lastSignInAt))
  }

  /// Encodes the decoded members under the same names, with times to the millisecond.
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

/// An identity provider, by GoTrue's name. Open: a server may name providers that this version does
/// not know.
public struct Provider: RawRepresentable, Sendable, Hashable, Codable {
  /// GoTrue's name, such as `google`. Untrusted text if it was decoded.
  public let rawValue: String
  /// Creates a provider from GoTrue's name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sign in with Apple.
  public static let apple = Provider(rawValue: "apple")
  /// Sign in with Google.
  public static let google = Provider(rawValue: "google")
  /// Email and password.
  public static let email = Provider(rawValue: "email")
}
