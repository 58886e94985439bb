import AuthSandbox
import Foundation
import TestKit
import Testing

extension TestHome {
  /// Runs `ritualctl` without a terminal, even if the tests run on one.
  nonisolated func detached(
    _ arguments: [String], more: [String: String] = [:], input: String? = nil
  ) async throws -> Output {
    try await run(
      "/usr/bin/setsid", ["--wait", Programs.path("ritualctl")] + arguments, more: more, input: input)
  }

  /// Starts `ritualctl` on a terminal that `script` plays.
  nonisolated func startOnTerminal(_ arguments: [String], _ script: String) throws -> RunningProgram {
    let file = folder.path + "/terminal-\(UUID().uuidString).py"
    try (TerminalPlayer.script + script + "\nfinish()\n").write(toFile: file, atomically: true, encoding: .utf8)
    return try RunningProgram(
      "/usr/bin/python3", [file, Programs.path("ritualctl")] + arguments, environment: environment, folder: folder)
  }

  /// The newest email or text message, once there are `count`.
  nonisolated func mail(_ count: Int = 1) async throws -> SandboxMail {
    try await eventually("\(count) messages") { sandbox.mails.count == count }
    return try #require(sandbox.mails.last)
  }
}

/// Sign-in with codes and links against the sandbox.
@Suite(.timeLimit(.minutes(5))) struct CodeEndToEndTests {
  private static let words = ["sign-in", "code", "--email", TestHome.email]

  private static func wrong(_ code: String) -> String { code == "111111" ? "222222" : "111111" }

  @Test("a code by email signs in once; a wrong one changes nothing and sends no other code")
  func signsInByCode() async throws {
    try await withTestHome { home in
      let sent = try await home.detached(Self.words + ["--json"])
      #expect(sent.status == 4, "\(sent)")
      #expect(try sent.json()["outcome"] as? String == "codeSent")
      let code = try await home.mail().code
      let refused = try await home.detached(Self.words + ["--code-stdin"], input: Self.wrong(code) + "\n")
      #expect(refused.status == 1 && !(refused.stdout + refused.stderr).contains(Self.wrong(code)), "\(refused)")
      #expect(try await home.detached(["token"]).status == 4)
      let output = try await home.detached(
        Self.words + ["--code-stdin"], input: "\(code.prefix(3)) \(code.suffix(3))\n")
      #expect(output.status == 0, "\(output)")
      #expect(output.stdout.hasPrefix("signed in to default as anna@example.org"))
      #expect(home.sandbox.mails.count == 1)
      #expect(try await !home.token().isEmpty)
      let again = try await home.detached(
        Self.words + ["--account", "two", "--code-stdin", "--sent"], input: code + "\n")
      #expect(again.status == 1, "the code is used up: \(again)")
      #expect(await !home.agentLog.contains(code))
    }
  }

  @Test("an unknown address gets a code with --sign-up only")
  func createsUsersOnlyIfAsked() async throws {
    try await withTestHome { home in
      let words = ["sign-in", "code", "--email", "New@Example.org"]
      let refused = try await home.detached(words)
      #expect(refused.status == 1, "\(refused)")
      #expect(refused.stderr.contains("No account with this address") && refused.stderr.contains("--sign-up"))
      #expect(try await home.detached(words + ["--sign-up"]).status == 4)
      let output = try await home.detached(words + ["--code-stdin"], input: try await home.mail().code + "\n")
      #expect(output.status == 0, "\(output)")
      #expect(home.sandbox.users.last?.email == "new@example.org")
    }
  }

  @Test("a code is valid after a restart of the agent")
  func survivesRestart() async throws {
    try await withTestHome { home in
      #expect(try await home.detached(Self.words).status == 4)
      let code = try await home.mail().code
      try await home.killAgent()
      try await home.startAgent()
      let output = try await home.detached(Self.words + ["--code-stdin", "--sent"], input: code + "\n")
      #expect(output.status == 0, "\(output)")
    }
  }

  @Test("a pasted link signs in its own address, and only in this project")
  func takesPastedLinks() async throws {
    try await withTestHome(users: [TestHome.email, "bert@example.org"]) { home in
      #expect(try await home.detached(Self.words).status == 4)
      let link = try #require(try await home.mail().link)
      func paste(_ text: String, _ email: String = TestHome.email) async throws -> Output {
        try await home.detached(
          ["sign-in", "code", "--email", email, "--code-stdin", "--sent"], input: text + "\n")
      }
      let foreign = link.replacing(home.sandbox.url, with: "https://other.example.org")
      let refused = try await paste(foreign)
      #expect(refused.status != 0 && home.sandbox.requestCount(.verify) == 0, "\(refused)")
      let other = try await paste(link, "bert@example.org")
      #expect(
        other.status == 1 && other.stderr.contains("another address") && other.stderr.contains("--email"), "\(other)")
      #expect(try await home.detached(["token"]).status == 4)
      #expect(try await home.detached(Self.words + ["--account", "x"]).status == 7, "within the pause")
      home.sandbox.advanceClock(by: .seconds(61))
      #expect(try await home.detached(Self.words).status == 4)
      let output = try await paste(try #require(try await home.mail(2).link))
      #expect(output.status == 0 && output.stdout.contains("anna@example.org"), "\(output)")
    }
  }

  @Test("on a terminal: a wrong code, then the link that a browser on this machine opens", .home)
  func opensLinks() async throws {
    let command = try home.startOnTerminal(
      Self.words,
      "expect('Code (or')\nsay('111111\\n')\nexpect('That code did not work. Try again')\nexpect('signed in to default as anna@example.org')"
    )
    let link = try #require(try await home.mail().link)
    try await eventually("the wrong code") { home.sandbox.requestCount(.verify) > 0 }
    let page = try await home.browse(link)
    let output = try await command.end()
    #expect(output.status == 0, "\(output) \(page)")
    #expect(try await !home.token().isEmpty)
  }

  @Test("a sign-up is confirmed by its code")
  func confirmsSignUps() async throws {
    try await withTestHome(.with { $0.autoconfirm = false }) { home in
      let signUp = ["sign-in", "email", "--sign-up", "--password-stdin", "--email"]
      let json = try await home.detached(signUp + ["other@example.org", "--json"], input: "long enough 1\n")
      #expect(json.status == 4 && json.stdout == #"{"formatVersion":1,"outcome":"confirmationSent"}"# + "\n", "\(json)")
      let output = try await home.detached(signUp + ["new@example.org"], input: "long enough 1\n")
      #expect(output.status == 4 && output.stdout.contains("a confirmation email was sent"), "\(output)")
      let command = "ritualctl sign-in code --email new@example.org --code-stdin --sent"
      #expect(output.stdout.contains(command), "\(output)")
      let words = command.split(separator: " ").dropFirst().map(String.init)
      let confirmed = try await home.detached(words, input: try await home.mail(2).code + "\n")
      #expect(confirmed.status == 0, "\(confirmed)")
    }
  }
}
