import Foundation
import Glibc
import TestKit
import Testing

/// The snippets in docs/how-to-show-status-in-your-prompt.md, read by real shells on a terminal.
@Suite(.timeLimit(.minutes(2))) struct PromptTests {
  /// The code blocks of the document in that language.
  private static func snippets(_ language: String) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let text = try String(
      contentsOf: root.appending(path: "docs/how-to-show-status-in-your-prompt.md"), encoding: .utf8)
    return text.components(separatedBy: "\n```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }

  struct Shell: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    /// Sets a prompt, in two parts, because the terminal echoes typed text too.
    let setUp: String
    var testDescription: String { name }
  }

  private static let shells = [
    Shell(name: "bash", arguments: ["--norc", "--noprofile", "-i"], setUp: "PS1='rea''dy> '"),
    Shell(name: "zsh", arguments: ["-f", "-i"], setUp: "PS1='rea''dy> '"),
    Shell(name: "fish", arguments: ["--no-config", "-i"], setUp: "function fish_prompt; echo -n rea'dy> '; end"),
  ].filter { access("/usr/bin/" + $0.name, X_OK) == 0 }

  /// A program called `ritualctl` in `folder`, for the shell to find.
  private static func install(in folder: URL) throws -> String {
    let tools = folder.appending(path: "tools").path
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: tools + "/ritualctl", withDestinationPath: Ritualctl.path)
    return tools + ":/usr/bin:/bin"
  }

  /// Shows the prompt before each of `accounts`, and expects the text of the snippet in it.
  private func show(_ shell: Shell, _ snippet: String, _ states: [(account: String, shown: String)]) async throws {
    let file = "account"
    try await withScratchDirectory { folder in
      let account = folder.appending(path: file)
      try states[0].account.write(to: account, atomically: true, encoding: .utf8)
      let server = try ScriptedServer(in: folder) { _, _ in
        StatusTests.status((try? String(contentsOf: account, encoding: .utf8)) ?? "")
      }
      defer { server.stop() }
      let path = try Self.install(in: folder)
      try snippet.write(to: folder.appending(path: "snippet"), atomically: true, encoding: .utf8)
      var script = "say('''\(shell.setUp)\\n''')\nexpect('ready> ')\nshown = ''\nsay('. $HOME/snippet\\n')\n"
      for (index, state) in states.enumerated() {
        let json = state.account.replacing("\\", with: "\\\\")
        script += """
          open(os.environ['HOME'] + '/\(file)', 'w').write('''\(json)''')
          say('echo mar""k-\(index)\\n')
          expect('mark-\(index)')
          shown = shown[shown.index('mark-\(index)'):]
          expect('\(state.shown)')
          assert '[' in '\(state.shown)' or '[work' not in shown, shown

          """
      }
      let python = folder.appending(path: "terminal.py")
      try (TerminalPlayer.script + script + "say('exit\\n')\nfinish()")
        .write(to: python, atomically: true, encoding: .utf8)
      let output = try await RunningProgram(
        "/usr/bin/python3", [python.path, "/usr/bin/" + shell.name] + shell.arguments,
        environment: Ritualctl.environment(
          folder, ["RITUAL_AGENT_SOCKET": server.path, "TERM": "xterm", "LANG": "C.UTF-8", "PATH": path]),
        folder: folder
      ).end()
      #expect(output.stderr == "", "\(output.stderr)")
    }
  }

  private static let work = StatusTests.account("authenticated", usable: true)
  private static let ended = StatusTests.account("signInNeeded")

  @Test("the prompt of each shell shows the account, and its state if it needs attention", arguments: shells)
  func showsState(shell: Shell) async throws {
    let snippet = try #require(try Self.snippets(shell.name).first)
    let brackets = shell.name != "fish"
    try await show(
      shell, snippet,
      [(Self.work, brackets ? "[work] " : "work"), (Self.ended, brackets ? "[work:sign-in]" : "work:sign-in")])
  }

  @Test("the snippet for problems shows nothing else", .enabled(if: shells.contains { $0.name == "bash" }))
  func showsProblems() async throws {
    let snippet = try #require(try Self.snippets("bash").last)
    #expect(snippet.contains("ritual_problem"))
    try await show(Self.shells[0], snippet, [(Self.ended, "[work:sign-in] ready> "), (Self.work, "ready> ")])
  }

  @Test("the command of the starship snippet succeeds in every state")
  func runsForStarship() async throws {
    let snippet = try #require(try Self.snippets("toml").first)
    let command = try #require(snippet.firstMatch(of: /command = "([^"]+)"/)).1
    for (account, expected) in [(Self.work, "work\n"), (Self.ended, "work:sign-in\n")] {
      try await withBench(StatusTests.status(account)) { bench in
        let output = try await RunningProgram(
          "/bin/sh", ["-c", String(command)],
          environment: Ritualctl.environment(
            bench.folder, ["RITUAL_AGENT_SOCKET": bench.server.path, "PATH": try Self.install(in: bench.folder)]),
          folder: bench.folder
        ).end()
        #expect((output.stdout, output.stderr, output.status) == (expected, "", 0))
      }
    }
  }
}
