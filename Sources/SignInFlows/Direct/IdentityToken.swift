import AgentProtocol
import FoundationEssentials
import Hashing
import SessionEngine
import SupabaseAuth
import SystemSupport

/// An identity token (OpenID Connect Core 1.0, section 2). Its claims are read **without
/// verification**: the server verifies the token. Reading the nonce here only prevents sending a
/// token made for another request.
package struct IdentityToken {
  private struct Claims: Decodable {
    let nonce: String?
    let email: String?
  }

  let nonce: String?
  package let email: String?

  /// Returns nil if the text is too long or is not a JWT in compact form (RFC 7515, section 3.1).
  init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard token.utf8.count <= SignInLimits.maxTokenLength, parts.count == 3, let payload = Base64URL.decode(parts[1]),
      let claims = try? JSONDecoder().decode(Claims.self, from: payload)
    else { return nil }
    nonce = claims.nonce
    email = claims.email
  }

  /// Checks that the token's nonce is the hash of `raw`. An Apple token must have a nonce.
  /// For other providers, either both sides have one or neither does.
  /// - Throws: `.callbackInvalid` if the nonces do not match.
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
      hint:
        "the identity token was issued for another nonce; pass the raw nonce, not the SHA-256 that was sent to the provider"
    )
  }
}

/// The nonces of `signIn.nonce`: 32 characters, single use, valid for ten minutes. Used and
/// expired nonces are remembered for a while, so that they are rejected and not mistaken for a
/// caller's own nonce.
struct IssuedNonces {
  private struct Issued {
    let nonce: String
    let at: BootTime
    var isUsed = false
  }

  /// Sorted from oldest to newest.
  private var issued: [Issued] = []

  /// 192 bits: 24 bytes are 32 characters of base64url.
  private static let bytes = 24

  /// The number of remembered nonces for each nonce that may be outstanding.
  private static let memory = 4

  mutating func issue(now: BootTime) -> String {
    let nonce = RandomText.base64url(bytes: Self.bytes)
    issued.append(Issued(nonce: nonce, at: now))
    let outstanding = issued.indices.filter { !issued[$0].isUsed }
    if outstanding.count > SignInLimits.maxOutstandingNonces { issued[outstanding[0]].isUsed = true }
    issued = issued.suffix(SignInLimits.maxOutstandingNonces * Self.memory)
    return nonce
  }

  /// Marks a nonce that was issued here as used; a caller's own nonce is accepted.
  /// - Throws: `callbackInvalid` if the nonce was used before or has expired.
  mutating func consume(_ nonce: String, now: BootTime) throws(AgentError) {
    guard let index = issued.firstIndex(where: { ConstantTime.equal($0.nonce, nonce) }) else { return }
    let entry = issued[index]
    issued[index].isUsed = true
    guard !entry.isUsed, entry.at.duration(to: now) < SignInLimits.nonceLifetime else {
      throw AgentError(
        .callbackInvalid, hint: "the nonce was already used or has expired; get another from signIn.nonce")
    }
  }

  /// Returns the hash for the request to the provider, which the identity token then contains.
  static func hashed(_ nonce: String) -> String { SHA256.digest(nonce).hexadecimal }
}

extension FirstTimeFacts {
  /// Creates the facts from what Apple told the caller of a native sign-in, and from the token.
  /// - Throws: `invalidParams` for an invalid name or email address.
  init(_ params: SignInIDToken.Params, _ token: IdentityToken) throws(AgentError) {
    guard params.name.map({ $0.utf8.count <= ProfileLimits.maxNameLength }) ?? true,
      params.email.map({ $0.utf8.count <= Self.emailLength && $0.contains("@") }) ?? true
    else { throw AgentError(.invalidParams, "The name or email address is not valid.") }
    self.init(name: params.name.flatMap(Self.present), email: (params.email ?? token.email).flatMap(Self.present))
  }
}
