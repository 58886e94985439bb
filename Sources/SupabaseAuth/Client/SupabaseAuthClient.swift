import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import SystemSupport
import WebURLs

/// Supabase Auth over HTTP/1.1. Create one client for each project: a client has its own thread,
/// started by the first request.
///
/// The client reads no environment variables, follows no redirects and sends every request once.
/// Safe to use from any task.
public final class SupabaseAuthClient: AuthServer {
  let endpoint: ProjectEndpoint
  let limits: RequestLimits
  private let userAgent: String
  private let transport: HTTPTransport

  /// - Parameter userAgent: the name that the server stores with the session and shows to the user;
  ///   make it recognisable. Characters outside printable ASCII are dropped.
  public init(endpoint: ProjectEndpoint, userAgent: String, limits: RequestLimits = RequestLimits()) {
    self.endpoint = endpoint
    self.limits = limits
    // A character that cannot be sent would make every request fail.
    self.userAgent = String(userAgent.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.map(Character.init))
    transport = HTTPTransport(endpoint: endpoint, limits: limits)
  }

  /// Cancels requests in flight and closes all connections, within `RequestLimits.shutdown`. May be
  /// called again.
  public func shutdown() async { await transport.shutdown() }

  /// Ends the connections that no request uses. After a suspend or a change of the network they may be dead.
  package func dropIdleConnections() { transport.dropIdle() }

  /// Sends a request of the API client unchanged, except for a default `User-Agent` header.
  public func send(_ request: APIRequest) async throws(AuthError) -> APIResponse {
    var checked = try request.checked(userAgent: userAgent)
    checked.headers.add(endpoint.headers)
    return try await transport.exchange(
      checked, isAPI: true, keepsRefusals: false, maximum: request.limit, within: request.timeout)
  }
}

extension HTTPHeaders {
  fileprivate mutating func add(_ headers: [ConstantHeader]) {
    for header in headers { replaceOrAdd(name: header.name, value: header.value) }
  }
}

/// One request to GoTrue.
struct AuthCall {
  var method: HTTPMethod
  var path: String
  var query: [(String, String)] = []
  var token: BearerToken?
  var body: RequestBody?
}

/// The members of a request's body, by GoTrue's names. A member that is nil is not sent.
typealias RequestBody = [String: RequestMember?]

/// A code is text, too: it may begin with 0.
enum RequestMember: Encodable {
  case text(String)
  case flag(Bool)

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .flag(let flag): try container.encode(flag)
    }
  }
}

extension RequestBody {
  /// The members for PKCE (RFC 7636); nil without a challenge.
  fileprivate mutating func add(challenge: String?) {
    guard let challenge else { return }
    self["code_challenge"] = .text(challenge)
    self["code_challenge_method"] = .text("s256")
  }

  fileprivate mutating func add(_ address: CodeAddress) {
    switch address {
    case .email(let email): self["email"] = .text(email)
    case .phone(let phone): self["phone"] = .text(phone)
    }
  }

  fileprivate func json() throws(AuthError) -> [UInt8] {
    do {
      return [UInt8](try JSONEncoder().encode(compactMapValues { $0 }))
    } catch {
      // The encoder's error is dropped: it may quote the value.
      throw AuthError(.invalidRequest, "the request cannot be encoded as JSON")
    }
  }
}

extension SupabaseAuthClient {
  /// Sends `call` and returns the response, whatever its status.
  func answer(to call: AuthCall) async throws(AuthError) -> APIResponse {
    try await transport.exchange(try request(for: call), maximum: limits.body, within: limits.request)
  }

  /// Sends `call` and returns the response if the status is 2xx.
  func success(of call: AuthCall) async throws(AuthError) -> APIResponse {
    let answer = try await answer(to: call)
    guard answer.isSuccess else { throw Refusal(answer, now: Date()).error }
    // GoTrue's successful responses are JSON or empty; an HTML page comes from something else.
    guard answer.mayBeJSON || answer.body.isEmpty else { throw answer.unreadable("it is not JSON") }
    return answer
  }

  private func request(for call: AuthCall) throws(AuthError) -> HTTPClientRequest {
    let query = call.query.isEmpty ? "" : PercentEncoding.query(call.query)
    var request = HTTPClientRequest(url: endpoint.authURL + call.path + query)
    request.method = call.method
    request.headers = [
      "apikey": endpoint.anonKey, "user-agent": userAgent, "accept": "application/json",
      // Selects the error shape whose `code` is a string.
      "x-supabase-api-version": "2024-01-01",
    ]
    request.headers.add(endpoint.headers)
    if let token = call.token {
      guard token.exposed.isPrintableASCII else {
        throw AuthError(.invalidRequest, "the access token has invalid characters")
      }
      request.headers.add(name: "authorization", value: "Bearer \(token.exposed)")
    }
    if let body = call.body {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: try body.json()))
    }
    return request
  }
}

