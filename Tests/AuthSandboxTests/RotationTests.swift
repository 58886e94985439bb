import Testing

@testable import AuthSandbox

/// Refresh over time, beyond the recorded exchanges.
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

  @Test("the parent token always gets the same token", arguments: RefreshAlgorithm.allCases)
  func parentForEver(algorithm: RefreshAlgorithm) async throws {
    try await stage(algorithm) { stage in
      let tokens = try await stage.chain(1)
      for _ in 0..<3 {
        stage.sandbox.advanceClock(by: .seconds(86_400))
        #expect(try await stage.rotate(tokens[0]).refresh == tokens[1])
      }
      #expect(stage.sandbox.oldestAncestorPresented == 1)
      #expect(stage.sandbox.refreshRotations == 1)
      #expect(stage.sandbox.refreshGrants == 4)
    }
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
