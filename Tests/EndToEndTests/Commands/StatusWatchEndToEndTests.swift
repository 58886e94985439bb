import Foundation
import TestKit
import Testing

@Suite(.home, .timeLimit(.minutes(3))) struct StatusWatchEndToEndTests {
  /// Starts the command on a terminal. The script prints `step N` when the screen shows the Nth of
  /// `texts`, and then types Ctrl-C.
  private static func watch(_ home: TestHome, _ texts: [String], _ arguments: [String] = []) throws -> RunningProgram {
    let steps = texts.enumerated().map { "expect('\($1)')\nshown = ''\nprint('step \($0)', flush=True)" }
    let end = """
      assert echoes(), 'the terminal was changed'
      say('\\x03')
      finish()
      """
    let file = home.folder.appending(path: "watch-\(UUID().uuidString).py")
    try (TerminalPlayer.script + steps.joined(separator: "\n") + "\n" + end)
      .write(to: file, atomically: true, encoding: .utf8)
    return try RunningProgram(
      "/usr/bin/python3",
      [
        file.path, "/bin/sh", "-c", "stty cols 80 rows 24 && exec \"$0\" \"$@\"", Programs.path("ritualctl"), "status",
        "--watch",
      ] + arguments, environment: home.environment.merging(["TERM": "xterm"]) { $1 }, folder: home.folder)
  }

  private static func step(_ number: Int, of program: RunningProgram) async throws {
    try await eventually("step \(number): \(program.stdout)\(program.stderr)") {
      guard program.isRunning else { throw ConditionTimeout(what: "it ended: \(program.stdout)\(program.stderr)") }
      return program.stdout.contains("step \(number)\n")
    }
  }

  @Test("a terminal shows each change, also after a restart of the agent, until Ctrl-C")
  func redraws() async throws {
    try await home.signIn()
    let watch = try Self.watch(
      home,
      ["refreshes in", "vault locked", "refreshes in", "trying again every second", "refreshes in"])
    try await Self.step(0, of: watch)
    #expect(try await home.ctl("lock").status == 0)
    try await Self.step(1, of: watch)
    #expect(try await home.ctl("unlock").status == 0)
    try await Self.step(2, of: watch)
    try await home.killAgent()
    try await Self.step(3, of: watch)
    try await home.startAgent()
    let output = try await watch.end()
    #expect(output.status == 2, "\(output.stdout)\(output.stderr)")
    // The alternate screen would hide the last state from the person.
    #expect(!output.stdout.contains("\u{1B}[?"))
  }

  @Test("times change without an event")
  func followsTime() async throws {
    try await home.signIn()
    // The agent's uptime in seconds: two numbers without any event.
    let output = try await Self.watch(home, ["up ", "up "]).end()
    #expect(output.status == 2 && output.stdout.contains("step 1\n"), "\(output)")
  }

  @Test("without a terminal, prints a table after each change")
  func prints() async throws {
    try await home.signIn()
    let watch = try home.start(["status", "--watch"])
    func tables() -> [String] { watch.stdout.components(separatedBy: "\n\n") }
    try await eventually("the first table") { watch.stdout.contains("refreshes in") }
    #expect(try await home.ctl("lock").status == 0)
    try await eventually("the second table: \(watch.stdout)") { watch.stdout.contains("ritualctl unlock") }
    try await home.killAgent()
    try await eventually("the warning: \(watch.stderr)") { watch.stderr.hasPrefix("ritualctl: warning: ") }
    try await home.startAgent()
    #expect(try await home.ctl("unlock").status == 0)
    try await eventually("the last table: \(watch.stdout)") {
      tables().last?.contains("refreshes in") == true && tables().count > 2
    }
    #expect(tables().allSatisfy { $0.contains("ACCOUNT  PROJECT") && !$0.contains("\u{1B}") })
    watch.send(SIGINT)
    #expect(try await watch.end().status == 2)
  }

  @Test("an error of the first request ends the command")
  func reportsFirstError() async throws {
    try await home.signIn()
    let unknown = try await home.ctl("status", "--watch", "--account", "nobody")
    #expect(unknown.status == 64 && unknown.stderr.contains("no account named nobody"))
    await home.stopAgent()
    #expect(try await home.ctl("status", "--watch").status == 3)
  }
}
