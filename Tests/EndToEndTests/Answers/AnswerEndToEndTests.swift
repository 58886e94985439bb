import AuthSandbox
import Foundation
import TestKit
import Testing

/// Every possible response to a refresh, through the built programs: the session's state, the
/// events and the messages.
@Suite(.timeLimit(.minutes(3))) struct AnswerEndToEndTests {
  @Test("TK-5, TK-6: each response has its meaning", arguments: RefreshAlgorithm.allCases)
  func meansWhatItSays(algorithm: RefreshAlgorithm) async throws {
    // Each response is tested with an account of its own, so that earlier responses do not matter.
    try await withTestHome(.with { $0.refreshAlgorithm = algorithm }) { home in
      let rows = Array(AnswerRow.all.enumerated())
      for start in stride(from: 0, to: rows.count, by: Self.rowsOfABudget) {
        try await home.killAgent()
        try await home.startAgent()
        let subscriber = try SocketTool(home.socket)
        try subscriber.send(#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}"#)
        _ = try await subscriber.line()
        for (number, row) in rows[start..<min(start + Self.rowsOfABudget, rows.count)] {
          try await check(row, account: "a\(number)", home, subscriber)
        }
      }
    }
  }

  /// A row costs a sign-in and up to three attempts, so this many rows fit the 24 requests that an
  /// agent sends to a server at once.
  private static let rowsOfABudget = 5

  private func check(_ row: AnswerRow, account: String, _ home: TestHome, _ subscriber: SocketTool) async throws {
    try await home.signIn("--account", account)
    let token = try await home.token("--account", account)
    home.sandbox.inject(row.fault, at: .refresh, count: 1000)
    let begun = Date()
    let refresh = try await home.ctl("refresh", "--account", account)
    #expect(refresh.status == row.exit, "\(row.name): \(refresh.stderr)")
    #expect(refresh.stderr.contains(row.words), "\(row.name): \(refresh.stderr)")
    let status = try await home.accountStatus(account)
    switch row.meaning {
    case .ended(let reason):
      #expect(status.state == "signInNeeded", "\(row.name)")
      #expect(status.ended?.reason == reason, "\(row.name)")
      #expect(try await home.ctl("token", "--account", account).status == 4, "\(row.name)")
      try await waitForEvent("SIGNED_OUT", of: account, subscriber)
    case .kept(let next):
      #expect(status.state == "degraded", "\(row.name)")
      #expect(try await home.token("--account", account) == token, "\(row.name): it lives")
      let at = try #require(status.refresh?.nextAt.flatMap(ISO8601DateFormatter().date(from:)))
      // The pause began after the request was started; a fraction of a second is cut off from the time
      // of day, and another one from the rest of the pause.
      let seen = (longest: at.timeIntervalSince(begun) + 2, shortest: at.timeIntervalSinceNow - 1)
      #expect(
        seen.longest >= Double(next.lowerBound) && seen.shortest <= Double(next.upperBound),
        "\(row.name): the next try is \(seen.shortest) to \(seen.longest) s after the last one")
      try await waitForEvent("STATE_CHANGED", of: account, subscriber)
    }
    try await checkWhy(row, account, home)
    home.sandbox.clearFaults()
  }

  private func checkWhy(_ row: AnswerRow, _ account: String, _ home: TestHome) async throws {
    let output = try await home.ctl("why", "--account", account, "--json")
    let why = try JSONDecoder().decode(Why.self, from: Data(output.stdout.utf8))
    let last = try #require(why.tries.first, "\(row.name)")
    #expect(last.status == row.status, "\(row.name)")
    #expect(last.latency >= 0)
    #expect(!why.explanation.isEmpty)
  }

  private func waitForEvent(_ type: String, of account: String, _ subscriber: SocketTool) async throws {
    while true {
      let event = try JSONDecoder().decode(Event.self, from: Data(try await subscriber.line().utf8)).params
      if event.account == account, event.type == type { return }
    }
  }

  private struct Event: Decodable {
    struct Params: Decodable {
      var account: String?
      var type: String
    }
    var params: Params
  }

  private struct Why: Decodable {
    struct Try: Decodable {
      var status: Int?
      var latency: Double
    }
    var explanation: [String]
    var tries: [Try]
  }

  @Test("a response that arrives after a sign-out or another sign-in changes nothing")
  func dropsLateAnswers() async throws {
    try await withTestHome(users: [TestHome.email, "bert@example.org"]) { home in
      try await home.signIn()
      home.sandbox.inject(.hangAfterCommit, at: .refresh, count: 1)
      let refresh = try home.start(["refresh"])
      try await eventually("the refresh is committed") { home.sandbox.refreshRotations == 1 }
      #expect(try await home.ctl("sign-out").status == 0)
      #expect(try await refresh.end().status == 4)
      try await home.signIn("--replace", email: "bert@example.org")
      let token = try await home.token()
      home.sandbox.releaseHangs()
      try await eventually("the late session is ended") { home.sandbox.requestCount(.logout) >= 2 }
      #expect(try await home.token() == token)
      #expect(try await home.accountStatus("default").user?.email == "bert@example.org")
      #expect(try await home.serverTakes(token))
    }
  }
}
