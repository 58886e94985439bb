import SupabaseAuth
import Testing

/// All shapes of an error response, through a real call.
@Suite struct RefusalTests {
  struct Row: Sendable {
    let status: Int
    var headers: [(String, String)] = []
    let body: String
    let code: AuthError.Code
    var serverCode: String?
    var message: String?
  }

  static let rows: [Row] = [
    // New shape, old shape, header only.
    Row(
      status: 400, body: #"{"code":"invalid_credentials","message":"Invalid login credentials"}"#,
      code: .invalidCredentials, serverCode: "invalid_credentials", message: "Invalid login credentials"),
    Row(
      status: 400, body: #"{"code":400,"error_code":"invalid_credentials","msg":"m","error_id":"e"}"#,
      code: .invalidCredentials, serverCode: "invalid_credentials", message: "m"),
    Row(
      status: 403, headers: [("X-Sb-Error-Code", "session_not_found")], body: "", code: .sessionNotFound,
      serverCode: "session_not_found"),
    // OAuth
    Row(
      status: 400, body: #"{"error":"invalid request","error_description":"Bad ID token"}"#, code: .idTokenRefused,
      serverCode: "invalid request", message: "Bad ID token"),
    Row(
      status: 400, body: #"{"error":"invalid nonce","error_description":"Nonces mismatch"}"#, code: .idTokenRefused,
      serverCode: "invalid nonce", message: "Nonces mismatch"),
    // Postgres
    Row(
      status: 400, body: #"{"code":"P0001","message":"no","hint":"h","detail":"d"}"#, code: .server("P0001"),
      serverCode: "P0001", message: "no"),
    // Responses that are not GoTrue's, and statuses that decide alone.
    Row(
      status: 401, body: #"{"message":"No API key found in request"}"#, code: .gatewayRefused,
      message: "No API key found in request"),
    Row(
      status: 401,
      body:
        #"{"message":"Legacy API keys are disabled","hint":"Your legacy API keys (anon, service_role) were disabled"}"#,
      code: .legacyKeyDisabled, message: "Legacy API keys are disabled"),
    Row(status: 403, headers: [("content-type", "text/html")], body: "<html>", code: .gateRefused),
    Row(
      status: 404, headers: [("content-type", "text/plain; charset=utf-8")], body: "404 page not found",
      code: .notFound),
    Row(status: 405, body: "", code: .notFound),
    Row(status: 502, headers: [("content-type", "text/html")], body: "<html>", code: .serverUnavailable),
    Row(
      status: 400, headers: [("content-type", "text/html")], body: #"{"code":"invalid_credentials"}"#,
      code: .unexpected),
    Row(status: 302, headers: [("location", "https://portal.test/")], body: "", code: .gatewayRefused),
    Row(status: 540, body: "", code: .projectPaused),
    Row(
      status: 500, body: #"{"code":"unexpected_failure","message":"m"}"#, code: .serverUnavailable,
      serverCode: "unexpected_failure", message: "m"),
    Row(status: 418, body: "", code: .unexpected),
    Row(status: 400, body: #"{"code":"of_tomorrow"}"#, code: .server("of_tomorrow"), serverCode: "of_tomorrow"),
    // GoTrue's codes.
    Row(status: 422, body: #"{"code":"user_already_exists"}"#, code: .userExists, serverCode: "user_already_exists"),
    Row(
      status: 422, body: #"{"code":"email_provider_disabled"}"#, code: .providerDisabled,
      serverCode: "email_provider_disabled"),
    Row(status: 422, body: #"{"code":"signup_disabled"}"#, code: .signupDisabled, serverCode: "signup_disabled"),
    Row(
      status: 400, body: #"{"code":"email_not_confirmed"}"#, code: .emailNotConfirmed,
      serverCode: "email_not_confirmed"),
    Row(
      status: 404, body: #"{"code":"flow_state_not_found"}"#, code: .flowStateNotFound,
      serverCode: "flow_state_not_found"),
    Row(
      status: 422, body: #"{"code":"flow_state_expired"}"#, code: .flowStateExpired, serverCode: "flow_state_expired"),
    Row(status: 400, body: #"{"code":"bad_code_verifier"}"#, code: .badCodeVerifier, serverCode: "bad_code_verifier"),
    Row(status: 403, body: #"{"code":"bad_jwt"}"#, code: .badJWT, serverCode: "bad_jwt"),
    Row(status: 401, body: #"{"code":"no_authorization"}"#, code: .badJWT, serverCode: "no_authorization"),
    Row(status: 403, body: #"{"code":"user_banned"}"#, code: .userBanned, serverCode: "user_banned"),
    Row(
      status: 422, body: #"{"code":"identity_already_exists"}"#, code: .identityAlreadyExists,
      serverCode: "identity_already_exists"),
    Row(
      status: 422, body: #"{"code":"single_identity_not_deletable"}"#, code: .lastIdentity,
      serverCode: "single_identity_not_deletable"),
    Row(
      status: 404, body: #"{"code":"manual_linking_disabled"}"#, code: .manualLinkingDisabled,
      serverCode: "manual_linking_disabled"),
    Row(
      status: 429, body: #"{"code":"over_email_send_rate_limit"}"#, code: .rateLimited,
      serverCode: "over_email_send_rate_limit"),
  ]

  @Test(arguments: rows) func row(_ row: Row) async throws {
    try await withServer({ _ in .answer(row.status, row.headers, row.body) }) { client, _ in
      let error = try await authError { try await client.user(Fixture.bearer) }
      #expect(error.code == row.code)
      #expect(error.status == row.status)
      #expect(error.serverCode == row.serverCode)
      #expect(error.serverMessage == row.message)
      #expect(!error.message.isEmpty)
    }
  }

  @Test func weakPasswordNamesKnownReasonsOnly() async throws {
    let body = #"{"code":"weak_password","message":"m","weak_password":{"reasons":["length","\u001b[31m"]}}"#
    try await withServer({ _ in .answer(422, [], body) }) { client, _ in
      let error = try await authError { try await client.signUp(email: "a@b.test", password: Password("p")) }
      #expect(error.code == .weakPassword)
      #expect(error.message == "the password does not meet the project's rule: too short")
    }
  }

  @Test func foreignTextIsBounded() async throws {
    let long = String(repeating: "x", count: 5000)
    try await withServer({ _ in .answer(400, [], #"{"code":"\#(long)","message":"\#(long)"}"#) }) { client, _ in
      let error = try await authError { try await client.user(Fixture.bearer) }
      #expect(error.serverMessage?.count == 200)
      #expect(error.serverCode == nil)
      #expect(error.code == .unexpected)
    }
  }

  @Test(arguments: [("7", Duration.seconds(7)), ("99999999999999999999", .seconds(86400)), ("0", .zero)])
  func retryAfterInSeconds(text: String, expected: Duration) async throws {
    try await withServer({ _ in .answer(429, [("retry-after", text)], "") }) { client, _ in
      let error = try await authError { try await client.user(Fixture.bearer) }
      #expect(error.retryAfter == expected)
    }
  }

  @Test(arguments: ["", "-1", "soon", "1e3"]) func retryAfterUnreadable(text: String) async throws {
    try await withServer({ _ in .answer(429, [("retry-after", text)], "") }) { client, _ in
      let error = try await authError { try await client.user(Fixture.bearer) }
      #expect(error.retryAfter == nil)
    }
  }

  @Test func errorsAreEqualByCode() {
    #expect(AuthError(.network, "a") == AuthError(.network, "b", status: 3))
    #expect(AuthError(.network, "a") != AuthError(.timeout, "a"))
  }
}
