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

/// The rules by which sessions end, and hooks, where the recorded exchanges do not show the effect.
struct SessionRuleTests {
  @Test(
    "a verification within the limit ends the limit", .stage { ($0.lowAssuranceLimit, $0.frozenClock) = (900, true) })
  func lowAssurance() async throws {
    let (factor, session) = try await stage.withFactor()
    stage.sandbox.advanceClock(by: .seconds(600))
    let next = try await stage.rotate(session.refresh)
    #expect(next.json["expires_in"] == 300)
    let lifted = try await stage.lift(factor, next.access)
    #expect(lifted.json["expires_in"] == 3600)
    stage.sandbox.advanceClock(by: .seconds(900))
    #expect(try await stage.refresh(lifted.refresh).status == 200)
  }

  @Test("the limit does not concern a user without a factor", .stage { $0.lowAssuranceLimit = 900 })
  func noFactor() async throws {
    let session = try await stage.session()
    stage.sandbox.advanceClock(by: .seconds(1000))
    #expect(try await stage.rotate(session.refresh).json["expires_in"] == 3600)
  }

  @Test("a rejecting hook deletes all sessions of the user, and of no other", .stage, arguments: ["right", "00000"])
  func rejection(code: String) async throws {
    let (factor, session) = try await stage.withFactor()
    let other = try TestSession(await stage.signIn())
    let stranger = try await stage.session("other@lab.test")
    stage.sandbox.configure { $0.mfaHookRejection = "Too many wrong codes." }
    let challenge = try await stage.challenge(factor, session.access)
    let answer = try await stage.verify(
      factor: factor, challenge: challenge, session.access, code: code == "right" ? nil : code)
    #expect(answer.code == "mfa_verification_rejected")
    #expect(try await stage.refresh(session.refresh).code == "refresh_token_not_found")
    #expect(try await stage.refresh(other.refresh).code == "refresh_token_not_found")
    #expect(try await stage.refresh(stranger.refresh).status == 200)
  }

  @Test("a hook that refuses a verification undoes it", arguments: RefreshAlgorithm.allCases)
  func refusedVerification(algorithm: RefreshAlgorithm) async throws {
    try await withStage({ $0.refreshAlgorithm = algorithm }) { stage in
      let (factor, session) = try await stage.withFactor()
      let challenge = try await stage.challenge(factor, session.access)
      stage.sandbox.configure { $0.accessTokenHook = .refuses }
      let refused = try await stage.verify(factor: factor, challenge: challenge, session.access)
      #expect(refused.status == 403 && refused.code == "unknown")
      #expect(refused.header("x-sb-error-code") == nil)
      stage.sandbox.configure { $0.accessTokenHook = .off }
      let next = try await stage.rotate(session.refresh)
      #expect(try next.claims["aal"] == "aal1")
      #expect(try await stage.verify(factor: factor, challenge: challenge, next.access).status == 200)
    }
  }

  @Test("a hook that refuses a sign-in undoes it: the code is not used up, the user is not created", .stage)
  func refusedSignIn() async throws {
    let code = try await stage.askForCode("gina@lab.test").code
    stage.sandbox.configure { $0.accessTokenHook = .refuses }
    #expect(try await stage.verify("email", "gina@lab.test", code).code == "unknown")
    #expect(try await stage.signUp("other@lab.test").code == "unknown")
    stage.sandbox.configure { $0.accessTokenHook = .off }
    #expect(try await stage.verify("email", "gina@lab.test", code).status == 200)
    #expect(try await stage.signUp("other@lab.test").status == 200)
  }

  @Test("only the session that was refreshed last can be refreshed, among those that have not expired")
  func singleSession() async throws {
    try await withStage({ ($0.singleSession, $0.lowAssuranceLimit, $0.frozenClock) = (true, 10, true) }) { stage in
      let (_, older) = try await stage.lifted()
      stage.sandbox.advanceClock(by: .seconds(1))
      let newer = try TestSession(await stage.signIn())
      #expect(try await stage.refresh(older.refresh).code == "session_expired")
      stage.sandbox.advanceClock(by: .seconds(11))
      #expect(try await stage.refresh(newer.refresh).code == "session_expired")
      #expect(try await stage.refresh(older.refresh).status == 200)
    }
  }

