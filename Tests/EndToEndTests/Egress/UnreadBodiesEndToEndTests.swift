import AuthSandbox
import TestKit
import Testing

/// A client of the proxy that requests far more than it reads.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnreadBodiesEndToEndTests {
  private static let requests = 60
  /// The body of every response: 4 MiB. All 60 responses would use 240 MiB.
  private static let body = String(repeating: "0123456789abcde\n", count: 4 * 65_536)
  /// In bytes: less than a quarter of the bodies. A connection may hold less than 1 MiB.
  private static let maxGrowth = 56 * 1024 * 1024

  @Test("60 large unread responses: memory is bounded, others are served, and a response is complete once it is read")
  func holdsFewAnswers() async throws {
    try await withTestHome { home in
      try await home.signIn()
      let token = try await home.token()
      home.sandbox.inject(.answer(status: 200, contentType: "text/plain", body: Self.body), at: .echo, count: nil)
      let agent = ProcessFigures(pid: try #require(await home.agentPID))
      let before = try agent.anonymousMemory()
      let clients = try (0..<Self.requests).map { _ in try BlockingSocket(unix: home.egress) }
      for client in clients {
        try client.send("GET /api/v1/echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      }
      var most = 0
      try await eventually("all requests are sent") {
        most = max(most, try agent.anonymousMemory() - before)
        return home.sandbox.requestCount(.echo) == Self.requests
      }
      #expect(try await home.ctl("api", "/api/v1/echo").stdout == Self.body, "by another process")
      #expect(try await home.token() == token)
      most = max(most, try agent.anonymousMemory() - before)
      // The address sanitizer keeps freed memory for a while.
      #expect(Sanitizer.isOn || most < Self.maxGrowth, "\(most / 1_048_576) MiB more")
      let first = try #require(clients.first)
      let answer = await first.exchange("", until: nil)
      #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix(Self.body), "\(answer.utf8.count)")
    }
  }
}
