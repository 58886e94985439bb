import AgentProtocol
import FoundationEssentials
import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import AgentServer
@testable import SessionEngine

/// Past a bound the one at fault gets a clear error, and nobody else notices (PR-4).
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

  /// Above the bound of a process its connections are not read; nothing is refused, and everything is answered later.
  @Test func requestsInFlightOfAProcessAreBounded() async throws {
    try await withServer { server in
      let client = try server.connect()
      let other = try server.connect()
      let hold = ServerTests.request("test.hold") + "\n"
      let more = 10
      try await client.send(String(repeating: hold, count: RPCBounds.inFlightOfOneProcess + more))
      try await eventually("as many as may have begun") { server.witness.begun == RPCBounds.inFlightOfOneProcess }
      try await other.send(ServerTests.subtract + "\n")
      // One that has closed leaves nothing behind that is begun later.
      let gone = try server.connect()
      try await gone.send(String(repeating: ServerTests.subtract + "\n", count: 5))
      gone.endInput()
      server.witness.open()
      for _ in 0..<RPCBounds.inFlightOfOneProcess + more {
        #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
      }
      #expect(try await other.line() == ServerTests.nineteen)
      for _ in 0..<5 { #expect(try await gone.line() == ServerTests.nineteen) }
      #expect(try await gone.line() == nil)
      #expect(server.witness.begun == RPCBounds.inFlightOfOneProcess + more)
    }
  }

  /// What a closed connection has sent and the agent has not begun is dropped.
  @Test func whatHasNotBegunOnAClosedConnectionIsDropped() async throws {
    try await withServer { server in
      let holder = try server.connect()
      try await holder.send(
        String(repeating: ServerTests.request("test.hold") + "\n", count: RPCBounds.inFlightOfOneProcess))
      try await eventually("as many as may have begun") { server.witness.begun == RPCBounds.inFlightOfOneProcess }
      var gone: [RawClient] = []
      for _ in 0..<20 {
        let client = try server.connect()
        try await client.send(String(repeating: ServerTests.subtract + "\n", count: 20))
        gone.append(client)
      }
      gone = []
      // Answered from memory, so that the event loop has met the closed connections by then.
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
      for _ in 0..<RPCBounds.inFlightOfOneProcess { _ = try await holder.line() }
      #expect(try await holder.ask(ServerTests.subtract) == ServerTests.nineteen)
      #expect(server.witness.calls.count == 1)
    }
  }

  @Test func aBatchIsBounded() async throws {
    try await withServer { server in
      let client = try server.connect()
      let ones = "[" + Array(repeating: "1", count: RPCBounds.inFlight + 1).joined(separator: ",") + "]"
      #expect(try await ServerTests.code(client.ask(ones)) == -32031)
      let batch = "[" + Array(repeating: ServerTests.subtract, count: RPCBounds.inFlight).joined(separator: ",") + "]"
      #expect(try await client.ask(batch)?.contains("error") == false)
    }
  }

  @Test func connectionsOfOneProcessAreBounded() async throws {
    try await withServer { server in
      var clients = try (0..<SocketBounds.connectionsOfOneProcess).map { _ in try server.connect() }
      // The last one is served, so all are.
      #expect(try await clients.last?.ask(ServerTests.subtract) == ServerTests.nineteen)
      let late = try server.connect()
      #expect(try await ServerTests.code(late.line()) == -32031)
      #expect(try await late.line() == nil)
      #expect(try await clients.first?.ask(ServerTests.subtract) == ServerTests.nineteen)
      clients.removeFirst()
      try await eventually("there is room again") {
        let next = try server.connect()
        // One that is refused may be closed before it has sent anything.
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
      try await eventually("it is cut off") { server.log.lines.contains { $0.contains("does not read its answers") } }
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

  /// A client that sends and does not read: the server stops reading it, and serves it on when it reads.
  @Test func aClientThatDoesNotReadIsNotReadEither() async throws {
    try await withServer { server in
      // A long token and little room for requests: a server that read on would have to make megabytes before it stood still.
      let entry = TokenEntry(
        account: "work", accessToken: String(repeating: "t", count: 20_000), received: SystemClock().now,
        life: .seconds(3600), usualLife: .seconds(60))
      server.tokens.publish(entry, for: "work")
      server.tokens.setDefault("work")
      let client = try server.connect()
      client.shrinkSendBuffer()
      let count = 2000
      let sent = Sent()
      async let sending: Void = Task.detached {
        for _ in 0..<count {
          try await client.send(ServerTests.request("session.token") + "\n")
          sent.add(1)
        }
      }.value
      try await eventually("the sender stands still") { await sent.standsStill() }
      // The bound on unsent bytes, the kernel's buffers, and a piece that was read at once.
      #expect(sent.count < count / 2, "\(sent.count)")
      for _ in 0..<count { #expect(try await client.line()?.hasPrefix(#"{"id":1"#) == true) }
      try await sending
    }
  }
}
