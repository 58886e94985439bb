import Crypto
import JWTKit

/// The keys of one project: its own pair, its secret, and the pairs of the two providers.
struct SigningKeys: Sendable {
  /// The `kid` of the published key.
  let kid = Text.uuid()
  let secret = Text.random(40, from: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  private let pair = P256.Signing.PrivateKey()
  private let elliptic = JWTKeyCollection()
  private let symmetric = JWTKeyCollection()
  private let providers = JWTKeyCollection()
  private let strangers = JWTKeyCollection()

  /// Makes fresh keys.
  init() async throws {
    await elliptic.add(ecdsa: try ES256PrivateKey(backing: pair), kid: JWKIdentifier(string: kid))
    await symmetric.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    await providers.add(ecdsa: ES256PrivateKey())
    await strangers.add(ecdsa: ES256PrivateKey())
  }

  func sign(_ claims: JSON, with algorithm: JWTAlgorithmName) async throws -> String {
    switch algorithm {
    case .es256: try await elliptic.sign(TokenClaims(claims: claims), kid: JWKIdentifier(string: kid))
    case .hs256: try await symmetric.sign(TokenClaims(claims: claims))
    }
  }

  /// An identity token of Google or Apple; `broken` signs with a key that nobody knows.
  func signIdentity(_ claims: JSON, broken: Bool) async throws -> String {
    try await (broken ? strangers : providers).sign(TokenClaims(claims: claims))
  }

  /// nil where the signature does not hold. Times are not looked at.
  func identityClaims(_ token: String) async -> JSON? {
    try? await providers.verify(token, as: TokenClaims.self).claims
  }

  /// Checks the signature of an access token by the algorithm that it names; HS256 always counts, as on a project
  /// that moved to asymmetric keys.
  func accessClaims(_ token: String) async throws(APIError) -> JSON {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw Self.bad("token is malformed: token contains an invalid number of segments")
    }
    guard let bytes = Text.base64URLDecoded(parts[0]), let header = try? JSON(parsing: bytes) else {
      throw Self.bad("token is malformed: could not base64 decode header")
    }
    let name = header["alg"]?.string ?? ""
    let (keys, complaint): (JWTKeyCollection, String)
    switch name {
    case "HS256": (keys, complaint) = (symmetric, "signature is invalid")
    case "ES256": (keys, complaint) = (elliptic, "crypto/ecdsa: verification error")
    default: throw Self.bad("token signature is invalid: signing method \(name) is invalid")
    }
    guard let verified = try? await keys.verify(token, as: TokenClaims.self) else {
      throw Self.bad("token signature is invalid: \(complaint)")
    }
    return verified.claims
  }

  static func bad(_ detail: String) -> APIError {
    APIError(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, " + detail)
  }

  /// The published half, as a JWK (RFC 7517).
  var jwk: JSON {
    let point = Array(pair.publicKey.rawRepresentation)
    return [
      "alg": "ES256", "crv": "P-256", "ext": true, "key_ops": ["verify"], "kid": .string(kid), "kty": "EC",
      "use": "sig", "x": .string(Text.base64URL(point[..<32])), "y": .string(Text.base64URL(point[32...])),
    ]
  }
}

/// Claims of any kind. Times are judged by the sandbox's clock, not here.
private struct TokenClaims: JWTPayload {
  var claims: JSON

  init(claims: JSON) { self.claims = claims }

  init(from decoder: any Decoder) throws { claims = try JSON(from: decoder) }

  func encode(to encoder: any Encoder) throws { try claims.encode(to: encoder) }

  func verify(using algorithm: some JWTAlgorithm) async throws {}
}
