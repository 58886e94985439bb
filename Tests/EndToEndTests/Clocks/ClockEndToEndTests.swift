import AuthSandbox
import Foundation
import TestKit
import Testing

/// Clocks that lie, here (by faketime) and at the server.
@Suite(.timeLimit(.minutes(2))) struct ClockEndToEndTests {
  private static let library = "/usr/lib/\(machine)-linux-gnu/faketime/libfaketime.so.1"
  #if arch(arm64)
    private static let machine = "aarch64"
  #else
    private static let machine = "x86_64"
  #endif

  /// A launcher under which the wall clock shows what `file` says, anew at each look; the boot clock stays true.
  private static func faketime(_ file: URL) -> [String] {
    [
      "/usr/bin/env", "LD_PRELOAD=\(library)", "FAKETIME_TIMESTAMP_FILE=\(file.path)", "FAKETIME_NO_CACHE=1",
      "FAKETIME_DONT_FAKE_MONOTONIC=1",
    ]
  }

  /// Asks for tokens for `seconds`; each is taken by the server, and no more refreshes were made than their life needs.
  private func useTokens(_ home: Household, for seconds: Int, life: Int) async throws {
    let before = home.sandbox.refreshCount
    let start = ContinuousClock.now
    var judged = 0
    // A token of a few seconds is good for half a second at least (RefreshPolicy.leastUse). On a machine that hardly gets
    // to it more than that passes between its hand-out and the server's answer: such a round says nothing, another follows.
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
    "TK-8: a wall clock that is hours off, and one that is set while the agent runs",
    .disabled(if: Sanitizer.isOn, "a sanitizer reads the clock before faketime is ready, and the agent ends"),
    arguments: [-36_000, 36_000])
  func survivesItsOwnClock(shift: Int) async throws {
    let life = 4
    try await withHousehold(.with { $0.tokenLifetime = life }) { home in
      let file = home.folder.appendingPathComponent("clock")
      try Data("\(shift < 0 ? "" : "+")\(shift)s\n".utf8).write(to: file)
      try await home.killAgent()
      try await home.startAgent(through: Self.faketime(file))
      try await home.signIn()
      try await useTokens(home, for: 6, life: life)
      let words = shift > 0 ? "\(shift) s ahead of" : "\(-shift) s behind"
      let health = try await home.report().health
      #expect(health.contains { Self.tells($0, words) }, "\(health)")
      // Set to the opposite while it runs.
      try Data("\(shift < 0 ? "+" : "-")\(abs(shift))s\n".utf8).write(to: file)
      try await useTokens(home, for: 6, life: life)
      // And over a restart.
      try await home.killAgent()
      try await home.startAgent(through: Self.faketime(file))
      try await useTokens(home, for: 2, life: life)
    }
  }

  /// By so many seconds a figure may be off: the time that an answer took on a busy machine, and the rounding of a Date header.
  private static let tolerance = 60

  private static func tells(_ health: String, _ words: String) -> Bool {
    let number = words.split(separator: " ")[0]
    return health.contains(words)
      || (-tolerance...tolerance).contains {
        health.contains(words.replacing(number, with: "\((Int(number) ?? 0) + $0)"))
      }
  }

  @Test("a server whose clock is hours off changes nothing but a line of the status", arguments: [-7200, 7200])
  func survivesTheServersClock(shift: Int) async throws {
    let life = 4
    let settings = SandboxSettings.with {
      $0.tokenLifetime = life
      $0.dateHeaderShift = shift
      $0.expiresAtShift = shift
    }
    try await withHousehold(settings) { home in
      try await home.signIn()
      try await useTokens(home, for: 6, life: life)
      let skew = try #require(try await home.accountStatus("default").refresh?.clockSkew)
      #expect(abs(skew - shift) <= Self.tolerance)
      #expect(try await home.report().health.contains { $0.contains(shift > 0 ? "behind" : "ahead of") })
    }
  }

  @Test("a server whose clock is set forward by hours refuses a token: it is renewed once, and then all is well")
  func survivesAServerThatIsSet() async throws {
    try await withHousehold(.with { $0.tokenLifetime = 3600 }) { home in
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
