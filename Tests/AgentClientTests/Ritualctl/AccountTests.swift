import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct AccountTests {
  @Test("accounts, use and refresh print the account's table")
  func printsAccounts() async throws {
    let table = """
        ACCOUNT  PROJECT  STATE      USER                       TOKEN
      * work     prod     signed in  anna@example.org (Google)  valid

      """
    try await withBench { method, _ in
      Reply.result(method == "session.list" ? #"{"accounts":[\#(Reply.account)]}"# : Reply.account)
    } _: { bench in
      for arguments in [["accounts"], ["use", "work"], ["refresh", "--account", "work"]] {
        let output = try await bench.start(arguments).end()
        #expect(output.stdout == table)
        #expect(output.status == 0)
      }
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"session.list","params":{}}"#,
          #"{"id":1,"jsonrpc":"2.0","method":"session.use","params":{"account":"work"}}"#,
          #"{"id":1,"jsonrpc":"2.0","method":"session.refresh","params":{"account":"work"}}"#,
        ])
      let json = try await bench.run("accounts", "--json")
      #expect(json.stdout.hasPrefix(#"{"accounts":[{"activity":"none""#))
    }
  }

  @Test("why prints sentences, then the last attempts")
  func explains() async throws {
    let tries =
      #"[{"at":"2025-11-21T04:48:17Z","reason":"ahead","outcome":"failed","status":503,"error":"serviceUnavailable","latency":0.25},"#
      + #"{"at":"2025-11-21T03:48:17Z","reason":"demand","outcome":"refreshed","latency":0.1}]"#
    try await withBench { _, _ in
      Reply.result(
        #"{"account":\#(Reply.account),"explanation":["It ended at 2025-11-21T04:48:17Z (so).","ZZ, at 2025-11-21T04:48:17Z. aZ"],"tries":\#(tries)}"#
      )
    } _: { bench in
      let output = try await bench.run("why")
      #expect(
        output.stdout == """
          It ended at 2025-11-21 04:48 UTC (so).
          ZZ, at 2025-11-21 04:48 UTC. aZ
          recent attempts, newest first:
            2025-11-21 04:48 UTC  ahead   failed     250 ms  HTTP 503 serviceUnavailable
            2025-11-21 03:48 UTC  demand  refreshed  100 ms

          """)
    }
  }

  @Test("sign-out prints the accounts that were signed out, and the pending revocations")
  func signsOut() async throws {
    try await withBench(Reply.result(#"{"accounts":["home","work"],"pending":["work"]}"#)) { bench in
      let output = try await bench.run("sign-out", "--all", "--scope", "global")
      #expect(output.stdout == "home: signed out\nwork: signed out here, revocation pending\n")
      #expect(output.stderr.hasPrefix("ritualctl: work: the server has not confirmed it yet"))
      #expect(
        bench.server.lines == [
          #"{"id":1,"jsonrpc":"2.0","method":"session.signOut","params":{"all":true,"scope":"global"}}"#
        ])
      #expect(try await bench.run("sign-out", "--quiet").stderr == "")
    }
  }
}