  @Test("the control API lists factors, adds one, and shows its code", .stage)
  func control() async throws {
    _ = try await stage.session()
    let added = try await stage.api("POST", "/sandbox/factors", body: ["email": "gina@lab.test", "name": "App"]).json
    let id = try #require(added["id"]?.string)
    #expect(try await stage.api("GET", "/sandbox/factors").json.array?.compactMap { $0["id"]?.string } == [id])
    let totp = try await stage.api("GET", "/sandbox/totp?factor=\(id)").json
    #expect(totp["code"]?.string?.count == 6 && totp["secret"]?.string?.count == 32)
    #expect(try await stage.api("GET", "/sandbox/totp?factor=nope").status == 404)
    #expect(try await stage.api("POST", "/sandbox/factors", body: ["email": "nobody@lab.test"]).status == 400)
  }
}

struct RotationTests {
  /// Runs `body` with a reuse interval of 10 s and a frozen clock.
  private func stage<Result>(
    _ algorithm: RefreshAlgorithm, _ body: (Stage) async throws -> Result
  ) async throws -> Result {
    try await withStage(
      {
        $0.refreshAlgorithm = algorithm
        $0.frozenClock = true
      }, body)
  }

  @Test("the grandparent token is refused right after the interval", arguments: RefreshAlgorithm.allCases)
  func grandparent(algorithm: RefreshAlgorithm) async throws {
    for (milliseconds, expected) in [(9_999, 200), (10_000, 200), (10_001, 400)] {
      try await stage(algorithm) { stage in
        let tokens = try await stage.chain(2)
        stage.sandbox.advanceClock(by: .milliseconds(milliseconds))
        let answer = try await stage.refresh(tokens[0])
        #expect(answer.status == expected, "after \(milliseconds) ms")
        #expect(stage.sandbox.oldestAncestorPresented == 2)
      }
    }
  }

  @Test("20 concurrent refreshes with one token give one new token", arguments: RefreshAlgorithm.allCases)
  func concurrent(algorithm: RefreshAlgorithm) async throws {
    try await stage(algorithm) { stage in
      let token = try await stage.session().refresh
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<20 { group.addTask { try await stage.rotate(token).refresh } }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(answers.count == 1)
      #expect(stage.sandbox.refreshCount == 20)
      #expect(stage.sandbox.presentations(ofRefreshToken: token) == 20)
      #expect(stage.sandbox.refreshRotations == 1)
    }
  }

  @Test("a refresh keeps session and amr, and moves the expiry")
  func claimsStay() async throws {
    try await stage(.v1) { stage in
      let first = try await stage.session()
      stage.sandbox.advanceClock(by: .seconds(100))
      let second = try await stage.rotate(first.refresh)
      #expect(try first.claims["session_id"] == second.claims["session_id"])
      #expect(try first.claims["amr"] == second.claims["amr"])
      #expect(try (second.claims["exp"]?.int ?? 0) - (first.claims["exp"]?.int ?? 0) == 100)
      #expect(try second.json["expires_at"] == second.claims["exp"])
    }
  }

  @Test("a signed token of another server and a truncated token are malformed")
  func foreignTokens() async throws {
    try await stage(.v2) { stage in
      let session = try await stage.session()
      let id = try #require(try session.claims["session_id"]?.string)
      let foreign = CounterToken(session: id, counter: 0, key: CounterState().key).text
      #expect(try await stage.refresh(foreign).code == "validation_failed")
      #expect(try await stage.refresh(String(session.refresh.dropLast())).code == "validation_failed")
      #expect(try await stage.refresh(session.refresh).status == 200)
    }
  }

  @Test("a counter beyond one byte keeps its value")
  func largeCounter() throws {
    for counter in [0, 127, 128, 300, 1 << 40] as [UInt64] {
      let token = CounterToken(session: Text.uuid(), counter: counter, key: CounterState().key)
      #expect(CounterToken(parsing: token.text) == token)
    }
  }
}
