import AgentProtocol
import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import AgentCore

/// How long a client may leave something unfinished.
@Suite struct ReadDeadlineTests {
  @Test func aLineThatDoesNotEndEndsTheConnection() async throws {
    try await withServer(limits: ReadDeadline.Limits(line: .milliseconds(200))) { server in
      let slow = try server.connect()
      let idle = try server.connect()
      #expect(try await idle.ask(ServerTests.subtract) == ServerTests.nineteen)
      try await slow.send(String(ServerTests.subtract.dropLast()))
      #expect(try await slow.line() == nil)
      #expect(server.log.lines.contains { $0.contains("a line that it began did not end") })
      // One that has nothing unfinished may be as quiet as it likes.
      #expect(try await idle.ask(ServerTests.subtract) == ServerTests.nineteen)
    }
  }

  private func next(_ client: RawClient, _ text: some StringProtocol) async throws -> String? {
    try await client.send(String(text))
    return try await client.line()
  }

  @Test func aSlowClientWhoseLinesEndIsServed() async throws {
    try await withServer(limits: ReadDeadline.Limits(line: .milliseconds(300))) { server in
      let client = try server.connect()
      let (head, tail) = (ServerTests.subtract.prefix(10), ServerTests.subtract.dropFirst(10))
      // The next line has always begun when one ends, for longer than a line may take.
      try await client.send(String(head))
      let end = ContinuousClock.now + .milliseconds(1200)
      var longest = Duration.zero
      while ContinuousClock.now < end {
        let begun = ContinuousClock.now
        let answer = try await next(client, tail + "\n" + head)
        longest = max(longest, ContinuousClock.now - begun)
        // On a machine that stood still for so long the line did take its time.
        if answer == nil, longest > .milliseconds(150) { return }
        #expect(answer == ServerTests.nineteen)
      }
    }
  }

  @Test func unreadAnswersEndTheConnection() async throws {
    try await withServer(limits: ReadDeadline.Limits(line: .milliseconds(200), answers: .milliseconds(200))) { server in
      let lazy = try server.connect()
      let other = try server.connect()
      let sending = Task.detached {
        let requests = String(repeating: ServerTests.subtract + "\n", count: 100)
        while true { try await lazy.send(requests) }
      }
      try await eventually("it is cut off") { server.log.lines.contains { $0.contains("does not read its answers") } }
      await #expect(throws: RawClient.Failure.self) { try await sending.value }
      #expect(try await other.ask(ServerTests.subtract) == ServerTests.nineteen)
    }
  }
}
