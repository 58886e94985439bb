import AuthSandbox
import Foundation
import TestKit
import Testing

/// `ritualctl accounts rename` and `accounts remove`.
@Suite(.home, .serialized, .timeLimit(.minutes(2))) struct AccountNamesEndToEndTests {
  @Test("a removal needs --yes without a terminal, ends the session, and leaves no account")
  func removes() async throws {
    try await home.signIn()
    let asked = try await home.ctl("accounts", "remove", "default")
    #expect(asked.status == 64 && asked.stderr.contains("ritualctl accounts remove default --yes"), "\(asked)")
    #expect(try await home.ctl("token").status == 0)
    let removed = try await home.ctl("accounts", "remove", "default", "--yes")
    #expect(removed.status == 0 && removed.stdout == "removed account default\n", "\(removed)")
    #expect(removed.stderr == "ritualctl: there are no accounts now\n  ritualctl sign-in\n")
    #expect(home.sandbox.requestCount(.logout) == 1)
    #expect(try await home.ctl("accounts").stdout == "")
    #expect(try await home.ctl("accounts", "remove", "default", "--yes").status == 64)
    try await home.signIn("--account", "work")
    try await home.signIn("--account", "home")
    let another = try await home.ctl("accounts", "remove", "work", "--yes")
    #expect(another.stderr == "ritualctl: there is no default account now\n  ritualctl use ACCOUNT\n")
  }

  @Test("on a terminal the removal is confirmed", arguments: [("n", 2), ("y", 0)])
  func asks(answer: String, status: Int32) async throws {
    try await home.signIn()
    let file = home.folder.path + "/terminal.py"
    let script = "expect('from this machine? [y/N] ')\nsay('\(answer)\\n')\nfinish()\n"
    try (TerminalPlayer.script + script).write(toFile: file, atomically: true, encoding: .utf8)
    let output = try await RunningProgram(
      "/usr/bin/python3", [file, Programs.path("ritualctl"), "accounts", "remove", "default"],
      environment: home.environment, folder: home.folder
    ).end()
    #expect(output.status == status, "\(output)")
    #expect(try await home.ctl("token").status == (status == 0 ? 4 : 0))
  }
}
