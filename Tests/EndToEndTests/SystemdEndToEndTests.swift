import Foundation
import TestKit
import Testing

/// Socket activation by the real `systemd-socket-activate`, with no manager.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SystemdEndToEndTests {
  @Test("OP-1: the first connection starts the agent, READY=1 comes, SIGTERM ends it cleanly")
  func startsLazily() async throws {
    try await withHousehold { home in
      await home.stopAgent()
      let notify = try NotifySocket(path: home.folder.path + "/notify")
      var environment = home.environment
      environment["NOTIFY_SOCKET"] = notify.path
      let activator = try RunningProgram(
        "/usr/bin/systemd-socket-activate",
        ["-l", home.socket, "--fdname=agent"]
          + [
            "NOTIFY_SOCKET", "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
            "XDG_STATE_HOME", "XDG_DATA_HOME", "LD_LIBRARY_PATH",
          ].flatMap { ["-E", $0] }
          + [Programs.path("ritual-agentd")],
        environment: environment, folder: home.folder)
      try await eventually("the socket") { FileManager.default.fileExists(atPath: home.socket) }
      #expect(notify.received().isEmpty, "nothing runs before the first connection")
      // The file is there a moment before somebody listens.
      try await eventually("the first connection") { try await home.ctl("accounts").status == 0 }
      try await eventually("READY=1") { notify.received().contains("READY=1") }
      activator.send(SIGTERM)
      #expect(try await activator.end(within: .seconds(10)).status == 0)
      #expect(notify.received().contains("STOPPING=1"))
      #expect(FileManager.default.fileExists(atPath: home.socket), "the file is the manager's")
    }
  }
}
