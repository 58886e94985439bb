import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import AgentCore

/// New connections of a process that makes many of them, at a real server (PR-4).
@Suite struct ConnectionTurnsTests {
  /// Uses up what this process may make at once.
  private func exhaust(_ server: RunningServer) async throws {
    for _ in 0..<2 {
      let many = try (0..<SocketBounds.connectionsOfOneProcess).map { _ in try server.connect() }
      #expect(try await many.last?.ask(ServerTests.subtract) == ServerTests.nineteen)
    }
  }

  @Test("OP-2: who waits in a crowd as a stop begins is answered once")
  func aStopServesTheCrowd() async throws {
    try await withServer(grace: .seconds(60), firstRequest: .seconds(60)) { server in
      try await exhaust(server)
      let crowd = try (0..<100).map { _ in try server.connect() }
      for client in crowd { try await client.send(ServerTests.subtract + "\n") }
      try await eventually("all were taken from the socket") { !server.hasBacklog }
      await server.stop()
      for client in crowd { #expect(try await client.line() == ServerTests.nineteen) }
    }
  }

  @Test func ofManyThatAreClosedBeforeTheirTurnFewAreServed() async throws {
    try await withServer { server in
      try await exhaust(server)
      let (before, begun) = (server.witness.calls.count, ContinuousClock.now)
      for _ in 0..<300 { try await server.connect().send(ServerTests.subtract + "\n") }
      // Behind them all.
      #expect(try await server.connect().ask(ServerTests.subtract) == ServerTests.nineteen)
      // Some were served before the next one came; on a slow machine what they cost was saved up again meanwhile.
      #expect(server.witness.calls.count - before < 200 || ContinuousClock.now - begun > .seconds(2))
    }
  }

  @Test func aFewRequestsForWhoseAnswersNobodyWaitsAreDone() async throws {
    try await withServer { server in
      for _ in 0..<50 { try await server.connect().send(ServerTests.subtract + "\n") }
      try await eventually("all are done") { server.witness.calls.count == 50 }
    }
  }
}
