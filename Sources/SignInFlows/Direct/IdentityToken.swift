import AgentProtocol
import Crypto
import FoundationEssentials
import SessionEngine
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

/// The nonces of `signIn.nonce` (SI-3): 32 characters, good once, for ten minutes. Spent and expired ones are remembered
/// for a while, so that they are refused and not taken for a caller's own.
struct IssuedNonces {
  private struct Issued {
    let nonce: String
    let at: BootTime
    var isSpent = false
  }

  /// Oldest first.
  private var issued: [Issued] = []

  /// 24 bytes are 32 characters of base64url: 192 bits.
  private static let bytes = 24

  /// Remembered nonces for each that may be outstanding.
  private static let memory = 4

  mutating func issue(now: BootTime) -> String {
    let nonce = RandomText.base64url(bytes: Self.bytes)
    issued.append(Issued(nonce: nonce, at: now))
    let outstanding = issued.indices.filter { !issued[$0].isSpent }
    if outstanding.count > SignInBounds.outstandingNonces { issued[outstanding[0]].isSpent = true }
    issued = issued.suffix(SignInBounds.outstandingNonces * Self.memory)
    return nonce
  }

  /// Spends a nonce that was issued here; a caller's own passes.
  /// - Throws: `callbackInvalid` where it was used before, or is too old.
  mutating func spend(_ nonce: String, now: BootTime) throws(AgentError) {
    guard let index = issued.firstIndex(where: { ConstantTime.equal($0.nonce, nonce) }) else { return }
    let entry = issued[index]
    issued[index].isSpent = true
    guard !entry.isSpent, entry.at.duration(to: now) < SignInBounds.nonceLife else {
      throw AgentError(.callbackInvalid, hint: "the nonce was used already or is too old; ask signIn.nonce for another")
    }
  }

  /// What goes into the request to the provider, and comes back in the identity token.
  static func hashed(_ nonce: String) -> String { SHA256.hash(data: Data(nonce.utf8)).hexadecimal }
}

extension FirstTimeFacts {
  /// What the caller of a native sign-in was told by Apple, and the token says.
  /// - Throws: `invalidParams` for what can be no name or address.
  init(_ params: SignInIDToken.Params, _ token: IdentityToken) throws(AgentError) {
    guard params.name.map({ $0.utf8.count <= ProfileBounds.nameLength }) ?? true,
      params.email.map({ $0.utf8.count <= Self.emailLength && $0.contains("@") }) ?? true
    else { throw AgentError(.invalidParams, "The name or the e-mail address is too long, or is none.") }
    self.init(name: params.name.flatMap(Self.present), email: (params.email ?? token.email).flatMap(Self.present))
  }
}
