import AgentProtocol
import FoundationEssentials
import SupabaseAuth
import SystemSupport

/// An identity token (OpenID Connect Core 1.0, section 2), of which the nonce is read **without verifying** the token:
/// the server verifies it; here only what was meant for another request is kept from being sent.
package struct IdentityToken {
  private struct Claims: Decodable {
    let nonce: String?
    let email: String?
  }

  /// Claim `nonce`; nil if the token has none.
  let nonce: String?
  /// Claim `email`.
  package let email: String?

  /// Nil if this is no JWT in compact form (RFC 7515, section 3.1).
  init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard token.utf8.count <= SignInBounds.tokenLength, parts.count == 3, let payload = Base64URL.decode(parts[1]),
      let claims = try? JSONDecoder().decode(Claims.self, from: payload)
    else { return nil }
    nonce = claims.nonce
    email = claims.email
  }

  /// Refuses a token whose nonce is not the hash of `raw` (SI-3). Apple's must have one; of others either both sides have
  /// one, or none.
  func check(_ raw: String?, provider: Provider) throws(AgentError) {
    guard let raw, let nonce else {
      guard raw == nil, nonce == nil, provider != .apple else { throw Self.mismatch }
      return
    }
    guard ConstantTime.equal(nonce, IssuedNonces.hashed(raw)) else { throw Self.mismatch }
  }

  private static var mismatch: AgentError {
    AgentError(
      .callbackInvalid,
      hint: "the identity token was made for another nonce; give the raw one whose SHA-256 went to the provider")
  }
}
