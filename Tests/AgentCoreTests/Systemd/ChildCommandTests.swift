import FoundationEssentials
import Logging
import ServiceLifecycle
import TestKit
import Testing

@testable import AgentCore

@Suite struct ChildCommandTests {
  private var folder: URL { scratchDirectory }

  private func command(_ arguments: [String]) -> ChildCommand {
    ChildCommand(arguments, socket: "/run/a.sock", logger: Logger(label: "test") { _ in LogLines() })
  }

  private func group(_ command: ChildCommand) -> ServiceGroup {
    ServiceGroup(
      configuration: .init(
        services: [.init(service: command, successTerminationBehavior: .gracefullyShutdownGroup)],
        logger: Logger(label: "test") { _ in LogLines() }))
  }

  @Test func itsStatusIsKept() async throws {
    for (script, status) in [("exit 0", 0), ("exit 42", 42), ("kill -9 $$", 137)] {
      let command = command(["sh", "-c", script])
      try await command.run()
      #expect(command.status == Int32(status))
    }
  }

  @Test(.scratchDirectory) func whatCannotRunHasTheNumbersOfEnv() async throws {
    let missing = command([folder.path + "/program"])
    try await missing.run()
    #expect(missing.status == 127)
    let directory = command([folder.path])
    try await directory.run()
    #expect(directory.status == 126)
  }

  @Test(.scratchDirectory) func itGetsTheSocketAndNotTheManager() async throws {
    let file = folder.path + "/env"
    let command = command(["sh", "-c", "echo $RITUAL_AGENT_SOCKET >\(file)"])
    try await command.run()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "/run/a.sock\n")
  }

  @Test(.scratchDirectory) func aStopIsPassedOn() async throws {
    let ready = folder.path + "/ready"
    let script = "trap 'kill $!; exit 7' TERM; sleep infinity & echo >\(ready); wait"
    let command = command(["sh", "-c", script])
    let group = group(command)
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await group.run() }
      try await eventually("the command runs") { FileManager.default.fileExists(atPath: ready) }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
    #expect(command.status == 7)
  }
}
