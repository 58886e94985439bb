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
      uniqueKeysWithValues: KnownProviders.listed.map { ($0, JSON.bool(KnownProviders.isEnabled($0, settings))) })
    external["anonymous_users"] = .bool(settings.anonymousEnabled)
    external["email"] = .bool(settings.emailEnabled)
    external["phone"] = .bool(settings.phoneEnabled)
    return Answer(json: [
      "external": .object(external), "disable_signup": .bool(settings.signupDisabled),
      "mailer_autoconfirm": .bool(settings.autoconfirm), "phone_autoconfirm": .bool(settings.phoneAutoconfirm),
      "sms_provider": settings.phoneEnabled ? "twilio" : "", "saml_enabled": .bool(!settings.ssoDomains.isEmpty),
      "saml_private_key_next_configured": true, "passkeys_enabled": false,
    ])
  }
}
