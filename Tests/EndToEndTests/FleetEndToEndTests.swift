import Foundation
import TestKit
import Testing

/// The simulation of many agents, which `script/bench` runs with a million. Twenty thousand show
/// the same load in bins of a minute.
@Suite(.timeLimit(.minutes(3))) struct FleetEndToEndTests {
  private struct Result: Decodable {
    var ratio: Double
    var lost: Int
    var secondsUntilFresh: Int
  }

  private func simulate(_ arguments: String...) async throws -> Result {
    try await withScratchDirectory { folder in
      let program = try RunningProgram(
        Programs.path("fleet"), ["--agents", "20000", "--bin", "60"] + arguments, environment: [:], folder: folder)
      let output = try await program.end()
      #expect(output.status == 0, "\(output.stderr)")
      return try JSONDecoder().decode(Result.self, from: Data(output.stdout.utf8))
    }
  }

  @Test(
    "the load after an outage of an hour is at most twice its mean, and no session is lost",
    arguments: ["outage-1h", "outage-1h-404"])
  func recoversWithoutAStorm(scenario: String) async throws {
    let seed = String(UInt64.random(in: 0...UInt64.max))
    let result = try await simulate("--seed", seed, scenario)
    #expect(result.ratio <= 2, "seed \(seed)")
    #expect(result.lost == 0, "seed \(seed)")
    #expect(result.secondsUntilFresh <= 3000, "seed \(seed)")
  }

  @Test("agents that do not store a rotated token are counted as lost sessions")
  func countsLostSessions() async throws {
    #expect(try await simulate("--forgetful", "steady").lost > 0)
  }
}
