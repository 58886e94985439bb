import AuthSandbox
import Foundation
import Synchronization
import TestKit
import Testing

/// Rules that ask about single requests, and requests that wait for the answer (`Prefer: wait`).
@Suite(.serialized, .timeLimit(.minutes(10))) struct RequestApprovalEndToEndTests {
  private static func post(_ path: String, _ more: String = "Prefer: return=minimal, wait=60\r\n") -> String {
    "POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(more)Content-Length: 2\r\n\r\n{}"
  }

  private func withRule(_ script: @escaping RawServer.Script, _ body: (TestHome, RawServer) async throws -> Void)
    async throws
  {
    try await withEgress(script) { home, api in
      try home.append("\n[[policy.rules]]\naction = \"ask\"\nmethods = [\"POST\"]\npaths = [\"/items\"]\n")
      try await home.reload()
      try await body(home, api)
    }
  }

  private struct Pending: Decodable {
    let id: String
    let state: String
    let request: String?
    let pattern: String?
    let scope: String?
  }

  private func approvals(_ home: TestHome) async throws -> [Pending] {
    struct List: Decodable { let approvals: [Pending] }
    let output = try await home.ctl("approvals", "--json").stdout
    return try JSONDecoder().decode(List.self, from: Data(output.utf8)).approvals
  }

  private func question(_ home: TestHome) async throws -> Pending {
    var found: Pending?
    try await eventually("a question") {
      found = try await approvals(home).first { $0.state == "pending" }
      return found != nil
    }
    return try #require(found)
  }

  /// From a process that is not the asker's.
  private func allow(_ home: TestHome, _ id: String, _ more: String...) async throws {
    let allowed = try await home.start(["approvals", "allow", id] + more).end()
    #expect(allowed.status == 0, "\(allowed.stderr)")
  }

  @Test("RC-9: sixty requests of one rule wait for one answer, which is for the rule's requests; the log has no path")
  func holds() async throws {
    try await withRule { _ in
      [.answer("200 OK", "{}")]
    } _: { home, api in
      let clients = try (0..<60).map { _ in try RawClient(home.egress) }
      for (number, client) in clients.enumerated() { try await client.send(Self.post("/items/\(number)")) }
      let asked = try await question(home)
      #expect(asked.request?.hasPrefix("POST /items/") == true && asked.pattern == "POST /items")
      #expect(
        try await RawClient(home.egress).answer(to: "GET /items/1 HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200)
      #expect(try await approvals(home).count == 1 && api.requests.count == 1)
      try await allow(home, asked.id, "--for", "15m")
      for client in clients { try await client.wait("an answer") { $0.hasPrefix("HTTP/1.1 200 OK") } }
      #expect(try await RawClient(home.egress).answer(to: Self.post("/items/x", "")).status == 200)
      #expect(try await approvals(home).map(\.state) == ["allowed"])
      let log = try await home.ctl("audit", "--json").stdout
      #expect(log.contains("POST /items\""), "\(log)")
      #expect(!log.contains("/items/"))
    }
  }

  @Test("RC-9: an approval for once is for one request, and for its repetition after a 401")
  func allowsOnce() async throws {
    let posts = Atomic(0)
    let script: RawServer.Script = { request in
      let isFirst = request.hasPrefix("POST") && posts.wrappingAdd(1, ordering: .relaxed).newValue == 1
      return [isFirst ? .answer("401 Unauthorized", #"{"code":"PGRST301"}"#) : .answer("200 OK", "{}")]
    }
    try await withRule(script) { home, api in
      let refused = try await RawClient(home.egress).answer(to: Self.post("/items/1", ""))
      #expect(refused.status == 403 && refused.body.contains("\"kind\":\"approvalNeeded\""))
      let asked = try await question(home)
      #expect(refused.body.contains("ritualctl approvals allow \(asked.id)"))
      try await allow(home, asked.id, "--once")
      #expect(try await approvals(home).map(\.scope) == ["once"])
      #expect(try await RawClient(home.egress).answer(to: Self.post("/items/1", "")).status == 200)
      #expect(api.requests.count == 2, "the agent has repeated it")
      #expect(try await approvals(home).isEmpty)
      #expect(try await RawClient(home.egress).answer(to: Self.post("/items/1", "")).status == 403)
    }
  }

  @Test("RC-9: a question ends with the last request that waits for it, and not before; a denial ends the wait")
  func endsWithItsClients() async throws {
    try await withRule { _ in
      [.answer("200 OK", "{}")]
    } _: { home, api in
      var clients = try (0..<2).map { _ in try RawClient(home.egress) }
      for client in clients { try await client.send(Self.post("/items/1")) }
      let first = try await question(home)
      clients.removeFirst()
      #expect(
        try await RawClient(home.egress).answer(to: "GET /items HTTP/1.1\r\nHost: localhost\r\n\r\n").status == 200)
      #expect(try await approvals(home).map(\.id) == [first.id])
      clients.removeFirst()
      try await eventually("the question has ended") { try await approvals(home).isEmpty }
      let client = try RawClient(home.egress)
      try await client.send(Self.post("/items/1"))
      let second = try await question(home)
      #expect(second.id != first.id)
      #expect(try await home.start(["approvals", "deny", second.id]).end().status == 0)
      try await client.wait("the refusal") { $0.hasPrefix("HTTP/1.1 403") && $0.contains("\"kind\":\"denied\"") }
      #expect(api.requests.count == 1, "only the GET")
    }
  }
}
