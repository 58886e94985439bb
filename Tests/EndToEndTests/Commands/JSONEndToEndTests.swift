import AuthSandbox
import Foundation
import Glibc
import TestKit
import Testing

/// `--json`: exactly one document on standard output or, on failure, one on standard error; for every command and failure.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JSONEndToEndTests {
  /// Runs `ritualctl` without a terminal.
  private static func start(_ home: Household, _ arguments: [String], input: String = "") throws -> RunningProgram {
    try RunningProgram(
      "/usr/bin/setsid", ["--wait", Programs.path("ritualctl")] + arguments, environment: home.environment,
      input: input, folder: home.folder)
  }

  private static func start(
    _ home: Household, _ leaf: CommandTree.Leaf, _ more: [String] = []
  ) throws -> RunningProgram {
    let call = try #require(SampleCalls.table[leaf.name], "add \(leaf.name) to SampleCalls")
    return try start(home, leaf.path + more + ["--json"] + call.arguments, input: call.input)
  }

  /// One document, on the stream that the exit status asks for.
  private static func expectOneDocument(_ output: Output, _ what: String, fails: Bool = false) {
    let (text, isError) = output.stdout.isEmpty ? (output.stderr, true) : (output.stdout, false)
    if !isError { #expect(output.stderr.isEmpty, "\(what): \(output.stderr)") }
    if fails || isError { #expect(isError && output.status != 0, "\(what): \(output)") }
    #expect(text.hasSuffix("\n") && !text.dropLast().contains("\n"), "\(what): \(text)")
    let document = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    #expect(document?["formatVersion"] as? Int == 1, "\(what): \(text)")
    guard isError else { return }
    #expect(document?["exitStatus"] as? Int == Int(output.status), "\(what): \(text)")
    let error = document?["error"] as? [String: Any]
    #expect(error?["kind"] is String && error?["message"] is String, "\(what): \(text)")
  }

  /// Runs all commands at the same time, but for those that `without` names.
  private static func expectAll(
    _ home: Household, _ situation: String, without names: Set<String> = [], _ more: [String] = [],
    where isMeant: (CommandTree.Leaf) -> Bool = { _ in true }, fails: Bool = false
  ) async throws {
    let leaves = try await CommandTree(home).leaves.filter { !names.contains($0.name) && isMeant($0) }
    #expect(!leaves.isEmpty)
    let programs = try leaves.map { ($0, try start(home, $0, more)) }
    for (leaf, program) in programs {
      expectOneDocument(try await program.end(), "\(leaf.name) (\(situation))", fails: fails)
    }
  }

  @Test("every command succeeds with one document; events prints one a line")
  func succeeds() async throws {
    try await withHousehold { home in
      try await home.signIn()
      let leaves = try await CommandTree(home).leaves
      #expect(Set(leaves.map(\.name)) == Set(SampleCalls.table.keys))
      let order = leaves.filter { !SampleCalls.last.contains($0.name) && !["events", "link"].contains($0.name) }
      for leaf in order + SampleCalls.last.compactMap({ name in leaves.first { $0.name == name } }) {
        let output = try await Self.start(home, leaf).end()
        Self.expectOneDocument(output, leaf.name)
        let mayFail = ["complete-sign-in", "unlink", "vault remove-key", "vault adopt", "vault rekey", "doctor"]
        if !mayFail.contains(leaf.name), !leaf.name.hasPrefix("approvals ") {
          #expect(output.status == 0, "\(leaf.name): \(output)")
        }
      }
    }
  }

  @Test("events prints a document a line")
  func followsEvents() async throws {
    try await withHousehold { home in
      try await home.signIn()
      let events = try home.start(["events", "--json"])
      try await eventually("the first event") { events.stdout.contains("\n") }
      _ = try await home.ctl("refresh")
      try await eventually("the second event") { events.stdout.split(separator: "\n").count > 1 }
      for line in events.stdout.split(separator: "\n") {
        let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(document?["formatVersion"] as? Int == 1)
      }
      await events.stop()
    }
  }

  @Test("no agent, and a wrong option")
  func withoutAgent() async throws {
    try await withHousehold { home in
      try await Self.expectAll(home, "wrong usage", ["--no-such-option"], fails: true)
      await home.stopAgent()
      try await Self.expectAll(home, "no agent", without: ["reset"])
      for arguments in [["--json"], ["nonsense", "--json"], ["vault", "--json"], ["vault", "nonsense", "--json"]] {
        Self.expectOneDocument(try await Self.start(home, arguments).end(), "\(arguments)", fails: true)
      }
      for arguments in [["token", "--help", "--json"], ["--version", "--json"]] {
        Self.expectOneDocument(try await Self.start(home, arguments).end(), "\(arguments)")
      }
    }
  }

  @Test("an unknown account, and a locked vault")
  func refused() async throws {
    try await withHousehold { home in
      try await home.signIn()
      try await Self.expectAll(
        home, "unknown account", without: ["sign-in", "init"], ["--account", "nobody"],
        where: { $0.options.contains("account") }, fails: true)
      #expect(try await home.ctl("lock").status == 0)
      try await Self.expectAll(home, "locked", without: ["unlock", "reset", "events", "vault add-key", "vault rekey"])
    }
  }

  @Test("an agent that is stopped: exit 7 within seconds, and what to do")
  func stopped() async throws {
    try await withHousehold { home in
      try await home.signIn()
      let pid = try #require(await home.agentPID)
      kill(pid, SIGSTOP)
      defer { kill(pid, SIGCONT) }
      try await Self.expectAll(home, "stopped", without: ["reset"])
      for arguments in [
        ["status"], ["accounts"], ["use", "default"], ["why"], ["vault", "status"], ["lock"], ["approvals"],
        ["metrics"],
        ["events"], ["refresh"], ["sign-out"], ["api", "/"], ["status", "--timeout", "0.2"],
        ["token", "--timeout", "1"],
      ] {
        // Half of the time that a call had before: far more than a busy machine needs for 3 s.
        let output = try await Self.start(home, arguments).end(within: .seconds(30))
        #expect(output.status == 7, "\(arguments): \(output)")
        #expect(output.stdout.isEmpty)
        #expect(output.stderr.contains("did not answer within"), "\(output.stderr)")
        #expect(output.stderr.contains("ritual-agentd") && !output.stderr.contains("systemctl"), "\(output.stderr)")
      }
    }
  }

  @Test(
    "an agent that answers with damage, never accepts, or never answers",
    arguments: ["garbage", "half", "other", "silence", "backlog"])
  func damaged(kind: String) async throws {
    try await withHousehold { home in
      await home.stopAgent()
      let server = try FakeAgent.start(kind, home)
      try await eventually("the server listens") { server.stdout.contains("ready") }
      try await Self.expectAll(home, kind, without: ["reset"])
      await server.stop()
    }
  }

  @Test("Ctrl-C at a prompt, no terminal, and an answer that cannot be written")
  func prompts() async throws {
    try await withHousehold { home in
      try await home.signIn()
      for arguments in [
        ["sign-in"], ["sign-in", "email"], ["complete-sign-in"], ["reset"], ["vault", "add-key", "--passphrase"],
      ] {
        let output = try await Self.start(home, arguments + ["--json"]).end()
        Self.expectOneDocument(output, "\(arguments) without a terminal", fails: true)
      }
      for (prompt, arguments) in [
        ("mail: ", ["sign-in", "email"]), ("Go on?", ["reset"]), ("ended on: ", ["complete-sign-in"]),
        ("passphrase: ", ["vault", "add-key", "--passphrase", "--keep-key-file"]),
      ] {
        let shown = try await Self.interrupt(home, at: prompt, arguments + ["--json"])
        let lines = shown.stdout.split(separator: "\n").filter { $0.hasPrefix("{") || $0.contains("{\"error") }
        #expect(shown.status == 2, "\(arguments): \(shown)")
        #expect(lines.count == 1 && shown.stdout.contains(#""kind":"cancelled""#), "\(arguments): \(shown)")
      }
      let full = try await RunningProgram(
        "/bin/sh", ["-c", "exec \"$0\" status --json > /dev/full", Programs.path("ritualctl")],
        environment: home.environment, folder: home.folder
      ).end()
      Self.expectOneDocument(full, "a full disk", fails: true)
    }
  }

  private static func interrupt(_ home: Household, at prompt: String, _ arguments: [String]) async throws -> Output {
    let file = home.folder.path + "/terminal.py"
    let script = "expect('\(prompt)')\nsay('\\x03')\nfinish()\n"
    try (TerminalPlayer.script + script).write(toFile: file, atomically: true, encoding: .utf8)
    return try await RunningProgram(
      "/usr/bin/python3", [file, Programs.path("ritualctl")] + arguments, environment: home.environment,
      folder: home.folder
    ).end()
  }
}
