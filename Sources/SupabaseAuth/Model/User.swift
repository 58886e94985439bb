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
  /// The phone number without `+`; empty if the user has none.
  public let phone: String
  /// The provider of the first sign-in (`app_metadata.provider`).
  public let provider: Provider?
  /// The string members of `user_metadata`: `name`, `full_name`, `display_name` and the like.
  public let userMetadata: [String: String]
  /// The linked identities; nil if the response has none. Empty for the placeholder user in the
  /// sign-up response for a known email address.
  public let identities: [Identity]?
  /// True if the user signed in without any identity.
  public let isAnonymous: Bool
  /// The time of the user's creation.
  public let createdAt: Date?
  /// The time of the last sign-in; a refresh does not count.
  public let lastSignInAt: Date?
  /// The second factors; empty if the user has none.
  public let factors: [Factor]

  public init(
    id: String, email: String = "", provider: Provider? = nil, userMetadata: [String: String] = [:],
    identities: [Identity]? = nil, isAnonymous: Bool = false, createdAt: Date? = nil, lastSignInAt: Date? = nil,
    phone: String = "", factors: [Factor] = []
  ) {
    self.id = id
    self.email = email
    self.phone = phone
    self.provider = provider
    self.userMetadata = userMetadata
    self.identities = identities
    self.isAnonymous = isAnonymous
    self.createdAt = createdAt
    self.lastSignInAt = lastSignInAt
    self.factors = factors
  }
}

extension User {
  /// The method of the last sign-in, as far as the user's identities tell: a provider, `.email`, `.phone`, `.sso`, or
  /// `.anonymous` for a user without any.
  public var latestMethod: Provider {
    let latest = identities?.max { ($0.lastSignInAt ?? .distantPast) < ($1.lastSignInAt ?? .distantPast) }
    guard let name = (latest?.provider ?? provider)?.rawValue else {
      return isAnonymous ? .anonymous : .email
    }
    if name.hasPrefix(Provider.sso.rawValue + ":") { return .sso }
    return name == Provider.phone.rawValue ? .phone : Provider.named(name) ?? .email
  }
}

extension User: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, email, phone, identities
    case appMetadata = "app_metadata"
    case userMetadata = "user_metadata"
    case isAnonymous = "is_anonymous"
    case createdAt = "created_at"
    case lastSignInAt = "last_sign_in_at"
    case factors
  }

  /// Decodes GoTrue's user object.
  /// - Throws: `DecodingError` if the value is not an object or has no usable `id`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let id = try container.decode(String.self, forKey: .id)
    guard id.isUserID else {
      throw DecodingError.dataCorruptedError(forKey: .id, in: container, debugDescription: "not an ID")
    }
    self.init(
      id: id, email: container.text(.email) ?? "",
      provider: container.texts(in: .appMetadata)["provider"].map(Provider.init(rawValue:)),
      userMetadata: container.texts(in: .userMetadata),
      identities: container.lenient([Lenient<Identity>].self, .identities)?.compactMap(\.value),
      isAnonymous: container.lenient(Bool.self, .isAnonymous) ?? false,
      createdAt: container.date(.createdAt), lastSignInAt: container.date(.lastSignInAt),
      phone: container.text(.phone) ?? "",
      factors: (container.lenient([Lenient<Factor>].self, .factors) ?? []).compactMap(\.value))
  }
}

extension String {
  /// True if the string can be a user id: not empty, printable ASCII, and at most 128 characters (a
  /// UUID has 36).
  var isUserID: Bool { utf8.count <= 128 && isPrintableASCII }
}

/// The changes for `PUT /user`. Prints redacted.
public struct UserChanges: Sendable, Hashable, Redacted {
  /// A new email address; the project may require confirmation first.
  public var email: String
  /// Where the mailed link to confirm the address leads.
  public var link: PKCERedirect?

  public init(email: String, link: PKCERedirect? = nil) { (self.email, self.link) = (email, link) }
}

/// A sign-in method of a user. Its texts are untrusted; prints redacted.
public struct Identity: Sendable, Hashable, Redacted {
  /// The UUID of the identity's row, as `unlink` takes it; empty if the server omits it, as older
  /// servers do.
  public let identityID: String
  /// The provider's subject.
  public let id: String
  public let provider: Provider
  /// The email address that the provider supplied.
  public let email: String?
  public let createdAt: Date?
  /// The time of the last sign-in with this identity.
  public let lastSignInAt: Date?

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

extension Identity: Decodable {
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
}

/// An identity provider, by GoTrue's name. Open: a server may name providers that this version does
/// not know.
public struct Provider: RawRepresentable, Sendable, Hashable, Codable {
  /// GoTrue's name, such as `google`. Untrusted text if it was decoded.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let apple = Provider(rawValue: "apple")
  public static let google = Provider(rawValue: "google")
  /// Email: a password, a code or a link.
  public static let email = Provider(rawValue: "email")
  /// A code in a text message.
  public static let phone = Provider(rawValue: "phone")
  /// Single sign-on (SAML). In a user's metadata, the server adds the organization's id.
  public static let sso = Provider(rawValue: "sso")
  /// A user without any identity.
  public static let anonymous = Provider(rawValue: "anonymous")

  /// The words that name something else than a provider in `/settings` or in a command.
  private static let reserved: Set<String> = ["email", "phone", "code", "sso", "anonymous", "anonymous_users"]

  /// Returns the provider with this name, in lower case, as a person or a server wrote it; nil if the text is not a
  /// provider's name, such as `email`. Whether the project has such a provider, only the server knows.
  public static func named(_ text: String) -> Provider? {
    let name = text.lowercased()
    guard (1...64).contains(name.utf8.count), !reserved.contains(name), let first = name.utf8.first,
      isLetterOrDigit(first),
      name.utf8.allSatisfy({ isLetterOrDigit($0) || [0x2E, 0x5F, 0x3A, 0x2D].contains($0) })
    else { return nil }
    return Provider(rawValue: name)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
