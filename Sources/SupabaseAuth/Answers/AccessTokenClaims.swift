import FoundationEssentials

/// Claims of an access token (RFC 7519), read **without verifying** it: the token came from the issuer over TLS, and with
/// HS256 nobody but the server could verify it. Good for names and bindings, never for a decision on trust.
struct AccessTokenClaims: Decodable {
  let issuer: String?
  let sessionID: String?
  let subject: String?
  let email: String?

  private enum CodingKeys: String, CodingKey {
    case issuer = "iss"
    case sessionID = "session_id"
    case subject = "sub"
    case email
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    issuer = container.text(.issuer)
    sessionID = container.text(.sessionID)
    subject = container.text(.subject)
    email = container.text(.email)
  }

  /// Nil if the token is no JWT in compact form (RFC 7515, section 3.1).
  init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Self.base64url(parts[1]),
      let claims = try? JSONDecoder().decode(AccessTokenClaims.self, from: payload)
    else { return nil }
    self = claims
  }

  /// The user that the claims describe, for an answer that leaves the user out.
  var user: User? {
    guard let subject, subject.isUserID else { return nil }
    return User(id: subject, email: email ?? "")
  }

  private static func base64url(_ text: Substring) -> Data? {
    var base64 = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    while base64.count % 4 != 0 { base64.append("=") }
    return Data(base64Encoded: String(base64))
  }
}
