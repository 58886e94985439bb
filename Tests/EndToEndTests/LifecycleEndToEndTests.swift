import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct LifecycleEndToEndTests {
  @Test("VA-1: a crash prints no backtrace, which could contain memory, whatever SWIFT_BACKTRACE requests")
  func printsNoBacktrace() async throws {
    await home.stopAgent()
    let agent = try RunningProgram(
      Programs.path("ritual-agentd"), [],
      environment: home.environment.merging(["SWIFT_BACKTRACE": "enable=yes,color=no"]) { $1 }, folder: home.folder)
    try await eventually("the agent serves its socket") { canConnect(to: home.socket) }
    agent.send(SIGSEGV)
    let stderr = try await agent.end().stderr
    #expect(!stderr.contains("Backtrac") && !stderr.contains("crashed"), "\(stderr)")
  }

  @Test("OP-1: a terminal that closes (SIGHUP) ends the agent as SIGTERM does, unless it was started to ignore that")
  func endsWithItsTerminal() async throws {
    let folder = home.folder.path + "/run/ritual-agent"
    for signal in [SIGHUP, SIGINT, SIGTERM] {
      await home.stopAgent()
      try await home.startAgent(through: ["/usr/bin/env", "--default-signal=HUP,INT"])
      try await eventually("all sockets") {
        try FileManager.default.contentsOfDirectory(atPath: folder).count == 3
      }
      #expect(try await home.endAgent(signal) == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [], "signal \(signal)")
    }
    // As by nohup(1).
    try await home.startAgent(through: ["/usr/bin/env", "--ignore-signal=HUP"])
    kill(try #require(await home.agentPID), SIGHUP)
    try await home.signIn()
    #expect(try await home.endAgent() == 0)
  }

  @Test("VA-6, PR-2: modes do not depend on the umask that the agent is started with", arguments: ["0", "0777"])
  func makesItsOwnModes(mask: String) async throws {
    await home.stopAgent()
    for name in ["state", "data", "run/ritual-agent"] {
      try? FileManager.default.removeItem(atPath: home.folder.path + "/" + name)
    }
    try await home.startAgent(through: ["/bin/sh", "-c", "umask \(mask); exec \"$@\"", "sh"])
    try await home.signIn()
    #expect(try await home.ctl("audit").status == 0)
    for name in ["state", "data", "run"] {
      let root = home.folder.path + "/" + name
      for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
        let facts = try FileManager.default.attributesOfItem(atPath: root + "/" + path)
        let wanted = facts[.type] as? FileAttributeType == .typeDirectory ? 0o700 : 0o600
        #expect(facts[.posixPermissions] as? Int == wanted, "\(name)/\(path): \(facts)")
      }
    }
    await home.stopAgent()
    let script = "umask \(mask); exec ritual-agentd -- sh -c umask"
    let child = try await home.run("/bin/sh", ["-c", script])
    #expect(child.status == 0 && child.stdout == (mask == "0" ? "0000\n" : "0777\n"), "\(child)")
  }

  @Test("VA-6: an XDG_RUNTIME_DIR that others can write is refused, with what to do")
  func refusesASharedRuntimeDirectory() async throws {
    let shared = home.folder.path + "/shared"
    #expect(mkdir(shared, 0o700) == 0 && chmod(shared, 0o777) == 0)
    let agent = try await home.run(Programs.path("ritual-agentd"), more: ["XDG_RUNTIME_DIR": shared])
    #expect(agent.status == 1 && agent.stderr.contains("\(shared) is writable by other users"), "\(agent.stderr)")
    #expect(agent.stderr.contains("chmod go-w \(shared)"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: shared) == [])
  }

  @Test("SE-2: a configuration with another origin sends nothing there and loses nothing")
  func keepsASessionOfAnotherOrigin() async throws {
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
