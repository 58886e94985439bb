import FoundationEssentials

/// The keys of one project: its own key pair, its secret, and the key pair that both providers
/// share.
struct SigningKeys: Sendable {
  /// The `kid` of the published key.
  let kid = Text.uuid()
  let secret = Text.random(40, from: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  private let pair = ECKeyPair()
  private let providers = ECKeyPair()
  private let unknownKey = ECKeyPair()

  func sign(_ claims: JSON, with algorithm: JWTAlgorithmName) throws -> String {
    switch algorithm {
    case .es256: try SignedToken(claims, kid: kid, by: pair).text
    case .hs256: try SignedToken(claims, by: secret).text
    }
  }

  /// Signs an identity token of Google or Apple; `broken` signs with an unknown key.
  func signIdentity(_ claims: JSON, broken: Bool) throws -> String {
    try SignedToken(claims, kid: nil, by: broken ? unknownKey : providers).text
  }

  /// The claims of an identity token; nil if the signature is invalid. Times are not checked.
  func identityClaims(_ token: String) -> JSON? {
    guard let token = SignedToken(token), token.hasValidSignature(for: providers) else { return nil }
    return token.claims
  }

  /// Verifies the signature of an access token by the algorithm in its header. HS256 is always
  /// accepted, as on a project that moved to asymmetric keys.
  func accessClaims(_ text: String) throws(APIError) -> JSON {
    guard text.split(separator: ".", omittingEmptySubsequences: false).count == 3 else {
      throw Self.bad("token is malformed: token contains an invalid number of segments")
    }
    guard let token = SignedToken(text) else {
      throw Self.bad("token is malformed: could not base64 decode header")
    }
    switch token.algorithm {
    case "HS256":
      guard token.hasValidSignature(for: secret) else {
        throw Self.bad("token signature is invalid: signature is invalid")
      }
    case "ES256":
      guard token.hasValidSignature(for: pair) else {
        throw Self.bad("token signature is invalid: crypto/ecdsa: verification error")
      }
    default: throw Self.bad("token signature is invalid: signing method \(token.algorithm) is invalid")
    }
    guard let claims = token.claims else { throw Self.bad("token is malformed: could not JSON decode claim") }
    return claims
  }

  static func bad(_ detail: String) -> APIError {
    APIError(403, "bad_jwt", "invalid JWT: unable to parse or verify signature, " + detail)
  }

  /// The public key as a JWK (RFC 7517).
  var jwk: JSON {
    let point = pair.point
    return [
      "alg": "ES256", "crv": "P-256", "ext": true, "key_ops": ["verify"], "kid": .string(kid), "kty": "EC",
      "use": "sig", "x": .string(Text.base64URL(point.x)), "y": .string(Text.base64URL(point.y)),
    ]
  }
}

/// A JSON Web Signature in its compact form (RFC 7515, section 7.1), by HMAC with SHA-256 or by
/// ECDSA on P-256 with SHA-256 (RFC 7518, sections 3.2 and 3.4). The callers check times, by the
/// sandbox's clock.
private struct SignedToken {
  let text: String
  let algorithm: String
  private let signed: [UInt8]
  private let signature: [UInt8]
  private let payload: [UInt8]

  init(_ claims: JSON, kid: String?, by key: ECKeyPair) throws {
    try self.init(claims, algorithm: "ES256", kid) { key.signature(over: $0) }
  }

  init(_ claims: JSON, by secret: String) throws {
    try self.init(claims, algorithm: "HS256", nil) { Self.code(secret, $0) }
  }

  /// Nil if `text` does not have that form.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Text.base64URLDecoded(parts[0]), let header = try? JSON(parsing: bytes) else {
      return nil
    }
    self.text = text
    algorithm = header["alg"]?.string ?? ""
    signed = Array((parts[0] + "." + parts[1]).utf8)
    payload = Text.base64URLDecoded(parts[1]) ?? []
    signature = Text.base64URLDecoded(parts[2]) ?? []
  }

  private init(_ claims: JSON, algorithm: String, _ kid: String?, _ sign: ([UInt8]) -> [UInt8]) throws {
    var header = ["alg": algorithm, "typ": "JWT"]
    header["kid"] = kid
    let (encoder, headerText) = (JSONEncoder(), try JSONEncoder().encode(header))
    payload = Array(try encoder.encode(claims))
    let start = Text.base64URL(headerText) + "." + Text.base64URL(payload)
    signed = Array(start.utf8)
    signature = sign(signed)
    text = start + "." + Text.base64URL(signature)
    self.algorithm = algorithm
  }

  /// The payload; nil if it is not JSON.
  var claims: JSON? { try? JSON(parsing: payload) }

  func hasValidSignature(for key: ECKeyPair) -> Bool {
    algorithm == "ES256" && key.isValid(signature, over: signed)
  }

  func hasValidSignature(for secret: String) -> Bool {
    algorithm == "HS256" && signature == Self.code(secret, signed)
  }

  private static func code(_ secret: String, _ signed: [UInt8]) -> [UInt8] {
    Digest.code256(signed, key: Array(secret.utf8))
  }
}
