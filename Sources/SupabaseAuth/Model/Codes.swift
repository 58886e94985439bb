public import SystemSupport

/// The address to which a code is sent. Prints redacted.
public enum CodeAddress: Sendable, Hashable, Redacted {
  case email(String)
  /// With `+` and country code, digits only otherwise.
  case phone(String)

  package var isPhone: Bool { if case .phone = self { true } else { false } }
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
  public let challenge: String

  public init(url: String, challenge: String) {
    self.url = url
    self.challenge = challenge
  }
}
