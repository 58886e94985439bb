import AgentProtocol
import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct TokenTests {
  private var folder: URL { scratchDirectory }

  @Test(
    "every format is exact; quotes and backslashes are kept",
    arguments: [
      ("raw", #"a'b"c\d"#), ("header", #"Authorization: Bearer a'b"c\d"#),
      ("env", #"export RITUAL_ACCESS_TOKEN='a'\''b"c\d'"#), ("curl", #"header = "Authorization: Bearer a'b\"c\\d""#),
      (
        "json",
        #"{"accessToken":"a'b\"c\\d","account":"work","expiresAt":"2026-11-21T04:48:17Z","expiresIn":600,"#
          + #""formatVersion":1,"tokenType":"bearer"}"#
      ),
    ])
  func printsFormats(format: String, text: String) async throws {
    try await withBench(Reply.token(#"a'b\"c\\d"#)) { bench in
      let output = try await bench.run("token", "--format", format)
      #expect(output.stdout == text + "\n")
      #expect(output.stderr == "")
      #expect(output.status == 0)
    }
  }

  @Test("sends the options in the request; prints raw by default, and JSON with --json")
  func sendsOptions() async throws {
    try await withBench(Reply.token("t")) { bench in
      let rejected = String(repeating: "0a", count: 32)
      let output = try await bench.run("token", "--account", "work", "--min-ttl", "300", "--rejected", rejected)
      #expect(output.stdout == "t\n")
      #expect(output.stderr == "")
      #expect(try await bench.run("token", "--json").stdout.hasPrefix(#"{"accessToken":"t""#))
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"session.token","params":{"account":"work","minTTL":300,"#
            + #""reason":"ritualctl token","rejected":"\#(rejected)"}}"#,
          #"{"id":1,"jsonrpc":"2.0","method":"session.token","params":{"reason":"ritualctl token"}}"#,
        ])
    }
  }

  @Test("TK-4: does not print a rejected token that is still the newest; exits with 7 and a time to retry")
  func refusesTheRejectedToken() async throws {
    try await withBench(Reply.token("t", more: #","unchanged":true"#)) { bench in
      let rejected = String(repeating: "0a", count: 32)
      for format in ["raw", "json", "curl"] {
        let output = try await bench.run("token", "--format", format, "--rejected", rejected)
        #expect(output.status == 7)
        #expect(output.stdout == "")
        #expect(output.stderr.contains("the rejected token is still the newest token of account work"))
      }
      let json = try await bench.run("token", "--json", "--rejected", rejected)
      #expect(json.status == 7)
      #expect(json.stdout == "")
      #expect(
        json.stderr.contains(#""kind":"unchanged""#) && json.stderr.contains(#""retryAfter":5"#), "\(json.stderr)")
    }
  }

  @Test("does not print a token that could become another header or command", arguments: [#"a\nb"#, "a b", "ä", ""])
  func refusesOddTokens(token: String) async throws {
    try await withBench(Reply.token(token)) { bench in
      for arguments in [["token"], ["token", "--format", "env"], ["exec", "--", "/bin/echo", "ran"]] {
        let output = try await bench.start(arguments).end()
        #expect(output.status == (arguments[0] == "exec" ? 125 : 1))
        #expect(output.stdout == "")
      }
    }
  }

  @Test("exec says that a token is too large for a variable; one that just fits is set")
  func limitsVariables() async throws {
    let longest = 32 * Int(sysconf(Int32(_SC_PAGESIZE))) - "RITUAL_ACCESS_TOKEN=".utf8.count - 1
    for (length, status) in [(longest, Int32(0)), (longest + 1, 125)] {
      try await withBench { _, _ in
        Reply.token(String(repeating: "x", count: length))
      } _: { bench in
        let output = try await bench.run("exec", "--", "/bin/sh", "-c", "echo ${#RITUAL_ACCESS_TOKEN}")
        #expect(output.status == status && output.stdout == (status == 0 ? "\(length)\n" : ""), "\(output.stderr)")
        #expect(
          output.stderr.contains("too large for a variable: Linux allows 128 KiB") == (status != 0), "\(output.stderr)")
      }
    }
  }

  @Test("an agent that does not answer in time causes exit 7", .scratchDirectory)
  func timesOut() async throws {
    let server = try ScriptedServer(in: folder) { connection in while connection.readLine() != nil {} }
    defer { server.stop() }
    let bench = Bench(folder: folder, server: server)
    let output = try await bench.run("token", "--timeout", "0.2")
    #expect(output.status == 7)
    #expect(output.stderr.hasPrefix("ritualctl: the agent did not respond within 0.2 s\n"))
  }

  @Test("exec becomes the command, with the token in its environment, no core dumps, and its status")
  func becomesTheCommand() async throws {
    try await withBench(Reply.token("t")) { bench in
      let script = "echo $RITUAL_ACCESS_TOKEN $(ulimit -c) \"$1\"; exit 9"
      let output = try await bench.run("exec", "--account", "work", "--", "/bin/sh", "-c", script, "sh", "--json")
      #expect(output.stdout == "t 0 --json\n")
      #expect(output.status == 9)
      #expect(try await bench.run("exec", "--", bench.folder.path + "/program").status == 127)
      #expect(try await bench.run("exec", "--", bench.folder.path).status == 126)
      #expect(try await bench.run("exec").status == 64)
    }
    try await withBench(Reply.error("signInNeeded", hint: "ritualctl sign-in")) { bench in
      let output = try await bench.run("exec", "--", "/bin/echo", "ran")
      #expect(output.status == 125)
      #expect(output.stdout == "")
      #expect(output.stderr == "ritualctl: words (signInNeeded)\n  ritualctl sign-in\n")
    }
  }

  @Test("exec asks for the project's URLs and key, and exports them instead of inherited ones")
  func exportsTheProject() async throws {
    let print = [
      "--", "/bin/sh", "-c", "echo $RITUAL_API_URL ${SUPABASE_URL-none} ${SUPABASE_KEY-none} $RITUAL_API_SOCKET",
    ]
    let inherited = ["RITUAL_API_URL": "old", "SUPABASE_URL": "old", "SUPABASE_KEY": "old", "RITUAL_API_SOCKET": "old"]
    for (api, stdout, stderr) in [
      (#","apiURL":"https://api.example.org""#, "https://api.example.org https://abc.supabase.co anon\n", ""),
      (
        "", "https://abc.supabase.co anon\n",
        "ritualctl: warning: RITUAL_API_URL is not set, because the API URL changed after the sign-in\n"
          + "  if you trust it: ritualctl use-api --account work\n"
      ),
    ] {
      try await withBench { _, _ in
        Reply.token("t", more: #","endpoints":{"projectURL":"https://abc.supabase.co","anonKey":"anon"\#(api)}"#)
      } _: { bench in
        let output = try await bench.start(["exec"] + print, environment: inherited).end()
        #expect(output.stdout == stdout)
        #expect(output.stderr == stderr)
        #expect(
          bench.server.lines == [
            #"{"id":1,"jsonrpc":"2.0","method":"session.token","params":{"endpoints":true,"reason":"ritualctl exec"}}"#
          ])
      }
    }
    // An agent of an older version sends no endpoints.
    try await withBench(Reply.token("t")) { bench in
      let output = try await bench.start(["exec"] + print, environment: inherited).end()
      #expect(output.stdout == "none none\n")
    }
  }

  @Test("--rejected-stdin takes the token itself, and sends only its hash")
  func hashesTheRejectedToken() async throws {
    try await withBench(Reply.token("new")) { bench in
      for input in ["t", "t\n", "t\r\nmore\n"] {
        #expect(try await bench.run("token", "--rejected-stdin", input: input).stdout == "new\n")
      }
      let hash = "e3b98a4da31a127d4bde6e43033f66ba274cab0eb7eb1c70ec41402bf6273dd8"
      #expect(bench.server.lines.count == 3)
      #expect(bench.server.lines.allSatisfy { $0.contains(#""rejected":"\#(hash)""#) }, "\(bench.server.lines)")
      for input in ["", "\n", "Authorization: Bearer t\n", "t\u{1B}\n", String(repeating: "t", count: 70_000)] {
        let output = try await bench.run("token", "--rejected-stdin", input: input)
        #expect(output.status == 64 && output.stdout.isEmpty, "\(input.prefix(30)): \(output)")
      }
      #expect(try await bench.run("token", "--rejected-stdin", "--rejected", hash, input: "t").status == 64)
      #expect(bench.server.lines.count == 3)
    }
  }

  @Test(
    "a token as an argument is refused and not repeated",
    arguments: [["SECRET"], ["--rejected-stdin", "SECRET"], ["--rejected-stdin=SECRET"], ["--", "SECRET"]])
  func repeatsNoToken(arguments: [String]) async throws {
    try await withBench(Reply.token("t")) { bench in
      let output = try await bench.start(["token"] + arguments).end()
      #expect(output.status == 64 && output.stdout.isEmpty && bench.server.lines.isEmpty)
      #expect(!output.stderr.contains("SECRET") && output.stderr.contains("use --rejected-stdin"), "\(output.stderr)")
    }
  }

  @Test(
    "--copy sends the token to the clipboard of the terminal, and prints only a note",
    arguments: [("raw", "dA=="), ("header", "QXV0aG9yaXphdGlvbjogQmVhcmVyIHQ=")])
  func copies(format: String, encoded: String) async throws {
    try await withBench(Reply.token("t")) { bench in
      let output = try await bench.runInTerminal(
        "finish()", environment: ["TERM": "xterm-256color"], "token", "--copy", "--format", format)
      #expect(output.status == 0)
      #expect(
        output.stdout == "\u{1B}]52;c;\(encoded)\u{07}"
          + "ritualctl: sent the token of account work to the terminal's clipboard\n")
    }
  }

  @Test("--copy requests no token without a terminal that has a clipboard, and excludes JSON")
  func needsAClipboard() async throws {
    try await withBench(Reply.token("t")) { bench in
      let detached = try await bench.run("token", "--copy", environment: ["TERM": "xterm"])
      #expect(detached.status == 1 && detached.stdout.isEmpty)
      #expect(detached.stderr.hasPrefix("ritualctl: there is no terminal whose clipboard"), "\(detached.stderr)")
      for terminal in ["linux", "dumb", ""] {
        let output = try await bench.runInTerminal("finish()", environment: ["TERM": terminal], "token", "--copy")
        #expect(output.status == 1)
        #expect(output.stdout.hasSuffix(" this terminal has no clipboard (TERM=\(terminal))\n"))
      }
      for option in [["--json"], ["--format", "json"]] {
        #expect(try await bench.start(["token", "--copy"] + option).end().status == 64)
      }
      #expect(bench.server.lines.isEmpty)
    }
  }

  @Test("prints events as they arrive; Ctrl-C exits with 2, a disconnect with 7", .scratchDirectory)
  func followsEvents() async throws {
    let server = try ScriptedServer(in: folder) { [folder] connection in
      _ = connection.readLine()
      let event = #"{"sequence":7,"type":"SIGNED_OUT","at":"2025-11-21T04:48:17Z","account":"work","reason":"why"}"#
      connection.send(#"{"jsonrpc":"2.0","id":1,"result":{"epoch":"e","sequence":7}}"# + "\n")
      connection.send(#"{"jsonrpc":"2.0","method":"event","params":\#(event)}"# + "\n")
      if !FileManager.default.fileExists(atPath: folder.path + "/close") { _ = connection.readLine() }
    }
    defer { server.stop() }
    let bench = Bench(folder: folder, server: server)
    for (arguments, line) in [
      (["events"], "2025-11-21 04:48 UTC  SIGNED_OUT  work  why\n"),
      (
        ["events", "--json"],
        #"{"account":"work","at":"2025-11-21T04:48:17Z","formatVersion":1,"reason":"why","sequence":7,"type":"SIGNED_OUT"}"#
          + "\n"
      ),
    ] {
      let command = try bench.start(arguments, detached: false)
      try await eventually("the event") { command.stdout == line }
      command.send(SIGINT)
      #expect(try await command.end().status == 2)
    }
    _ = FileManager.default.createFile(atPath: folder.path + "/close", contents: nil)
    #expect(try await bench.run("events").status == 7)
  }
}
