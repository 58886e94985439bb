import Foundation
import Glibc
import TestKit
import Testing

/// The prompt for a code on a terminal, simulated by Python's pty module.
@Suite(.timeLimit(.minutes(2))) struct CodePromptTests {
  private static let email = ["sign-in", "code", "--email", "a@b.c"]

  /// The response for which the agent closes the connection.
  private static let closing = "closing"

  /// Runs `script` with an agent that accepts only the code 000001, and answers others with the error
  /// `refusal`. `send` and `wait` answer `signIn.sendCode` and `signIn.wait`, by number; nil means the
  /// usual response, and none to `signIn.wait`. `resendAfter` is the project's pause. The program must end
  /// with `exit`.
  @discardableResult private static func play(
    exit: Int32 = 0, _ arguments: [String], _ script: String, resendAfter: Int = 60, refusal: String = "codeInvalid",
    command: [String]? = nil, send: @escaping @Sendable (Int) -> String? = { _ in nil },
    wait: @escaping @Sendable (Int) -> String? = { _ in nil }
  ) async throws -> (output: Output, lines: [String]) {
    try await withScratchDirectory { folder in
      let server = try ScriptedServer(in: folder) { connection in
        var (codes, waits) = (0, 0)
        while let line = connection.readLine() {
          let request = ScriptedRequest(line)
          let reply: String?
          switch request.method {
          case "signIn.sendCode":
            codes += 1
            reply = send(codes) ?? Reply.result(#"{"flow":"f\#(codes)","resendAfter":\#(resendAfter)}"#)
          case "signIn.wait":
            waits += 1
            reply = wait(waits)
          case "signIn.signUp": reply = Reply.result(#"{"outcome":"confirmationSent"}"#)
          case _ where line.contains("000001"): reply = Reply.result(Reply.account)
          case _ where line.contains("https://"): reply = Reply.error("wrongUser", "Another address.")
          case "signIn.verifyCode": reply = Reply.error(refusal, "This code is wrong.")
          default: reply = Reply.result(#"{"agent":"x","version":"1.0.0","protocol":1,"capabilities":[]}"#)
          }
          if reply == Self.closing { return }
          if let reply { connection.send(#"{"jsonrpc":"2.0","id":\#(request.id),"# + reply + "}\n") }
        }
      }
      defer { server.stop() }
      let bench = Bench(folder: folder, server: server)
      let command = (command ?? []) + [Ritualctl.path] + arguments
      let output = try await bench.runInTerminal(script, environment: [:], command: command)
      #expect(output.status == exit, "\(output.stdout)")
      return (output, server.lines)
    }
  }

  private static var pause: Regex<Substring> { /another code can be sent in \d+ s\n/ }

  private static func methods(_ lines: [String]) -> [String] {
    lines.map { String(ScriptedRequest($0).method.dropFirst("signIn.".count)) }
  }

  @Test("sends a code, asks again after wrong ones, and waits for the link meanwhile")
  func asksAgain() async throws {
    let lines = try await Self.play(
      Self.email,
      """
      expect('a code was sent to a@b.c; press Enter alone')
      expect('Code (or paste the link from the email): ')
      say('000 009\\n')
      expect('This code is wrong.')
      say('nonsense\\n')
      expect('a code has 6 to 10 digits, and a link starts with https://')
      say('000001\\n')
      expect('signed in to work')
      finish()
      """
    ).lines
    #expect(Self.methods(lines) == ["sendCode", "wait", "verifyCode", "verifyCode"])
    #expect(lines[0].contains(#""params":{"email":"a@b.c"}"#))
    #expect(lines[2].contains(#""params":{"code":"000009","flow":"f1"}"#))
  }

  @Test("the fifth wrong code ends the command")
  func limitsAttempts() async throws {
    let attempt = "expect('Code (or')\nshown = ''\nsay('000009\\n')\n"
    let (output, lines) = try await Self.play(
      exit: 1, Self.email, String(repeating: attempt, count: 5) + "expect('ritualctl: This code is wrong.')\nfinish()")
    #expect(output.stdout.hasSuffix("\nritualctl: This code is wrong.\n"), "\(output.stdout)")
    #expect(Self.methods(lines).count { $0 == "verifyCode" } == 5)
  }

  @Test("a link for another address ends the command")
  func refusesForeignLinks() async throws {
    let output = try await Self.play(
      exit: 1, Self.email,
      "expect('Code (or')\nsay('https://p/auth/v1/verify?token=1\\n')\nexpect('ritualctl: Another')\nfinish()"
    ).output
    #expect(output.stdout.contains("name the address"), "\(output.stdout)")
  }

  // The terminal keeps what is typed before the next prompt.
  @Test("Enter alone sends another code, after the project's pause only")
  func sendsAgain() async throws {
    let again = "expect('Code (or')\nsay('\\n')\n"
    let (output, lines) = try await Self.play(
      Self.email,
      again + "expect('another code can be sent in ')\nsay('000001\\n')\nfinish()")
    #expect(output.stdout.contains(Self.pause), "\(output.stdout)")
    #expect(Self.methods(lines) == ["sendCode", "wait", "verifyCode"])
    let more = try await Self.play(
      Self.email, again + "say('000001\\n')\nfinish()",
      resendAfter: 0
    ).lines
    #expect(Self.methods(more) == ["sendCode", "wait", "sendCode", "wait", "verifyCode"])
    #expect(more.last?.contains(#""flow":"f2""#) == true)
  }

  @Test("with --sent, Enter alone only asks again: another code would void the one that was sent")
  func keepsSentCodes() async throws {
    let lines = try await Self.play(
      Self.email + ["--sent"],
      "expect('Code (or')\nshown = ''\nsay('\\n')\nexpect('Code (or')\nsay('000001\\n')\nfinish()", resendAfter: 0
    ).lines
    #expect(Self.methods(lines) == ["verifyCode"])
  }

  @Test("a failed resend does not end the prompt, because the first code may still be valid; a lock does")
  func survivesFailedResends() async throws {
    let again = "expect('Code (or')\nshown = ''\nsay('\\n')\n"
    for kind in ["network", "rateLimited", "methodDisabled"] {
      let lines = try await Self.play(
        Self.email,
        again + "expect('No mail.')\nexpect('  ask for help')\nexpect('Code (or')\nsay('000001\\n')\nfinish()",
        resendAfter: 0, send: { $0 == 2 ? Reply.error(kind, "No mail.", hint: "ask for help") : nil }
      ).lines
      #expect(Self.methods(lines) == ["sendCode", "wait", "sendCode", "verifyCode"])
      #expect(lines.last?.contains(#""flow":"f1""#) == true)
    }
    let output = try await Self.play(
      exit: 5, Self.email, again + "finish()", resendAfter: 0,
      send: { $0 == 2 ? Reply.error("vaultLocked", "Locked.") : nil }
    ).output
    #expect(output.stdout.contains("ritualctl: Locked."), "\(output)")
  }

  @Test("within the pause after a code that was sent before, the command asks for that code")
  func asksForTheFormerCode() async throws {
    let (output, lines) = try await Self.play(
      Self.email,
      """
      expect('Another one can be sent in 59 seconds.')
      expect('if you already have a code, enter it')
      expect('Code (or')
      say('\\n')
      expect('another code can be sent in ')
      say('000001\\n')
      finish()
      """, send: { _ in CodeSignInTests.paused })
    #expect(!output.stdout.contains("--code-stdin"), "\(output.stdout)")
    #expect(Self.methods(lines) == ["sendCode", "verifyCode"])
    #expect(lines.last?.contains(#""email":"a@b.c""#) == true)
  }

  @Test("a flow that was replaced, or a restart of the agent, does not end the prompt", arguments: [true, false])
  func survivesForgottenFlows(isReplaced: Bool) async throws {
    let lines = try await Self.play(
      Self.email, "expect('you can still enter the code')\nexpect('Code (or')\nsay('000001\\n')\nfinish()",
      wait: { _ in isReplaced ? Reply.error("cancelled") : Self.closing }
    ).lines
    #expect(Self.methods(lines) == ["sendCode", "wait", "verifyCode"])
    #expect(lines.last?.contains(#""params":{"code":"000001","email":"a@b.c"}"#) == true)
  }

  @Test("another sign-in of the account that is in progress does not end the prompt")
  func survivesBusyAccounts() async throws {
    try await Self.play(
      Self.email,
      "expect('Code (or')\nshown = ''\nsay('000009\\n')\nexpect('Code (or')\nsay('000001\\n')\nfinish()",
      refusal: "flowBusy")
  }

  @Test("the code for a new address of a user has no link, and the prompt offers none")
  func offersNoLink() async throws {
    let (output, lines) = try await Self.play(
      ["link", "email", "--email", "a@b.c"],
      """
      expect('\\nCode: ')
      say('https://p/auth/v1/verify?token=1\\n')
      expect('a link must be opened in a browser on this machine')
      say('000001\\n')
      finish()
      """)
    #expect(!output.stdout.contains("paste"), "\(output.stdout)")
    #expect(Self.methods(lines) == ["sendCode", "wait", "verifyCode"])
  }

  @Test("what was typed before the mailed link was opened is not left to the shell", arguments: [true, false])
  func discardsInput(isSuccess: Bool) async throws {
    try await withScratchDirectory { folder in
      let pipe = folder.path + "/typed"
      #expect(mkfifo(pipe, 0o600) == 0)
      let output = try await Self.play(
        Self.email,
        """
        expect('Code (or')
        say('0429')
        expect(': 0429')
        open('\(pipe)', 'w').close()
        expect('then')
        say('\\n')
        finish()
        """, command: ["/bin/sh", "-c", "\"$0\" \"$@\"; echo then; read rest; echo \"rest=$rest.\""],
        wait: { _ in
          // Blocks until the script opens the pipe.
          close(open(pipe, O_RDONLY))
          return isSuccess ? SignInTests.signedIn : Reply.error("wrongUser")
        }
      ).output
      #expect(
        output.stdout.contains("signed in to work") == isSuccess && output.stdout.contains("rest=."), "\(output)")
    }
  }

  @Test("a wait that is over starts again while the flow runs")
  func waitsAgain() async throws {
    let lines = try await Self.play(
      Self.email, "expect('signed in to work')\nfinish()",
      wait: { $0 == 1 ? Reply.error("flowTimedOut") : SignInTests.signedIn }
    ).lines
    #expect(Self.methods(lines) == ["sendCode", "wait", "wait"])
    try await withScratchDirectory { folder in
      let pipe = folder.path + "/over"
      #expect(mkfifo(pipe, 0o600) == 0)
      let lines = try await Self.play(
        Self.email, "open('\(pipe)').close()\nexpect('Code (or')\nsay('000001\\n')\nfinish()",
        wait: {
          guard $0 > 1 else { return Reply.error("flowTimedOut") }
          // Blocks until the script opens the pipe.
          close(open(pipe, O_WRONLY))
          return Reply.error("flowUnknown")
        }
      ).lines
      #expect(Self.methods(lines) == ["sendCode", "wait", "wait", "verifyCode"])
    }
  }

  @Test("a link that is opened on this machine ends the prompt; a wait that times out does not")
  func takesLink() async throws {
    let lines = try await Self.play(
      Self.email, "expect('Code (or')\nexpect('signed in to work')\nfinish()", wait: { _ in SignInTests.signedIn }
    ).lines
    #expect(Self.methods(lines) == ["sendCode", "wait"])
    for kind in ["flowTimedOut", "flowUnknown"] {
      try await Self.play(
        Self.email, "expect('Code (or')\nsay('000001\\n')\nexpect('signed in to work')\nfinish()",
        wait: { _ in Reply.error(kind) })
    }
    let next = try await Self.play(
      exit: 1, Self.email, "expect('Code (or')\nfinish()", wait: { _ in Reply.error("wrongUser") }
    ).output
    #expect(next.stdout.contains(": \nritualctl: words"), "\(next.stdout)")
  }

  @Test("asks for an address that no option names; --sent sends none; Ctrl-C and Ctrl-D cancel")
  func asksForAddress() async throws {
    let lines = try await Self.play(
      ["sign-in", "phone"],
      "expect('Phone number with country code: ')\nsay('+49 151\\n')\nexpect('sent to +49 151;')\nexpect('\\nCode: ')\n"
        + "say('000001\\n')\nfinish()"
    ).lines
    #expect(lines[0].contains(#""params":{"phone":"+49 151"}"#))
    let more = try await Self.play(
      ["sign-in", "code", "--sent"],
      "expect('Email: ')\nsay('a@b.c\\n')\nexpect('Code (or')\nsay('000001\\n')\nfinish()"
    ).lines
    #expect(Self.methods(more) == ["verifyCode"])
    for key in ["\\x03", "\\x04"] {
      let lines = try await Self.play(exit: 2, Self.email, "expect('Code (or')\nsay('\(key)')\nfinish()").lines
      #expect(!Self.methods(lines).contains("verifyCode"))
    }
  }

  @Test("a sign-up that awaits confirmation continues with the prompt")
  func confirmsSignUp() async throws {
    let (output, lines) = try await Self.play(
      ["sign-in", "email", "--sign-up", "--email", "a@b.c"],
      """
      expect('Password: ')
      await_echo(False)
      say('long enough 1\\n')
      expect('Confirm password: ')
      await_echo(False)
      say('long enough 1\\n')
      expect('a confirmation email was sent to a@b.c')
      expect('Code (or')
      say('\\n')
      expect('another code can be sent in ')
      say('000001\\n')
      expect('signed in to work')
      finish()
      """)
    #expect(output.stdout.contains(Self.pause), "\(output.stdout)")
    #expect(Self.methods(lines) == ["signUp", "verifyCode"])
    #expect(lines.last?.contains(#""params":{"code":"000001","email":"a@b.c"}"#) == true)
  }
}
