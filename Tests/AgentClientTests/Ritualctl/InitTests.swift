import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct InitTests {
  private static let arguments = ["init", "--project-url", "https://x.supabase.co", "--anon-key", #"a"b\c"#]

  @Test("writes a new file, 0600 in a 0700 directory, without an agent")
  func writesAFile() async throws {
    try await withScratchDirectory { folder in
      let arguments = Self.arguments + ["--api-url", "http://127.0.0.1:80/", "--project", "a.b"]
      let output = try await Ritualctl(arguments, in: folder).end()
      let file = folder.path + "/.config/ritual-agent/config.toml"
      #expect(output.status == 0)
      #expect(output.stdout == "project a.b added to \(file)\n")
      #expect(output.stderr.hasPrefix("ritualctl: warning: the agent is not running\n  "))
      #expect(
        try String(contentsOfFile: file, encoding: .utf8) == """
          [projects."a.b"]
          url = "https://x.supabase.co"
          anon_key = "a\\"b\\\\c"
          api_url = "http://127.0.0.1:80"

          """)
      #expect(try mode(file) == 0o600)
      #expect(try mode(folder.path + "/.config/ritual-agent") == 0o700)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.config/ritual-agent") == ["config.toml"])
    }
  }

  @Test(
    "appends, and keeps every byte that a person wrote",
    arguments: [
      "# mine", "[sign_in]\ntimeout = 5 # s\n", "[projects.other]\nurl = 'https://y.supabase.co'\nanon_key = 'k'",
      "[projects.other]\nurl = 'https://y.supabase.co'\nanon_key = \"\"\"\n[projects.default]\"\"\"\n",
    ])
  func appends(old: String) async throws {
    try await withScratchDirectory { folder in
      let file = folder.path + "/config.toml"
      try old.write(toFile: file, atomically: true, encoding: .utf8)
      let output = try await Ritualctl(Self.arguments + ["--config", file, "--quiet"], in: folder).end()
      #expect(output.status == 0, "\(output.stderr)")
      let new = try String(contentsOfFile: file, encoding: .utf8)
      #expect(new.hasPrefix(old + (old.hasSuffix("\n") ? "\n" : "\n\n") + "[projects.default]\n"))
      #expect(try mode(file) == 0o600)
    }
  }

  @Test(
    "leaves an existing project alone, however it is written",
    arguments: [
      "[projects.default]\n", "  [ projects . \"default\" ] # c\n", "[projects.'default']\nurl='x'\n",
      "[projects]\ndefault = { url = \"x\" }\n", "[projects]\ndefault.url = \"x\"\n", "projects.default.url = \"x\"\n",
      "a = [\n [\"]\"],\n]\n[projects]\n\"default\".url = 'x'\n", "x = '''\n'''\n[projects.default.more]\n",
      "projects = { }\n",
    ])
  func refusesKnownProjects(old: String) async throws {
    try await withScratchDirectory { folder in
      let file = folder.path + "/config.toml"
      try old.write(toFile: file, atomically: true, encoding: .utf8)
      let output = try await Ritualctl(Self.arguments + ["--config", file], in: folder).end()
      #expect(output.status == 1)
      #expect(output.stderr.contains("\n  "), "it says what to do")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == old)
    }
  }

  @Test("rejects a directory that others can write and a file that is not UTF-8, and writes nothing")
  func refusesUnsafePlaces() async throws {
    try await withScratchDirectory { folder in
      #expect(mkdir(folder.path + "/open", 0o700) == 0 && chmod(folder.path + "/open", 0o777) == 0)
      let open = try await Ritualctl(Self.arguments + ["--config", folder.path + "/open/c.toml"], in: folder).end()
      #expect(open.status == 1)
      #expect(open.stderr.contains("chmod go-w"))
      let latin = folder.path + "/latin.toml"
      try Data([0x23, 0xE4, 0x0A]).write(to: URL(fileURLWithPath: latin))
      #expect(try await Ritualctl(Self.arguments + ["--config", latin], in: folder).end().status == 1)
      #expect(try Data(contentsOf: URL(fileURLWithPath: latin)) == Data([0x23, 0xE4, 0x0A]))
    }
  }

  @Test("a running agent reloads the file and reports whether the project answers")
  func reloads() async throws {
    try await withBench { _, _ in
      Reply.result(#"{"projects":["default"],"warning":"it does not answer"}"#)
    } _: { bench in
      let output = try await bench.start(Self.arguments + ["--json"]).end()
      let file = bench.folder.path + "/.config/ritual-agent/config.toml"
      #expect(output.status == 0)
      #expect(
        output.stdout
          == #"{"change":"added","configuration":"\#(file)","formatVersion":1,"project":"default","warning":"it does not answer"}"#
          + "\n")
      #expect(output.stderr == "")
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"agent.reload","params":{"check":"default","file":"\#(file)"}}"#
        ])
    }
    try await withBench { _, _ in
      Reply.error("misconfigured", "line 3")
    } _: { bench in
      let output = try await bench.start(Self.arguments).end()
      #expect(output.status == 1)
      #expect(
        output.stderr == "ritualctl: the agent rejected this configuration, and nothing was changed: line 3\n")
      #expect(access(bench.folder.path + "/.config", F_OK) != 0, "nothing is left behind")
      let file = bench.folder.path + "/config.toml"
      #expect(try await Ritualctl(Self.arguments + ["--config", file], in: bench.folder).end().status == 0)
      let unchanged = try await bench.start(Self.arguments + ["--update", "--config", file]).end()
      #expect(unchanged.status == 1)
      #expect(unchanged.stderr == output.stderr)
    }
  }

  @Test("a warning includes the step that helps")
  func keepsHints() async throws {
    try await withBench { _, _ in
      Reply.error("tooMany", "Too many requests.", hint: "try again")
    } _: { bench in
      let file = bench.folder.path + "/other.toml"
      let output = try await bench.start(Self.arguments + ["--config", file]).end()
      #expect(output.status == 0)
      #expect(
        output.stderr == "ritualctl: warning: the agent did not reload it: Too many requests.\n  try again\n")
    }
    try await withBench { _, _ in
      Reply.result(#"{"projects":[]}"#)
    } _: { bench in
      bench.server.stop()
      let programs = (Ritualctl.path as NSString).deletingLastPathComponent
      let output = try await bench.start(Self.arguments, environment: ["PATH": programs]).end()
      #expect(output.stderr.contains("the agent is not running\n  ritual-agentd --socket "), "\(output.stderr)")
    }
  }

  @Test("a socket that may not be opened is no stopped agent")
  func reportsForbiddenSocket() async throws {
    try await withBench { _, _ in
      Reply.result(#"{"projects":["default"]}"#)
    } _: { bench in
      // root may open every socket, unless it gives up that capability.
      #expect(chmod(bench.server.path, 0) == 0)
      let asUser = geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-all"] : []
      let output = try await RunningProgram(
        "/usr/bin/env", asUser + [Ritualctl.path] + Self.arguments,
        environment: Ritualctl.environment(bench.folder, ["RITUAL_AGENT_SOCKET": bench.server.path]),
        folder: bench.folder
      ).end()
      #expect(output.status == 0)
      #expect(
        output.stderr == "ritualctl: warning: cannot connect to the agent at \(bench.server.path) (Permission denied)\n"
          + "  use the socket of your own agent\n")
    }
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }
}
