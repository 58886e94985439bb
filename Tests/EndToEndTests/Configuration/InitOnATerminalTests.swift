import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// `ritualctl init` on a terminal, which asks for the project and checks it before it writes.
@Suite(.newHome, .serialized, .timeLimit(.minutes(3))) struct InitOnATerminalTests {
  /// Runs `init` on a terminal, with `script` as the person.
  private static func initialize(
    _ home: TestHome, _ script: String, _ arguments: String..., program: String = Programs.path("ritualctl"),
    path: String? = nil
  ) async throws -> Output {
    let file = home.folder.path + "/terminal.py"
    try (TerminalPlayer.script + Self.prelude + script).write(toFile: file, atomically: true, encoding: .utf8)
    let output = try await home.run(
      "/usr/bin/python3", [file, program, "init"] + arguments, more: ["PATH": path ?? home.environment["PATH"] ?? ""])
    // The script's own errors are part of the output.
    return Output(status: output.status, stdout: output.stdout + output.stderr, stderr: "")
  }

  private static func file(_ home: TestHome) -> String { home.folder.path + "/config/ritual-agent/config.toml" }

  private static func expectNothingWritten(_ home: TestHome) {
    #expect(access(home.folder.path + "/config", F_OK) != 0)
  }

  /// `wait` expects a text after everything that was awaited before.
  private static let prelude = """
    seen = ''
    def wait(text):
        global shown, seen
        expect(text)
        end = shown.index(text) + len(text)
        seen, shown = seen + shown[:end], shown[end:]
    def end():
        global shown
        shown = seen + shown
        finish()

    """

  private static func answer(_ question: String, _ text: String) -> String {
    "wait('\(question)')\nsay('\(text)\\n')\n"
  }
  private static func url(_ text: String) -> String { answer("Project URL or project ID: ", text) }
  private static func key(_ text: String) -> String { answer("Publishable or anon key: ", text) }
  private static func choose(_ text: String) -> String { answer("or a name: ", text) }
  private static func wait(_ text: String) -> String { "wait('\(text)')\n" }

  @Test("asks for both values, checks them, writes the file, and names the next commands")
  func asks() async throws {
    let host = home.sandbox.url.replacing("http://", with: "")
    let output = try await Self.initialize(
      home, Self.url("  \(host)/auth/v1 ") + Self.key(" \(home.sandbox.anonKey) ") + "end()")
    #expect(output.status == 0, "\(output.stdout)")
    #expect(output.stdout.contains("The project responds and accepts the key.\nEnabled sign-in methods: "))
    #expect(
      output.stdout.hasSuffix(
        "project default added to \(Self.file(home))\n"
          + "ritualctl: next, start the agent and sign in:\n  ritual-agentd &\n  ritualctl sign-in\n"),
      "\(output.stdout)")
    #expect(
      try String(contentsOfFile: Self.file(home), encoding: .utf8)
        == "[projects.default]\nurl = \"\(home.sandbox.url)\"\nanon_key = \"\(home.sandbox.anonKey)\"\n")
    var status = stat()
    #expect(stat(Self.file(home), &status) == 0 && status.st_mode & 0o777 == 0o600)
    let second = try await Self.initialize(home, "end()")
    #expect(second.status == 1 && second.stdout.contains("project default already exists"), "\(second.stdout)")
    #expect(second.stdout.contains("ritualctl init --update") && !second.stdout.contains("Project URL or"))
  }

  @Test("with a running agent, the agent reads the file, and the next command is the sign-in")
  func reloads() async throws {
    try await home.startAgent()
    let output = try await Self.initialize(
      home, Self.key(home.sandbox.anonKey) + "end()", "--project-url", home.sandbox.url, "--project", "work")
    #expect(output.status == 0, "\(output.stdout)")
    #expect(
      output.stdout.hasSuffix(
        "ritualctl: next, sign in:\n  ritualctl sign-in --account work --project work\n"), "\(output.stdout)")
    _ = home.sandbox.addUser(email: TestHome.email, password: TestHome.password)
    try await home.signIn("--account", "work", "--project", "work")
  }

  @Test("tells a wrong key from a wrong URL and from a project that cannot be reached; the other value is kept")
  func correctsOneValue() async throws {
    let port = DeadPort()
    defer { port.release() }
    let output = try await Self.initialize(
      home,
      Self.url(home.sandbox.url + "/nothing") + Self.key("wrong")
        + Self.wait("Check failed: the server at this URL is not Supabase Auth") + Self.choose("url")
        + Self.url("http://127.0.0.1:\(port.number)")
        + Self.wait("Check failed: cannot be reached (127.0.0.1:\(port.number): connection refused)")
        + Self.wait("check the network and the Project URL") + Self.choose("url") + Self.url(home.sandbox.url)
        + Self.wait("The project responds, but rejects the key.") + Self.choose("1")
        + Self.key(home.sandbox.anonKey) + "end()")
    #expect(output.status == 0, "\(output.stdout)")
    #expect(output.stdout.contains("accepts the key"))
    #expect(try String(contentsOfFile: Self.file(home), encoding: .utf8).contains("\"\(home.sandbox.anonKey)\""))
  }

  @Test("offline, the values can be checked again, or saved unchecked")
  func savesUnchecked() async throws {
    let port = DeadPort()
    defer { port.release() }
    let output = try await Self.initialize(
      home,
      Self.url("http://127.0.0.1:\(port.number)") + Self.key("key") + Self.choose("again")
        + Self.wait("Checking") + Self.choose("save") + "end()")
    #expect(output.status == 0, "\(output.stdout)")
    #expect(try String(contentsOfFile: Self.file(home), encoding: .utf8).contains("127.0.0.1:\(port.number)"))
  }

  @Test("an invalid answer is explained and asked for again; a secret key is refused and not sent")
  func refusesInvalidAnswers() async throws {
    // {"alg":"HS256"}.{"role":"service_role"}.x
    let service = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.x"
    let output = try await Self.initialize(
      home,
      Self.url("") + Self.wait("example: https://") + Self.url("https://supabase.com/dashboard/projects")
        + Self.wait("this is the dashboard; use the project URL") + Self.url(home.sandbox.url)
        + Self.key("sb_secret_abc") + Self.wait("use the anon or publishable key") + Self.key(service)
        + Self.wait("use the anon or publishable key") + Self.key("\"quoted\"") + Self.wait("copy it again")
        + Self.wait("Publishable or anon key: ") + "say('\\x04')\nend()")
    #expect(output.status == 2, "\(output.stdout)")
    #expect(home.sandbox.requestCount(.settings) == 0)
    Self.expectNothingWritten(home)
  }

  @Test(
    "Ctrl-C and Ctrl-D cancel at every question: 2, and nothing is written", arguments: ["\\x03", "\\x04"],
    [0, 1, 2])
  func cancels(character: String, question: Int) async throws {
    let port = DeadPort()
    defer { port.release() }
    let answers = [Self.url("http://127.0.0.1:\(port.number)"), Self.key("key")]
    let prompt = ["Project URL or project ID: ", "anon key: ", "or a name: "][question]
    let output = try await Self.initialize(
      home, answers.prefix(question).joined() + Self.wait(prompt) + "say('\(character)')\nend()")
    #expect(output.status == 2, "\(output.stdout)")
    Self.expectNothingWritten(home)
  }

  @Test("Ctrl-C during the check cancels: 2, and nothing is written")
  func cancelsTheCheck() async throws {
    home.sandbox.inject(.hangBeforeCommit, at: .settings)
    let output = try await Self.initialize(
      home, Self.url(home.sandbox.url) + Self.key("key") + Self.wait("Checking") + "say('\\x03')\nend()")
    #expect(output.status == 2, "\(output.stdout)")
    Self.expectNothingWritten(home)
  }

  @Test("without ritual-agentd, the project is not checked, which is said")
  func cannotCheck() async throws {
    let copy = home.folder.path + "/alone/ritualctl"
    _ = try await RunningProgram(
      "/usr/bin/install", ["-D", Programs.path("ritualctl"), copy], environment: [:], folder: home.folder
    ).end()
    let output = try await Self.initialize(
      home, Self.url(home.sandbox.url) + Self.key("key") + Self.choose("save") + "end()",
      program: copy, path: "/usr/bin:/bin")
    #expect(output.status == 0, "\(output.stdout)")
    #expect(output.stdout.contains("The project cannot be checked, because ritual-agentd is not installed."))
    #expect(home.sandbox.requestCount(.settings) == 0)
    #expect(access(Self.file(home), F_OK) == 0)
  }

  @Test("a file that cannot be extended is reported before the first question")
  func reportsTheFileFirst() async throws {
    try FileManager.default.createDirectory(
      atPath: home.folder.path + "/config/ritual-agent", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try "[sing_in]\n".write(toFile: Self.file(home), atomically: false, encoding: .utf8)
    let output = try await Self.initialize(home, "end()")
    #expect(output.status == 1 && output.stdout.contains("config.toml:1:1: "), "\(output.stdout)")
  }

  @Test("without a terminal, or with --json, the values are required: 64, and both ways are named")
  func needsATerminal() async throws {
    for arguments in [["init"], ["init", "--project-url", home.sandbox.url], ["init", "--json"]] {
      let output = try await home.start(arguments).end()
      #expect(output.status == 64 && output.stderr.contains("--project-url and --anon-key"), "\(output)")
      #expect(output.stderr.contains("on a terminal"))
    }
    let json = try await Self.initialize(home, "end()", "--json")
    #expect(json.status == 64 && json.stdout.contains("--project-url and --anon-key"), "\(json)")
    Self.expectNothingWritten(home)
  }
}

extension Trait where Self == FixtureTrait {
  /// A home directory without a configuration and without an agent.
  static var newHome: Self {
    Self { test in
      try await withScratchDirectory { folder in
        try await withSandbox { sandbox in
          try FileManager.default.createDirectory(
            atPath: folder.path + "/run", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
          let home = TestHome(folder: folder, sandbox: sandbox)
          try await Current.home.run(home, test)
          await home.stopAgent()
          _ = try? await home.browse(sandbox.url + "/")
        }
      }
    }
  }
}
