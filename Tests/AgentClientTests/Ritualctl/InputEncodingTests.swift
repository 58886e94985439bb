import Foundation
import TestKit
import Testing

/// Secrets that are not UTF-8: repaired text would be another secret, so nothing is sent.
@Suite(.timeLimit(.minutes(5))) struct InputEncodingTests {
  private static let keys =
    #"{"state":"locked","keys":[{"id":"\#(String(repeating: "b2", count: 16))","kind":"passphrase","#
    + #""memory":268435456,"passes":3}],"generation":2,"machine":"this","isAuthenticated":true,"isRekeying":false,"#
    + #""damaged":[],"protection":[],"isMemoryLocked":true,"openedBy":"passphrase"}"#

  private static func answer(_ method: String, _: String) -> String {
    switch method {
    case "vault.status": Reply.result(keys)
    case "signIn.password": Reply.result(#"{"outcome":"signedIn","account":\#(Reply.account)}"#)
    case "mfa.list":
      Reply.result(
        #"{"account":"work","factors":[{"id":"f","type":"totp","status":"verified"}],"endsAccounts":[],"isCurrent":true,"#
          + #""assurance":{"current":"aal1","possible":"aal2"}}"#)
    default: Reply.error("codeInvalid")
    }
  }

  /// Runs `ritualctl` with the output of printf(1) as its standard input.
  private func run(_ bench: Bench, _ arguments: [String], printf format: String) async throws -> Output {
    try await RunningProgram(
      "/bin/sh", ["-c", "printf '\(format)' | exec setsid --wait \"$@\"", "sh", Ritualctl.path] + arguments,
      environment: Ritualctl.environment(bench.folder, ["RITUAL_AGENT_SOCKET": bench.server.path]), folder: bench.folder
    ).end()
  }

  @Test(
    "a secret from standard input that is not UTF-8 is refused with 64, and not sent",
    arguments: [
      ["sign-in", "email", "--email", "a@b.c", "--password-stdin"],
      ["sign-in", "email", "--email", "a@b.c", "--password-stdin", "--sign-up"],
      ["sign-in", "code", "--email", "a@b.c", "--code-stdin", "--sent"],
      ["link", "email", "--email", "a@b.c", "--code-stdin", "--sent"], ["mfa", "verify", "--code-stdin"],
      ["sign-in", "apple", "--id-token-stdin", "--nonce", "n"], ["sign-in", "--session-stdin"],
      ["token", "--rejected-stdin"], ["complete-sign-in"], ["unlock", "--passphrase-stdin"],
      ["vault", "add-key", "--passphrase-stdin"], ["vault", "rekey", "--passphrase-stdin"],
      ["vault", "remove-key", "b2b2", "--passphrase-stdin"],
    ])
  func refusesOtherEncodings(arguments: [String]) async throws {
    // Latin-1, a truncated sequence, an encoded surrogate, an overlong zero, and an invalid byte before the line's end.
    for format in [
      #"p\344ssword"#, #"password\303"#, #"pass\355\240\200word"#, #"pass\300\200word"#, #"password\377\r"#,
    ] {
      try await withBench(Self.answer) { bench in
        let output = try await run(bench, arguments, printf: format + #"\n"#)
        #expect(output.status == 64, "\(output)")
        #expect(output.stderr.contains("UTF-8"), "\(output.stderr)")
        #expect(!output.stderr.contains("word") || !output.stderr.contains("pass\u{FFFD}"))
        #expect(bench.server.lines.filter { $0.contains("word") && !$0.contains("vault.status") } == [])
      }
    }
  }

  @Test("a secret in UTF-8 is sent as it is, with and without a line's end")
  func sendsUTF8() async throws {
    for (format, sent) in [
      (#"p\303\244ss\n"#, "päss"), (#"p\303\244ss"#, "päss"), (#"p\357\277\275ss\n"#, "p\u{FFFD}ss"),
      (#"pass\r\n"#, "pass"), (#"pass\nword\n"#, "pass"), (#" pass \n"#, " pass "),
    ] {
      try await withBench(Self.answer) { bench in
        let output = try await run(
          bench, ["sign-in", "email", "--email", "a@b.c", "--password-stdin"], printf: format)
        #expect(output.status == 0, "\(output)")
        #expect(bench.server.lines.contains { $0.contains(#""password":"\#(sent)""#) }, "\(bench.server.lines)")
      }
    }
  }

  @Test("a password or a passphrase that is typed in another encoding is refused with 64")
  func refusesTypedText() async throws {
    for (arguments, question) in [
      (["sign-in", "email", "--email", "a@b.c"], "Password: "), (["unlock"], "Vault passphrase: "),
      (["sign-in", "code", "--email", "a@b.c", "--sent"], "Code"),
    ] {
      try await withBench(Self.answer) { bench in
        let output = try await bench.runInTerminal(
          """
          expect('\(question)')
          os.write(tty, b'p\\xe4ssword\\n')
          finish()
          """, environment: [:], arguments)
        #expect(output.status == 64, "\(output.stdout)")
        #expect(output.stdout.contains("UTF-8"), "\(output.stdout)")
        #expect(bench.server.lines.filter { $0.contains("ssword") } == [])
      }
    }
  }
}
