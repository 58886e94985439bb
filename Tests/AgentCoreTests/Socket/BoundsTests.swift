import AgentProtocol
import FoundationEssentials
import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import AgentServer
@testable import SessionEngine

/// A client that exceeds a limit gets a clear error, and no other client is affected (PR-4).
@Suite struct BoundsTests {
  private func echo(_ length: Int) -> String {
    ServerTests.request("test.echo", #"{"text":"\#(String(repeating: "x", count: length))"}"#)
  }

  @Test func onlyAMethodThatMayBeLongGetsALongFrame() async throws {
    try await withServer { server in
      let client = try server.connect()
      let long = 3 * 1024 * 1024
      async let sent: Void = Task.detached { [echo] in try await client.send(echo(long) + "\n") }.value
      let answer = try await client.line()
      try await sent
      #expect(answer?.utf8.count == long + #"{"id":1,"jsonrpc":"2.0","result":{"text":""}}"#.utf8.count)
      let padded = ServerTests.subtract + String(repeating: " ", count: Wire.frameLimit)
      #expect(try await ServerTests.code(client.ask(padded)) == -32030)
      #expect(try await client.ask(ServerTests.subtract) == ServerTests.nineteen)
    }
  }

  @Test func aFrameWithoutEndIsRefusedOnceAndSkipped() async throws {
    try await withServer { server in
      let client = try server.connect()
      async let sent: Void = Task.detached { [echo] in
        try await client.send(echo(Wire.longFrameLimit + 3 * 1024 * 1024) + "\n" + ServerTests.subtract + "\n")
      }.value
      #expect(try await ServerTests.code(client.line()) == -32030)
      #expect(try await client.line() == ServerTests.nineteen)
      try await sent
    }
  }

  /// The connections of a process above its limit are not read. No request is refused, and all are
  /// answered later.
  @Test func requestsInFlightOfAProcessAreBounded() async throws {
    try await withServer { server in
      let client = try server.connect()
      let other = try server.connect()
      let hold = ServerTests.request("test.hold") + "\n"
      let more = 10
      try await client.send(String(repeating: hold, count: RPCLimits.maxInFlightPerProcess + more))
      try await eventually("as many as may have begun") { server.witness.begun == RPCLimits.maxInFlightPerProcess }
      try await other.send(ServerTests.subtract + "\n")
      // A connection that has ended its input still gets its answers.
      let gone = try server.connect()
      try await gone.send(String(repeating: ServerTests.subtract + "\n", count: 5))
      gone.endInput()
      server.witness.open()
      for _ in 0..<RPCLimits.maxInFlightPerProcess + more {
        #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
      }
      #expect(try await other.line() == ServerTests.nineteen)
      for _ in 0..<5 { #expect(try await gone.line() == ServerTests.nineteen) }
      #expect(try await gone.line() == nil)
      #expect(server.witness.begun == RPCLimits.maxInFlightPerProcess + more)
    }
  }

  /// Requests of a closed connection that have not begun are dropped.
  @Test func pendingRequestsOfAClosedConnectionAreDropped() async throws {
    try await withServer { server in
      let holder = try server.connect()
      try await holder.send(
        String(repeating: ServerTests.request("test.hold") + "\n", count: RPCLimits.maxInFlightPerProcess))
      try await eventually("as many as may have begun") { server.witness.begun == RPCLimits.maxInFlightPerProcess }
      var gone: [RawClient] = []
      for _ in 0..<20 {
        let client = try server.connect()
        try await client.send(String(repeating: ServerTests.subtract + "\n", count: 20))
        gone.append(client)
      }
      gone = []
      // Answered from memory, so the event loop has seen the closed connections by then.
      server.tokens.publish(
        TokenEntry(
          account: "work", accessToken: "t", received: SystemClock().now, life: .seconds(3600), usualLife: .seconds(60)),
        for: "work")
      server.tokens.setDefault("work")
      for _ in 0..<3 {
        let last = try server.connect()
        #expect(try await last.ask(ServerTests.request("session.token"))?.contains("accessToken") == true)
      }
      server.witness.open()
      for _ in 0..<RPCLimits.maxInFlightPerProcess { _ = try await holder.line() }
      #expect(try await holder.ask(ServerTests.subtract) == ServerTests.nineteen)
      #expect(server.witness.calls.count == 1)
    }
  }

  @Test func aBatchIsBounded() async throws {
    try await withServer { server in
      let client = try server.connect()
      let ones = "[" + Array(repeating: "1", count: RPCLimits.maxInFlight + 1).joined(separator: ",") + "]"
      #expect(try await ServerTests.code(client.ask(ones)) == -32031)
      let batch =
        "[" + Array(repeating: ServerTests.subtract, count: RPCLimits.maxInFlight).joined(separator: ",") + "]"
      #expect(try await client.ask(batch)?.contains("error") == false)
    }
  }

  @Test func connectionsOfOneProcessAreBounded() async throws {
    try await withServer { server in
      var clients = try (0..<SocketLimits.maxConnectionsPerProcess).map { _ in try server.connect() }
      // The last connection is served, so all of them are.
      #expect(try await clients.last?.ask(ServerTests.subtract) == ServerTests.nineteen)
      let late = try server.connect()
      #expect(try await ServerTests.code(late.line()) == -32031)
      #expect(try await late.line() == nil)
      #expect(try await clients.first?.ask(ServerTests.subtract) == ServerTests.nineteen)
      clients.removeFirst()
      try await eventually("there is room again") {
        let next = try server.connect()
        // A refused connection may be closed before the client has sent anything.
        return (try? await next.ask(ServerTests.subtract)) == ServerTests.nineteen
      }
    }
  }

  @Test func aSubscriberThatDoesNotReadIsCutOff() async throws {
    try await withServer(limits: ReadDeadline.Limits(answers: .milliseconds(200))) { server in
      let lazy = try server.connect()
      let other = try server.connect()
      let text = String(repeating: "x", count: 1000)
      try await lazy.send(ServerTests.request("test.follow", #"{"count":20000,"text":"\#(text)"}"#) + "\n")
      try await eventually("it is cut off") { server.log.lines.contains { $0.contains("does not read its responses") } }
      #expect(try await other.ask(ServerTests.subtract) == ServerTests.nineteen)
      var lines = 0
      while try await lazy.line() != nil { lines += 1 }
      #expect(lines > 0 && lines < 20_000)
    }
  }

  @Test func aSubscriberThatReadsGetsEveryNotification() async throws {
    try await withServer { server in
      let client = try server.connect()
      let answer = try await client.ask(ServerTests.request("test.follow", #"{"count":500,"text":"n"}"#))
      #expect(answer == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
      for _ in 0..<500 { #expect(try await client.line() == #"{"jsonrpc":"2.0","method":"test","params":"n"}"#) }
    }
  }

  /// The server stops reading from a client that does not read its responses, and continues once the
  /// client reads.
  @Test func aClientThatDoesNotReadIsNotReadEither() async throws {
    try await withServer { server in
      // A long token and a small send buffer: a server that kept reading would produce megabytes
      // before it stalled.
      let entry = TokenEntry(
        account: "work", accessToken: String(repeating: "t", count: 20_000), received: SystemClock().now,
        life: .seconds(3600), usualLife: .seconds(60))
      server.tokens.publish(entry, for: "work")
      server.tokens.setDefault("work")
      let client = try server.connect()
      client.shrinkSendBuffer()
      let count = 2000
      let sent = SendCounter()
      async let sending: Void = Task.detached {
        for _ in 0..<count {
          try await client.send(ServerTests.request("session.token") + "\n")
          sent.add(1)
        }
      }.value
      try await eventually("the sender stands still") { await sent.isStalled() }
      // The limit on unsent bytes, the kernel's buffers, and one read.
      #expect(sent.count < count / 2, "\(sent.count)")
      for _ in 0..<count { #expect(try await client.line()?.hasPrefix(#"{"id":1"#) == true) }
      try await sending
    }
  }
}
