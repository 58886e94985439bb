import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct ApprovalsTests {
  private static let pending =
    #"{"account":"work","askedAt":"2025-11-21T03:48:17Z","executable":"/opt/a\u001b[31m","id":"3f9c","#
    + #""method":"session.token","pid":7,"state":"pending","unit":"a.service","until":"2025-11-21T03:58:17Z"}"#
  private static let allowed =
    #"{"account":"work","askedAt":"2025-11-21T03:48:17Z","comm":"too\u001bl","id":"3f9c","#
    + #""method":"session.token","pid":7,"state":"allowed"}"#
  private static let denied = allowed.replacingOccurrences(of: "allowed", with: "denied")

  @Test("approvals lists by default, one escaped line for each")
  func lists() async throws {
    try await withBench(Reply.result(#"{"approvals":[\#(Self.pending),\#(Self.allowed),\#(Self.denied)]}"#)) { bench in
      for arguments in [["approvals"], ["approvals", "list"]] {
        let output = try await bench.start(arguments).end()
        let lines = output.stdout.split(separator: "\n")
        #expect(lines.count == 3 && output.status == 0, "\(output.stderr)")
        #expect(lines[0].hasPrefix("3f9c  pending  work  until 2025-11-21 "))
        #expect(lines[0].hasSuffix(#"  session.token  /opt/a\u{1b}[31m  a.service  pid 7"#), "\(lines[0])")
        #expect(lines[1].contains("until locked") && lines[1].hasSuffix(#"  calls itself too\u{1b}l  pid 7"#))
        #expect(lines[2].contains(/until the agent stops +session.token/), "\(lines[2])")
      }
      #expect(bench.server.lines.allSatisfy { $0.contains(#""method":"approval.list""#) })
      let json = try await bench.run("approvals", "--json")
      #expect(json.stdout.hasPrefix(#"{"approvals":[{"account":"work""#), "\(json.stdout)\(json.stderr)")
    }
  }

  @Test("approvals allows, denies and revokes")
  func answers() async throws {
    try await withBench { method, _ in
      Reply.result(method == "approval.revoke" ? "{}" : Self.allowed)
    } _: { bench in
      let allowed = try await bench.run("approvals", "allow", "3f9c", "--for", "8h")
      #expect(allowed.stdout.hasPrefix("3f9c  allowed  work  "))
      #expect(try await bench.run("approvals", "deny", "3f9c").status == 0)
      #expect(try await bench.run("approvals", "revoke", "3f9c").stdout == "3f9c: revoked\n")
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"approval.answer","params":{"allow":true,"for":28800,"id":"3f9c"}}"#,
          #"{"id":1,"jsonrpc":"2.0","method":"approval.answer","params":{"allow":false,"id":"3f9c"}}"#,
          #"{"id":1,"jsonrpc":"2.0","method":"approval.revoke","params":{"id":"3f9c"}}"#,
        ])
      #expect(try await bench.run("approvals", "allow", "3f9c", "--for", "0").status == 64)
      #expect(try await bench.run("approvals", "allow").status == 64)
    }
  }
}
