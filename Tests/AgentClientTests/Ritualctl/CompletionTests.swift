import ArgumentParser
import Foundation
import Glibc
import TestKit
import Testing

@testable import ritualctl

/// The completion scripts, read by real shells: bash and zsh with the Tab key on a terminal, fish by
/// its own command for it.
@Suite(.timeLimit(.minutes(2))) struct CompletionTests {
  private var folder: URL { scratchDirectory }

  struct Shell: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    /// Reads the script, then shows the prompt. The prompt is typed in two parts, because the
    /// terminal echoes typed text too.
    let setUp: String
    var testDescription: String { name }
    var path: String { "/usr/bin/" + name }
    var isInstalled: Bool { access(path, X_OK) == 0 }
  }

  /// A typed line with Tabs, and what `ritualctl` is run with.
  private typealias Line = (typed: String, ran: String)

  private static let shells = [
    Shell(
      name: "zsh", arguments: ["-f", "-i"],
      setUp: "fpath=($HOME/completions $fpath); autoload -Uz compinit; compinit -u -D; PS1='rea''dy> '"),
    Shell(
      name: "bash", arguments: ["--norc", "--noprofile", "-i"],
      setUp: ". $HOME/completions/_ritualctl; PS1='rea''dy> '"),
  ].filter(\.isInstalled)

  private static let fish = Shell(name: "fish", arguments: ["--no-config", "--command"], setUp: "")

  @Test("Tab completes commands, options and their values", .scratchDirectory, arguments: shells)
  func completes(shell: Shell) async throws {
    try await Self.install(shell, in: folder)
    try await Self.expect(
      [
        (#"sta\t"#, "status"), (#"vault ad\to\t"#, "vault adopt"), (#"token --form\the\t"#, "token --format header"),
        (#"sign-in goo\t--no-b\t"#, "sign-in google --no-browser"),
      ], shell, folder)
  }

  @Test(
    "Tab completes names and IDs that the agent knows, projects, files, what follows exec --, and an alias's options",
    arguments: shells)
  func completesNames(shell: Shell) async throws {
    try await Self.withNames { bench in
      try await Self.install(shell, in: bench.folder, aliases: ["log-in": "sign-in"])
      let (folder, file) = (bench.folder.path, bench.folder.path + "/spare key")
      try await Self.expect(
        [
          (#"token --account wo\t"#, "token --account work"), (#"use ho\t"#, "use home"),
          (#"sign-in gith\t"#, "sign-in github"), (#"sign-in --project pr\t"#, "sign-in --project prod"),
          (#"link app\t--account ho\t"#, "link apple --account home"),
          (#"vault remove-key ab\t"#, "vault remove-key \(Self.key)"),
          (#"vault add-key --replace \t"#, "vault add-key --replace \(Self.key)"),
          (#"unlink 1479\t"#, "unlink \(Self.identity)"), (#"unlink --account home 2\t"#, "unlink --account home 2222"),
          (#"approvals deny 77\t"#, "approvals deny 7777"),
          (#"grants revoke 66\t"#, "grants revoke 6666"), (#"grant --account ho\t"#, "grant --account home"),
          (#"mfa verify --factor 3f\t"#, "mfa verify --factor 3f02"), (#"mfa remove \t"#, "mfa remove 3f02"),
          (#"mfa enroll to\t"#, "mfa enroll totp"), (#"token --assurance aal2\t"#, "token --assurance aal2"),
          (#"unlock --key-file \#(folder)/spa\t"#, "unlock --key-file \(file)"),
          (#"api -F \#(folder)/spa\t/x"#, "api -F \(file) /x"),
          (#"exec -- my-unusual-to\t"#, "exec -- my-unusual-tool"),
          (#"exec --account wo\t-- my-unusual-to\t-x"#, "exec --account work -- my-unusual-tool -x"),
          (#"exec -- my-unusual-tool \#(folder)/spa\t"#, "exec -- my-unusual-tool \(file)"),
          (#"log-in gith\t--account wo\t"#, "log-in github --account work"),
        ], shell, bench.folder, socket: bench.server.path)
    }
  }

  @Test("fish completes the same", .enabled(if: fish.isInstalled))
  func completesInFish() async throws {
    try await Self.withNames { bench in
      try await Self.install(Self.fish, in: bench.folder, aliases: ["log-in": "sign-in"])
      let folder = bench.folder.path
      for (line, candidates) in [
        ("sta", ["status"]), ("vault ad", ["add-key", "adopt"]), ("token --format he", ["header", "headers"]),
        ("token --account wo", ["work"]), ("use ", ["work", "home"]),
        ("sign-in --project ", ["prod"]), ("link ", ["apple", "github", "email"]),
        ("sign-in ", ["apple", "github", "email", "code", "sso"]), ("vault remove-key ", [Self.key]),
        ("unlink ", ["2222"]), ("unlink --account work ", [Self.identity]), ("approvals allow ", ["7777"]),
        ("mfa remove ", ["3f02"]), ("sign-in --mfa la", ["later"]),
        ("unlock --key-file \(folder)/spa", ["\(folder)/spare key"]), ("log-in --account wo", ["work"]),
        ("exec --account wo", ["work"]), ("exec --account work -- my-unusual-to", ["my-unusual-tool"]),
        ("exec -- my-unusual-tool \(folder)/spa", ["\(folder)/spare key"]),
      ] {
        let script = "source $HOME/completions/_ritualctl; complete --do-complete 'ritualctl \(line)'"
        var found: [String] = []
        for _ in 1...Self.attempts where found != candidates {
          let output = try await RunningProgram(
            Self.fish.path, Self.fish.arguments + [script],
            environment: Self.environment(bench.folder, bench.server.path).merging(["RITUAL_ACCOUNT": "home"]) { $1 },
            folder: bench.folder
          ).end()
          found = output.stdout.split(separator: "\n").map { $0.prefix { $0 != "\t" } }.map(String.init)
        }
        #expect(found == candidates, "\(line)")
      }
    }
  }

  // MARK: - The program

  @Test("without a name, the script of the user's shell is generated", arguments: ["bash", "zsh", "fish"])
  func findsShell(name: String) async throws {
    try await withScratchDirectory { folder in
      let option = "--generate-completion-script"
      let named = try await Ritualctl([option, name], in: folder).end()
      let found = try await Ritualctl([option], in: folder, environment: ["SHELL": "/bin/" + name]).end()
      #expect(found.status == 0 && found.stdout == named.stdout && named.stdout.contains("login"))
    }
  }

  @Test("offers nothing if the agent does not answer or does not accept", .scratchDirectory)
  func giveUp() async throws {
    let server = try ScriptedServer(in: folder) { connection in while connection.readLine() != nil {} }
    defer { server.stop() }
    let words = ["ritualctl", "use", "--socket", server.path, ""]
    #expect(Completion.accounts(words, 4, "") == [])
    #expect(server.lines.contains { $0.contains("session.list") })
    #expect(Completion.limit == .milliseconds(300))
    #expect(Completion.accounts(["ritualctl", "use", "--socket=" + folder.path + "/none", ""], 3, "") == [])
  }

  @Test("reads the socket from the line, and offers no candidate that a shell would expand", .scratchDirectory)
  func offersPlainNames() async throws {
    let server = try ScriptedServer(
      in: folder,
      answering: { _, _ in
        Reply.result(
          #"{"accounts":[{"name":"work","isDefault":true,"project":"p","state":"authenticated","activity":"none","#
            + #""tokenUsable":true,"identities":["#
            + ["$(touch x)", "a b", "`x`", "-x", "", "ok-1.2_3"].map {
              #"{"identityID":"\#($0)","provider":"google"}"#
            }
            .joined(separator: ",") + "]}]}")
      })
    defer { server.stop() }
    for option in [["--socket", server.path], ["--socket", "=", server.path], ["--socket='\(server.path)'"]] {
      var found: [String] = []
      for _ in 1...Self.attempts where found.isEmpty {
        found = Completion.identities(["ritualctl", "unlink"] + option, 2, "")
      }
      #expect(found == ["ok-1.2_3"], "\(option)")
    }
    // Words after -- belong to another program.
    #expect(Completion.identities(["ritualctl", "exec", "--", "--socket", server.path], 2, "") == [])
  }

  // MARK: - Support

  private static let key = String(repeating: "ab", count: 16)
  private static let identity = "14790000-0000-0000-0000-000000000000"

  /// Runs `body` with an agent, a configuration with one project, a command in PATH, and a file
  /// whose name has a space.
  private static func withNames(_ body: (Bench) async throws -> Void) async throws {
    try await withBench { method, _ in
      switch method {
      case "session.list": Reply.result("{\"accounts\":[\(account("work", identity)),\(account("home", "2222"))]}")
      case "signIn.methods": Reply.result(#"{"methods":["apple","github","email","sso","$(x)"],"signUp":true}"#)
      case "approval.list":
        Reply.result(
          #"{"approvals":[{"id":"7777","account":"work","state":"pending","method":"session.token","pid":1,"#
            + #""askedAt":"2026-11-21T04:48:17Z"}]}"#)
      case "egress.list":
        Reply.result(
          #"{"grants":[{"id":"6666","account":"work","pid":1,"process":false,"createdAt":"2026-11-21T04:48:17Z","#
            + #""expiresAt":"2026-11-21T05:48:17Z","requests":0}]}"#)
      case "mfa.list": FactorAgent.list([FactorAgent.app.replacingOccurrences(of: "f-app", with: "3f02")])
      default:
        Reply.result(
          #"{"state":"open","keys":[{"id":"\#(key)","kind":"keyFile"}],"generation":1,"machine":"this","#
            + #""isAuthenticated":true,"isRekeying":false,"damaged":[],"protection":[],"isMemoryLocked":true}"#)
      }
    } _: { bench in
      let configuration = bench.folder.appendingPathComponent(".config/ritual-agent")
      try FileManager.default.createDirectory(at: configuration, withIntermediateDirectories: true)
      try "[projects.prod]\nurl = \"https://example.org\"\nanon_key = \"k\"\n".write(
        to: configuration.appendingPathComponent("config.toml"), atomically: true, encoding: .utf8)
      try "x".write(to: bench.folder.appendingPathComponent("spare key"), atomically: true, encoding: .utf8)
      try await ShellScript.install("exit 0", as: bench.folder.path + "/tools/my-unusual-tool")
      try await body(bench)
    }
  }

  private static func account(_ name: String, _ identity: String) -> String {
    #"{"name":"\#(name)","isDefault":\#(name == "work"),"project":"prod","state":"authenticated","activity":"none","#
      + #""tokenUsable":true,"identities":[{"identityID":"\#(identity)","provider":"google"}]}"#
  }

  private static func environment(_ folder: URL, _ socket: String) -> [String: String] {
    var environment = Ritualctl.environment(
      folder, ["TERM": "xterm", "LANG": "C.UTF-8", "RITUAL_AGENT_SOCKET": socket])
    environment["PATH"] = folder.path + "/tools:" + environment["PATH", default: ""]
    return environment
  }

  /// On a busy machine, an answer can take longer than `Completion.limit`. Then the line is not
  /// completed, and is typed again.
  private static let attempts = 20

  private static let completing = """
    def complete(typed, ran):
        global shown
        for _ in range(\(attempts)):
            expect('ready> ')
            shown = ''
            say(typed)
            expect('.END')
            if ran in shown: return
        sys.exit('not run: ' + ran + ' in ' + shown)
    """

  /// Types each line after `ritualctl `, and expects what it runs.
  private static func expect(
    _ lines: [Line], _ shell: Shell, _ folder: URL, socket: String = "/nowhere"
  ) async throws {
    let script = lines.map { typed, ran in "complete('ritualctl \(typed)\\n', 'RAN \(ran).')" }
    let file = folder.appendingPathComponent("terminal.py")
    let text = [completing, "say('''\(shell.setUp)\\n''')"] + script + ["say('exit\\n')", "finish()"]
    try (TerminalPlayer.script + text.joined(separator: "\n")).write(to: file, atomically: true, encoding: .utf8)
    let output = try await RunningProgram(
      "/usr/bin/python3", [file.path, shell.path] + shell.arguments, environment: environment(folder, socket),
      folder: folder
    ).end()
    #expect(output.status == 0, "\(output.stdout)\(output.stderr)")
  }

  /// Installs a `ritualctl` that prints its arguments; the requests of the completion itself go to
  /// the real one. With `aliases`, the script is generated here, else by the built program.
  private static func install(_ shell: Shell, in folder: URL, aliases: [String: String]? = nil) async throws {
    try await ShellScript.install(
      "case \"$1\" in ---completion) exec '\(Ritualctl.path)' \"$@\" ;; esac; echo \"RAN $*.END\"",
      as: folder.path + "/tools/ritualctl")
    let script = try await Ritualctl(["--generate-completion-script", shell.name], in: folder).end()
    #expect(script.status == 0 && script.stdout.contains("ritualctl"), "\(script.stderr)")
    let generated = try aliases.map {
      let kind = try #require(CompletionShell(rawValue: shell.name))
      return CompletionScript(RitualCtl.completionScript(for: kind), shell: shell.name, aliases: $0).text
    }
    let completions = folder.appendingPathComponent("completions")
    try FileManager.default.createDirectory(at: completions, withIntermediateDirectories: true)
    try (generated ?? script.stdout).write(
      to: completions.appendingPathComponent("_ritualctl"), atomically: true, encoding: .utf8)
  }
}
