/// The project's enabled features (`GET /settings`).
public struct ProjectSettings: Sendable, Hashable {
  /// Every provider that the server names, and whether it is enabled.
  public let external: [Provider: Bool]
  /// True if new users cannot sign up.
  public let disableSignup: Bool
  /// True if sign-up creates a session at once, without a confirmation email.
  public let mailerAutoconfirm: Bool
  /// True if single sign-on (SAML) is enabled.
  public let samlEnabled: Bool

  /// Creates settings from their parts.
  public init(
    external: [Provider: Bool], disableSignup: Bool = false, mailerAutoconfirm: Bool = false, samlEnabled: Bool = false
  ) {
    self.external = external
    self.disableSignup = disableSignup
    self.mailerAutoconfirm = mailerAutoconfirm
    self.samlEnabled = samlEnabled
  }

  /// Returns whether the provider is enabled. A provider that the server does not name counts as disabled; the server
  /// does not name custom providers.
  public func isOn(_ provider: Provider) -> Bool {
    switch provider {
    case .sso: samlEnabled
    case .anonymous: anonymousUsers
    default: external[provider] ?? false
    }
  }

  /// True if a user can be created without any identity.
  public var anonymousUsers: Bool { external[Provider(rawValue: "anonymous_users")] ?? false }

  /// The enabled methods in display order: Apple, Google, the other providers by name, email, phone, single sign-on
  /// and anonymous users.
  public var signInProviders: [Provider] {
    let others = external.keys.compactMap { Provider.named($0.rawValue) }.filter { ![.apple, .google].contains($0) }
      .sorted { $0.rawValue < $1.rawValue }
    return ([.apple, .google] + others + [.email, .phone, .sso, .anonymous]).filter(isOn)
  }
}

extension ProjectSettings: Decodable {
  private enum CodingKeys: String, CodingKey {
    case external
    case disableSignup = "disable_signup"
    case mailerAutoconfirm = "mailer_autoconfirm"
    case samlEnabled = "saml_enabled"
  }

  /// Decodes the response. `external` is required; a response without it is not from GoTrue.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let external = try container.decode([String: Lenient<Bool>].self, forKey: .external)
    self.init(
      external: Dictionary(
        uniqueKeysWithValues: external.map { (Provider(rawValue: $0.key), $0.value.value ?? false) }),
      disableSignup: container.lenient(Bool.self, .disableSignup) ?? false,
      mailerAutoconfirm: container.lenient(Bool.self, .mailerAutoconfirm) ?? false,
      samlEnabled: container.lenient(Bool.self, .samlEnabled) ?? false)
  }
}

/// The server's name and version (`GET /health`). Both are untrusted text.
public struct ServerHealth: Sendable, Hashable, Decodable {
  /// The name; `GoTrue` for Supabase Auth.
  public let name: String?
  /// The version, such as `v2.196.0`.
  public let version: String?

  /// Creates a health report from its parts.
  public init(name: String?, version: String?) {
    self.name = name
    self.version = version
  }

  private enum CodingKeys: CodingKey { case name, version }

  /// Decodes the response; a member that is missing or of another type is nil.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(name: container.text(.name), version: container.text(.version))
  }
}

/// A public key of the project (RFC 7517), reduced to its string members.
public struct JWK: Sendable, Hashable {
  /// The string members, unchanged: `kty`, `kid`, `alg`, `crv`, `x`, `y`, …
  public let members: [String: String]

  /// Creates a key from its members.
  public init(members: [String: String]) { self.members = members }
}

extension JWK: Decodable {
  /// Decodes one element of `keys`.
  public init(from decoder: any Decoder) throws {
    self.init(members: try decoder.container(keyedBy: AnyKey.self).texts)
  }
}