/// Sign-in, refresh and sign-out.
extension SupabaseAuthClient {
  public func signUp(email: String, password: Password) async throws(AuthError) -> SignUpOutcome {
    let body: RequestBody = ["email": .text(email), "password": .text(password.exposed)]
    return try await success(of: AuthCall(method: .POST, path: "/signup", body: body)).signUpOutcome()
  }

  public func signIn(email: String, password: Password) async throws(AuthError) -> Session {
    try await success(of: grant("password", ["email": .text(email), "password": .text(password.exposed)])).session()
  }

  public func exchange(code: String, verifier: String) async throws(AuthError) -> Session {
    try await success(of: grant("pkce", ["auth_code": .text(code), "code_verifier": .text(verifier)])).session()
  }

  public func signIn(provider: Provider, idToken: String, nonce: String?) async throws(AuthError) -> Session {
    let body: RequestBody = [
      "provider": .text(provider.rawValue), "id_token": .text(idToken), "nonce": nonce.map { .text($0) },
    ]
    return try await success(of: grant("id_token", body)).session()
  }

  public func refresh(_ token: RefreshToken) async -> RefreshOutcome {
    do {
      let answer = try await answer(to: grant("refresh_token", ["refresh_token": .text(token.exposed)]))
      return classifyRefresh(status: answer.status, headers: answer.headers, body: answer.body)
    } catch {
      return .transient(error, retryAfter: nil)
    }
  }

  public func logout(_ token: BearerToken, scope: LogoutScope) async throws(AuthError) {
    let call = AuthCall(method: .POST, path: "/logout", query: [("scope", scope.rawValue)], token: token)
    do {
      _ = try await success(of: call)
    } catch {
      // A gateway's refusal (such as a rotated key) or a refused access token says nothing about
      // the session. The error is thrown so that the caller retries the sign-out.
      guard let status = error.status, [401, 403, 404].contains(status),
        ![.gatewayRefused, .gateRefused, .legacyKeyDisabled, .notFound, .badJWT].contains(error.code)
      else { throw error }
    }
  }

  private func grant(_ type: String, _ body: RequestBody) -> AuthCall {
    AuthCall(method: .POST, path: "/token", query: [("grant_type", type)], body: body)
  }
}

/// Codes, links, anonymous users and single sign-on.
extension SupabaseAuthClient {
  public func sendCode(to address: CodeAddress, createUser: Bool, link: PKCERedirect?) async throws(AuthError) {
    // The server's own default is true.
    var body: RequestBody = ["create_user": .flag(createUser)]
    body.add(address)
    body.add(challenge: link?.challenge)
    _ = try await success(of: AuthCall(method: .POST, path: "/otp", query: Self.query(link), body: body))
  }

  public func verify(_ proof: CodeProof) async throws(AuthError) -> Session? {
    var body: RequestBody = [:]
    switch proof {
    case .code(let code, let address):
      body = ["type": .text(address.isPhone ? "sms" : "email"), "token": .text(code)]
      body.add(address)
    case .emailChange(let code, let email):
      body = ["type": .text("email_change"), "email": .text(email), "token": .text(code)]
    // The server refuses an address next to a hash.
    case .tokenHash(let hash): body = ["type": .text("email"), "token_hash": .text(hash)]
    }
    return try await success(of: AuthCall(method: .POST, path: "/verify", body: body)).verification()
  }

  public func signInAnonymously() async throws(AuthError) -> Session {
    try await success(of: AuthCall(method: .POST, path: "/signup", body: [:])).session()
  }

  public func ssoURL(domain: String, redirect: PKCERedirect) async throws(AuthError) -> String {
    var body: RequestBody = [
      "domain": .text(domain.lowercased()), "redirect_to": .text(redirect.url), "skip_http_redirect": .flag(true),
    ]
    body.add(challenge: redirect.challenge)
    return try await url(for: AuthCall(method: .POST, path: "/sso", body: body))
  }

  /// The server reads `redirect_to` only from the query.
  private static func query(_ link: PKCERedirect?) -> [(String, String)] {
    link.map { [("redirect_to", $0.url)] } ?? []
  }

