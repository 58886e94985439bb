import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// `ritualctl reset` on a terminal.
@Suite(.home, .serialized, .timeLimit(.minutes(2))) struct ResetOnATerminalTests {
  private static func reset(_ home: TestHome, _ keys: String) async throws -> Output {
    let file = home.folder.path + "/terminal.py"
    let script = "expect('Continue? [y/N] ')\nsay('\(keys)')\nfinish()\n"
    try (TerminalPlayer.script + script).write(toFile: file, atomically: true, encoding: .utf8)
    return try await RunningProgram(
      "/usr/bin/python3", [file, Programs.path("ritualctl"), "reset"], environment: home.environment,
      folder: home.folder
    ).end()
  }

  @Test("no, Enter and Ctrl-D decline: 2, and nothing is changed", arguments: ["n\\n", "\\n", "\\x04"])
  func refuses(keys: String) async throws {
    try await home.signIn()
    let pid = await home.agentPID
    let output = try await Self.reset(home, keys)
    #expect(output.status == 2, "\(output.stdout)\(output.stderr)")
    #expect(output.stdout.contains("will sign out of default\n"), "\(output.stdout)")
    for folder in ["state/ritual-agent", "data/ritual-agent"] {
      #expect(output.stdout.contains("will remove \(home.folder.path)/\(folder)\n"), "\(output.stdout)")
    }
    #expect(!output.stdout.contains("config/ritual-agent"), "stays without --config")
    #expect(home.sandbox.requestCount(.logout) == 0)
    #expect(await home.agentPID == pid)
    #expect(try await !home.token().isEmpty)
  }

  @Test("yes removes everything")
  func goesOn() async throws {
    try await home.signIn()
    let output = try await Self.reset(home, "yes\\n")
    #expect(output.status == 0, "\(output.stdout)\(output.stderr)")
    #expect(output.stdout.contains("default: signed out\nremoved \(home.folder.path)/data/ritual-agent\n"))
    #expect(home.sandbox.requestCount(.logout) == 1)
    for folder in ["state/ritual-agent", "data/ritual-agent"] {
      #expect(access(home.folder.path + "/" + folder, F_OK) != 0)
    }
    #expect(access(home.folder.path + "/config/ritual-agent/config.toml", F_OK) == 0)
  }
}
