import Foundation
import Glibc
import TestKit
import Testing

/// Socket activation by the real `systemd-socket-activate`, without a manager.
@Suite(.home, .serialized, .timeLimit(.minutes(5))) struct SystemdEndToEndTests {
  @Test(
    "an unrepaired configuration ends the process with 78 after a while without requests, and without a socket at once"
  )
  func endsForAMistake() async throws {
    await home.stopAgent()
    try home.editConfiguration { $0 += "\nx = 1\n" }
    let alone = try await home.run(Programs.path("ritual-agentd"))
    #expect(alone.status == 78, "\(alone.stderr)")
    let activator = try Self.activator(home)
    try await eventually("the socket") { canConnect(to: home.socket) }
    let ended = try await activator.end()
    #expect(ended.status == 78)
    #expect(ended.stderr.contains("unknown key x"), "\(ended.stderr)")
  }

  @Test("a reset works with an invalid configuration")
  func resetsInSpiteOfAMistake() async throws {
    try await home.signIn()
    await home.stopAgent()
    try home.editConfiguration { $0 += "\nx = 1\n" }
    let activator = try Self.activator(home)
    try await eventually("the socket") { canConnect(to: home.socket) }
    let output = try await home.ctl("reset", "--yes")
    #expect(output.status == 0, "\(output.stderr)")
    #expect(output.stderr.contains("default: the agent cannot start because its configuration is invalid"))
    #expect(access(home.folder.path + "/state/ritual-agent", F_OK) != 0)
    await activator.stop()
  }

  private static func activator(_ home: TestHome, notify: String? = nil) throws -> RunningProgram {
    var environment = home.environment
    environment["NOTIFY_SOCKET"] = notify
    let passedOn = [
      "NOTIFY_SOCKET", "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME",
      "LD_LIBRARY_PATH",
    ].filter { environment[$0] != nil }
    return try RunningProgram(
      "/usr/bin/systemd-socket-activate",
      ["-l", home.socket, "--fdname=agent"] + passedOn.flatMap { ["-E", $0] } + [Programs.path("ritual-agentd")],
      environment: environment, folder: home.folder)
  }

  @Test("OP-1: the first connection starts the agent, READY=1 follows, SIGTERM ends it cleanly")
  func startsLazily() async throws {
    await home.stopAgent()
    let notify = try NotifySocket(path: home.folder.path + "/notify")
    let activator = try Self.activator(home, notify: notify.path)
    try await eventually("the socket") { FileManager.default.fileExists(atPath: home.socket) }
    #expect(notify.received().isEmpty, "nothing runs before the first connection")
    // The socket file exists a moment before the program listens.
    try await eventually("the first connection") { try await home.ctl("accounts").status == 0 }
    try await eventually("READY=1") { notify.received().contains("READY=1") }
    activator.send(SIGTERM)
    #expect(try await activator.end().status == 0)
    #expect(notify.received().contains("STOPPING=1"))
    #expect(FileManager.default.fileExists(atPath: home.socket), "the file is the manager's")
  }
}
