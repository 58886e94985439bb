/// The project's enabled features (`GET /settings`).
public struct ProjectSettings: Sendable, Hashable {
  /// Every provider that the server names, and whether it is enabled.
  public let external: [Provider: Bool]
  /// True if new users cannot sign up.
  public let disableSignup: Bool
  /// True if single sign-on (SAML) is enabled.
  public let samlEnabled: Bool

  public init(external: [Provider: Bool], disableSignup: Bool = false, samlEnabled: Bool = false) {
    self.external = external
    self.disableSignup = disableSignup
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
      samlEnabled: container.lenient(Bool.self, .samlEnabled) ?? false)
  }
}
