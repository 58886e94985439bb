import Crypto
import FoundationEssentials
import SystemSupport

/// The proof key of one flow (RFC 7636): who exchanges the code must know the verifier, and only its hash was sent.
struct PKCE: Sendable {
  /// 43 characters: the secret.
  let verifier: String
  /// The verifier's SHA-256 in base64url, `code_challenge` with the method S256 (section 4.2).
  let challenge: String

  init(verifier: String) {
    self.verifier = verifier
    challenge = Base64URL.encode(SHA256.hash(data: Data(verifier.utf8)))
  }

  /// A new verifier of 32 random bytes (section 4.1).
  static func fresh() -> PKCE { PKCE(verifier: RandomText.base64url(bytes: SignInBounds.secretBytes)) }
}
