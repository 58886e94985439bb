import AuthSandbox
import TestKit
import Testing

/// The session survives a crash at any time. There are 100 kills for each rotation
/// algorithm, 1000 under `script/test --long`.
@Suite(.timeLimit(.minutes(CrashSettings.isLong ? 45 : 5))) struct CrashEndToEndTests {
  /// No reuse interval: a reused token is never accepted because the reuse was quick. The direct
  /// parent is accepted at any time.
  private static func settings(_ algorithm: RefreshAlgorithm) -> SandboxSettings {
    .with { ($0.refreshAlgorithm, $0.reuseInterval) = (algorithm, 0) }
  }

  @Test("kill -9 at a random moment of a refresh loses nothing", arguments: RefreshAlgorithm.allCases)
  func survivesRandomKills(algorithm: RefreshAlgorithm) async throws {
    try await withTestHome(Self.settings(algorithm)) { home in
      let run = CrashRun(home, algorithm)
      try await run.open()
      var crash = RandomCrash(run: run, random: SeededGenerator(seed: CrashSettings.seed))
      while await run.tally.kills < CrashSettings.randomKills { try await crash.round() }
      let (tally, place) = await (run.tally, run.place)
      print("\(algorithm): \(tally)")
      #expect(home.sandbox.users.first?.sessions.count == 1, place)
      #expect(tally.stages[.unsent, default: 0] > 0, "the kills were not spread: \(tally)")
      #expect(tally.stages[.lost, default: 0] > 0, "the kills were not spread: \(tally)")
    }
  }

  @Test("kill -9 at each system call from a refresh to its answer loses nothing", arguments: RefreshAlgorithm.allCases)
  func survivesAKillAtEachSystemCall(algorithm: RefreshAlgorithm) async throws {
    try await withTestHome(Self.settings(algorithm)) { home in
      let run = CrashRun(home, algorithm)
      try await run.open()
      var crash = SystemCallCrash(run: run, random: SeededGenerator(seed: CrashSettings.seed))
      let recorded = try await crash.record()
      #expect(recorded.outOfOrder() == nil, "TK-7: durable first, then handed out")
      while await run.tally.kills < CrashSettings.callKills { try await crash.round() }
      for _ in 0..<30 where await !run.tally.missed.isEmpty { try await crash.round(missed: await run.tally.missed) }
      let (tally, place) = await (run.tally, run.place)
      print("\(algorithm): \(crash.points) calls; \(tally)")
      #expect(home.sandbox.users.first?.sessions.count == 1, place)
      #expect(tally.missed.isEmpty, "no kill there: \(tally)")
      // The threads of the task pool divide their work differently each time, so the last calls of
      // a thread are not always reached.
      #expect(tally.unfired * 3 <= tally.kills, "too many rounds without a kill: \(tally)")
    }
  }
}
