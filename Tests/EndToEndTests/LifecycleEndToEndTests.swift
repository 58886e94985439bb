import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct LifecycleEndToEndTests {
  @Test("SE-3: kill -9 and a restart lose nothing, and the token is available at once")
  func survivesAKill() async throws {
    try await withTestHome { home in
      try await home.signIn()
      let token = try await home.token()
      try await home.killAgent()
      #expect(try await home.ctl("token").status == 3)
      try await home.startAgent()
      #expect(try await home.token() == token)
      #expect(home.sandbox.refreshCount == 0)
    }
  }

  /// Number of kills: 100 under `script/test --long`, otherwise a few.
  private static let kills = ProcessInfo.processInfo.environment["RITUAL_TEST_LONG"] == nil ? 3 : 100

  @Test("TK-7: kill -9 between the server's commit and response loses nothing", arguments: RefreshAlgorithm.allCases)
  func survivesAKillDuringARefresh(algorithm: RefreshAlgorithm) async throws {
    try await withTestHome(.with { $0.refreshAlgorithm = algorithm }) { home in
      try await home.signIn()
      for _ in 0..<Self.kills {
        let before = home.sandbox.refreshRotations
        home.sandbox.inject(.hangAfterCommit, at: .refresh, count: 1)
        let command = try home.start(["refresh"])
        try await eventually("the refresh is committed") { home.sandbox.refreshRotations > before }
        try await home.killAgent()
        await command.stop()
        home.sandbox.releaseHangs()
        try await home.startAgent()
        #expect(try await home.ctl("refresh").status == 0)
        #expect(home.sandbox.oldestAncestorPresented <= 1, "never older than the direct parent")
        // A refresh less than 5 s old would serve the next round.
        try await home.killAgent()
        try await home.startAgent()
      }
      #expect(try await home.ctl("status").status == 0)
    }
  }

  @Test("VA-1: a crash prints no backtrace, which could contain memory, whatever SWIFT_BACKTRACE requests")
  func printsNoBacktrace() async throws {
    try await withTestHome { home in
      await home.stopAgent()
      let agent = try RunningProgram(
        Programs.path("ritual-agentd"), [],
        environment: home.environment.merging(["SWIFT_BACKTRACE": "enable=yes,color=no"]) { $1 }, folder: home.folder)
      try await eventually("the agent serves its socket") { canConnect(to: home.socket) }
      agent.send(SIGSEGV)
      let stderr = try await agent.end().stderr
      #expect(!stderr.contains("Backtrac") && !stderr.contains("crashed"), "\(stderr)")
    }
  }

  @Test("SE-3: a start without network responds at once, and issues tokens that are still valid")
  func startsOffline() async throws {
    try await withTestHome { home in
      try await home.signIn()
      let token = try await home.token()
      await home.stopAgent()
      // A new network namespace, in which not even loopback is up.
      try await home.startAgent(through: ["/usr/bin/unshare", geteuid() == 0 ? "-n" : "-rn"])
      #expect(try await home.token() == token)
      #expect(try await home.ctl("status").status == 0)
      let refused = try await home.ctl("refresh")
      #expect(refused.status == 7)
      #expect(refused.stderr.contains("Connection failed. Please check your internet and try again."))
      #expect(try await home.token() == token, "a failed refresh takes nothing away")
    }
  }

  @Test("SE-4: sign-out ends the session locally and at the server")
  func signsOut() async throws {
    try await withTestHome { home in
      try await home.signIn()
      #expect(try await home.ctl("sign-out").status == 0)
      #expect(home.sandbox.requestCount(.logout) == 1)
      let after = try await home.ctl("token")
      #expect(after.status == 4)
      #expect(after.stderr.contains("ritualctl sign-in"))
    }
  }

  @Test("SE-4: sign-out without network takes effect locally at once, and at the server after a restart")
  func signsOutOffline() async throws {
    try await withTestHome { home in
      try await home.signIn()
      home.sandbox.inject(.dropBeforeCommit, at: .logout, count: nil)
      let output = try await home.ctl("sign-out")
      #expect(output.status == 0, "\(output.stderr)")
      #expect(try await home.ctl("token").status == 4)
      await home.stopAgent()
      home.sandbox.clearFaults()
      let before = home.sandbox.requestCount(.logout)
      try await home.startAgent()
      try await eventually("the revocation is sent") { home.sandbox.requestCount(.logout) > before }
    }
  }

  @Test("TK-6: a session that was ended elsewhere is reported, with the command that helps")
  func noticesARevokedSession() async throws {
    try await withTestHome { home in
      try await home.signIn()
      home.sandbox.revokeAllSessions()
      let output = try await home.ctl("refresh")
      #expect(output.status == 4)
      #expect(output.stderr.contains("Session expired. Please sign in again."))
      #expect(output.stderr.contains("ritualctl sign-in --account default"))
      #expect(try await home.ctl("status").status == 4)
    }
  }

  @Test("SE-2: a configuration with another origin sends nothing there and loses nothing")
  func keepsASessionOfAnotherOrigin() async throws {
    try await withTestHome { home in
      try await home.signIn()
      let token = try await home.token()
      try await withSandbox { other in
        try home.rename(home.sandbox.url, to: other.url)
        await home.stopAgent()
        try await home.startAgent()
        let output = try await home.ctl("token")
        #expect(output.status == 1)
        #expect(try await home.ctl("status").stdout.contains("misconfigured"))
        _ = try await home.ctl("refresh")
        _ = try await home.ctl("sign-out", "--scope", "others")
        #expect(other.requestCount() == 0)
        try home.rename(other.url, to: home.sandbox.url)
        await home.stopAgent()
        try await home.startAgent()
        #expect(try await home.token() == token)
      }
    }
  }

  @Test("a stop during a refresh completes it and ends within seconds")
  func stopsCleanly() async throws {
    try await withTestHome { home in
      try await home.signIn()
      home.sandbox.inject(.delayAfterCommit(seconds: 1), at: .refresh, count: 1)
      let command = try home.start(["refresh"])
      try await eventually("the refresh is committed") { home.sandbox.refreshRotations == 1 }
      await home.stopAgent()
      _ = try await command.end()
      try await home.startAgent()
      #expect(try await home.ctl("refresh").status == 0)
      #expect(home.sandbox.oldestAncestorPresented == 0, "the answer was stored before the stop")
    }
  }
}
