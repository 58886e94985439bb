extension Backend {
  /// `GET /health`, which checks nothing.
  func health() -> Answer {
    Answer(json: [
      "version": "v2.196.0", "name": "GoTrue", "description": "GoTrue is a user registration and authentication API",
    ])
  }

  /// `GET /.well-known/jwks.json`: empty if the project signs with its secret.
  func keySet() -> Answer {
    var answer = Answer(json: ["keys": settings.jwtAlgorithm == .es256 ? [keys.jwk] : []])
    answer.headers.append(("cache-control", "public, max-age=600"))
    return answer
  }

  /// `GET /settings`.
  func projectSettings() -> Answer {
    let settings = settings
    var external: [String: JSON] = Dictionary(
      uniqueKeysWithValues: KnownProviders.neverEnabled.map { ($0, JSON.bool(false)) })
    external["anonymous_users"] = .bool(settings.anonymousEnabled)
    external["apple"] = .bool(settings.appleEnabled)
    external["google"] = .bool(settings.googleEnabled)
    external["email"] = .bool(settings.emailEnabled)
    external["phone"] = false
    return Answer(json: [
      "external": .object(external), "disable_signup": .bool(settings.signupDisabled),
      "mailer_autoconfirm": .bool(settings.autoconfirm), "phone_autoconfirm": false, "sms_provider": "",
      "saml_enabled": false, "saml_private_key_next_configured": true, "passkeys_enabled": false,
    ])
  }
}

/// The providers that Supabase Auth knows by name.
enum KnownProviders {
  /// Providers that the sandbox recognizes but does not imitate.
  static let neverEnabled = [
    "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "keycloak", "kakao",
    "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch", "twitter", "zoom",
  ]

  /// Checks that `provider` is enabled.
  /// - Throws: 400 `validation_failed`.
  static func check(_ provider: String, _ settings: SandboxSettings) throws(APIError) {
    switch provider {
    case "google" where settings.googleEnabled, "apple" where settings.appleEnabled: return
    case "google", "apple": throw .validation("Unsupported provider: provider is not enabled")
    case _ where neverEnabled.contains(provider): throw .validation("Unsupported provider: provider is not enabled")
    default: throw .validation("Unsupported provider: Provider \(provider) could not be found")
    }
  }
}
