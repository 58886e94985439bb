import Foundation
import Glibc
import TestKit
import Testing

/// The completion scripts, read by real shells, with the Tab key on a terminal.
@Suite(.timeLimit(.minutes(2))) struct CompletionTests {
  struct Shell: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    /// Reads the script, then shows the prompt. The prompt is typed in two parts, because the
    /// terminal echoes typed text too.
    let setUp: String
    var testDescription: String { name }
    var path: String { "/usr/bin/" + name }
  }

  private static let shells = [
    Shell(
      name: "zsh", arguments: ["-f", "-i"],
      setUp: "fpath=($HOME/completions $fpath); autoload -Uz compinit; compinit -u -D; PS1='rea''dy> '"),
    Shell(
      name: "bash", arguments: ["--norc", "--noprofile", "-i"],
      setUp: ". $HOME/completions/_ritualctl; PS1='rea''dy> '"),
  ].filter { access($0.path, X_OK) == 0 }

  @Test("Tab completes commands, options and their values", arguments: shells)
  func completes(shell: Shell) async throws {
    try await withScratchDirectory { folder in
      try await Self.install(shell, in: folder)
      let lines = [
        (#"ritualctl sta\t\n"#, "RAN status."), (#"ritualctl vault ad\to\t\n"#, "RAN vault adopt."),
        (#"ritualctl token --form\the\t\n"#, "RAN token --format header."),
        (#"ritualctl sign-in goo\t--no-b\t\n"#, "RAN sign-in google --no-browser."),
      ]
      let script = lines.map { typed, ran in "expect('ready> ')\nshown = ''\nsay('\(typed)')\nexpect('\(ran)')" }
      let file = folder.appendingPathComponent("terminal.py")
      let text = ["say('''\(shell.setUp)\\n''')"] + script + ["say('exit\\n')", "finish()"]
      try (TerminalPlayer.script + text.joined(separator: "\n")).write(to: file, atomically: true, encoding: .utf8)
      var environment = Ritualctl.environment(folder, ["TERM": "xterm", "LANG": "C.UTF-8"])
      environment["PATH"] = folder.path + "/tools:" + environment["PATH", default: ""]
      let output = try await RunningProgram(
        "/usr/bin/python3", [file.path, shell.path] + shell.arguments, environment: environment, folder: folder
      ).end()
      #expect(output.status == 0, "\(output.stdout)\(output.stderr)")
    }
  }

  /// Installs a `ritualctl` that prints its arguments; the requests of the completion itself go to
  /// the real one.
  private static func install(_ shell: Shell, in folder: URL) async throws {
    try await ShellScript.install(
      "case \"$1\" in ---completion) exec '\(Ritualctl.path)' \"$@\" ;; esac; echo \"RAN $*.\"",
      as: folder.path + "/tools/ritualctl")
    let script = try await Ritualctl(["--generate-completion-script", shell.name], in: folder).end()
    #expect(script.status == 0 && script.stdout.contains("ritualctl"), "\(script.stderr)")
    let completions = folder.appendingPathComponent("completions")
    try FileManager.default.createDirectory(at: completions, withIntermediateDirectories: true)
    try script.stdout.write(to: completions.appendingPathComponent("_ritualctl"), atomically: true, encoding: .utf8)
  }
}
