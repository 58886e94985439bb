import Foundation
import Glibc
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct CodeSignInTests {
  static let sent = Reply.result(#"{"flow":"f1","resendAfter":60}"#)
  /// The refusal of a second code within the project's pause.
  static let paused =
    #""error":{"code":-32009,"message":"Another one can be sent in 59 seconds.","data":"#
    + #"{"kind":"rateLimited","retryable":true,"retryAfter":59}}"#
  private static let link = "https://p.example.org/auth/v1/verify?token=pkce_1&type=magiclink&redirect_to=x"

  /// An agent that sends codes and accepts every one.
  static let agent: @Sendable (String, String) -> String = { method, _ in
    method == "signIn.sendCode" ? sent : Reply.result(Reply.account)
  }

  private static func request(_ method: String, _ params: String) -> String {
    #"{"id":1,"jsonrpc":"2.0","method":"\#(method)","params":{\#(params)}}"#
  }

  @Test(
    "--code-stdin uses a code that was sent before, and passes the code or the link once, in the request only",
    arguments: [
      ("042 917 \r\n", #""code":"042917""#), ("0429170001", #""code":"0429170001""#),
      (" \(link) \n", #""link":"\#(link)""#),
    ])
  func takesCodes(input: String, sent: String) async throws {
    try await withBench(Self.agent) { bench in
      let output = try await bench.run(
        "sign-in", "code", "--email", "anna@example.org", "--code-stdin", "--account", "work", "--replace", input: input
      )
      #expect(output.status == 0, "\(output.stderr)")
      #expect(output.stdout == "signed in to work as anna@example.org (Google)\n" && output.stderr.isEmpty)
      #expect(
        bench.server.lines == [
          Self.request("signIn.sendCode", #""account":"work","email":"anna@example.org","replace":true,"reuse":true"#),
          Self.request(
            "signIn.verifyCode",
            "\(sent.hasPrefix(#""code"#) ? sent + "," : "")" + #""flow":"f1""#
              + "\(sent.hasPrefix(#""link"#) ? "," + sent : "")" + #","replace":true"#),
        ])
    }
  }

  @Test("--sent sends nothing, and verifies by the address, also after a restart of the agent")
  func usesSentCodes() async throws {
    try await withBench(Self.agent) { bench in
      let words = ["sign-in", "phone", "--phone", "+49 151 1", "--code-stdin", "--sent", "--project", "p"]
      let output = try await bench.start(words, input: "123456\n").end()
      #expect(output.status == 0, "\(output.stderr)")
      #expect(
        bench.server.lines == [
          Self.request("signIn.verifyCode", #""code":"123456","phone":"+49 151 1","project":"p""#)
        ])
    }
    try await withBench { method, line in
      line.contains(#""flow""#) ? Reply.error("flowUnknown") : Self.agent(method, line)
    } _: { bench in
      let output = try await bench.run("sign-in", "code", "--email", "a@b.c", "--code-stdin", input: "123456\n")
      #expect(output.status == 0, "\(output.stderr)")
      #expect(bench.server.lines.count == 3)
      #expect(bench.server.lines.last?.contains(#""params":{"code":"123456","email":"a@b.c"}"#) == true)
    }
  }

  @Test("without a terminal, sends a code, names the command that takes it, and exits with 4")
  func sendsOnly() async throws {
    try await withBench(Self.agent) { bench in
      let arguments = ["sign-in", "code", "--email", "a@b.c", "--sign-up", "--account", "work", "--project", "p"]
      let output = try await bench.start(arguments).end()
      #expect(output.status == 4)
      #expect(
        output.stdout == """
          a code was sent to a@b.c; pass it on standard input to:
            ritualctl sign-in code --email a@b.c --account work --project p --code-stdin --sent

          """)
      let json = try await bench.start(arguments + ["--json"]).end()
      #expect(json.status == 4 && json.stderr.isEmpty)
      #expect(
        json.stdout
          == #"{"address":"a@b.c","flow":"f1","formatVersion":1,"outcome":"codeSent","resendAfter":60}"# + "\n")
      let more = try await bench.start(arguments + ["--replace", "--yes", "--socket", bench.server.path]).end()
      #expect(
        more.stdout.hasSuffix(" --project p --replace --yes --socket \(bench.server.path) --code-stdin --sent\n"),
        "\(more)")
      let phone = try await bench.run("sign-in", "--phone", "+49 151", "--quiet")
      #expect(
        phone.status == 4
          && phone.stdout.contains("\n  ritualctl sign-in phone --phone '+49 151' --code-stdin --sent\n"))
      #expect(
        bench.server.lines.first
          == Self.request("signIn.sendCode", #""account":"work","createUser":true,"email":"a@b.c","project":"p""#))
    }
  }

  @Test("a wrong code from standard input names the command that sends another one")
  func namesTheNextCode() async throws {
    try await withBench { method, line in
      method == "signIn.verifyCode" ? Reply.error("codeInvalid", hint: "request a new code") : Self.agent(method, line)
    } _: { bench in
      let arguments = ["sign-in", "code", "--email", "a@b.c", "--account", "work", "--code-stdin", "--sent"]
      let output = try await bench.start(arguments, input: "123456\n").end()
      #expect(output.status == 1)
      #expect(
        output.stderr.hasSuffix("\n  to request a new code: ritualctl sign-in code --email a@b.c --account work\n"),
        "\(output)")
    }
  }

  @Test("link email adds an address; a project that needs no code is not asked for one")
  func linksEmail() async throws {
    try await withBench(Self.agent) { bench in
      let words = ["link", "email", "--email", "a@b.c", "--account", "guest"]
      let output = try await bench.start(words + ["--code-stdin"], input: "123456").end()
      #expect(output.stdout == "the email address is linked to work as anna@example.org (Google)\n", "\(output)")
      #expect(
        bench.server.lines == [
          Self.request("signIn.sendCode", #""account":"guest","email":"a@b.c","purpose":"link","reuse":true"#),
          Self.request("signIn.verifyCode", #""code":"123456","flow":"f1","purpose":"link""#),
        ])
      let sent = try await bench.start(words).end()
      #expect(sent.status == 4)
      #expect(sent.stdout.contains("ritualctl link email --email a@b.c --account guest --code-stdin --sent"))
    }
    try await withBench(Reply.result(#"{"flow":"f","resendAfter":0,"account":\#(Reply.account)}"#)) { bench in
      for more in [[], ["--code-stdin"]] {
        let output = try await bench.start(["link", "email", "--email", "a@b.c"] + more).end()
        #expect(output.status == 0 && output.stdout.hasPrefix("the email address is linked to work"), "\(output)")
      }
      #expect(bench.server.lines.allSatisfy { $0.contains("signIn.sendCode") })
    }
  }

  @Test(
    "what is neither a code nor a link is not sent and not repeated", arguments: ["hunter2", "12345", "12345678901"])
  func refusesOtherInput(input: String) async throws {
    try await withBench(Self.agent) { bench in
      for words in [["sign-in", "code", "--email", "a@b.c"], ["sign-in", "phone", "--phone", "+49"]] {
        let output = try await bench.start(words + ["--code-stdin", "--sent"], input: input + "\n").end()
        #expect(output.status == 64)
        #expect(output.stderr.contains("a code has 6 to 10 digits") && !output.stderr.contains(input))
      }
      let link = try await bench.run("sign-in", "phone", "--phone", "+49", "--code-stdin", "--sent", input: Self.link)
      #expect(link.status == 64 && !link.stderr.contains("pkce"))
      let added = try await bench.run("link", "email", "--email", "a@b.c", "--code-stdin", "--sent", input: Self.link)
      #expect(added.status == 64 && !added.stderr.contains("pkce"))
      #expect(added.stderr.contains("a link must be opened in a browser on this machine"))
      #expect(bench.server.lines.isEmpty)
    }
  }

  @Test(
    "a code or a link is never an argument: refused without a request, and not repeated",
    arguments: [
      "sign-in code 123456", "sign-in 123456", "sign-in code --email a@b.c --code 123456",
      "sign-in code --code-stdin=123456", "link email 123456", "sign-in code https://x/auth/v1/verify?token=123456",
      "sign-in https://x/auth/v1/verify?token=123456", "complete-sign-in https://x/auth/v1/verify?token=123456",
    ])
  func refusesArguments(line: String) async throws {
    try await withBench(Self.agent) { bench in
      let output = try await bench.start(line.split(separator: " ").map(String.init)).end()
      #expect(output.status == 64, "\(output)")
      #expect(!output.stderr.contains("123456") && output.stderr.contains("code"), "\(output.stderr)")
      #expect(bench.server.lines.isEmpty)
    }
  }

  @Test("a refusal of a second code within the pause names the command for the first one")
  func explainsPause() async throws {
    try await withBench(Self.paused) { bench in
      let output = try await bench.run("sign-in", "code", "--email", "a@b.c")
      #expect(output.status == 7)
      #expect(
        output.stderr.contains("if you already have a code: ritualctl sign-in code --email a@b.c --code-stdin --sent"))
    }
  }

  @Test("a link for another address than the named one: no --replace, which would not help")
  func explainsForeignLinks() async throws {
    try await withBench(Reply.error("wrongUser", "This belongs to another address.")) { bench in
      let output = try await bench.run(
        "sign-in", "code", "--email", "a@b.c", "--code-stdin", "--sent", input: Self.link)
      #expect(output.status == 1)
      #expect(
        output.stderr == "ritualctl: This belongs to another address.\n  name the address to which the email was sent "
          + "with --email\n")
    }
  }
}
