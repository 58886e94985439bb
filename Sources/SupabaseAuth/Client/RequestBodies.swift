import FoundationEssentials

/// The request bodies, with GoTrue's member names.
enum RequestBody {
  struct EmailPassword: Encodable {
    let email: String
    let password: String
  }

  struct CodeExchange: Encodable {
    let code: String
    let verifier: String

    private enum CodingKeys: String, CodingKey {
      case code = "auth_code"
      case verifier = "code_verifier"
    }
  }

  struct IDToken: Encodable {
    let provider: String
    let idToken: String
    let nonce: String?
    let linkIdentity: Bool?

    private enum CodingKeys: String, CodingKey {
      case provider, nonce
      case idToken = "id_token"
      case linkIdentity = "link_identity"
    }
  }

  struct Refresh: Encodable {
    let token: String

    private enum CodingKeys: String, CodingKey { case token = "refresh_token" }
  }

  struct UserUpdate: Encodable {
    let changes: UserChanges

    private enum CodingKeys: CodingKey { case email, password, data }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(changes.email, forKey: .email)
      try container.encodeIfPresent(changes.password?.exposed, forKey: .password)
      guard !changes.data.isEmpty else { return }
      try container.encode(changes.data, forKey: .data)
    }
  }

  static func json(_ value: any Encodable) throws(AuthError) -> [UInt8] {
    do {
      return [UInt8](try JSONEncoder().encode(value))
    } catch {
      // The encoder's error is dropped: it may quote the value.
      throw AuthError(.invalidRequest, "the request cannot be encoded as JSON")
    }
  }
}
