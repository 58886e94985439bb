import AgentProtocol
import Foundation
import TestKit
import Testing

/// A scripted agent whose user has second factors. It accepts only the code 000001, spares nothing,
/// and answers other codes with `refusal`.
enum FactorAgent {
  static let app = #"{"id":"f-app","type":"totp","name":"Pixel","status":"verified"}"#
  static let phone = #"{"id":"f-phone","type":"phone","status":"verified"}"#
  static let fresh = #"{"id":"f-new","type":"totp","status":"unverified"}"#
  static let key = #"{"id":"f-key","type":"webauthn","status":"verified"}"#

  /// The account after a verification.
  static let verified = Reply.account.dropLast() + #","assurance":{"current":"aal2","possible":"aal2"}}"#

  static func list(_ factors: [String], ends: String = "", level: String = "aal1") -> String {
    Reply.result(
      #"{"account":"work","factors":[\#(factors.joined(separator: ","))],"endsAccounts":[\#(ends)],"isCurrent":true,"#
        + #""assurance":{"current":"\#(level)","possible":"\#(factors.isEmpty ? "aal1" : "aal2")"}}"#)
  }

  /// The result of a sign-in that needs a second factor.
  static func signedIn(_ factors: [String], more: String = "") -> String {
    Reply.result(
      #"{"outcome":"signedIn","account":\#(Reply.account),"mfa":{"needed":true,"#
        + #""factors":[\#(factors.joined(separator: ","))]\#(more)}}"#)
  }

  /// The response to a method that has the usual one.
  static func reply(_ method: String, _ line: String, refusal: String = "codeInvalid") -> String {
    switch method {
    case "mfa.challenge": return Reply.result(#"{"factor":"f-phone","expiresAt":"2099-11-21T04:48:17Z"}"#)
    case "mfa.enroll" where line.contains("phone"): return Reply.result(#"{"factor":"f-new"}"#)
    case "mfa.enroll":
      return Reply.result(#"{"factor":"f-new","secret":"ABCD2345","uri":"otpauth://totp/x?secret=ABCD2345"}"#)
    case "mfa.verify":
      return line.contains("000001") ? Reply.result(String(verified)) : Reply.error(refusal, "This code is wrong.")
    case "mfa.remove": return Reply.result("{}")
    default: return Reply.result(#"{"agent":"x","version":"1.0.0","protocol":1,"capabilities":[]}"#)
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct MFATests {
  private static func bench(
    _ factors: [String], refusal: String = "codeInvalid", _ body: (Bench) async throws -> Void
  ) async throws {
    try await withBench(
      { method, line in
        method == "mfa.list" ? FactorAgent.list(factors) : FactorAgent.reply(method, line, refusal: refusal)
      }, body)
  }

  @Test("lists the factors, and names the next step")
  func lists() async throws {
    try await Self.bench([FactorAgent.app, FactorAgent.fresh]) { bench in
      for words in [["mfa"], ["mfa", "list"]] {
        let output = try await bench.start(words).end()
        #expect(
          output.stdout == """
            f-app  authenticator app "Pixel"  verified
            f-new  authenticator app          unverified
            account work is at aal1; to reach aal2: ritualctl mfa verify --account work

            """)
      }
    }
    try await Self.bench([]) { bench in
      let output = try await bench.run("mfa")
      #expect(output.stdout == "no second factor; account work is at aal1\n")
    }
  }

  @Test("a code from standard input is sent once; a wrong one is in no message")
  func readsCodes() async throws {
    try await Self.bench([FactorAgent.app]) { bench in
      let output = try await bench.run("mfa", "verify", "--code-stdin", input: "000 001\n")
      #expect(output.status == 0, "\(output)")
      #expect(output.stdout == "the second factor of account work is verified (aal2)\n")
      #expect(output.stderr.contains("a verification ends every session of this user"), "MF-6: \(output)")
      #expect(bench.server.lines.map { ScriptedRequest($0).method } == ["mfa.list", "mfa.verify"])
      #expect(bench.server.lines[1].contains(#""params":{"code":"000001"}"#))
      for (input, status) in [("000009\n", 1), ("00000\n", 64), ("", 64)] as [(String, Int32)] {
        let wrong = try await bench.run("mfa", "verify", "--factor", "f-app", "--code-stdin", "--quiet", input: input)
        #expect(wrong.status == status && wrong.stdout.isEmpty, "\(wrong)")
        #expect(!wrong.stderr.contains("0000"), "\(wrong)")
      }
      #expect(bench.server.lines.count == 3)
      #expect(bench.server.lines[2].contains(#""factor":"f-app""#))
    }
  }

  @Test("without a terminal: a code is sent to a phone, exit 8; an app needs --code-stdin")
  func sendsCodes() async throws {
    try await Self.bench([FactorAgent.phone, FactorAgent.fresh]) { bench in
      let output = try await bench.run("mfa", "verify", "--account", "work")
      #expect(output.status == 8 && output.stderr.contains("phone, browsers"), "\(output)")
      let command = "ritualctl mfa verify --factor f-phone --account work --code-stdin"
      #expect(output.stdout == "a code was sent to the phone; pass it on standard input to:\n  \(command)\n")
      let json = try await bench.run("mfa", "verify", "--json")
      #expect(json.status == 8 && json.stdout.contains(#""outcome":"codeSent""#), "\(json)")
    }
    for (factors, status, words) in [
      ([FactorAgent.app], 64, "mfa verify --factor f-app --code-stdin < FILE"),
      ([FactorAgent.app, FactorAgent.phone], 64, #"f-app (authenticator app "Pixel"), f-phone (phone)"#),
      ([], 1, "ritualctl mfa enroll totp"),
      ([FactorAgent.fresh], 1, "ritualctl mfa remove"),
      ([FactorAgent.key], 1, "the user has: webauthn"),
    ] as [([String], Int32, String)] {
      try await Self.bench(factors) { bench in
        let output = try await bench.run("mfa", "verify")
        #expect(output.status == status && output.stderr.contains(words), "\(output)")
        #expect(bench.server.lines.count == 1)
      }
    }
  }

  @Test("prints the secret of a new factor once, and the command that completes it")
  func enrolls() async throws {
    try await Self.bench([]) { bench in
      let output = try await bench.run("mfa", "enroll", "totp", "--name", "Pixel")
      #expect(output.status == 0, "\(output)")
      #expect(
        output.stdout == "factor  f-new\nsecret  ABCD2345\nuri     otpauth://totp/x?secret=ABCD2345\n")
      #expect(output.stderr.contains("  ritualctl mfa verify --factor f-new --code-stdin\n"), "\(output)")
      #expect(!output.stderr.contains("ABCD2345") && output.stderr.contains("phone, browsers"), "\(output)")
      #expect(bench.server.lines[0].contains(#""params":{"name":"Pixel","type":"totp"}"#))
      let json = try await bench.run("mfa", "enroll", "totp", "--json")
      #expect(json.stdout.contains(#""secret":"ABCD2345""#) && json.stderr.isEmpty, "\(json)")
      let completed = try await bench.run("mfa", "enroll", "totp", "--code-stdin", input: "000001\n")
      #expect(completed.status == 0, "\(completed)")
      #expect(completed.stdout.hasSuffix("\nthe second factor of account work is verified (aal2)\n"))
      #expect(bench.server.lines.last?.contains(#""factor":"f-new""#) == true)
    }
    try await Self.bench([]) { bench in
      let refused = try await bench.run("mfa", "enroll", "phone")
      #expect(refused.status == 64 && refused.stderr.contains("--phone NUMBER"), "\(refused)")
      let output = try await bench.run("mfa", "enroll", "phone", "--phone", "+15550100")
      #expect(output.stdout == "factor  f-new\n" && output.status == 0, "\(output)")
      #expect(
        output.stderr.contains(
          "\n  ritualctl mfa verify --factor f-new\n  ritualctl mfa verify --factor f-new --code-stdin\n"))
      let read = try await bench.run(
        "mfa", "enroll", "phone", "--phone", "+15550100", "--code-stdin", input: "000001\n")
      #expect(read.status == 0, "\(read)")
      #expect(
        bench.server.lines.map { ScriptedRequest($0).method } == [
          "mfa.enroll", "mfa.list", "mfa.enroll", "mfa.challenge", "mfa.list", "mfa.verify",
        ])
    }
  }

  @Test("a removal needs --yes without a terminal")
  func removes() async throws {
    try await Self.bench([]) { bench in
      let refused = try await bench.run("mfa", "remove", "f-app")
      #expect(refused.status == 64 && refused.stderr.contains("ritualctl mfa remove f-app --yes"), "\(refused)")
      #expect(bench.server.lines.isEmpty)
      let output = try await bench.run("mfa", "remove", "f-app", "--yes")
      #expect(output.stdout == "removed the second factor f-app\n" && output.status == 0, "\(output)")
    }
  }

  @Test(
    "a code is never accepted as an argument, and never repeated",
    arguments: [
      "mfa 123456", "mfa verify 123456", "mfa verify 123 456", "mfa enroll 123456", "mfa enroll totp 123456",
      "mfa remove f 123456", "mfa verify --json 123456", "mfa 123456 --help", "mfa verify --code-stdin=123456",
      "mfa -c123456", "mfa --123456", "mfa verify -q123456",
    ])
  func hidesCodes(line: String) async throws {
    try await withScratchDirectory { folder in
      let output = try await Ritualctl(line.split(separator: " ").map(String.init), in: folder).end()
      #expect(!(output.stdout + output.stderr).contains("123"), "\(output)")
      #expect(output.status == 64 || line.hasSuffix("--help"), "\(output)")
      #expect(output.stderr.contains("may be a code") || line.hasSuffix("--help"), "\(output)")
    }
  }

  @Test("--assurance is sent; mfaNeeded exits with 8, and with 125 from exec")
  func requiresAssurance() async throws {
    let hint = "ritualctl mfa verify --account work"
    try await withBench { _, line in
      line.contains(#""assurance":"aal2""#)
        ? Reply.error("mfaNeeded", "This needs the second factor.", hint: hint) : Reply.token("a.b.c")
    } _: { bench in
      let token = try await bench.run("token", "--assurance", "aal2")
      #expect(token.status == 8, "\(token)")
      #expect(token.stderr == "ritualctl: This needs the second factor.\n  \(hint)\n")
      let json = try await bench.run("token", "--assurance", "aal2", "--json")
      #expect(json.stderr.contains(#""exitStatus":8"#) && json.stderr.contains(#""kind":"mfaNeeded""#), "\(json)")
      let exec = try await bench.run("exec", "--assurance", "aal2", "--", "/bin/echo", "x")
      #expect(exec.status == 125 && exec.stderr.contains("(mfaNeeded)") && exec.stdout.isEmpty, "\(exec)")
      #expect(try await bench.run("token", "--assurance", "aal1").stdout == "a.b.c\n")
      #expect(bench.server.lines.last?.contains(#""assurance":"aal1""#) == true)
      #expect(try await bench.run("token").stdout == "a.b.c\n")
      #expect(bench.server.lines.last?.contains("assurance") == false)
      #expect(try await bench.run("token", "--assurance", "aal3").status == 64)
    }
  }

  @Test("after a sign-in without a terminal: exit 0, and a note; the document has the need")
  func notesTheNeed() async throws {
    let end = StatusTests.moment(in: 23 * 3600)
    try await withBench { _, _ in
      FactorAgent.signedIn(
        [FactorAgent.app], more: #","endsAt":"\#(end)","verifiedElsewhereAt":"2025-05-04T09:14:00Z""#)
    } _: { bench in
      let words = ["sign-in", "email", "--email", "a@b.c", "--password-stdin"]
      let output = try await bench.start(words, input: "x\n").end()
      #expect(output.status == 0 && output.stdout == "signed in to work as anna@example.org (Google)\n", "\(output)")
      #expect(
        output.stderr.contains(
          "\n  ritualctl mfa verify --account work\n  without it, the server ends this session in 23 h"))
      #expect(output.stderr.contains("verified elsewhere, 2025-05-04 09:14 UTC\n"))
      let json = try await bench.start(words + ["--json"], input: "x\n").end()
      #expect(json.stderr.isEmpty && json.stdout.contains(#""needed":true"#), "\(json)")
    }
    try await withBench(FactorAgent.signedIn([FactorAgent.key])) { bench in
      let output = try await bench.run(
        "sign-in", "email", "--email", "a@b.c", "--password-stdin", "--mfa", "later", input: "x\n")
      #expect(output.status == 0 && output.stderr.contains("cannot be verified here: webauthn\n"), "\(output)")
    }
  }

  @Test("without a display, mfa verify --browser --json names the command that takes a code")
  func needsADisplay() async throws {
    try await withBench { method, line in
      method == "mfa.start"
        ? Reply.result(#"{"flow":"f1","url":"http://127.0.0.1:1/x","expiresAt":"2099-11-21T04:48:17Z"}"#)
        : FactorAgent.reply(method, line)
    } _: { bench in
      let output = try await bench.run("mfa", "verify", "--browser", "--json", "--account", "work")
      #expect(output.status == 64, "\(output)")
      #expect(output.stderr.contains(#""hint":"ritualctl mfa verify --account work --code-stdin""#), "\(output)")
    }
  }

  @Test("status shows the level of a user with a factor, and when the session ends")
  func showsLevels() async throws {
    let aal1 = #","assurance":{"current":"aal1","possible":"aal2"}"#
    let aal2 = #","assurance":{"current":"aal2","possible":"aal2"}"#
    let none = #","assurance":{"current":"aal1","possible":"aal1"}"#
    func ends(in seconds: Int, _ more: String = "") -> String {
      #","session":{"endsAt":"\#(StatusTests.moment(in: seconds))"\#(more)}"#
    }
    let accounts = [
      StatusTests.account("authenticated", aal1 + ends(in: 7230, #","isEstimate":true"#), usable: true),
      StatusTests.account(
        "authenticated", aal2 + ends(in: 10 * 86_400 + 60), name: "high", usable: true, isDefault: false),
      StatusTests.account("authenticated", none, name: "plain", usable: true, isDefault: false),
      StatusTests.account(
        "degraded", none + #","session":{"endReason":"newerSignIn"}"#, name: "old", isDefault: false),
    ].joined(separator: ",")
    try await withBench(StatusTests.status(accounts)) { bench in
      let output = try await bench.run("status").stdout.replacing(/\(2\d{3}-[^)]*\)|\(\d\d:\d\d UTC\)/, with: "(T)")
      #expect(
        output == """
          agent 1.0.2, up 3 d, vault unlocked (key file)
            ACCOUNT  PROJECT  STATE            USER  TOKEN
          * work     prod     signed in, aal1  -     valid
            high     prod     signed in, aal2  -     valid
            plain    prod     signed in        -     valid
            old      prod     degraded         -     no token yet
          ! work: the session ends about in 2 h (T)
              ritualctl mfa verify --account work
            high: the session ends in 10 d (T)
          ! old: a newer sign-in took its place: the project allows one session for each user
              ritualctl why --account old

          """)
    }
  }
}
