public import FoundationEssentials

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
