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

  /// A call of `ritualctl` with BROWSER, or without it on a desktop, where xdg-open opens the page. `{}` stands for
  /// the directory of the test's programs.
  struct BrowserCase: Sendable, CustomTestStringConvertible {
    var variable: String?
    var environment: [String: String] = [:]
    var url = "https://auth.example.org/a"
    /// The arguments of the browser, one per line; nil if none is started.
    let arguments: String?
    /// A part of the messages.
    var message = "open this URL to sign in"

    var testDescription: String { "\(variable ?? "xdg-open") \(environment) \(url)" }
  }

  @Test(
    "a program in BROWSER opens the page, also over SSH and without a display, else the desktop does; never an unsafe URL",
    arguments: [
      BrowserCase(arguments: "https://auth.example.org/a\n"),
      BrowserCase(url: "http://127.0.0.1:4000/a", arguments: "http://127.0.0.1:4000/a\n"),
      BrowserCase(environment: ["SSH_CONNECTION": "1 2 3 4"], arguments: nil, message: "no browser was opened"),
      BrowserCase(url: "http://example.org/a", arguments: nil, message: "no browser was opened"),
      BrowserCase(url: "javascript:alert(1)", arguments: nil, message: "no browser was opened"),
      BrowserCase(url: "file:///etc/passwd", arguments: nil, message: "no browser was opened"),
      BrowserCase(url: "--help", arguments: nil, message: "no browser was opened"),
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
      let isDesktop = one.variable == nil
      for name in ["/xdg-open", "/w3m", "/lynx"] {
        let body = isDesktop && name == "/xdg-open" ? script : "touch \(programs)/wrong"
        try await ShellScript.install(body, as: programs + name)
      }
      func filled(_ text: String) -> String { text.replacing("{}", with: programs) }
      var environment = ["PATH": programs + ":/usr/bin:/bin"]
      environment[isDesktop ? "DISPLAY" : "BROWSER"] = one.variable.map(filled) ?? ":0"
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
