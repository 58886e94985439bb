public import FoundationEssentials
public import SystemSupport

/// A second factor of a user. The name is untrusted; prints redacted.
public struct Factor: Sendable, Hashable, Redacted {
  /// The factor's UUID.
  public let id: String
  /// `totp`, `phone`, or another type.
  public let type: String
  /// The name that the user gave; nil if none.
  public let name: String?
  /// True if the factor counts.
  public let isVerified: Bool
  public let lastChallengedAt: Date?

  public init(id: String, type: String, name: String? = nil, isVerified: Bool, lastChallengedAt: Date? = nil) {
    self.id = id
    self.type = type
    self.name = name
    self.isVerified = isVerified
    self.lastChallengedAt = lastChallengedAt
  }
}

extension Factor: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, status
    case type = "factor_type"
    case name = "friendly_name"
    case lastChallengedAt = "last_challenged_at"
  }

  /// The maximum number of characters of a name.
  private static let maxNameLength = 100

  /// Decodes GoTrue's factor object.
  /// - Throws: `DecodingError` if it has no usable `id`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let id = try container.decode(String.self, forKey: .id)
    guard id.isPathPart else {
      throw DecodingError.dataCorruptedError(forKey: .id, in: container, debugDescription: "not an ID")
    }
    let name = container.text(.name).map { String($0.prefix(Self.maxNameLength)) }
    self.init(
      id: id, type: container.text(.type) ?? "", name: name?.isEmpty == true ? nil : name,
      isVerified: container.text(.status) == "verified", lastChallengedAt: container.date(.lastChallengedAt))
  }
}

extension String {
  /// True if the string can be part of a path: at most 64 letters, digits and hyphens. A dot or a slash would change
  /// the path.
  var isPathPart: Bool {
    (1...64).contains(utf8.count) && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }
}

/// A second factor to be enrolled. Prints redacted.
public enum FactorRequest: Sendable, Hashable, Redacted {
  case totp(name: String?)
  /// A phone number with `+` and country code.
  case phone(String, name: String?)
}

/// A factor that was just enrolled. Prints redacted.
public struct EnrolledFactor: Sendable, Redacted {
  /// The factor's UUID.
  public let id: String
  /// For TOTP, the secret in base32.
  public let secret: String?
  /// For TOTP, the `otpauth:` URI, which contains the secret.
  public let uri: String?

  public init(id: String, secret: String? = nil, uri: String? = nil) {
    self.id = id
    self.secret = secret?.outOfLine
    self.uri = uri?.outOfLine
  }
}

/// A challenge for a factor. It works once, from one IP address.
public struct FactorChallenge: Sendable, Hashable, Decodable {
  /// The challenge's UUID.
  public let id: String
  /// The expiry in Unix seconds by the server's clock.
  public let expiresAt: Int

  public init(id: String, expiresAt: Int) {
    self.id = id
    self.expiresAt = expiresAt
  }

  private enum CodingKeys: String, CodingKey {
    case id
    case expiresAt = "expires_at"
  }
}

/// The code of a second factor on its way to the server. Never stored.
public struct FactorCode: Sendable, Hashable, Redacted {
  /// The code itself; the only access to the content.
  public let exposed: String
  public init(_ code: String) { exposed = code.outOfLine }
}
