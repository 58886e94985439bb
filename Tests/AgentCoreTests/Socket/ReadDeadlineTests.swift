import AgentProtocol
import Logging
import NIOCore
import NIOEmbedded
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer
@testable import SessionEngine

/// The time limits for unfinished lines and unread answers.
@Suite struct ReadDeadlineTests {
  @Test func aLineThatDoesNotEndEndsTheConnection() async throws {
    try await withServer(limits: ReadDeadline.Limits(line: .milliseconds(200))) { server in
      let slow = try server.connect()
      let idle = try server.connect()
      #expect(try await idle.ask(ServerTests.subtract) == ServerTests.nineteen)
      try await slow.send(String(ServerTests.subtract.dropLast()))
      #expect(try await slow.line() == nil)
      #expect(server.log.lines.contains { $0.contains("an incomplete request timed out") })
      // A connection without an unfinished line may stay idle.
      #expect(try await idle.ask(ServerTests.subtract) == ServerTests.nineteen)
    }
  }

  /// Uses a clock of the test's own: on a busy machine a real client's line may take long.
  @Test func aSlowClientWhoseLinesEndIsServed() throws {
    let limits = ReadDeadline.Limits(line: .seconds(30))
    let most = limits.line - .seconds(1)
    try withEmbeddedConnection(limits) { channel in
      let (head, tail) = (Self.question.prefix(10), Self.question.dropFirst(10) + "\n")
      // The next line has always begun when one ends, in total for longer than one line may take.
      try channel.writeInbound(ByteBuffer(string: String(head)))
      for _ in 0..<10 {
        channel.embeddedEventLoop.advanceTime(by: most)
        try #require(channel.isActive)
        try channel.writeInbound(ByteBuffer(string: "\(tail)\(head)"))
        let answer = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(String(buffer: answer).contains(#""accessToken":"abc""#))
      }
      // This line does not end. A new line does not move the timer, which may therefore fire one
      // limit late.
      channel.embeddedEventLoop.advanceTime(by: limits.line * 2)
      #expect(!channel.isActive)
    }
  }

  @Test("a closed connection is freed, with its received bytes")
  func isFreed() throws {
    let seen = WeakHandler()
    try withEmbeddedConnection(ReadDeadline.Limits()) { channel in
      seen.handler = try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
      // A request that is not answered from memory and becomes a task, and a line that never ends.
      try channel.writeInbound(ByteBuffer(string: ServerTests.request("session.status") + "\n{"))
      #expect(seen.handler?.handle != nil)
    }
    #expect(seen.handler == nil)
  }

  private final class WeakHandler {
    weak var handler: ConnectionHandler?
  }

  private static let question = ServerTests.request("session.token")

  /// Runs `body` with a connection whose event loop advances only with the test.
  private func withEmbeddedConnection(_ limits: ReadDeadline.Limits, _ body: (EmbeddedChannel) throws -> Void) throws {
    let channel = EmbeddedChannel()
    let tokens = TokenSnapshot(clock: SystemClock())
    tokens.publish("abc")
    tokens.setDefault("work")
    let state = ServerState.test(on: channel.embeddedEventLoop, tokens: tokens, limits: limits)
    let handler = ConnectionHandler(
      state, peer: Peer(pid: 1, uid: 1, gid: 1), accepted: SystemClock().now, id: state.nextID())
    try channel.pipeline.syncOperations.addHandler(handler)
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
    try body(channel)
    _ = try? channel.finish()
  }

  @Test func unreadAnswersEndTheConnection() async throws {
    // On a busy machine the client may be slow to send the rest of a line. That is another reason.
    try await withServer(limits: ReadDeadline.Limits(line: .seconds(5), answers: .milliseconds(200))) { server in
      let lazy = try server.connect()
      let other = try server.connect()
      let sending = Task.detached {
        let requests = String(repeating: ServerTests.subtract + "\n", count: 100)
        while true { try await lazy.send(requests) }
      }
      try await eventually("it is cut off") { server.log.lines.contains { $0.contains("does not read its responses") } }
      await #expect(throws: RawClient.Failure.self) { try await sending.value }
      #expect(try await other.ask(ServerTests.subtract) == ServerTests.nineteen)
    }
  }
}
