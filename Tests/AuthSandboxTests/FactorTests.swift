import Testing

@testable import AuthSandbox

/// Second factors: codes, challenges, levels, and what a verification ends.
struct FactorTests {
  /// The values of RFC 6238, appendix B, cut to six digits, except that of the year 2603, which is
  /// beyond nanoseconds in 64 bits.
  @Test(
    "makes the codes of RFC 6238",
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
      (2_000_000_000, "279037"),
    ])
  func vectors(time: Int64, code: String) {
    let totp = TOTP(key: Array("12345678901234567890".utf8))
    #expect(totp.code(at: Moment(nanoseconds: time * 1_000_000_000)) == code)
    #expect(totp.secret == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
  }

  @Test("accepts codes of one step before and after, and no other", .stage { $0.frozenClock = true })
  func skew() async throws {
    let (factor, session) = try await stage.withFactor()
    let challenge = try await stage.challenge(factor, session.access)
    let code = try #require(stage.sandbox.totpCode(of: factor))
    stage.sandbox.advanceClock(by: .seconds(60))
    let late = try await stage.verify(factor: factor, challenge: challenge, session.access, code: code)
    #expect(late.code == "mfa_verification_failed")
    stage.sandbox.advanceClock(by: .seconds(-30))
    let inTime = try await stage.verify(factor: factor, challenge: challenge, session.access, code: code)
    #expect(inTime.status == 200)
  }

  @Test("lists a passkey, and refuses to challenge it, as a project does by default", .stage)
  func passkey() async throws {
    let session = try await stage.session("gina@lab.test")
    let factor = try stage.sandbox.addFactor(to: "gina@lab.test", name: "Key", isPasskey: true)
    #expect(factor.type == "webauthn" && factor.code == nil && factor.secret == nil)
    let listed = try await stage.user(session.access).json["factors"]?.array?.first
    #expect(listed?["factor_type"] == "webauthn" && listed?["status"] == "verified")
    let refused = try await stage.call("POST", "/factors/\(factor.id)/challenge", token: session.access, body: [:])
    #expect(refused.code == "mfa_webauthn_verify_not_enabled")
  }

  @Test("keeps other sessions at aal2, and deletes those at aal1 at every verification", .stage)
  func everyTime() async throws {
    let (factor, first) = try await stage.lifted()
    let second = try TestSession(await stage.signIn())
    _ = try await stage.lift(factor, second.access)
    let third = try TestSession(await stage.signIn())
    _ = try await stage.lift(factor, first.access)
    #expect(try await stage.user(second.access).status == 200)
    #expect(try await stage.user(third.access).code == "session_not_found")
  }

  @Test(
    "a phone factor's code is among the messages; a test number has its own",
    arguments: [("+49 151 12345699", nil), ("+4915112345601", "123456")])
  func phone(number: String, fixed: String?) async throws {
    let phones: (inout SandboxSettings) -> Void = {
      ($0.mfaPhoneEnroll, $0.mfaPhoneVerify) = (true, true)
      $0.testPhones = ["4915112345601": "123456"]
    }
    try await withStage(phones) { stage in
      let token = try await stage.session().access
      let body: JSON = ["factor_type": "phone", "friendly_name": "mobile", "phone": .string(number)]
      let factor = try await stage.call("POST", "/factors", token: token, body: body).json["id"]?.string ?? ""
      let challenge = try await stage.challenge(factor, token)
      let message = try #require(stage.sandbox.mails.last)
      #expect(message.to == number.filter(\.isNumber))
      if let fixed { #expect(message.code == fixed) }
      let answer = try await stage.verify(factor: factor, challenge: challenge, token, code: message.code)
      #expect(try TestSession(answer).claims["amr"]?.array?.first?["method"] == "mfa/phone")
    }
  }

  @Test("removes unverified factors: after five minutes at the next enrolment, and at a verification", .stage)
  func unverified() async throws {
    let session = try await stage.session()
    _ = try await stage.enroll(session.access, name: "")
    let again = try await stage.call("POST", "/factors", token: session.access, body: Stage.totp(""))
    #expect(again.code == "mfa_factor_name_conflict")
    stage.sandbox.advanceClock(by: .seconds(301))
    let factor = try await stage.enroll(session.access, name: "")
    #expect(stage.sandbox.factors.map(\.id) == [factor])
    _ = try await stage.enroll(session.access, name: "other")
    let lifted = try await stage.lift(factor, session.access)
    #expect(lifted.json["user"]?["factors"]?.array?.count == 2)
    #expect(stage.sandbox.factors.map(\.id) == [factor])
  }

  @Test("eight verifications at once with one challenge all succeed", .stage)
  func parallel() async throws {
    let (factor, session) = try await stage.withFactor()
    let challenge = try await stage.challenge(factor, session.access)
    stage.sandbox.inject(.hangBeforeCommit, at: .verifyFactor, count: 8)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try await stage.verify(factor: factor, challenge: challenge, session.access).status }
      }
      try await stage.sandbox.waitForRequests(.verifyFactor, count: 8)
      while stage.sandbox.hangingRequests < 8 { await Task.yield() }
      stage.sandbox.releaseHangs()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 8))
    let late = try await stage.verify(factor: factor, challenge: challenge, session.access)
    #expect(late.code == "mfa_ip_address_mismatch")
  }

  @Test("limits challenges and verifications by address", .stage { ($0.rateLimitBurst, $0.frozenClock) = (2, true) })
  func limits() async throws {
    let (factor, session) = try await stage.withFactor()
    for _ in 0..<2 { _ = try await stage.challenge(factor, session.access) }
    let path = "/factors/\(factor)/challenge"
    let refused = try await stage.call("POST", path, token: session.access, body: [:])
    #expect(refused.status == 429 && refused.code == "over_request_rate_limit")
    stage.sandbox.advanceClock(by: .seconds(4))
    #expect(try await stage.call("POST", path, token: session.access, body: [:]).status == 200)
  }
}
