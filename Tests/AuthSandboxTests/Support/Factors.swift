@testable import AuthSandbox

/// Second factors.
extension Stage {
  /// Adds an unverified TOTP factor by the API, and returns its ID.
  func enroll(_ token: String, name: String = "Phone app") async throws -> String {
    let answer = try await call("POST", "/factors", token: token, body: Self.totp(name))
    guard let id = try answer.json["id"]?.string else { throw NoSession(answer: answer.text) }
    return id
  }

  /// The body that adds a TOTP factor.
  static func totp(_ name: String) -> JSON { ["factor_type": "totp", "friendly_name": .string(name)] }

  /// Asks for a challenge, and returns its ID.
  func challenge(_ factor: String, _ token: String) async throws -> String {
    let answer = try await call("POST", "/factors/\(factor)/challenge", token: token, body: [:])
    guard let id = try answer.json["id"]?.string else { throw NoSession(answer: answer.text) }
    return id
  }

  /// Verifies with the current code, or another one.
  func verify(
    factor: String, challenge: String, _ token: String, code: String? = nil, from address: String? = nil
  ) async throws -> HTTPAnswer {
    let code = code ?? sandbox.totpCode(of: factor) ?? sandbox.mails.last?.code ?? ""
    let headers = address.map { [("x-forwarded-for", $0)] } ?? []
    return try await call(
      "POST", "/factors/\(factor)/verify", token: token,
      body: ["challenge_id": .string(challenge), "code": .string(code)], headers: headers)
  }

  /// Challenge and verification with the right code.
  func lift(_ factor: String, _ token: String) async throws -> TestSession {
    try TestSession(await verify(factor: factor, challenge: challenge(factor, token), token))
  }

  /// A user with a verified TOTP factor, whose session is at aal2.
  func lifted(_ email: String = "gina@lab.test") async throws -> (factor: String, session: TestSession) {
    let session = try await session(email)
    let factor = try await enroll(session.access)
    return (factor, try await lift(factor, session.access))
  }

  /// A user with a verified TOTP factor, whose session is at aal1.
  func withFactor(_ email: String = "gina@lab.test") async throws -> (factor: String, session: TestSession) {
    let session = try await session(email)
    return (try sandbox.addFactor(to: email, name: "Phone app").id, session)
  }
}
