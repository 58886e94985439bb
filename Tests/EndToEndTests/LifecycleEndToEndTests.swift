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

  @Test("VA-6: an XDG_RUNTIME_DIR that others can write is refused, with what to do")
  func refusesASharedRuntimeDirectory() async throws {
    try await withTestHome { home in
      let shared = home.folder.path + "/shared"
      #expect(mkdir(shared, 0o700) == 0 && chmod(shared, 0o777) == 0)
      let agent = try await RunningProgram(
        Programs.path("ritual-agentd"), [], environment: home.environment.merging(["XDG_RUNTIME_DIR": shared]) { $1 },
        folder: home.folder
      ).end()
      #expect(agent.status == 1 && agent.stderr.contains("\(shared) is writable by other users"), "\(agent.stderr)")
      #expect(agent.stderr.contains("chmod go-w \(shared)"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: shared) == [])
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
