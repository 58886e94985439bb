import Foundation
import TestKit
import Testing

/// What `ritualctl` shows without a command, and for a command line that the parser refuses.
@Suite(.timeLimit(.minutes(2))) struct HelpTests {
  struct Machine: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The text of the configuration; nil for no file.
    var configuration: String?
    /// The response to `agent.status`; nil if no agent is running.
    var status: String?
    var reason: String
    var step: String
  }

  private static let project = "[projects.default]\nurl = \"https://example.org\"\nanon_key = \"k\"\n"
  private static let configure = "ritualctl init"

  private static let machines = [
    Machine(testDescription: "nothing", reason: "no project is configured", step: configure),
    Machine(
      testDescription: "no agent", configuration: project, reason: "cannot connect to the agent at",
      step: "ritual-agentd --socket "),
    Machine(
      testDescription: "an invalid configuration and no agent", configuration: "[projects", reason: "cannot connect",
      step: "ritual-agentd --socket "),
    Machine(
      testDescription: "no project", configuration: "", status: StatusTests.status(""),
      reason: "no project is configured", step: configure),
    Machine(
      testDescription: "no account", configuration: project, status: StatusTests.status(""),
      reason: "no account is signed in", step: "ritualctl sign-in"),
    Machine(
      testDescription: "signed out", configuration: project,
      status: StatusTests.status(StatusTests.account("unauthenticated")), reason: "no account is signed in",
      step: "ritualctl sign-in"),
    Machine(
      testDescription: "locked", configuration: project, status: StatusTests.status("", vault: "locked"),
      reason: "the vault is locked", step: "ritualctl unlock"),
    Machine(
      testDescription: "unavailable", configuration: project, status: StatusTests.status("", vault: "unavailable"),
      reason: "the vault cannot be opened", step: "ritualctl status"),
    Machine(
      testDescription: "signed in, with a configuration elsewhere", status: StatusTests.status(StatusTests.example()),
      reason: "you are signed in", step: "ritualctl status"),
    Machine(
      testDescription: "an agent that answers with an error", configuration: project,
      status: Reply.error("internalError", "Something broke."), reason: "Something broke.", step: "ritualctl doctor"),
  ]

  @Test("without a command: the groups, and the next step for the state of the machine", arguments: machines)
  func showsNextStep(machine: Machine) async throws {
    try await withBench(machine.status ?? "") { bench in
      if let text = machine.configuration {
        let folder = bench.folder.appendingPathComponent(".config/ritual-agent")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("config.toml")
        try text.write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      }
      let socket = ["RITUAL_AGENT_SOCKET": machine.status == nil ? bench.folder.path + "/none" : bench.server.path]
      let output = try await bench.start([], environment: socket).end()
      #expect(output.status == 0 && output.stderr.isEmpty, "\(output.stderr)")
      #expect(
        output.stdout.contains("  Use tokens  token, exec, api, grant, grants, sink, setup, refresh, approvals\n"))
      #expect(output.stdout.contains("\n  ritualctl exec --egress -- TOOL  run a tool that never gets the token\n"))
      #expect(
        output.stdout.contains(
          "\n\n\(machine.reason.prefix(1).uppercased())\(machine.reason.dropFirst().replacing(/\.$/, with: ""))"),
        "\(output.stdout)")
      let isUsable = machine.configuration?.contains("url = ") != true
      #expect(output.stdout.contains("profile") == isUsable, "no configured project has a profile API")
      // The path of the agent precedes its name if it is not in PATH.
      let step = output.stdout.split(separator: "\n").last { $0.hasPrefix("  ") }
      #expect(step?.contains(machine.step) == true, "\(output.stdout)")
      let document =
        try JSONSerialization.jsonObject(
          with: Data(try await bench.start(["--json"], environment: socket).end().stdout.utf8)) as? [String: Any]
      let next = document?["next"] as? [String: String]
      #expect(next?["reason"]?.hasPrefix(machine.reason) == true, "\(String(describing: document))")
      #expect(next?["step"]?.contains(machine.step) == true, "\(String(describing: document))")
    }
  }

  @Test("without a command, and an agent that never answers: exits with 0 after the timeout of status")
  func survivesSilence() async throws {
    try await withScratchDirectory { folder in
      let server = try ScriptedServer(in: folder) { connection in while connection.readLine() != nil {} }
      defer { server.stop() }
      let output = try await Ritualctl([], in: folder, environment: ["RITUAL_AGENT_SOCKET": server.path]).end()
      #expect(output.status == 0, "\(output.stderr)")
      #expect(output.stdout.contains("The agent did not respond within 3 s. Next:\n  ritualctl doctor\n"))
    }
  }

  private static let misspelled: [(String, String, help: String)] = [
    ("statsu", "unknown command 'statsu'; did you mean 'status'?", ""),
    ("nonsense", "unknown command 'nonsense'", ""),
    ("help tokn", "unknown command 'tokn'; did you mean 'token'?", ""),
    ("tokn --help", "unknown command 'tokn'; did you mean 'token'?", ""),
    ("vault ad", "unknown command 'vault ad'; did you mean 'add-key' or 'adopt'?", "vault "),
    ("vault stauts", "unknown command 'vault stauts'; did you mean 'status'?", "vault "),
    ("approvals alow x", "unknown command 'approvals alow'; did you mean 'allow'?", "approvals "),
    ("rekey", "unknown command 'rekey'; did you mean 'vault rekey'?", ""),
    ("--socket /none tokn", "unknown command 'tokn'; did you mean 'token'?", ""),
    ("token --acount x", "unknown option '--acount'; did you mean '--account'?", "token "),
    ("token --acount=hunter2", "unknown option '--acount'; did you mean '--account'?", "token "),
    ("status -account x", "unknown option '-account'; did you mean '--account'?", "status "),
    ("vault verify --jsn", "unknown option '--jsn'; did you mean '--json'?", "vault verify "),
    ("accounts --timeuot 1", "unknown option '--timeuot'; did you mean '--timeout'?", "accounts "),
    ("api -qZ /", "unknown option '-qZ'", "api "),
    ("token --nothing-like-this", "unknown option '--nothing-like-this'", "token "),
    ("token --format jsn", "invalid value 'jsn' for --format; did you mean 'json'?", "token "),
    ("token --format=x", "invalid value 'x' for --format; use raw, header, headers, env, json, or curl", "token "),
    ("status --color alway", "invalid value 'alway' for --color; did you mean 'always'?", "status "),
    ("sign-out --scope globl", "invalid value 'globl' for --scope; did you mean 'global'?", "sign-out "),
    ("logout --scope globl", "invalid value 'globl' for --scope; did you mean 'global'?", "sign-out "),
    ("link gogle", "invalid value 'gogle' for <method>; did you mean 'google'?", "link "),
    ("link --account apple gogle", "invalid value 'gogle' for <method>; did you mean 'google'?", "link "),
    ("token --min-ttl -1", "missing value for '--min-ttl <seconds>'", "token "),
    ("use", "use an account, --forget or --list", "use "),
    ("token --timeout 0", "--timeout must be more than 0 and at most 3600 seconds", "token "),
    ("use a\u{1B}b c", "unexpected argument 'c'", "use "),
    ("st\u{1B}tus", "unknown command 'st\\u{1b}tus'; did you mean 'status'?", ""),
  ]

  @Test("a misspelled word: one line with a suggestion and one with the help; 64", arguments: misspelled)
  func suggests(line: String, message: String, help: String) async throws {
    try await withScratchDirectory { folder in
      let words = line.split(separator: " ").map(String.init)
      let output = try await Ritualctl(words, in: folder).end()
      #expect(output.status == 64 && output.stdout.isEmpty, "\(output)")
      #expect(output.stderr == "ritualctl: \(message)\n  ritualctl \(help)--help\n")
      let json = try await Ritualctl(words + ["--json"], in: folder).end()
      #expect(json.status == 64 && json.stdout.isEmpty, "\(json)")
      let document = try JSONSerialization.jsonObject(with: Data(json.stderr.utf8)) as? [String: Any]
      let error = document?["error"] as? [String: Any]
      #expect(error?["kind"] as? String == "usage")
      #expect(error?["message"] as? String == message)
      #expect(error?["hint"] as? String == "ritualctl \(help)--help")
    }
  }

  @Test("login and logout are sign-in and sign-out")
  func knowsAliases() async throws {
    try await withBench(Reply.result(#"{"accounts":["work"],"pending":[]}"#)) { bench in
      #expect(try await bench.run("logout").stdout == "work: signed out\n")
      let help = try await bench.run("login", "--help")
      #expect(help.stdout.contains("\nAlias: ritualctl login\n"))
      #expect(try await bench.run("sign-in", "--help").stdout == help.stdout)
    }
  }

  @Test("whoami prints the user of the default or the named account, with the exit status of status")
  func printsUser() async throws {
    let user = #","user":{"id":"u","email":"anna@example.org","provider":"google"}"#
    let ended = #","user":{"id":"u"},"ended":{"at":"2025-05-04T09:14:00Z","reason":"ended elsewhere"}"#
    let accounts = [
      StatusTests.account("authenticated", user, usable: true),
      StatusTests.account("degraded", user, name: "late", isDefault: false),
      StatusTests.account("signInNeeded", ended, name: "home", isDefault: false),
    ].joined(separator: ",")
    for (account, text, status) in [
      (nil, "anna@example.org (Google), account work, the default account\n", 0),
      ("late", "anna@example.org (Google), account late\n", 7),
      ("home", "", 4), ("nobody", "", 64),
    ] as [(String?, String, Int32)] {
      try await withBench(StatusTests.status(accounts)) { bench in
        let words = account.map { ["--account", $0] } ?? []
        let output = try await bench.start(["whoami"] + words).end()
        #expect(output.stdout == text)
        #expect(output.status == status && output.stderr.isEmpty == !text.isEmpty, "\(output)")
        #expect(try await bench.start(["status"] + words).end().status == status)
      }
    }
  }

  @Test("without a user, whoami names the reason and the command, with the exit status of status")
  func explainsMissingUser() async throws {
    let out = StatusTests.account("unauthenticated")
    let other = StatusTests.account("unauthenticated", isDefault: false)
    let ended = StatusTests.account("signInNeeded", #","user":{"id":"u"}"#)
    let wrongKey = #"unavailable","error":"wrongKey","protection":"restore the key"#
    for (accounts, vault, words, expected, status) in [
      ("", "open", [], "No account is signed in.\n  ritualctl sign-in", 4),
      (other, "open", [], "There is no default account.\n  ritualctl use ACCOUNT", 4),
      (out, "open", [], "Account work is not signed in.\n  ritualctl sign-in --account work", 4),
      (out, "open", ["--account", "work"], "Account work is not signed in.\n  ritualctl sign-in --account work", 4),
      (ended, "open", [], "Session expired. Please sign in again.\n  ritualctl sign-in --account work", 4),
      ("", "locked", [], "The vault is locked.\n  ritualctl unlock", 5),
      ("", wrongKey, [], "Unable to access secure storage.\n  restore the key", 5),
      ("", wrongKey, ["--account", "work"], "Unable to access secure storage.\n  restore the key", 5),
    ] as [(String, String, [String], String, Int32)] {
      try await withBench(StatusTests.status(accounts, vault: vault)) { bench in
        let output = try await bench.start(["whoami"] + words).end()
        #expect((output.stdout, output.stderr, output.status) == ("", "ritualctl: \(expected)\n", status))
        #expect(try await bench.start(["status"] + words).end().status == status)
      }
    }
  }
}
