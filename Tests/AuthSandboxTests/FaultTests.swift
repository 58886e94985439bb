import TestKit
import Testing

@testable import AuthSandbox

/// Each fault, as seen by the client and in the tables.
struct FaultTests {
  /// Applies the fault to one refresh; `grants` is the number of refreshes that took effect by
  /// then.
  private func strikeRefresh(_ fault: Fault) async throws -> (answer: HTTPAnswer?, grants: Int) {
    try await withStage { stage in
      let session = try await stage.session()
      stage.sandbox.inject(fault, at: .refresh)
      let answer = try? await stage.refresh(session.refresh)
      let grants = stage.sandbox.refreshGrants
      // The fault applies once; the next request succeeds.
      #expect(try await stage.refresh(session.refresh).status == 200)
      #expect(stage.sandbox.refreshCount == 2)
      return (answer, grants)
    }
  }

  @Test("a dropped connection has an effect or none")
  func drops() async throws {
    let before = try await strikeRefresh(.dropBeforeCommit)
    #expect(before.answer == nil)
    #expect(before.grants == 0)
    let after = try await strikeRefresh(.dropAfterCommit)
    #expect(after.answer == nil)
    #expect(after.grants == 1)
  }

  @Test("a truncated body is valid HTTP but not JSON; a cut body is no response")
  func spoiltBodies() async throws {
    let truncated = try await strikeRefresh(.truncatedBody)
    #expect(truncated.answer?.status == 200)
    #expect((try? truncated.answer?.json) == nil)
    #expect(truncated.grants == 1)
    let cut = try await strikeRefresh(.cutBody)
    #expect(cut.answer == nil)
    #expect(cut.grants == 1)
  }

  @Test(
    "replaces the server's response",
    arguments: [
      ("502", 502, nil, 0), ("521", 521, nil, 0), ("504-after", 504, "request_timeout", 1),
      ("conflict", 409, "conflict", 0), ("gateway-401", 401, nil, 0), ("hook-timeout", 422, "hook_timeout", 0),
      ("paused", 540, nil, 0), ("database-down", 500, "unexpected_failure", 0),
    ] as [(String, Int, String?, Int)])
  func foreignAnswers(name: String, status: Int, code: String?, grants: Int) async throws {
    let struck = try await strikeRefresh(try #require(FaultBody.plain[name]))
    #expect(struck.answer?.status == status)
    #expect(struck.answer?.code == code)
    #expect(struck.grants == grants)
  }

  @Test("429 with and without Retry-After")
  func rateLimited() async throws {
    let plain = try await strikeRefresh(.rateLimited()).answer
    #expect(plain?.status == 429)
    #expect(plain?.code == "over_request_rate_limit")
    #expect(plain?.header("retry-after") == nil)
    #expect(try await strikeRefresh(.rateLimited(retryAfter: 7)).answer?.header("retry-after") == "7")
  }

  @Test("errors in all three shapes")
  func errorShapes() async throws {
    let old = try await strikeRefresh(.error(status: 400, code: "session_not_found", message: "gone")).answer
    #expect(try old?.json == ["code": 400, "error_code": "session_not_found", "msg": "gone"])
    #expect(old?.header("x-sb-error-code") == "session_not_found")
    let oauth = try await strikeRefresh(.invalidGrant("Already Used")).answer
    #expect(
      try oauth?.json == ["error": "invalid_grant", "error_description": "Invalid Refresh Token: Already Used"])
    try await withStage { stage in
      stage.sandbox.inject(.conflict, at: .any)
      let answer = try await stage.call("GET", "/settings", headers: [("X-Supabase-Api-Version", "2024-01-01")])
      #expect(try answer.json["code"] == "conflict")
    }
  }

  @Test("a delay elapses, before the effect or after it")
  func delays() async throws {
    let clock = ContinuousClock()
    for (fault, isLate) in [(Fault.delayBeforeCommit(seconds: 0.2), true), (.delayAfterCommit(seconds: 0.2), true)] {
      let start = clock.now
      #expect(try await strikeRefresh(fault).answer?.status == 200)
      #expect((clock.now - start >= .milliseconds(200)) == isLate)
    }
  }

  @Test("a hang lasts until it is released, before the effect or after it")
  func hangs() async throws {
    for (fault, grants) in [(Fault.hangBeforeCommit, 0), (.hangAfterCommit, 1)] {
      try await withStage { stage in
        let session = try await stage.session()
        stage.sandbox.inject(fault, at: .refresh)
        async let answer = stage.refresh(session.refresh)
        try await eventually("the request hangs") { stage.sandbox.hangingRequests == 1 }
        #expect(stage.sandbox.refreshGrants == grants)
        stage.sandbox.releaseHangs()
        #expect(try await answer.status == 200)
        #expect(stage.sandbox.refreshGrants == 1)
      }
    }
  }

  @Test("stop ends held requests")
  func stopWhileHanging() async throws {
    let stage = Stage(sandbox: try await AuthSandbox.start())
    stage.sandbox.inject(.hangBeforeCommit, at: .any, count: nil)
    async let answer = try? stage.call("GET", "/settings")
    try await stage.sandbox.waitForRequests(count: 1)
    await stage.sandbox.stop()
    #expect(await answer?.status == nil)
  }

  @Test("faults apply in order, the requested number of times, where they were placed", .stage)
  func queue() async throws {
    stage.sandbox.inject(.badGatewayHTML, at: .settings, count: 2)
    stage.sandbox.inject(.conflict, at: .settings, count: 1)
    stage.sandbox.inject(.projectPaused, at: .api, count: nil)
    var seen: [Int] = []
    for _ in 0..<4 { seen.append(try await stage.call("GET", "/settings").status) }
    #expect(seen == [502, 502, 409, 200])
    for path in ["/api/v1/echo", "/rest/v1/whoami", "/api/v1/echo"] {
      #expect(try await stage.api("GET", path).status == 540)
    }
    stage.sandbox.clearFaults()
    #expect(try await stage.api("GET", "/api/v1/echo").status == 200)
  }

  @Test("the server's clock can be wrong in the Date header and in expires_at", .stage { $0.frozenClock = true })
  func shiftedClock() async throws {
    let now = stage.sandbox.unixTime
    stage.sandbox.configure {
      $0.dateHeaderShift = 7200
      $0.expiresAtShift = -7200
    }
    let answer = try await stage.signUp()
    let shifted = Moment(nanoseconds: Int64(now + 7200) * 1_000_000_000).httpDate
    #expect(answer.header("date") == shifted)
    #expect(try answer.json["expires_at"]?.int == now + 3600 - 7200)
    #expect(try TestSession(answer).claims["exp"]?.int == now + 3600)
  }

  @Test("waiting for requests ends when its task is cancelled", .stage)
  func cancelledWait() async throws {
    let waiting = Task { try await stage.sandbox.waitForRequests(.refresh, count: 1) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
