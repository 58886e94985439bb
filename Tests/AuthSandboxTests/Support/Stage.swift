import TestKit
import Testing

@testable import AuthSandbox

/// A sandbox with the calls that tests repeat.
struct Stage: Sendable {
  let sandbox: AuthSandbox

  var origin: String { sandbox.url }

  /// Sends a request to Supabase Auth, with the anon key; `path` excludes `/auth/v1`.
  func call(
    _ method: String, _ path: String, token: String? = nil, body: JSON? = nil, headers: [(String, String)] = []
  ) async throws -> HTTPAnswer {
    var fields = headers + [("apikey", sandbox.anonKey)]
    if let token { fields.append(("authorization", "Bearer \(token)")) }
    if body != nil { fields.append(("content-type", "application/json")) }
    return try await TestHTTP.send(method, origin + "/auth/v1" + path, headers: fields, body: body?.bytes)
  }

  /// Sends a request to another part of the sandbox.
  func api(_ method: String, _ path: String, token: String? = nil, body: JSON? = nil) async throws -> HTTPAnswer {
    let fields = token.map { [("authorization", "Bearer \($0)")] } ?? []
    return try await TestHTTP.send(method, origin + path, headers: fields, body: body?.bytes)
  }

  func signUp(_ email: String = "gina@lab.test", _ password: String = "correct horse 9") async throws -> HTTPAnswer {
    try await call("POST", "/signup", body: ["email": .string(email), "password": .string(password)])
  }

  func signIn(_ email: String = "gina@lab.test", _ password: String = "correct horse 9") async throws -> HTTPAnswer {
    try await call(
      "POST", "/token?grant_type=password", body: ["email": .string(email), "password": .string(password)])
  }

  func refresh(_ token: String) async throws -> HTTPAnswer {
    try await call("POST", "/token?grant_type=refresh_token", body: ["refresh_token": .string(token)])
  }

  /// Signs up and returns the session.
  func session(_ email: String = "gina@lab.test") async throws -> TestSession {
    try TestSession(await signUp(email))
  }

  /// Refreshes and requires success.
  func rotate(_ token: String) async throws -> TestSession { try TestSession(await refresh(token)) }

  func user(_ token: String) async throws -> HTTPAnswer { try await call("GET", "/user", token: token) }
}

/// The tokens of a response.
struct TestSession: Sendable {
  var access: String
  var refresh: String
  var json: JSON

  init(_ answer: HTTPAnswer) throws {
    json = try answer.json
    guard let access = json["access_token"]?.string, let refresh = json["refresh_token"]?.string else {
      throw NoSession(answer: answer.text)
    }
    (self.access, self.refresh) = (access, refresh)
  }

  /// The claims of the access token, unverified.
  var claims: JSON {
    get throws {
      let middle = access.split(separator: ".")[1]
      return try JSON(parsing: Text.base64URLDecoded(middle) ?? [])
    }
  }
}

/// A response without the expected session.
struct NoSession: Error {
  var answer: String
}

private enum Current {
  static let stage = TestFixture<Stage>()
}

/// The stage of a test with the trait `stage`.
var stage: Stage { Current.stage.current }

extension Trait where Self == FixtureTrait {
  /// Gives the test a sandbox of its own.
  static var stage: Self { stage { _ in } }

  static func stage(_ configure: @escaping @Sendable (inout SandboxSettings) -> Void) -> Self {
    Current.stage.trait { try await withStage(configure, $0) }
  }
}

/// Runs `body` with a sandbox of its own.
func withStage<Result>(
  _ configure: (inout SandboxSettings) -> Void = { _ in }, _ body: (Stage) async throws -> Result
) async throws -> Result {
  var settings = SandboxSettings()
  configure(&settings)
  return try await withSandbox(settings) { try await body(Stage(sandbox: $0)) }
}
