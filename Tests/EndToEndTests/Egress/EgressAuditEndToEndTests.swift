import AuthSandbox
import Foundation
import TestKit
import Testing

/// The audit log and the metrics of requests that get no answer.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EgressAuditEndToEndTests {
  /// The statuses of all entries together, and the number of requests as `count`.
  private func counts(_ home: TestHome) async throws -> [String: Int] {
    let document = try await home.ctl("audit", "--json").json()
    var sum: [String: Int] = [:]
    for entry in document["entries"] as? [[String: Any]] ?? [] where entry["event"] as? String == "egressUsed" {
      sum["count", default: 0] += entry["count"] as? Int ?? 0
      for (status, count) in entry["statuses"] as? [String: Int] ?? [:] { sum[status, default: 0] += count }
    }
    return sum
  }

  /// Waits for these statuses and this number of requests, in all entries together: an entry may still be on
  /// its way to the log.
  private func expectCounts(_ expected: [String: Int], _ home: TestHome) async throws {
    var found: [String: Int] = [:]
    do {
      try await eventually("the counts") {
        found = try await counts(home)
        return found == expected
      }
    } catch let error as ConditionTimeout {
      Issue.record("\(error): \(found), not \(expected)")
    }
  }

  /// A lock writes the entry of the present hour.
  private func lockAndUnlock(_ home: TestHome) async throws {
    #expect(try await home.ctl("lock").status == 0)
    #expect(try await home.ctl("unlock").status == 0)
  }

  /// Sends a request, and returns when the server has it.
  private func held(_ home: TestHome, _ api: RawServer, _ request: String) async throws -> RawClient {
    let (client, before) = (try RawClient(home.egress), api.requests.count)
    try await client.send(request)
    try await eventually("the server has the request") { api.requests.count == before + 1 }
    return client
  }

  private static let script: RawServer.Script = { request in
    switch request.split(separator: " ")[1] {
    case "/hold": [.hold]
    case "/close": [.close]
    case "/head":
      [.send("HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"), .hold]
    case "/socket":
      [.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"), .echo]
    case "/401": [.answer("401 Unauthorized", #"{"message":"no"}"#)]
    default: [.answer("200 OK", "{}")]
    }
  }

  private static let post = "POST /hold HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello"

  private static func get(_ path: String, _ headers: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
  }

  @Test("a request that the server got is counted, also if the client closes, the server fails or a lock ends it")
  func countsWhatGetsNoAnswer() async throws {
    try await withEgress(Self.script) { home, api in
      for _ in 0..<5 { _ = try await held(home, api, Self.post) }
      try await eventually("the server's connections end") { api.held == 0 }
      #expect(try await RawClient(home.egress).answer(to: Self.get("/close")).status == 502)
      #expect(try await RawClient(home.egress).answer(to: Self.get("/items")).status == 200)
      let begun = try await held(home, api, Self.get("/head"))
      try await begun.wait("the head") { $0.contains("404 Not Found") }
      #expect(try await RawClient(home.egress).answer(to: Self.get("/401")).status == 401)
      let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n"
      let socket = try RawClient(home.egress)
      #expect(try await socket.answer(to: Self.get("/socket", upgrade)).status == 101)
      let locked = try await held(home, api, Self.post)
      let metrics = try await home.ctl("metrics").stdout
      #expect(metrics.contains(#"ritual_egress_requests_total{status="none"} 6"#), "\(metrics)")
      try await lockAndUnlock(home)
      _ = try await locked.end()
      try await expectCounts(["count": 11, "none": 7, "2xx": 1, "4xx": 2, "1xx": 1], home)
      // A request that was never sent is none.
      api.stop()
      try await eventually("the server is gone") {
        try await RawClient(home.egress).answer(to: Self.get("/items")).status == 502
      }
      try await lockAndUnlock(home)
      let after = try await counts(home)
      #expect(after["2xx"] == 1 && after["count"] == 7 + 4)
      #expect(try await home.ctl("audit", "--verify").status == 0)
    }
  }

  @Test("a request that is in flight when the agent stops, or when the session ends, is counted")
  func countsAtEnds() async throws {
    try await withEgress(Self.script) { home, api in
      try await home.signIn("--account", "other")
      let ended = try await held(home, api, Self.post.replacing("localhost", with: "other"))
      #expect(try await home.ctl("sign-out", "--account", "other").status == 0)
      try await ended.wait("the refusal") { $0.contains("signInNeeded") }
      _ = try await held(home, api, Self.get("/hold"))
      let last = try await held(home, api, Self.post)
      #expect(try await home.endAgent() == 0)
      _ = try await last.end()
      try await home.startAgent()
      try await expectCounts(["count": 3, "none": 3], home)
    }
  }

  @Test("a request of a crashed agent, whose answer nobody knows, is counted")
  func countsAfterACrash() async throws {
    try await withEgress(Self.script) { home, api in
      let client = try await held(home, api, Self.post)
      // A list writes and seals what is counted.
      #expect(try await home.ctl("audit").status == 0)
      try await home.killAgent()
      _ = try await client.end()
      try await home.startAgent()
      try await expectCounts(["count": 1, "none": 1], home)
    }
  }

  @Test("a request of a grant is counted in the same way")
  func countsGrants() async throws {
    try await withEgress(Self.script) { home, api in
      let grant = try await home.grant()
      let client = try RawClient(loopback: grant.port)
      try await client.send(grant.request("/hold", method: "POST"))
      try await eventually("the server has the request") { api.held == 1 }
      #expect(try await home.ctl("grants", "revoke", grant.id).status == 0)
      _ = try await client.end()
      try await lockAndUnlock(home)
      try await expectCounts(["count": 1, "none": 1], home)
      let log = try await home.ctl("audit", "--json").stdout
      let entry = log.split(separator: "{").first { $0.contains("egressUsed") }
      #expect(log.contains(#""executable""#) && entry?.contains("/ritualctl") == true, "\(log)")
    }
  }
}
