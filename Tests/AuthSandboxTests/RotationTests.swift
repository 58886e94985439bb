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

  @Test("v1: reuse revokes the family, but the newest token works once more for one interval")
  func opaqueQuirk() async throws {
    try await stage(.v1) { stage in
      let tokens = try await stage.chain(2)
      stage.sandbox.advanceClock(by: .seconds(11))
      #expect(try await stage.refresh(tokens[0]).code == "refresh_token_already_used")
      stage.sandbox.advanceClock(by: .seconds(9))
      #expect(try await stage.refresh(tokens[2]).status == 200)
    }
    try await stage(.v1) { stage in
      let tokens = try await stage.chain(2)
      stage.sandbox.advanceClock(by: .seconds(11))
      _ = try await stage.refresh(tokens[0])
      stage.sandbox.advanceClock(by: .seconds(11))
      #expect(try await stage.refresh(tokens[2]).code == "refresh_token_already_used")
    }
  }

  @Test("after reuse, v1 keeps the access token valid, v2 deletes the session")
  func accessAfterReuse() async throws {
    for (algorithm, status) in [(RefreshAlgorithm.v1, 200), (.v2, 403)] {
      try await stage(algorithm) { stage in
        let tokens = try await stage.chain(1)
        let newest = try await stage.rotate(tokens[1])
        stage.sandbox.advanceClock(by: .seconds(11))
        _ = try await stage.refresh(tokens[0])
        #expect(try await stage.user(newest.access).status == status)
      }
    }
  }

  @Test("v1 to v2: the old token is valid for one interval only, the new one stays valid")
  func upgrade() async throws {
    try await stage(.v1) { stage in
      let old = try await stage.session().refresh
      stage.sandbox.configure { $0.refreshAlgorithm = .v2 }
      let new = try await stage.rotate(old).refresh
      #expect(old.utf8.count == 12)
      #expect(new.utf8.count == 51)
      stage.sandbox.advanceClock(by: .seconds(11))
      #expect(try await stage.refresh(old).code == "refresh_token_already_used")
      #expect(try await stage.refresh(new).status == 200)
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
