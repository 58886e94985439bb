import Testing

@testable import AuthSandbox

/// Users, sessions and tokens, beyond single recorded exchanges.
struct SessionTests {
  @Test(
    "sign-out by scope", .stage, arguments: [("local", [403, 200]), ("others", [200, 403]), ("global", [403, 403])])
  func scopes(scope: String, expected: [Int]) async throws {
    let first = try await stage.session()
    let second = try TestSession(await stage.signIn())
    #expect(try await stage.call("POST", "/logout?scope=\(scope)", token: first.access).status == 204)
    #expect(try await stage.user(first.access).status == expected[0])
    #expect(try await stage.user(second.access).status == expected[1])
    let refresh = try await stage.refresh(second.refresh)
    #expect(refresh.status == (expected[1] == 200 ? 200 : 400))
  }

  @Test("metadata merges, and null deletes", .stage)
  func metadata() async throws {
    let session = try await stage.session()
    func put(_ data: JSON) async throws -> JSON? {
      try await stage.call("PUT", "/user", token: session.access, body: ["data": data]).json["user_metadata"]
    }
    #expect(try await put(["a": 1, "b": 2])?["b"] == 2)
    let merged = try await put(["a": .null, "c": 3])
    #expect(merged?["a"] == nil)
    #expect(merged?["b"] == 2)
    #expect(merged?["c"] == 3)
  }

  @Test("a ban ends by itself, a deletion does not")
  func banAndDelete() async throws {
    try await withStage({ $0.frozenClock = true }) { stage in
      let session = try await stage.session()
      try stage.sandbox.banUser("gina@lab.test", for: .seconds(60))
      #expect(try await stage.refresh(session.refresh).code == "user_banned")
      stage.sandbox.advanceClock(by: .seconds(61))
      #expect(try await stage.refresh(session.refresh).status == 200)
      try stage.sandbox.deleteUser("gina@lab.test")
      #expect(throws: SandboxError(code: .unknownUser, message: "", cause: nil)) {
        try stage.sandbox.banUser("gina@lab.test")
      }
    }
  }

  @Test("expiring all access tokens affects neither refresh tokens nor later access tokens", .stage)
  func expireAccessTokens() async throws {
    let session = try await stage.session()
    stage.sandbox.expireAccessTokens()
    let answer = try await stage.user(session.access)
    #expect(answer.status == 403)
    #expect(answer.code == "bad_jwt")
    #expect(try await stage.api("GET", "/api/v1/profile", token: session.access).status == 401)
    let next = try await stage.rotate(session.refresh)
    #expect(try await stage.user(next.access).status == 200)
  }

  @Test("the algorithm can be changed at run time; old tokens stay valid", .stage)
  func changeAlgorithm() async throws {
    let elliptic = try await stage.session()
    stage.sandbox.configure { $0.jwtAlgorithm = .hs256 }
    let symmetric = try TestSession(await stage.signIn())
    for session in [elliptic, symmetric] { #expect(try await stage.user(session.access).status == 200) }
    #expect(try await stage.call("GET", "/.well-known/jwks.json").json == ["keys": []])
  }

  @Test("timestamps with any number of fraction digits", arguments: 0...9)
  func fractionDigits(digits: Int) async throws {
    try await withStage({ $0.timestampDigits = digits }) { stage in
      let created = try await stage.session().json["user"]?["created_at"]?.string ?? ""
      let fraction = created.dropLast().split(separator: ".").dropFirst().first ?? ""
      #expect(fraction.count == digits, "\(created)")
    }
  }
}
