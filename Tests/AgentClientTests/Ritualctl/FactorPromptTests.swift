import Foundation
import TestKit
import Testing

/// The prompts for the code of a second factor on a terminal, simulated by Python's
/// pty module.
@Suite(.timeLimit(.minutes(2))) struct FactorPromptTests {
  private static let password = ["sign-in", "email", "--email", "a@b.c"]
  private static let typedPassword = "expect('Password: ')\nawait_echo(False)\nsay('x\\n')\n"
  /// A code whose verification does not end. A file then says that it has begun.
  private static let endless = "000007"
  private static let typedEndless =
    "expect('Code (')\nsay('000007\\n')\nimport time\n"
    + "while not os.path.exists(os.environ['HOME'] + '/verifying'): time.sleep(0.01)\nsay('\\x03')\nfinish()"
  private static let later = "refused are a token with --assurance aal2"

  /// Runs `script` with an agent whose user has `factors`. `wait` answers `signIn.wait`, by number. The
  /// program must end with `exit`.
  @discardableResult private static func play(
    exit: Int32 = 0, _ arguments: [String], _ factors: [String], more: String = "", refusal: String = "codeInvalid",
    challenge: String? = nil, status: String? = nil, listsAccounts: Bool = true,
    wait: @escaping @Sendable (Int) -> String? = { _ in nil }, _ script: String
  ) async throws -> (output: Output, lines: [String]) {
    try await withScratchDirectory { folder in
      let verifying = folder.appending(path: "verifying").path
      let server = try ScriptedServer(in: folder) { connection in
        var waits = 0
        while let line = connection.readLine() {
          let request = ScriptedRequest(line)
          let reply: String?
          switch request.method {
          case "mfa.verify" where line.contains(endless):
            reply = nil
            _ = FileManager.default.createFile(atPath: verifying, contents: nil)
          case "session.status" where status != nil: reply = status
          case "mfa.list" where !listsAccounts: reply = Reply.error("offline")
          case "mfa.list": reply = FactorAgent.list(factors, ends: #""home","two""#)
          case "signIn.password": reply = FactorAgent.signedIn(factors, more: more)
          case "signIn.wait":
            waits += 1
            reply = wait(waits)
          case "mfa.challenge" where challenge != nil: reply = challenge
          default: reply = FactorAgent.reply(request.method, line, refusal: refusal)
          }
          if let reply { connection.send(#"{"jsonrpc":"2.0","id":\#(request.id),"# + reply + "}\n") }
        }
      }
      defer { server.stop() }
      let output = try await Bench(folder: folder, server: server).runInTerminal(script, arguments)
      #expect(output.status == exit, "\(output.stdout)")
      return (output, server.lines)
    }
  }

  private static func methods(_ lines: [String]) -> [String] {
    lines.map { ScriptedRequest($0).method }.filter { !$0.hasPrefix("agent.") }
  }

  @Test("says what a verification ends, then asks until a code is accepted")
  func asksAgain() async throws {
    let (output, lines) = try await Self.play(
      ["mfa", "verify"], [FactorAgent.app],
      """
      expect('phone, browsers')
      expect('on this machine: home, two')
      expect('Code (authenticator app "Pixel"): ')
      say('\\n')
      say('nonsense\\n')
      expect('a code has 6 to 10 digits')
      say('000 009\\n')
      expect('This code is wrong.')
      say('000001\\n')
      finish()
      """)
    #expect(output.stdout.hasSuffix("the second factor of account work is verified (aal2)\n"), "\(output.stdout)")
    #expect(Self.methods(lines) == ["mfa.list", "mfa.verify", "mfa.verify"])
  }

  @Test("a lost answer asks for a new code; five refusals end the command; another error ends it at once")
  func limitsAttempts() async throws {
    let attempt = "expect('Code (')\nshown = ''\nsay('000009\\n')\n"
    for (refusal, count, status) in [
      ("codeInvalid", 5, 1), ("serviceUnavailable", 5, 7), ("vaultLocked", 1, 5), ("denied", 1, 6),
    ] as [(String, Int, Int32)] {
      let lines = try await Self.play(
        exit: status, ["mfa", "verify"], [FactorAgent.app], refusal: refusal,
        String(repeating: attempt, count: count) + "expect('ritualctl: This code is wrong.')\nfinish()"
      ).lines
      #expect(Self.methods(lines).count { $0 == "mfa.verify" } == count)
    }
  }

  @Test("asks which factor, and sends a code to a phone; s sends another one")
  func choosesFactors() async throws {
    let lines = try await Self.play(
      ["mfa", "verify"], [FactorAgent.app, FactorAgent.phone, FactorAgent.key, FactorAgent.fresh],
      """
      expect('  1  authenticator app "Pixel"')
      expect('Second factor (1-2): ')
      say('3\\n')
      expect('no such choice')
      say('2\\n')
      expect('a code was sent to the phone')
      expect('Code (phone): ')
      shown = ''
      say('s\\n')
      expect('a code was sent to the phone')
      say('000001\\n')
      finish()
      """
    ).lines
    #expect(Self.methods(lines) == ["mfa.list", "mfa.challenge", "mfa.challenge", "mfa.verify"])
    #expect(lines.last?.contains(#""params":{"code":"000001","factor":"f-phone"}"#) == true)
  }

  @Test("a code that cannot be sent again leaves the prompt: a former one may be valid")
  func survivesFailedSending() async throws {
    let busy =
      #""error":{"code":-32000,"message":"Too soon.","data":{"kind":"rateLimited","retryable":true,"retryAfter":9}}"#
    try await Self.play(
      ["mfa", "verify"], [FactorAgent.phone], challenge: busy,
      "expect('Too soon.')\nexpect('if you already have a code')\nsay('000001\\n')\nfinish()")
    try await Self.play(
      exit: 1, ["mfa", "verify"], [FactorAgent.phone], challenge: Reply.error("methodDisabled", "No phone."),
      "expect('ritualctl: No phone.')\nfinish()")
  }

  @Test("Ctrl-C cancels mfa verify")
  func cancels() async throws {
    try await Self.play(
      exit: 2, ["mfa", "verify"], [FactorAgent.app], "expect('Code (')\nsay('\\x03')\nfinish()")
  }

  @Test(
    "Enter alone, Ctrl-C and Ctrl-D leave the code for later, also at the choice: exit 0, and what will not work",
    arguments: [#"\n"#, #"\x03"#, #"\x04"#], [1, 2])
  func leavesForLater(key: String, count: Int) async throws {
    let question = count == 1 ? "Code (" : "Second factor ("
    let (output, lines) = try await Self.play(
      Self.password, [FactorAgent.app, FactorAgent.phone].prefix(count).map(\.self),
      Self.typedPassword + "expect('\(question)')\nsay('\(key)')\nfinish()")
    #expect(output.stdout.contains(Self.later), "\(output.stdout)")
    #expect(output.stdout.contains("\n  ritualctl mfa verify --account work\n"))
    #expect(Self.methods(lines) == ["signIn.password", "session.status"])
  }

  @Test("Ctrl-C during a verification leaves it to the agent: exit 0 after a sign-in, else 2")
  func leavesVerifications() async throws {
    for (words, typed, status) in [(Self.password, Self.typedPassword, 0), (["mfa", "verify"], "", 2)]
      as [([String], String, Int32)]
    {
      let output = try await Self.play(exit: status, words, [FactorAgent.app], typed + Self.typedEndless).output
      #expect(output.stdout.contains("the verification goes on"), "\(output.stdout)")
      #expect(output.stdout.contains(Self.later) == (status == 0), "\(output.stdout)")
    }
  }

  @Test("after a verification elsewhere, Enter alone says that the factor is verified")
  func noticesVerifications() async throws {
    let output = try await Self.play(
      Self.password, [FactorAgent.app], status: Reply.result(String(FactorAgent.verified)),
      Self.typedPassword + "expect('Code (')\nsay('\\n')\nfinish()"
    ).output
    #expect(output.stdout.contains("is verified (aal2)"), "\(output.stdout)")
    #expect(!output.stdout.contains(Self.later), "\(output.stdout)")
  }

  @Test("a secret on standard input asks nothing on the terminal; a password from the terminal does")
  func asksOnlyPeople() async throws {
    let line = "\"$0\" sign-in email --email a@b.c"
    for (line, typed, asks) in [
      ("echo x | \(line) --password-stdin", "", false),
      ("\(line) </dev/null", Self.typedPassword + "expect('Code (')\nsay('\\n')\n", true),
    ] {
      try await withBench { method, line in
        method == "signIn.password" ? FactorAgent.signedIn([FactorAgent.app]) : FactorAgent.reply(method, line)
      } _: { bench in
        let output = try await bench.runInTerminal(
          typed + "finish()", environment: [:], command: ["/bin/sh", "-c", line, Ritualctl.path])
        #expect(output.status == 0 && output.stdout.contains(Self.later), "\(output.stdout)")
        #expect(output.stdout.contains("Code (") == asks, "\(output.stdout)")
      }
    }
  }

  @Test("an agent that ends while a code is checked leaves the sign-in: exit 0")
  func survivesTheAgentsEnd() async throws {
    try await withScratchDirectory { folder in
      let server = try ScriptedServer(in: folder) { connection in
        while let line = connection.readLine() {
          let request = ScriptedRequest(line)
          guard request.method != "mfa.verify" else { return }
          let reply =
            request.method == "signIn.password"
            ? FactorAgent.signedIn([FactorAgent.app]) : FactorAgent.reply(request.method, line)
          connection.send(#"{"jsonrpc":"2.0","id":\#(request.id),"# + reply + "}\n")
        }
      }
      defer { server.stop() }
      let output = try await Bench(folder: folder, server: server).runInTerminal(
        Self.typedPassword + "expect('Code (')\nsay('000001\\n')\nfinish()", Self.password)
      #expect(output.status == 0 && output.stdout.contains(Self.later), "\(output.stdout)")
      #expect(output.stdout.contains("the agent closed the connection"), "\(output.stdout)")
    }
  }

  @Test("wrong codes leave the session: exit 0; a lock and a rejection do not")
  func keepsTheSignIn() async throws {
    let attempt = "expect('Code (')\nshown = ''\nsay('000009\\n')\n"
    for (refusal, count, status) in [("codeInvalid", 5, 0), ("vaultLocked", 1, 5), ("denied", 1, 6)]
      as [(String, Int, Int32)]
    {
      let output = try await Self.play(
        exit: status, Self.password, [FactorAgent.app], refusal: refusal,
        Self.typedPassword + String(repeating: attempt, count: count) + "finish()"
      ).output
      #expect(output.stdout.contains(Self.later) == (status == 0), "\(output.stdout)")
    }
  }

  @Test("the prompt ends when the page has verified the factor, or left it for later")
  func endsWithThePage() async throws {
    let done = #"{"outcome":"signedIn","account":\#(FactorAgent.verified),"mfa":{"needed":false,"factors":[]}}"#
    for (isDone, reply) in [(true, Reply.result(done)), (false, FactorAgent.signedIn([FactorAgent.app]))] {
      let (output, lines) = try await Self.play(
        Self.password, [FactorAgent.phone], more: #","flow":"f2""#, wait: { _ in reply },
        Self.typedPassword + "expect('enter s to have a code sent')\nexpect('Code (')\nfinish()")
      #expect(output.stdout.contains("is verified (aal2)") == isDone, "\(output.stdout)")
      #expect(output.stdout.contains(Self.later) == !isDone)
      #expect(Self.methods(lines) == ["signIn.password", "signIn.wait"] + (isDone ? [] : ["session.status"]))
      #expect(lines.contains { $0.contains(#""flow":"f2""#) })
    }
  }

  @Test("a page that is closed does not end the prompt")
  func survivesClosedPages() async throws {
    for error in ["cancelled", "flowUnknown"] {
      try await Self.play(
        Self.password, [FactorAgent.app], more: #","flow":"f2""#, wait: { _ in Reply.error(error) },
        Self.typedPassword + "expect('Code (')\nsay('000001\\n')\nexpect('is verified')\nfinish()")
    }
  }

  @Test("enroll asks for the first code; Enter alone names the command for later")
  func completesEnrolments() async throws {
    for (typed, words) in [
      ("000001", "is verified (aal2)"), ("", "  ritualctl mfa verify --factor f-new --code-stdin"),
    ] {
      let (output, lines) = try await Self.play(
        ["mfa", "enroll", "totp"], [],
        "expect('secret  ABCD2345')\nexpect('phone, browsers')\nexpect('Code (')\nsay('\(typed)\\n')\nfinish()")
      #expect(output.stdout.contains(words), "\(output.stdout)")
      #expect(Self.methods(lines) == ["mfa.enroll", "mfa.list"] + (typed.isEmpty ? [] : ["mfa.verify"]))
    }
  }

  @Test("without qrencode, enroll says what to do with the secret", .scratchDirectory)
  func typesTheSecret() async throws {
    let server = try ScriptedServer(in: scratchDirectory) { FactorAgent.reply($0, $1, refusal: "codeInvalid") }
    defer { server.stop() }
    let output = try await Bench(folder: scratchDirectory, server: server).runInTerminal(
      "expect('Code (')\nsay('000001\\n')\nfinish()", environment: ["PATH": scratchDirectory.path], "mfa", "enroll",
      "totp")
    #expect(output.stdout.contains("choose to enter a setup key, and type the secret"), "\(output.stdout)")
    #expect(output.stdout.contains("for a QR code instead: sudo apt install qrencode, then enrol again"))
  }

  @Test("enroll says if the accounts that a verification ends could not be listed")
  func admitsMissingLists() async throws {
    try await Self.play(
      ["mfa", "enroll", "totp"], [], listsAccounts: false,
      "expect('the accounts on this machine could not be listed')\nexpect('Code (')\nsay('000001\\n')\nfinish()")
  }

  @Test("a removal asks first")
  func confirmsRemovals() async throws {
    for (answer, status) in [("y", 0), ("n", 2)] as [(String, Int32)] {
      let lines = try await Self.play(
        exit: status, ["mfa", "remove", "f-app"], [],
        "expect('Remove the second factor f-app? [y/N] ')\nsay('\(answer)\\n')\nfinish()"
      ).lines
      #expect(Self.methods(lines) == (answer == "y" ? ["mfa.remove"] : []))
    }
  }
}
