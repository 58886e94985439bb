import FoundationEssentials
import SupabaseAuth
import TestKit
import Testing

private enum Current {
  static let pair = TestFixture<(client: SupabaseAuthClient, server: ScriptedServer)>()
}

/// The client of a test with the trait `server`.
var client: SupabaseAuthClient { Current.pair.current.client }
/// The server of a test with the trait `server`.
var server: ScriptedServer { Current.pair.current.server }

extension Trait where Self == FixtureTrait {
  /// Gives the test a server that follows `script`, and its client.
  static func server(
    limits: RequestLimits = .generous, _ script: @escaping @Sendable (SeenRequest) -> Reply
  ) -> Self {
    Current.pair.trait { body in
      try await withServer(limits: limits, script) { try await body((client: $0, server: $1)) }
    }
  }
}

/// Runs `body` with a scripted server and its client.
func withServer(
  // Generous, because the machine may be busy. Tests of a limit set their own.
  limits: RequestLimits = .generous,
  _ script: @escaping @Sendable (SeenRequest) -> Reply,
  _ body: (SupabaseAuthClient, ScriptedServer) async throws -> Void
) async throws {
  let server = try await ScriptedServer.start(script)
  let endpoint = try ProjectEndpoint(url: server.url, anonKey: "anon-key")
  let client = SupabaseAuthClient(endpoint: endpoint, userAgent: "ritual-test/1", limits: limits)
  let result = await outcome { try await body(client, server) }
  await client.shutdown()
  try await server.stop()
  try result.get()
}

/// Returns the result of `body`, so that clean-up runs in either case.
func outcome<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
  do { return .success(try await body()) } catch { return .failure(error) }
}

/// Returns the `AuthError` that `body` throws.
func authError<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async throws -> AuthError {
  let error = await #expect(throws: AuthError.self, sourceLocation: sourceLocation) { _ = try await body() }
  return try #require(error, sourceLocation: sourceLocation)
}

enum Fixture {
  static let access = "header.payload.secret-access-7781"
  static let refresh = "secret-refresh-5523"
  static let bearer = BearerToken(access)

  /// Recorded from v2.196.0, shortened.
  static let user = """
    {"id":"2cd002f3-e62d-40ce-9f00-45fe7097487c","aud":"authenticated","role":"authenticated",
    "email":"gina@lab.test","email_confirmed_at":"2026-11-21T02:28:22.163261258Z","phone":"",
    "last_sign_in_at":"2026-11-21T02:28:22.16697Z",
    "app_metadata":{"provider":"email","providers":["email","google"]},
    "user_metadata":{"display_name":"Gina","email_verified":true,"full_name":"Gina B"},
    "identities":[{"identity_id":"95933b93-28df-41f6-adfc-874000328546","id":"sub-1","user_id":"2cd0",
    "identity_data":{"email":"gina@lab.test"},"provider":"email","last_sign_in_at":"2026-11-21T02:28:22Z",
    "created_at":"2026-11-21T02:28:22.161393Z","updated_at":"2026-11-21T02:28:22.161393Z","email":"gina@lab.test"}],
    "created_at":"2026-11-21T02:28:22.158181Z","updated_at":"x","is_anonymous":false,"of_tomorrow":{"a":[1]}}
    """

  static func session(
    access: String = access, refresh: String = refresh, expiresIn: String = "3600", user: String? = user
  ) -> String {
    let user = user.map { ",\"user\":\($0)" } ?? ""
    return """
      {"access_token":"\(access)","token_type":"bearer","expires_in":\(expiresIn),"expires_at":1795228162,
      "refresh_token":"\(refresh)","provider_token":"secret-provider-1","weak_password":null\(user)}
      """
  }

  /// Returns a JWT with these claims and no valid signature.
  static func jwt(_ claims: String) -> String {
    "eyJhbGciOiJIUzI1NiJ9.\(base64url(claims)).c2lnbmF0dXJl"
  }

  private static func base64url(_ text: String) -> String {
    String(
      Data(text.utf8).base64EncodedString().filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }
}
