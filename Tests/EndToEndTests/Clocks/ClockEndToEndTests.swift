import AuthSandbox
import Foundation
import TestKit
import Testing

/// Wrong clocks, local (by faketime) and at the server.
@Suite(.timeLimit(.minutes(2))) struct ClockEndToEndTests {
  /// A launcher that makes the wall clock follow `file`, which is read at every access.
  private static func faketime(_ file: URL) -> [String] {
    FakeTime.launcher + ["FAKETIME_TIMESTAMP_FILE=\(file.path)", "FAKETIME_NO_CACHE=1"]
  }

  /// Requests tokens for `seconds`. The server accepts each token, and there are no more refreshes
  /// than the token lifetime requires.
  private func useTokens(_ home: TestHome, for seconds: Int, life: Int) async throws {
    let before = home.sandbox.refreshCount
    let start = ContinuousClock.now
    var judged = 0
    // A token with a lifetime of a few seconds stays valid for at least half a second
    // (RefreshPolicy.leastUse). On a busy machine, more time can pass between its issue and the
    // server's response; such a round is repeated.
    while ContinuousClock.now < start + .seconds(seconds) || judged == 0 {
      let asked = ContinuousClock.now
      let token = try await home.token()
      let isTaken = try await home.serverTakes(token)
      if !isTaken && ContinuousClock.now - asked > .milliseconds(400) { continue }
      judged += 1
      #expect(isTaken, "a dead token was handed out")
    }
    let refreshes = home.sandbox.refreshCount - before
    let passed = Int((ContinuousClock.now - start).components.seconds) + 1
    #expect(refreshes <= 2 + passed * 2 / life, "a loop: \(refreshes) refreshes in \(passed) s")
  }

  @Test(
    "TK-8: the wall clock is hours off, or is set while the agent runs",
    .disabled(if: Sanitizer.isOn, "a sanitizer reads the clock before faketime is ready, and the agent ends"),
    arguments: [-36_000, 36_000])
  func survivesItsOwnClock(shift: Int) async throws {
    let life = 4
    try await withTestHome(.with { $0.tokenLifetime = life }) { home in
      let file = home.folder.appendingPathComponent("clock")
      try Data("\(shift < 0 ? "" : "+")\(shift)s\n".utf8).write(to: file)
      try await home.killAgent()
      try await home.startAgent(through: Self.faketime(file))
      try await home.signIn()
      try await useTokens(home, for: 6, life: life)
      let words = shift > 0 ? "\(shift) s ahead of" : "\(-shift) s behind"
      let health = try await home.report().health
      #expect(health.contains { Self.mentions($0, words) }, "\(health)")
      // Sets the clock to the opposite while the agent runs.
      try Data("\(shift < 0 ? "+" : "-")\(abs(shift))s\n".utf8).write(to: file)
      try await useTokens(home, for: 6, life: life)
      // Repeats the check after a restart.
      try await home.killAgent()
      try await home.startAgent(through: Self.faketime(file))
      try await useTokens(home, for: 2, life: life)
    }
  }

  /// Tolerance of a reported difference in seconds, for the latency of a response on a busy machine
  /// and the rounding of a Date header.
  private static let tolerance = 60

  private static func mentions(_ health: String, _ words: String) -> Bool {
    let number = words.split(separator: " ")[0]
    return health.contains(words)
      || (-tolerance...tolerance).contains {
        health.contains(words.replacing(number, with: "\((Int(number) ?? 0) + $0)"))
      }
  }

  @Test("a server whose clock is set forward refuses a token; one refresh replaces it")
  func survivesAServerThatIsSet() async throws {
    try await withTestHome(.with { $0.tokenLifetime = 3600 }) { home in
      try await home.signIn()
      let old = try await home.token()
      home.sandbox.advanceClock(by: .seconds(5 * 3600))
      let isTaken = try await home.serverTakes(old)
      #expect(!isTaken)
      let new = try await home.token("--rejected", try await home.sha256(old))
      #expect(try await home.serverTakes(new))
      try await useTokens(home, for: 2, life: 3600)
      #expect(home.sandbox.refreshCount == 1)
    }
  }
}
