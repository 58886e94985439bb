import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct BrowserSignInTests {
  /// An agent whose flow has the URL `url`, and which answers `signIn.wait` with `wait`.
  private static func agent(
    _ url: String = "https://auth.example.org/authorize?x=1", wait: String = SignInTests.signedIn
  ) -> @Sendable (String, String) -> String {
    { method, _ in
      method == "signIn.start"
        ? Reply.result(#"{"flow":"f","url":"\#(url)","expiresAt":"2026-11-21T04:48:17Z"}"#) : wait
    }
  }

  @Test("SI-2: prints the URL, waits for this flow, and opens no browser without a display")
  func waits() async throws {
    try await withBench(Self.agent()) { bench in
      let output = try await bench.run(
        "sign-in", "google", "--account", "work", "--timeout", "5", "--redirect-port", "4000")
      #expect(output.status == 0)
      #expect(output.stdout == "signed in to work as anna@example.org (Google)\n")
      #expect(output.stderr.contains("\n  https://auth.example.org/authorize?x=1\n"))
      #expect(output.stderr.contains("ritualctl complete-sign-in"))
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"signIn.start","params":{"account":"work","port":4000,"provider":"google","#
            + #""timeout":5}}"#,
          #"{"id":2,"jsonrpc":"2.0","method":"signIn.wait","params":{"flow":"f"}}"#,
        ])
    }
  }

  @Test("SI-7c: with --no-browser, stdout has only the URL")
  func printsTheAddressAlone() async throws {
    try await withBench(Self.agent()) { bench in
      let output = try await bench.run("sign-in", "google", "--no-browser")
      #expect(output.status == 0)
      #expect(output.stdout == "https://auth.example.org/authorize?x=1\n")
      #expect(output.stderr.hasSuffix("ritualctl: signed in to work as anna@example.org (Google)\n"))
      #expect(bench.server.lines[0].contains(#""redirect":"manual""#))
      let quiet = try await bench.run("sign-in", "google", "--no-browser", "--quiet")
      #expect(quiet.stderr == "")
    }
  }

  @Test("opens the browser with the URL, but not in an ssh session, and never with an unsafe URL")
  func opensTheBrowser() async throws {
    try await withScratchDirectory { folder in
      let (programs, seen) = (folder.path + "/bin", folder.path + "/seen")
      try await ShellScript.install(
        "printf '%s' \"$*\" > \(seen).new && mv \(seen).new \(seen)\necho noise", as: programs + "/xdg-open")
      for (url, more, opens) in [
        ("https://auth.example.org/a", [:], true), ("http://127.0.0.1:4000/a", [:], true),
        ("https://auth.example.org/a", ["SSH_CONNECTION": "1 2 3 4"], false), ("http://example.org/a", [:], false),
        ("javascript:alert(1)", [:], false), ("file:///etc/passwd", [:], false), ("--help", [:], false),
      ] as [(String, [String: String], Bool)] {
        try await withBench(Self.agent(url)) { bench in
          let environment = ["DISPLAY": ":0", "PATH": programs + ":/usr/bin:/bin"].merging(more) { $1 }
          let output = try await bench.run("sign-in", "google", environment: environment)
          #expect(output.status == 0)
          #expect(output.stderr.contains(url))
          #expect(output.stderr.contains("no browser was opened") == !opens)
          #expect(!output.stderr.contains("no browser could be opened"))
          if opens {
            try await eventually("the browser") { FileManager.default.fileExists(atPath: seen) }
            #expect(try String(contentsOfFile: seen, encoding: .utf8) == url)
            unlink(seen)
          }
          #expect(!(output.stdout + output.stderr).contains("noise"))
        }
      }
      #expect(!FileManager.default.fileExists(atPath: seen))
    }
  }

  /// A call of `ritualctl` with BROWSER. `{}` stands for the directory of the test's programs.
  struct BrowserCase: Sendable, CustomTestStringConvertible {
    let variable: String
    var environment: [String: String] = [:]
    var url = "https://auth.example.org/a"
    /// The arguments of the browser, one per line; nil if no program of BROWSER is started.
    let arguments: String?
    /// A part of the messages.
    var message = "open this URL to sign in"

    var testDescription: String { "\(variable) \(environment)" }
  }

  @Test(
    "a program in BROWSER opens the page, also over SSH and without a display",
    arguments: [
      BrowserCase(
        variable: "{}/helper", arguments: "https://auth.example.org/a\n", message: "a browser was started"),
      BrowserCase(
        variable: "{}/helper", environment: ["SSH_CONNECTION": "1 2 3 4"], arguments: "https://auth.example.org/a\n",
        message: "copy its address"),
      BrowserCase(variable: "{}/helper", environment: ["DISPLAY": ":0"], arguments: "https://auth.example.org/a\n"),
      BrowserCase(
        variable: "/no/browser:w3m:{}/lynx %s:{}/helper --tab=%s 100%% %x",
        arguments:
          "--tab=https://auth.example.org/a\n100%\n%x\n"),
      BrowserCase(variable: "{}/with space/helper", arguments: "https://auth.example.org/a\n"),
      BrowserCase(
        variable: "{}/helper ;touch {}/x $HOME", arguments: ";touch\n{}/x\n$HOME\nhttps://auth.example.org/a\n"),
      BrowserCase(variable: "false:{}/helper", arguments: "https://auth.example.org/a\n"),
      BrowserCase(
        variable: "w3m:/no/browser:false", arguments: nil,
        message: "there is no display, and BROWSER names no graphical browser that can be started"),
      BrowserCase(
        variable: "lynx", environment: ["SSH_CONNECTION": "1 2 3 4"], arguments: nil, message: "this is an SSH session"),
      BrowserCase(
        variable: "{}/helper", url: "http://example.org/a", arguments: nil, message: "neither https nor on this machine"
      ),
      BrowserCase(variable: "", arguments: nil, message: "no browser was opened: there is no display\n"),
      BrowserCase(variable: " : %s:", arguments: nil, message: "no browser was opened"),
    ])
  func opensTheProgramOfTheVariable(_ one: BrowserCase) async throws {
    try await withBench(Self.agent(one.url)) { bench in
      let (programs, seen) = (bench.folder.path + "/bin", bench.folder.path + "/seen")
      let script = "printf '%s\\n' \"$@\" > \(seen).new && mv \(seen).new \(seen)\necho noise"
      for path in ["/helper", "/with space/helper"] { try await ShellScript.install(script, as: programs + path) }
      for name in ["/xdg-open", "/w3m", "/lynx"] {
        try await ShellScript.install("touch \(programs)/wrong", as: programs + name)
      }
      func filled(_ text: String) -> String { text.replacing("{}", with: programs) }
      let environment = ["BROWSER": filled(one.variable), "PATH": programs + ":/usr/bin:/bin"]
      let output = try await bench.run(
        "sign-in", "google", environment: environment.merging(one.environment) { $1 })
      #expect(output.status == 0)
      #expect(output.stderr.contains(one.url) && output.stderr.contains(one.message), "\(output.stderr)")
      #expect(!(output.stdout + output.stderr).contains("noise"))
      if let arguments = one.arguments {
        #expect(!output.stderr.contains("no browser"), "\(output.stderr)")
        try await eventually("the browser") { FileManager.default.fileExists(atPath: seen) }
        #expect(try String(contentsOfFile: seen, encoding: .utf8) == filled(arguments))
      } else {
        #expect(!FileManager.default.fileExists(atPath: seen))
      }
      for name in ["/wrong", "/x"] { #expect(access(programs + name, F_OK) != 0) }
    }
  }

  @Test("SI-10, SI-11: cancelling is silent; a timeout is reported, with the agent's hint")
  func endsOtherwise() async throws {
    try await withBench(Self.agent(wait: Reply.error("cancelled"))) { bench in
      let output = try await bench.run("sign-in", "google", "--quiet")
      #expect(output.status == 2)
      #expect(output.stdout == "")
      #expect(!output.stderr.contains("words"))
    }
    try await withBench(Self.agent(wait: Reply.error("flowTimedOut", "Nothing came.", hint: "Site URL"))) { bench in
      let output = try await bench.run("sign-in", "google", "--quiet")
      #expect(output.status == 7)
      #expect(output.stderr.hasSuffix("ritualctl: Nothing came.\n  Site URL\n"))
    }
  }
}
