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

  /// GoTrue's codes, with a status.
  static let codes: [(Int, String, AuthError.Code)] = [
    (422, "user_already_exists", .userExists), (422, "email_provider_disabled", .providerDisabled),
    (422, "signup_disabled", .signupDisabled), (400, "email_not_confirmed", .emailNotConfirmed),
    (404, "flow_state_not_found", .flowStateNotFound), (422, "flow_state_expired", .flowStateExpired),
    (400, "bad_code_verifier", .badCodeVerifier), (403, "bad_jwt", .badJWT), (401, "no_authorization", .badJWT),
    (403, "user_banned", .userBanned), (422, "identity_already_exists", .identityAlreadyExists),
    (422, "single_identity_not_deletable", .lastIdentity), (404, "manual_linking_disabled", .manualLinkingDisabled),
    (429, "over_email_send_rate_limit", .rateLimited), (422, "otp_expired", .codeRefused),
    (422, "otp_disabled", .otpDisabled), (422, "captcha_failed", .captchaRequired),
    (422, "anonymous_provider_disabled", .anonymousDisabled), (422, "saml_provider_disabled", .ssoDisabled),
    (422, "sso_provider_disabled", .ssoDisabled), (422, "sso_provider_not_found", .ssoNotFound),
    (422, "user_sso_managed", .ssoManaged), (422, "sms_send_failed", .messageNotSent),
    (422, "phone_exists", .userExists), (422, "phone_provider_disabled", .providerDisabled),
    (422, "email_address_not_authorized", .emailNotAuthorized),
    (422, "provider_email_needs_verification", .providerEmailUnverified),
  ]

  @Test(arguments: codes) func code(status: Int, name: String, code: AuthError.Code) async throws {
    try await withServer({ _ in .answer(status, [], #"{"code":"\#(name)"}"#) }) { client, _ in
      let error = try await authError { try await client.user(Fixture.bearer) }
      #expect(error.code == code && error.status == status && error.serverCode == name)
      #expect(!error.message.isEmpty && error.message != "the server rejected the request", "it has words")
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
