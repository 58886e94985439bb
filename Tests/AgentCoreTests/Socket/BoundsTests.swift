import AgentProtocol
import FoundationEssentials
import NIOCore
import SystemSupport
import TestKit
import Testing

@testable import AgentServer
@testable import SessionEngine

/// A client that exceeds a limit gets a clear error, and no other client is affected.
@Suite struct BoundsTests {
  private var server: RunningServer { .current }

  @Test(.server) func aFrameWithoutEndIsRefusedOnceAndSkipped() async throws {
    let client = try server.connect()
    let endless = "{" + String(repeating: "x", count: 3 * 1024 * 1024)
    async let sent: Void = Task.detached { try await client.send(endless + "\n" + ServerTests.subtract + "\n") }.value
    #expect(try await ServerTests.code(client.line()) == -32030)
    #expect(try await client.line() == ServerTests.nineteen)
    try await sent
  }

  /// A connection above its limit is not read. No request is refused, and all are answered later.
  @Test(.server) func requestsInFlightOfAConnectionAreBounded() async throws {
    let client = try server.connect()
    let hold = ServerTests.request("test.hold") + "\n"
    let more = 10
    try await client.send(String(repeating: hold, count: RPCLimits.maxInFlight + more))
    // A connection that has ended its input still gets its answers.
    client.endInput()
    try await eventually("as many as may have begun") { server.witness.begun == RPCLimits.maxInFlight }
    #expect(try await server.connect().ask(ServerTests.subtract) == ServerTests.nineteen)
    #expect(server.witness.begun == RPCLimits.maxInFlight)
    server.witness.open()
    for _ in 0..<RPCLimits.maxInFlight + more {
      #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
    }
    #expect(try await client.line() == nil)
  }

  @Test(.server) func costlyRequestsOfAConnectionRunOneAfterAnother() async throws {
    let (client, other) = (try server.connect(), try server.connect())
    let costly = ServerTests.request("test.costly") + "\n"
    try await client.send(String(repeating: costly, count: 3))
    try await eventually("one has begun") { server.witness.begun == 1 }
    #expect(try await client.ask(ServerTests.subtract) == ServerTests.nineteen)
    try await other.send(costly)
    try await eventually("that of another connection has begun") { server.witness.begun == 2 }
    #expect(try await client.ask(ServerTests.subtract) == ServerTests.nineteen)
    #expect(server.witness.begun == 2)
    server.witness.open()
    for client in [client, client, client, other] {
      #expect(try await client.line() == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
    }
  }

  /// Requests of a closed connection that wait for another one never run.
  @Test(.server) func costlyRequestsOfAClosedConnectionAreDropped() async throws {
    let costly = ServerTests.request("test.costly") + "\n"
    var gone: [RawClient] = []
    for number in 1...5 {
      let client = try server.connect()
      try await client.send(String(repeating: costly, count: 20))
      try await eventually("one of its requests has begun") { server.witness.begun == number }
      gone.append(client)
    }
    gone = []
    try await eventually("those that ran were cancelled") { server.witness.cancelled == 5 }
    let client = try server.connect()
    #expect(try await client.ask(ServerTests.request("test.long", #"{"count":1}"#))?.contains("result") == true)
    #expect(server.witness.begun == 5)
  }

  /// A client that does not read has one long response at a time, and gets all of them once it reads.
  @Test(.server) func longResponsesWaitForTheirReader() async throws {
    let (client, other) = (try server.connect(), try server.connect())
    let (count, length) = (20, 1024 * 1024)
    let long = ServerTests.request("test.long", #"{"count":\#(length)}"#) + "\n"
    try await client.send(String(repeating: long, count: count))
    try await eventually("one was made") { server.witness.calls.count == 1 }
    #expect(try await other.ask(ServerTests.request("test.long", #"{"count":1}"#))?.contains("result") == true)
    #expect(try await other.ask(ServerTests.subtract) == ServerTests.nineteen)
    #expect(server.witness.calls == ["long", "long", "subtract"])
    for _ in 0..<count { #expect(try await client.line().map { $0.utf8.count > length } == true) }
  }

  /// Costly requests beyond the size of a batch's response are refused, each with its id.
  @Test(.server) func theResponseOfABatchIsBounded() async throws {
    let client = try server.connect()
    let requests = (10...29).map { ServerTests.request("test.long", #"{"count":100000}"#, id: "\($0)") }
    let batch = "[" + (requests + [ServerTests.subtract]).joined(separator: ",") + "]"
    let line = try #require(try await client.ask(batch))
    #expect(line.utf8.count < 2 * RPCLimits.maxCostlyAnswers)
    let answers = try WireCoding.decode([JSONValue].self, from: Data(line.utf8))
    let refused = answers.filter { $0["error"]?["code"] == .integer(-32031) }
    #expect(answers.count == 21 && refused.count == 17 && server.witness.calls.count == 4)
    #expect(Set(answers.compactMap { $0["id"] }).count == 21)
    #expect(try await client.ask("[" + requests[0] + "]")?.contains("error") == false)
  }

  @Test(.server) func aBatchIsBounded() async throws {
    let client = try server.connect()
    let ones = "[" + Array(repeating: "1", count: RPCLimits.maxBatch + 1).joined(separator: ",") + "]"
    #expect(try await ServerTests.code(client.ask(ones)) == -32031)
    let batch = "[" + Array(repeating: ServerTests.subtract, count: RPCLimits.maxBatch).joined(separator: ",") + "]"
    #expect(try await client.ask(batch)?.contains("error") == false)
  }

  @Test(.server) func connectionsOfOneProcessAreBounded() async throws {
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

  @Test(.server(limits: ReadDeadline.Limits(answers: .milliseconds(200))))
  func aSubscriberThatDoesNotReadIsCutOff() async throws {
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

  /// The server stops reading from a client that does not read its responses, and continues once the
  /// client reads.
  @Test(.server) func aClientThatDoesNotReadIsNotReadEither() async throws {
    // A long token and a small send buffer: a server that kept reading would produce megabytes
    // before it stalled.
    server.tokens.publish(String(repeating: "t", count: 20_000))
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
