/// A single sign-on that waits for the identity provider's answer.
struct SSORelay: Sendable {
  /// The `RelayState`.
  var id = Text.uuid()
  var domain: String
  /// As the client sent it.
  var redirectTo: String
  var challenge: Challenge?
  var createdAt: Moment
}

/// The statement of an identity provider about a person.
struct SSOAssertion: Sendable {
  var domain: String
  var email: String
  var name: String

  var identity: ExternalIdentity {
    var profile: [String: JSON] = ["iss": .string("https://\(domain)/saml")]
    if !name.isEmpty { profile["full_name"] = .string(name) }
    return ExternalIdentity(
      provider: "sso:" + SSOTable.providerID(of: domain), subject: email, email: email, isEmailVerified: true,
      profile: profile)
  }
}

/// The single sign-ons under way and the assertions that were issued; each is used once.
struct SSOTable: Sendable {
  private var relays: [String: SSORelay] = [:]
  private var assertions: [String: SSOAssertion] = [:]

  mutating func put(_ relay: SSORelay) { relays[relay.id] = relay }

  mutating func takeRelay(_ id: String) -> SSORelay? { relays.removeValue(forKey: id) }

  /// Issues an assertion, and returns the text that the browser carries in `SAMLResponse`.
  mutating func issue(_ assertion: SSOAssertion) -> String {
    let response = Text.base64URL(Array("assertion \(Text.uuid())".utf8))
    assertions[response] = assertion
    return response
  }

  mutating func takeAssertion(_ response: String) -> SSOAssertion? { assertions.removeValue(forKey: response) }

  /// The UUID of a domain's identity provider: the same for every run, so that a vault of an earlier
  /// run still fits.
  static func providerID(of domain: String) -> String {
    let hex = Text.hex(Digest.sha256(Array(domain.utf8)).prefix(16))
    let parts = [8, 4, 4, 4, 12].reduce(into: (rest: Substring(hex), parts: [Substring]())) { state, count in
      state.parts.append(state.rest.prefix(count))
      state.rest = state.rest.dropFirst(count)
    }
    return parts.parts.joined(separator: "-")
  }
}
