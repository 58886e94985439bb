import Testing

@testable import AuthSandbox

/// The rules by which sessions end, and hooks, where the recorded exchanges do not show the effect.
struct SessionRuleTests {
  @Test("a verification within the limit ends the limit")
  func lowAssurance() async throws {
    try await withStage({ ($0.lowAssuranceLimit, $0.frozenClock) = (900, true) }) { stage in
      let (factor, session) = try await stage.withFactor()
      stage.sandbox.advanceClock(by: .seconds(600))
      let next = try await stage.rotate(session.refresh)
      #expect(next.json["expires_in"] == 300)
      let lifted = try await stage.lift(factor, next.access)
      #expect(lifted.json["expires_in"] == 3600)
      stage.sandbox.advanceClock(by: .seconds(900))
      #expect(try await stage.refresh(lifted.refresh).status == 200)
    }
  }

  @Test("the limit does not concern a user without a factor")
  func noFactor() async throws {
    try await withStage({ $0.lowAssuranceLimit = 900 }) { stage in
      let session = try await stage.session()
      stage.sandbox.advanceClock(by: .seconds(1000))
      #expect(try await stage.rotate(session.refresh).json["expires_in"] == 3600)
    }
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