  /// Returns the URL of the answer. It is opened in a browser, so it must meet the rules for the agent's own requests:
  /// https, or http between programs of this machine.
  private func url(for call: AuthCall) async throws(AuthError) -> String {
    let answer = try await success(of: call)
    let url = try answer.value(URLAnswer.self).url
    guard let address = try? WebURL(url), !address.isLoopback || endpoint.isLoopback else {
      throw answer.unreadable("its URL is not valid")
    }
    return url
  }

  private struct URLAnswer: Decodable {
    let url: String
  }
}

/// The user and their identities.
extension SupabaseAuthClient {
  public func user(_ token: BearerToken) async throws(AuthError) -> User {
    try await success(of: AuthCall(method: .GET, path: "/user", token: token)).value(User.self)
  }

  public func updateUser(_ token: BearerToken, _ changes: UserChanges) async throws(AuthError) -> User {
    var body: RequestBody = ["email": .text(changes.email)]
    body.add(challenge: changes.link?.challenge)
    let call = AuthCall(method: .PUT, path: "/user", query: Self.query(changes.link), token: token, body: body)
    return try await success(of: call).value(User.self)
  }

  public func linkURL(
    provider: Provider, scopes: String?, redirectTo: String, challenge: String, _ token: BearerToken
  ) async throws(AuthError) -> String {
    let query =
      [("provider", provider.rawValue), ("redirect_to", redirectTo)] + (scopes.map { [("scopes", $0)] } ?? [])
      + [("code_challenge", challenge), ("code_challenge_method", "s256"), ("skip_http_redirect", "true")]
    return try await url(for: AuthCall(method: .GET, path: "/user/identities/authorize", query: query, token: token))
  }

  public func unlink(identity: String, _ token: BearerToken) async throws(AuthError) {
    guard identity.isPathPart else { throw AuthError(.invalidRequest, "not an identity ID") }
    _ = try await success(of: AuthCall(method: .DELETE, path: "/user/identities/\(identity)", token: token))
  }
}

extension SupabaseAuthClient {
  public func enroll(_ factor: FactorRequest, _ token: BearerToken) async throws(AuthError) -> EnrolledFactor {
    let body: RequestBody =
      switch factor {
      case .totp(let name): ["factor_type": .text("totp"), "friendly_name": name.map { .text($0) }]
      case .phone(let number, let name):
        ["factor_type": .text("phone"), "phone": .text(number), "friendly_name": name.map { .text($0) }]
      }
    let call = AuthCall(method: .POST, path: "/factors", token: token, body: body)
    let answer = try await success(of: call)
    let enrolled = try answer.value(EnrollmentAnswer.self)
    guard enrolled.id.isPathPart else { throw answer.unreadable("its factor has no valid ID") }
    return EnrolledFactor(id: enrolled.id, secret: enrolled.totp?.secret, uri: enrolled.totp?.uri)
  }

  public func challenge(
    _ factor: String, isPhone: Bool, _ token: BearerToken
  ) async throws(AuthError) -> FactorChallenge {
    let path = try Self.path(factor) + "/challenge"
    let body: RequestBody = ["channel": isPhone ? .text("sms") : nil]
    let answer = try await success(of: AuthCall(method: .POST, path: path, token: token, body: body))
    let challenge = try answer.value(FactorChallenge.self)
    guard challenge.id.isPathPart else { throw answer.unreadable("its challenge has no valid ID") }
    return challenge
  }

  public func verify(
    _ factor: String, challenge: String, code: FactorCode, _ token: BearerToken
  ) async throws(AuthError) -> Session {
    let path = try Self.path(factor) + "/verify"
    let body: RequestBody = ["challenge_id": .text(challenge), "code": .text(code.exposed)]
    return try await success(of: AuthCall(method: .POST, path: path, token: token, body: body)).session()
  }

  public func removeFactor(_ factor: String, _ token: BearerToken) async throws(AuthError) {
    _ = try await success(of: AuthCall(method: .DELETE, path: try Self.path(factor), token: token))
  }

  private static func path(_ factor: String) throws(AuthError) -> String {
    guard factor.isPathPart else { throw AuthError(.invalidRequest, "not a factor ID") }
    return "/factors/\(factor)"
  }

  private struct EnrollmentAnswer: Decodable {
    struct TOTP: Decodable {
      let secret: String
      let uri: String
    }

    let id: String
    let totp: TOTP?
  }
}

extension SupabaseAuthClient {
  public func settings() async throws(AuthError) -> ProjectSettings {
    try await success(of: AuthCall(method: .GET, path: "/settings")).value(ProjectSettings.self)
  }
}
