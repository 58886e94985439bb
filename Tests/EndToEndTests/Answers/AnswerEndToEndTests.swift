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

/// A response to a refresh, and its visible consequences.
struct AnswerRow: Sendable, CustomTestStringConvertible {
  enum Meaning: Sendable {
    /// The session has ended, for this reason.
    case ended(String)
    /// The session is kept and overdue; the next attempt is within these seconds.
    case kept(next: ClosedRange<Int>)
  }

  let name: String
  let fault: Fault
  let meaning: Meaning
  /// The message and the exit status of `ritualctl refresh`.
  let words: String
  let exit: Int32
  /// The HTTP status of the last attempt, as `why` reports it.
  let status: Int?

  var testDescription: String { name }

  /// One row for each outcome of a response. ClassifyRefreshTests have every response.
  static let all = [fatal] + slow + transient
}

extension AnswerRow {
  private static let fatal = AnswerRow(
    name: "400 session_not_found", fault: .error(status: 400, code: "session_not_found"),
    meaning: .ended("session deleted"), words: "Session expired. Please sign in again.", exit: 4, status: 400)
  private static let key = "check url and anon_key"

  /// Pauses in seconds: after three attempts, and after a response that a short wait does not change.
  private static let early = 0...120
  private static let late = 1200...3000

  /// Failures that a short wait does not resolve, and pauses that the server asked for.
  private static let slow = [
    row("400 user_banned", .error(status: 400, code: "user_banned"), late, "This account is suspended", 6, 400),
    row("the gateway's 401", .gatewayUnauthorized, late, key, 1, 401),
    row("418 of a captive portal", .answer(status: 418, body: "{}"), late, unavailable, 7, 418),
    row("540", .projectPaused, late, "the project is paused", 7, 540),
    row("429 with Retry-After", .rateLimited(retryAfter: 77), 77...93, "Too many requests", 7, 429),
    row(
      "503 with Retry-After", .answer(status: 503, body: "{}", headers: ["retry-after": "120"]), 120...144,
      unavailable, 7, 503),
  ]

  private static let unavailable = "Service temporarily unavailable. Please try again later."
  private static let offline = "Connection failed. Please check your internet and try again."

  /// Three attempts, then one within two minutes.
  private static let transient = [
    row("422 of a hook", .hookTimeout, early, "A hook of the project failed.", 7, 422),
    row("504 after the commit", .timeoutAfterCommit, early, unavailable, 7, 504),
    row("dropped after the commit", .dropAfterCommit, early, offline, 7, nil),
    row("a body cut by the network", .cutBody, early, unavailable, 7, nil),
    row("a 200 that cannot be read", .truncatedBody, early, unavailable, 7, 200),
  ]

  private static func row(
    _ name: String, _ fault: Fault, _ next: ClosedRange<Int>, _ words: String, _ exit: Int32, _ status: Int?
  ) -> AnswerRow {
    AnswerRow(name: name, fault: fault, meaning: .kept(next: next), words: words, exit: exit, status: status)
  }
}
