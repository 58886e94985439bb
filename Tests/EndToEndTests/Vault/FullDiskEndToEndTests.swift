import AuthSandbox
import Foundation
import TestKit
import Testing

/// A disk that is full while a session's new tokens arrive, and works again when the agent stops.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .enabled(if: SmallDisk.isPossible, "only root may mount a file system"))
struct FullDiskEndToEndTests {
  /// The failed writes after which the next retry is 8 s away.
  private static let failures = 4

  private func withSmallDisk(
    _ algorithm: RefreshAlgorithm, _ body: (TestHome, SmallDisk) async throws -> Void
  ) async throws {
    let settings = SandboxSettings.with { ($0.refreshAlgorithm, $0.reuseInterval) = (algorithm, 0) }
    try await withTestHome(settings) { home in
      await home.stopAgent()
      let disk = try await SmallDisk(at: home.environment["XDG_STATE_HOME", default: ""], home.folder)
      try await withCleanup {
        await home.stopAgent()
        await disk.end()
      } _: {
        try await home.startAgent(through: disk.launcher)
        try await body(home, disk)
      }
    }
  }

  /// Waits until the agent could not store a session for some time, makes the disk work again, and
  /// stops the agent before it retries.
  private func restart(_ home: TestHome, _ disk: SmallDisk) async throws {
    try await eventually("the write fails") {
      await home.agentLog.components(separatedBy: "could not be stored; it is kept in memory").count > Self.failures
    }
    try await disk.free()
    #expect(try await home.endAgent() == 0)
    let log = await home.agentLog
    #expect(!log.contains("did not stop in time"), "\(log)")
    try await home.startAgent(through: disk.launcher)
  }

  @Test("a verified session is stored by a stop", arguments: RefreshAlgorithm.allCases)
  func storesAVerification(algorithm: RefreshAlgorithm) async throws {
    try await withSmallDisk(algorithm) { home, disk in
      let factor = try home.sandbox.addFactor(to: TestHome.email)
      try await home.signIn()
      home.sandbox.inject(.hangBeforeCommit, at: .verifyFactor)
      let code = try #require(home.sandbox.totpCode(of: factor.id))
      let verify = try home.start(["mfa", "verify", "--code-stdin"], input: code + "\n")
      try await eventually("the verification hangs: \(verify.stderr)") { home.sandbox.hangingRequests > 0 }
      try await disk.fill()
      home.sandbox.releaseHangs()
      #expect(try await verify.end().status == 1, "\(verify.stderr)")
      try await restart(home, disk)
      let status = try await home.ctl("status", "--json").stdout
      #expect(status.contains(#""current":"aal2""#), "\(status)")
      let refreshed = try await home.ctl("refresh")
      #expect(refreshed.status == 0, "\(refreshed.stderr)")
      let token = try await home.token()
      #expect(try await home.serverTakes(token))
      #expect(home.sandbox.oldestAncestorPresented <= 1)
    }
  }

  @Test("a refreshed session is stored by a stop", arguments: RefreshAlgorithm.allCases)
  func storesARefresh(algorithm: RefreshAlgorithm) async throws {
    try await withSmallDisk(algorithm) { home, disk in
      try await home.signIn()
      home.sandbox.inject(.hangBeforeCommit, at: .refresh)
      let refresh = try home.start(["refresh"])
      try await eventually("the refresh hangs: \(refresh.stderr)") { home.sandbox.hangingRequests > 0 }
      try await disk.fill()
      home.sandbox.releaseHangs()
      #expect(try await refresh.end().status != 0)
      try await restart(home, disk)
      #expect(try await home.ctl("refresh").status == 0)
      #expect(home.sandbox.oldestAncestorPresented == 0, "the newest token was stored")
      let token = try await home.token()
      #expect(try await home.serverTakes(token))
    }
  }
}
