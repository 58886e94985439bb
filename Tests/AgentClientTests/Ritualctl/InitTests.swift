import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct InitTests {
  private var folder: URL { scratchDirectory }

  private static let arguments = ["init", "--project-url", "https://x.supabase.co", "--anon-key", #"a"b\c"#]

  @Test("writes a new file, 0600 in a 0700 directory, without an agent", .scratchDirectory)
  func writesAFile() async throws {
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

  @Test("rejects a directory that others can write and a file that is not UTF-8, and writes nothing", .scratchDirectory)
  func refusesUnsafePlaces() async throws {
    #expect(mkdir(folder.path + "/open", 0o700) == 0 && chmod(folder.path + "/open", 0o777) == 0)
    let open = try await Ritualctl(Self.arguments + ["--config", folder.path + "/open/c.toml"], in: folder).end()
    #expect(open.status == 1)
    #expect(open.stderr.contains("chmod go-w"))
    let latin = folder.path + "/latin.toml"
    try Data([0x23, 0xE4, 0x0A]).write(to: URL(fileURLWithPath: latin))
    #expect(try await Ritualctl(Self.arguments + ["--config", latin], in: folder).end().status == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: latin)) == Data([0x23, 0xE4, 0x0A]))
  }

  @Test("a plain http server on the local network is refused, with what works instead", .scratchDirectory)
  func refusesPlainHTTP() async throws {
    let output = try await Ritualctl(
      ["init", "--project-url", "http://192.168.1.5:8000", "--anon-key", "key"], in: folder
    ).end()
    #expect(output.status == 64)
    for words in ["--project-url: use https, with ca_file ", "ssh -L or socat"] {
      #expect(output.stderr.contains(words), "\(output.stderr)")
    }
    #expect(access(folder.path + "/.config", F_OK) != 0)
  }

  @Test("a running agent reloads the file and reports whether the project answers")
  func reloads() async throws {
    try await withBench(Reply.result(#"{"projects":["default"],"warning":"it does not answer"}"#)) { bench in
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
    try await withBench(Reply.error("misconfigured", "line 3")) { bench in
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
    try await withBench(Reply.error("tooMany", "Too many requests.", hint: "try again")) { bench in
      let file = bench.folder.path + "/other.toml"
      let output = try await bench.start(Self.arguments + ["--config", file]).end()
      #expect(output.status == 0)
      #expect(
        output.stderr == "ritualctl: warning: the agent did not reload it: Too many requests.\n  try again\n")
    }
  }

  @Test("a socket that may not be opened is no stopped agent")
  func reportsForbiddenSocket() async throws {
    try await withBench(Reply.result(#"{"projects":["default"]}"#)) { bench in
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
