/// What an identity token is to say. The defaults make one that is accepted.
public struct IDTokenRequest: Sendable, Codable {
  /// Who issues it.
  public var provider: SandboxProvider
  /// The address in it, nil for none.
  public var email: String?
  /// The provider's subject; nil takes the one of the provider's account with that address, or makes one up.
  public var subject: String?
  /// `email_verified`.
  public var emailVerified = true
  /// `name`, nil for none.
  public var name: String?
  /// `nonce` as it stands in the token: for Supabase the hexadecimal SHA-256 of the raw nonce.
  public var nonce: String?
  /// `aud`; nil takes a client id that the project accepts.
  public var audience: String?
  /// Seconds until `exp`, by the sandbox's clock; negative for an expired one.
  public var expiresIn = 3600
  /// Signs with a key that nobody knows.
  public var badSignature = false
  /// `iss`; nil takes the provider's own.
  public var issuer: String?

  /// An acceptable token for that address.
  public init(provider: SandboxProvider, email: String?) {
    (self.provider, self.email) = (provider, email)
  }
}
