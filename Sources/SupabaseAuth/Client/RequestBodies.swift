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

    private enum CodingKeys: String, CodingKey {
      case email, password, data
      case challenge = "code_challenge"
      case method = "code_challenge_method"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(changes.email, forKey: .email)
      try container.encodeIfPresent(changes.password?.exposed, forKey: .password)
      if let link = changes.link {
        try container.encode(link.challenge, forKey: .challenge)
        try container.encode(RequestBody.challengeMethod, forKey: .method)
      }
      guard !changes.data.isEmpty else { return }
      try container.encode(changes.data, forKey: .data)
    }
  }

  /// PKCE's method, as GoTrue writes it.
  static let challengeMethod = "s256"

  struct Empty: Encodable {}

  struct Enrollment: Encodable {
    let factor: FactorRequest

    private enum CodingKeys: String, CodingKey {
      case phone
      case type = "factor_type"
      case name = "friendly_name"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch factor {
      case .totp(let name):
        try container.encode("totp", forKey: .type)
        try container.encodeIfPresent(name, forKey: .name)
      case .phone(let number, let name):
        try container.encode("phone", forKey: .type)
        try container.encode(number, forKey: .phone)
        try container.encodeIfPresent(name, forKey: .name)
      }
    }
  }

  struct Challenge: Encodable {
    let channel: String?
  }

  struct FactorVerification: Encodable {
    let challenge: String
    let code: String

    private enum CodingKeys: String, CodingKey {
      case code
      case challenge = "challenge_id"
    }
  }

  struct CodeRequest: Encodable {
    let address: CodeAddress
    let createUser: Bool
    let challenge: String?

    private enum CodingKeys: String, CodingKey {
      case email, phone
      case createUser = "create_user"
      case challenge = "code_challenge"
      case method = "code_challenge_method"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch address {
      case .email(let email): try container.encode(email, forKey: .email)
      case .phone(let phone): try container.encode(phone, forKey: .phone)
      }
      // The server's own default is true.
      try container.encode(createUser, forKey: .createUser)
      guard let challenge else { return }
      try container.encode(challenge, forKey: .challenge)
      try container.encode(RequestBody.challengeMethod, forKey: .method)
    }
  }

  struct Verification: Encodable {
    let proof: CodeProof

    private enum CodingKeys: String, CodingKey {
      case type, email, phone, token
      case tokenHash = "token_hash"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch proof {
      // A code is a string: it may begin with 0.
      case .code(let code, .email(let email)):
        try container.encode("email", forKey: .type)
        try container.encode(email, forKey: .email)
        try container.encode(code, forKey: .token)
      case .code(let code, .phone(let phone)):
        try container.encode("sms", forKey: .type)
        try container.encode(phone, forKey: .phone)
        try container.encode(code, forKey: .token)
      case .emailChange(let code, let email):
        try container.encode("email_change", forKey: .type)
        try container.encode(email, forKey: .email)
        try container.encode(code, forKey: .token)
      // The server refuses an address next to a hash.
      case .tokenHash(let hash):
        try container.encode("email", forKey: .type)
        try container.encode(hash, forKey: .tokenHash)
      }
    }
  }

  struct SingleSignOn: Encodable {
    let domain: String
    let redirect: PKCERedirect

    private enum CodingKeys: String, CodingKey {
      case domain
      case redirectTo = "redirect_to"
      case skipsRedirect = "skip_http_redirect"
      case challenge = "code_challenge"
      case method = "code_challenge_method"
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(domain, forKey: .domain)
      try container.encode(redirect.url, forKey: .redirectTo)
      try container.encode(true, forKey: .skipsRedirect)
      try container.encode(redirect.challenge, forKey: .challenge)
      try container.encode(RequestBody.challengeMethod, forKey: .method)
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
