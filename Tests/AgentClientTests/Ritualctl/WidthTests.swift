import Foundation
import TestKit
import Testing

@testable import ritualctl

/// Every output for people is folded between words at the width of its terminal.
@Suite(.timeLimit(.minutes(2))) struct WidthTests {
  private static let sentence =
    "It is refreshed about five minutes before it expires, which the project's settings say."
  private static let entry =
    #"{"sequence":1,"at":"2025-11-21T03:48:17Z","event":"handOut","account":"box","count":1,"token":"40d7c1aa","#
    + #""way":"token","pid":648,"unit":"report.service","executable":"/usr/bin/python3"}"#
  private static let decision =
    #"{"sequence":2,"at":"2025-11-21T03:48:17Z","event":"decided","account":"work","accepted":true,"detail":"newAccount"}"#
  private static let ended =
    #"{"sequence":3,"at":"2025-11-21T03:48:17Z","event":"grantEnded","account":"box","detail":"grant 3f9c: expired","#
    + #""unit":"report.service"}"#
  private static let grant =
    #"{"id":"3f9c","account":"work","methods":["GET"],"paths":["/rest/v1/todos"],"pid":7,"executable":"/opt/tool","#
    + #""unit":"a.service","process":true,"createdAt":"2025-11-21T03:48:17Z","expiresAt":"2025-11-21T04:48:17Z","#
    + #""requests":1}"#

  @Sendable private static func answer(_ method: String, _ line: String) -> String {
    switch method {
    case "session.explain":
      Reply.result(#"{"account":\#(Reply.account),"explanation":["\#(sentence)"],"tries":[]}"#)
    case "audit.list":
      Reply.result(
        #"{"entries":[\#(entry),\#(ended),\#(decision)],"more":true,"isChecked":true,"leftOut":0,"unknownFiles":[],"unknownCount":0}"#
      )
    case "egress.list": Reply.result(#"{"grants":[\#(grant)]}"#)
    default: Reply.error("denied", sentence, hint: "ask the owner of the project for the permission that it lacks here")
    }
  }

  private static let commands = ["why", "audit", "grants", "refresh", "lock", "--help", "token --help", "", "doctor"]

  @Test("at 80 and 40 columns no line is longer, except a command or a word to copy", arguments: [80, 40])
  func folds(columns: Int) async throws {
    try await withBench(Self.answer) { bench in
      for command in Self.commands {
        let output = try await bench.runInTerminal(
          columns: columns, environment: ["TERM": "dumb"], line: "\"$0\" \(command)")
        let lines = output.stdout.split(separator: "\n")
        #expect(lines.count > 1, "\(output.stdout)")
        for line in lines where line.count > columns {
          let text = line.drop { $0 == " " }
          // A command with an explanation beside it is no line to copy.
          let isCopied =
            !text.contains("  ")
            && ["ritualctl ", "systemctl ", "ritual-agentd ", "loginctl "].contains { text.contains($0) }
          #expect(isCopied || !text.contains(" "), "\(command) at \(columns): \(line)")
        }
      }
    }
  }

  @Test("the introduction of init is folded, and has no line breaks of another width")
  func foldsTheDialog() async throws {
    try await withBench(Self.answer) { bench in
      let output = try await bench.runInTerminal(
        "expect('project ID: ')\nsay('\\x03')\nfinish()", environment: ["TERM": "dumb"],
        command: ["/bin/sh", "-c", "stty cols 40 rows 50 && \"$0\" init", Ritualctl.path])
      let starts = output.stdout.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix(7) }
      #expect(starts == ["Connect", "Nothing", "Project"], "\(output.stdout)")
    }
  }

  @Test("in a pipe no line is folded, and an entry of the audit log is a sentence")
  func keepsLinesInAPipe() async throws {
    try await withBench(Self.answer) { bench in
      #expect(try await bench.run("why").stdout.hasPrefix(Self.sentence + "\n"))
      let audit = try await bench.run("audit").stdout
      let sentence = "token given to report.service (/usr/bin/python3, pid 648), account box\n"
      #expect(audit.contains(sentence), "\(audit)")
      #expect(audit.contains("grant ended for report.service, account box, grant 3f9c: expired\n"), "\(audit)")
      #expect(audit.hasSuffix("  confirmed: sign-in to the new account work\n"), "\(audit)")
      let refused = try await bench.run("refresh").stderr
      #expect(refused.hasPrefix("ritualctl: \(Self.sentence)\n  ask the owner"), "\(refused)")
    }
  }

  @Test("a text keeps its spaces where it is not folded, and colors take no column")
  func foldsLines() {
    #expect(DisplayText.folded("a  b   c", to: 8, indent: 2) == ["a  b   c"])
    #expect(DisplayText.folded("a  b   c", to: 7, indent: 2) == ["a  b", "  c"])
    #expect(DisplayText.folded("  Sure? [y/N] ", to: 10, indent: 2) == ["  Sure?", "  [y/N] "])
    let red = "\u{1B}[31mab\u{1B}[0m cd"
    #expect(DisplayText.folded(red, to: 5, indent: 0) == [red])
    #expect(DisplayText.folded("    ritualctl sign-in --account work", to: 10, indent: 4).count == 1)
  }
}

/// Ctrl-C and Ctrl-D at a question.
@Suite(.timeLimit(.minutes(2))) struct CancelledQuestionTests {
  @Test("the shell's prompt gets a line of its own", arguments: ["\\x03", "\\x04"])
  func endsTheLine(key: String) async throws {
    try await withBench { method, _ in
      method == "vault.status"
        ? VaultTests.status(VaultTests.wordKey, state: "locked", more: "") : Reply.error("wrongKey")
    } _: { bench in
      let output = try await bench.runInTerminal(
        "expect('Vault passphrase: ')\nawait_echo(False)\nsay('\(key)')\nfinish()", "unlock")
      #expect(output.status == 2, "\(output.stdout)")
      #expect(output.stdout == "Vault passphrase: \n", "\(output.stdout)")
    }
  }
}
