public import SystemSupport

/// The address to which a code is sent. Prints redacted.
public enum CodeAddress: Sendable, Hashable, Redacted {
  case email(String)
  /// With `+` and country code, digits only otherwise.
  case phone(String)
}

/// The proof that `AuthServer.verify` sends. Prints redacted.
public enum CodeProof: Sendable, Hashable, Redacted {
  /// A code from a mail or a text message (`type: email` or `sms`).
  case code(String, CodeAddress)
  /// The code for a changed email address (`type: email_change`).
  case emailChange(String, email: String)
  /// The token of a mailed link (`type: email`, `token_hash`).
  case tokenHash(String)
}

/// Where a browser is sent with a code for a PKCE exchange.
public struct PKCERedirect: Sendable, Hashable {
  /// The `redirect_to` of the request.
  public let url: String
  /// The S256 challenge.
  public let challenge: String

  /// Creates a redirect from its parts.
  public init(url: String, challenge: String) {
    self.url = url
    self.challenge = challenge
  }
}
