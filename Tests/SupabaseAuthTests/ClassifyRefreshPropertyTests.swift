import FoundationEssentials
import SupabaseAuth
import TestKit
import Testing

/// No input crashes, and only a listed code with status 400 ends a session.
@Suite struct ClassifyRefreshPropertyTests {
  private static let interesting = [
    "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired",
    "validation_failed", "user_banned", "invalid_grant", "Already Used", "Not Found", "conflict", "hook_timeout",
    "bad_jwt", "", "\u{0}", "é",
  ]
  private static let keys = [
    "code", "error_code", "error", "error_description", "msg", "message", "access_token", "refresh_token",
    "expires_in", "user", "id", "weak_password", "reasons",
  ]

  private func json(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    switch Int.random(in: 0..<(depth > 3 ? 5 : 8), using: &random) {
    case 0: "null"
    case 1: Bool.random(using: &random) ? "true" : "false"
    case 2: "\(Int.random(in: Int.min...Int.max, using: &random))"
    case 3: "\(Double.random(in: -1e300...1e300, using: &random))"
    case 4: quoted(Self.interesting.randomElement(using: &random) ?? "")
    case 5: "[" + (0..<3).map { _ in json(&random, depth: depth + 1) }.joined(separator: ",") + "]"
    default: object(&random, depth: depth)
    }
  }

  private func object(_ random: inout SeededGenerator, depth: Int) -> String {
    let members = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      quoted(Self.keys.randomElement(using: &random) ?? "") + ":" + json(&random, depth: depth + 1)
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\u{0}", with: "\\u0000") + "\""
  }

  private func check(_ status: Int, _ body: [UInt8], headers: [(name: String, value: String)] = []) -> Bool {
    guard case .fatal(let reason, let error) = classifyRefresh(status: status, headers: headers, body: body) else {
      return false
    }
    let isListed = error.serverCode == reason.serverCode || error.serverCode == "invalid_grant"
    #expect(status == 400 && isListed, "fatal for \(status) \(String(decoding: body, as: UTF8.self))")
    return true
  }

  private func status(_ random: inout SeededGenerator) -> Int {
    // Half of the statuses are 400, so that the fatal branch is reached often.
    Bool.random(using: &random) ? 400 : Int.random(in: 100...999, using: &random)
  }

  @Test func randomBytes() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<5000 {
      let body = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(!check(status(&random), body))
    }
  }

  @Test func randomJSON() {
    var random = SeededGenerator(seed: 2)
    var fatal = 0
    for _ in 0..<5000 where check(status(&random), Array(object(&random, depth: 0).utf8)) { fatal += 1 }
    #expect(fatal > 20, "the fatal branch must be met for the test to mean anything")
  }

  @Test func mutatedSessions() {
    var random = SeededGenerator(seed: 3)
    let session = Array(Fixture.session().utf8)
    for _ in 0..<2000 {
      var body = session
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        body[Int.random(in: 0..<body.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { body.removeLast(Int.random(in: 0..<body.count, using: &random)) }
      #expect(!check(200, body))
    }
  }

  @Test(arguments: ["[", "{\"user\":"]) func deepNesting(opening: String) {
    #expect(!check(200, Array(String(repeating: opening, count: 100_000).utf8)))
    #expect(!check(400, Array(String(repeating: opening, count: 100_000).utf8)))
  }
}
