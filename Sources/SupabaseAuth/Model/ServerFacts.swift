/// What the project has switched on (`GET /settings`).
public struct ProjectSettings: Sendable, Hashable {
  /// Every provider that the server names, and whether it is on.
  public let external: [Provider: Bool]
  /// New users cannot sign up.
  public let disableSignup: Bool
  /// Sign-up signs in at once, without a mail.
  public let mailerAutoconfirm: Bool

  /// Settings by their parts.
  public init(external: [Provider: Bool], disableSignup: Bool = false, mailerAutoconfirm: Bool = false) {
    self.external = external
    self.disableSignup = disableSignup
    self.mailerAutoconfirm = mailerAutoconfirm
  }

  /// Whether the provider is on; a provider that the server does not name is off.
  public func isOn(_ provider: Provider) -> Bool { external[provider] ?? false }
}

extension ProjectSettings: Decodable {
  private enum CodingKeys: String, CodingKey {
    case external
    case disableSignup = "disable_signup"
    case mailerAutoconfirm = "mailer_autoconfirm"
  }

  /// Reads the answer; `external` must be there, or it is not GoTrue that answered.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let external = try container.decode([String: Lenient<Bool>].self, forKey: .external)
    self.init(
      external: Dictionary(
        uniqueKeysWithValues: external.map { (Provider(rawValue: $0.key), $0.value.value ?? false) }),
      disableSignup: container.lenient(Bool.self, .disableSignup) ?? false,
      mailerAutoconfirm: container.lenient(Bool.self, .mailerAutoconfirm) ?? false)
  }
}

/// Who answers (`GET /health`). Texts are foreign.
public struct ServerHealth: Sendable, Hashable, Decodable {
  /// `GoTrue`, for Supabase Auth.
  public let name: String?
  /// Such as `v2.196.0`.
  public let version: String?

  /// Health by its parts.
  public init(name: String?, version: String?) {
    self.name = name
    self.version = version
  }

  private enum CodingKeys: CodingKey { case name, version }

  /// Reads the answer; members that are missing or of another type are left out.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(name: container.text(.name), version: container.text(.version))
  }
}

/// A public key of the project (RFC 7517): its members that are texts, as they came.
public struct JWK: Sendable, Hashable {
  /// `kty`, `kid`, `alg`, `crv`, `x`, `y`, …
  public let members: [String: String]

  /// A key by its members.
  public init(members: [String: String]) { self.members = members }
}

extension JWK: Decodable {
  /// Reads one member of `keys`.
  public init(from decoder: any Decoder) throws {
    self.init(members: try decoder.container(keyedBy: AnyKey.self).texts)
  }
}
