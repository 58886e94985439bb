import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct SignInTests {
  static let signedIn = Reply.result(#"{"outcome":"signedIn","account":\#(Reply.account)}"#)
  static let decision = Reply.result(
    #"{"outcome":"decisionNeeded","decision":{"kind":"newAccount","flow":"f","account":"work","#
      + #""user":{"id":"u","email":"eve@example.org","provider":"google"}}}"#)

  @Test("browser options have no effect on a password or a token, which is reported")
  func reportsUnusedOptions() async throws {
    try await withBench(Reply.result(Reply.account)) { bench in
      let token = ["sign-in", "--session-stdin", "--timeout", "5"]
      let output = try await bench.start(token, input: "refresh-1\n").end()
      #expect(
        output.status == 0
          && output.stderr.contains("--timeout has no effect: a sign-in with a token needs no browser\n"),
        "\(output)")
    }
    try await withBench(Reply.result(#"{"outcome":"signedIn","account":\#(Reply.account)}"#)) { bench in
      let password = ["sign-in", "email", "--email", "a@b.c", "--password-stdin", "--no-browser", "--qr"]
      let output = try await bench.start(password, input: "secret\n").end()
      #expect(output.status == 0)
      for option in ["--no-browser", "--qr"] {
        #expect(
          output.stderr.contains("\(option) has no effect: a sign-in with a password needs no browser\n"), "\(output)")
      }
      let document = try await bench.start(
        ["sign-in", "--email", "a@b.c", "--password-stdin", "--take-over", "--json"], input: "secret\n"
      ).end()
      #expect(
        document.stderr.isEmpty && document.stdout.contains(#""warnings":["--take-over has no effect"#), "\(document)")
    }
  }

  @Test("SI-3, SI-14: reads tokens from stdin, and warns that an imported session must not be used elsewhere")
  func takesTokens() async throws {
    try await withBench(Reply.result(Reply.account)) { bench in
      let apple = try await bench.run("sign-in", "apple", "--id-token-stdin", "--nonce", "-raw", input: "ey.x.y\n")
      #expect(apple.stdout == "signed in to work as anna@example.org (Google)\n")
      let session = try await bench.run("sign-in", "--session-stdin", "--project", "p", input: "refresh\n")
      #expect(session.stderr.contains("stop using this session elsewhere"))
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"signIn.idToken","params":{"idToken":"ey.x.y","nonce":"-raw","provider":"apple"}}"#,
          #"{"id":1,"jsonrpc":"2.0","method":"signIn.importSession","params":{"project":"p","refreshToken":"refresh"}}"#,
        ])
      #expect(try await bench.run("sign-in", "--session-stdin", input: "").status == 64)
    }
  }

  @Test("SI-15: the user must be accepted, by --yes or on a terminal; otherwise nothing is decided")
  func asksWhoItIs() async throws {
    try await withBench { method, line in
      guard method == "identity.decide" else { return Self.decision }
      return line.contains(#""accept":true"#) ? Self.signedIn : Reply.error("cancelled")
    } _: { bench in
      // An agent of an earlier version asks although `canAsk` is false.
      let undecided = try await bench.run("complete-sign-in", input: " http://127.0.0.1:1/cb?code=1 \n")
      #expect(undecided.status == 64)
      #expect(undecided.stderr.contains("signs in eve@example.org (Google)"))
      #expect(undecided.stderr.contains("--yes"))
      let accepted = try await bench.run("complete-sign-in", "--yes", "http://127.0.0.1:1/cb?code=1")
      #expect(accepted.status == 0)
      #expect(accepted.stdout.hasPrefix("signed in to work"))
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"signIn.complete","params":"#
            + #"{"callback":"http://127.0.0.1:1/cb?code=1","canAsk":false}}"#,
          #"{"id":1,"jsonrpc":"2.0","method":"signIn.complete","params":{"callback":"http://127.0.0.1:1/cb?code=1"}}"#,
          #"{"id":2,"jsonrpc":"2.0","method":"identity.decide","params":{"accept":true,"flow":"f"}}"#,
        ])
      for (answer, status) in [("y", 0), ("n", 2), ("", 2)] as [(String, Int32)] {
        let asked = try await bench.runInTerminal(
          "expect('Sign in to work as eve@example.org (Google)? [y/N] ')\nsay('\(answer)\\n')\nfinish()",
          "complete-sign-in", "http://127.0.0.1:1/cb")
        #expect(asked.status == status, "\(asked.stdout)")
      }
      let tooLong = try await bench.run("complete-sign-in", input: String(repeating: "x", count: 8193))
      #expect(tooLong.status == 64)
    }
  }

  @Test("SI-6: asks for email and password on a terminal, the password without echo; Ctrl-C restores the echo")
  func asksOnATerminal() async throws {
    try await withBench(Self.signedIn) { bench in
      let asked = try await bench.runInTerminal(
        """
        expect('Email: ')
        say('anna@example.org\\n')
        expect('Password: ')
        await_echo(False)
        say('hunter2\\n')
        finish()
        """, "sign-in", "email")
      #expect(asked.status == 0, "\(asked.stdout)")
      #expect(asked.stdout.contains("anna@example.org"))
      #expect(!asked.stdout.contains("hunter2"))
      #expect(bench.server.lines.last?.contains(#""password":"hunter2""#) == true)
      let before = bench.server.lines.count
      let stopped = try await bench.runInTerminal(
        """
        expect('Password: ')
        await_echo(False)
        say('hun\\x03')
        await_echo(True)
        finish()
        """, "sign-in", "email", "--email", "a@b")
      #expect(stopped.status == 2, "\(stopped.stdout)")
      #expect(bench.server.lines.count == before, "nothing was sent")
    }
  }
}
