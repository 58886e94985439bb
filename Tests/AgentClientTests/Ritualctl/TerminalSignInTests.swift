import Foundation
import Glibc
import TestKit
import Testing

/// Sign-in on a terminal, simulated by Python's pty module.
@Suite(.timeLimit(.minutes(2))) struct TerminalSignInTests {
  private var folder: URL { scratchDirectory }

  private static let flow =
    #"{"flow":"f","url":"https://auth.example.org/authorize?x=1","expiresAt":"2099-11-21T04:48:17Z"}"#
  private static let late = Reply.error("flowTimedOut", "Nothing came yet.", hint: "Site URL")

  /// An agent that offers `methods`, and answers each `signIn.wait` with `wait` of its number; nil
  /// means no response.
  private static func server(
    _ folder: URL, methods: String = #"["apple","google","email"]"#,
    wait: @escaping @Sendable (_ starts: Int, _ waits: Int) -> String?
  ) throws -> ScriptedServer {
    try ScriptedServer(in: folder) { connection in
      var (starts, waits) = (0, 0)
      while let line = connection.readLine() {
        let request = ScriptedRequest(line)
        if request.method == "signIn.start" { starts += 1 }
        if request.method == "signIn.wait" { waits += 1 }
        let reply: String? =
          switch request.method {
          case "signIn.methods": Reply.result(#"{"methods":\#(methods),"signUp":true}"#)
          case "signIn.start": Reply.result(Self.flow)
          case "signIn.wait": wait(starts, waits)
          case "signIn.cancel": Reply.result("{}")
          case _ where line.contains("wrong"): Reply.error("callbackInvalid", "Sign in failed.")
          default: SignInTests.signedIn
          }
        if let reply { connection.send(#"{"jsonrpc":"2.0","id":\#(request.id),"# + reply + "}\n") }
      }
    }
  }

  @Test(
    "SI-1: without a display the method is chosen by number, name or the start of a name, after any wrong word",
    .scratchDirectory,
    arguments: [
      (["2"], "google"), (["go"], "google"), (["a"], "apple"), (["APPLE "], "apple"),
      (["xyz", "12", "", "google"], "google"), (["x\\x1b[B", "1"], "apple"),
    ] as [([String], String)])
  func chooses(answers: [String], provider: String) async throws {
    let server = try Self.server(folder) { _, _ in SignInTests.signedIn }
    defer { server.stop() }
    var script = ["expect('Continue with')", "expect('  1  Apple')"]
    for answer in answers { script += ["expect('Enter a number (1-3) or a name: ')", "say('\(answer)\\n')"] }
    script += ["expect('signed in to work')", "finish()"]
    let output = try await Bench(folder: folder, server: server).runInTerminal(
      script.joined(separator: "\n"), environment: ["TERM": "xterm"], "sign-in")
    #expect(output.status == 0, "\(output.stdout)")
    #expect(server.lines.contains { $0.contains(#""provider":"\#(provider)""#) }, "\(server.lines)")
    for wrong in answers.dropLast() where !wrong.isEmpty {
      #expect(output.stdout.contains("no such choice: \(wrong.prefix { $0.isLetter || $0.isNumber })"))
    }
    #expect(output.stdout.allSatisfy { $0 != "\u{1B}" }, "\(output.stdout)")
  }

  @Test("a project with one method asks nothing", .scratchDirectory)
  func asksNothing() async throws {
    let server = try Self.server(folder, methods: #"["google"]"#) { _, _ in SignInTests.signedIn }
    defer { server.stop() }
    let output = try await Bench(folder: folder, server: server).runInTerminal(
      "expect('signed in to work')\nfinish()", environment: ["TERM": "xterm"], "sign-in")
    #expect(output.status == 0, "\(output.stdout)")
    #expect(!output.stdout.contains("Enter a number"))
  }

  @Test("Ctrl-C and Ctrl-D in the list cancel with 2, before a sign-in starts", arguments: [#"\x03"#, #"\x04"#])
  func cancelsInTheList(key: String) async throws {
    try await withScratchDirectory { folder in
      let server = try Self.server(folder) { _, _ in SignInTests.signedIn }
      defer { server.stop() }
      let output = try await Bench(folder: folder, server: server).runInTerminal(
        "expect('a name: ')\nsay('\(key)')\nfinish()", environment: ["TERM": "xterm"], "sign-in")
      #expect(output.status == 2, "\(output.stdout)")
      #expect(!server.lines.contains { $0.contains("signIn.start") })
    }
  }

  @Test("SI-1: on a desktop, the browser opens the sign-in page", .scratchDirectory)
  func opensThePage() async throws {
    let server = try Self.server(folder) { _, _ in SignInTests.signedIn }
    defer { server.stop() }
    let output = try await Bench(folder: folder, server: server).run(
      "sign-in", environment: ["DISPLAY": ":0", "PATH": folder.path])
    #expect(output.status == 0, "\(output.stderr)")
    let start = try #require(server.lines.first { $0.contains("signIn.start") })
    #expect(!start.contains("provider") && !start.contains("redirect"))
    #expect(output.stderr.contains("no browser could be opened: xdg-open is missing"))
  }

  @Test("an opener that fails leaves the printed URL to the person", .scratchDirectory)
  func leavesTheURLToThePerson() async throws {
    let server = try Self.server(folder) { _, _ in SignInTests.signedIn }
    defer { server.stop() }
    try await ShellScript.install("exit 4", as: folder.path + "/xdg-open")
    let output = try await Bench(folder: folder, server: server).runInTerminal(
      """
      expect('open this URL')
      expect('xdg-open failed with exit status 4')
      expect('open the URL in any browser')
      expect('signed in to work')
      finish()
      """, environment: ["TERM": "xterm", "DISPLAY": ":0", "PATH": folder.path], "sign-in", "google")
    #expect(output.status == 0, "\(output.stdout)")
  }

  @Test("SI-11: shows the time that is left; after a timeout, Enter begins again", .scratchDirectory)
  func beginsAgain() async throws {
    let server = try Self.server(folder) { $0 == 2 ? SignInTests.signedIn : $1 == 1 ? Self.late : nil }
    defer { server.stop() }
    let output = try await Bench(folder: folder, server: server).runInTerminal(
      """
      expect('Nothing came yet.')
      expect('Site URL')
      expect('press Enter to start again')
      expect('left; press Ctrl-C to cancel')
      say('\\n')
      expect('signed in to work')
      finish()
      """, environment: ["TERM": "xterm", "DISPLAY": ":0", "PATH": folder.path], "sign-in", "google")
    #expect(output.status == 0, "\(output.stdout)")
    let methods = server.lines.map { ScriptedRequest($0).method }
    // How often it asks meanwhile is not said.
    #expect(methods.filter { $0 != "signIn.wait" } == ["signIn.start", "signIn.cancel", "signIn.start"])
  }

  @Test("SI-7: over ssh, the URL and the paste prompt appear by themselves, without a countdown in the paste")
  func pastesOverSSH() async throws {
    try await withScratchDirectory { folder in
      let server = try Self.server(folder) { _, _ in nil }
      defer { server.stop() }
      let output = try await Bench(folder: folder, server: server).runInTerminal(
        """
        expect('https://auth.example.org/authorize?x=1')
        expect('copy its address and paste it here')
        say('http://127.0.0.1:1022/callback?wrong\\n')
        expect('Sign in failed.')
        say('http://127.0.0.1:1022/callback?code=1\\n')
        expect('signed in to work')
        finish()
        """, environment: ["TERM": "xterm", "DISPLAY": ":0", "SSH_CONNECTION": "1 2 3 4"], "sign-in", "google")
      #expect(output.status == 0, "\(output.stdout)")
      #expect(!output.stdout.contains("left;"))
    }
  }

  @Test("--qr draws the URL, or names what to install", .scratchDirectory)
  func drawsACode() async throws {
    let server = try Self.server(folder) { _, _ in SignInTests.signedIn }
    defer { server.stop() }
    let bench = Bench(folder: folder, server: server)
    let drawn = try await bench.run("sign-in", "google", "--no-browser", "--qr")
    #expect(drawn.status == 0, "\(drawn.stderr)")
    #expect(drawn.stderr.contains("▄") || drawn.stderr.contains("█"))
    #expect(drawn.stdout == "https://auth.example.org/authorize?x=1\n")
    let missing = try await bench.run("sign-in", "google", "--no-browser", "--qr", environment: ["PATH": folder.path])
    #expect(missing.status == 1)
    #expect(missing.stderr.contains("sudo apt install qrencode"))
  }

  @Test("WS-5: the end of the organization's 2 minutes does not end a longer --timeout")
  func waitsForTheWholeTimeout() async throws {
    // The arguments, the number of the wait that has the result, the exit status, and whether the
    // command goes on after the first timeout; nil if that depends on the time.
    let cases: [([String], Int, Int32, Bool?)] = [
      (["--timeout", "300"], 2, 0, true), (["--timeout", "0.5"], 0, 7, nil), ([], 0, 7, false),
    ]
    for (arguments, last, status, continues) in cases {
      try await withScratchDirectory { folder in
        let server = try Self.server(folder) { $1 == last ? SignInTests.signedIn : $1 == 1 ? Self.late : nil }
        defer { server.stop() }
        let bench = Bench(folder: folder, server: server)
        let output = try await bench.start(["sign-in", "sso", "--domain", "b.c"] + arguments).end()
        #expect(output.status == status, "\(output)")
        #expect(output.stderr.contains("Nothing came yet.\n  Site URL\n"), "\(output)")
        guard let continues else { return }
        #expect(output.stderr.contains("  still waiting\n") == continues, "\(output)")
        #expect(server.lines.count { $0.contains("signIn.wait") } == (continues ? 2 : 1))
      }
    }
  }

  @Test("WS-5: the countdown ends with the time for the organization's page", .scratchDirectory)
  func countsToTheLimit() async throws {
    let server = try Self.server(folder) { $1 == 1 ? Self.late : nil }
    defer { server.stop() }
    let output = try await Bench(folder: folder, server: server).runInTerminal(
      "expect('still waiting; press Enter')\nshown = ''\nexpect('browser, 1:5')\nsay('\\x03')\nfinish()",
      environment: ["TERM": "xterm", "DISPLAY": ":0", "PATH": folder.path], "sign-in", "sso", "--domain", "b.c")
    #expect(output.status == 2, "\(output.stdout)")
  }
}
