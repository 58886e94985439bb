/// The providers that Supabase Auth knows by name.
enum KnownProviders {
  /// The providers in `/settings`, which lists neither `x` nor custom ones.
  static let listed = [
    "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "google",
    "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch",
    "twitter", "zoom",
  ]
  private static let unlisted: Set<String> = ["x"]

  /// The scopes that the server asks for itself, as recorded. The other providers get `email`.
  private static let scopes = [
    "apple": ["email", "name"], "azure": ["openid"], "bitbucket": ["account", "email"],
    "discord": ["email", "identify"], "facebook": ["email"], "github": ["user:email"], "gitlab": ["read_user"],
    "google": ["email", "profile"], "keycloak": ["profile", "email"], "slack_oidc": ["profile", "email", "openid"],
    "x": ["users.email", "tweet.read", "users.read", "offline.access"],
  ]

  /// The prefix of the providers that a project defines itself.
  static let customPrefix = "custom:"

  static func isCustom(_ provider: String) -> Bool { provider.hasPrefix(customPrefix) }

  static func ownScopes(of provider: String) -> [String] {
    isCustom(provider) ? ["profile", "email"] : scopes[provider] ?? ["email"]
  }

  /// True if the server adds a challenge of its own to the redirect to the provider.
  static func addsChallenge(_ provider: String) -> Bool { isCustom(provider) || provider == "x" }

  static func isEnabled(_ provider: String, _ settings: SandboxSettings) -> Bool {
    switch provider {
    case "google": settings.googleEnabled
    case "apple": settings.appleEnabled
    default: settings.providers.contains { $0.lowercased() == provider }
    }
  }

  /// Checks that `provider`, a name in lowercase, is enabled.
  /// - Throws: 400 `validation_failed`.
  static func check(_ provider: String, _ settings: SandboxSettings) throws(APIError) {
    let prefix = "Unsupported provider: "
    if isCustom(provider) { return try checkCustom(provider, settings) }
    guard listed.contains(provider) || unlisted.contains(provider) else {
      throw .validation("\(prefix)Provider \(provider) could not be found")
    }
    if !isEnabled(provider, settings) { throw .validation(prefix + "provider is not enabled") }
  }

  private static func checkCustom(_ provider: String, _ settings: SandboxSettings) throws(APIError) {
    let prefix = "Unsupported provider: custom "
    if !settings.customProvidersEnabled { throw .validation(prefix + "OAuth providers are disabled") }
    if settings.disabledCustomProviders.contains(where: { $0.lowercased() == provider }) {
      throw .validation("\(prefix)provider \(provider) is disabled")
    }
    if !isEnabled(provider, settings) { throw .validation("\(prefix)provider \(provider) not found") }
  }

  /// The name that a page shows.
  static func shown(_ provider: String) -> String {
    switch provider {
    case "google": "Google"
    case "apple": "Apple"
    default: provider
    }
  }
}

/// Client IDs and issuers of the providers.
enum ProviderFacts {
  /// Client IDs accepted as the audience of an identity token: the web client, and for Apple the
  /// app as well.
  static func audiences(of provider: String) -> [String] {
    switch provider {
    case "google": ["sandbox-google-web"]
    case "apple": ["sandbox.apple.service", "sandbox.apple.app"]
    default: ["sandbox-" + provider.replacing(":", with: "-")]
    }
  }

  /// Issuers of identity tokens.
  static func issuers(of provider: String) -> [String] {
    switch provider {
    case "google": ["https://accounts.google.com"]
    case "apple": ["https://appleid.apple.com", "https://account.apple.com"]
    case "facebook": ["https://www.facebook.com"]
    default: ["https://\(provider.replacing(":", with: "-")).test"]
    }
  }
}
