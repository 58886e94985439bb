import AgentProtocol
import Logging
import NIOCore
import NIOPosix
import SystemSupport
import TestKit
import Testing

@testable import AccessControl
@testable import AgentServer
@testable import SessionEngine

/// Each limit at its edge: the largest value that passes, and the first that does not (PR-4).
@Suite struct EdgeTests {
  /// An echo request of exactly `bytes`, without its newline.
  private func echo(_ bytes: Int) -> String {
    let empty = ServerTests.request("test.echo", #"{"text":""}"#)
    let text = String(repeating: "x", count: bytes - empty.utf8.count)
    return ServerTests.request("test.echo", #"{"text":"\#(text)"}"#)
  }

  /// A subtract request of exactly `bytes`, without its newline.
  private func subtract(_ bytes: Int) -> String {
    ServerTests.subtract + String(repeating: " ", count: bytes - ServerTests.subtract.utf8.count)
  }

  private func sendAside(_ client: RawClient, _ text: String) async throws -> String? {
    async let sent: Void = Task.detached { try await client.send(text + "\n") }.value
    let answer = try await client.line()
    try await sent
    return answer
  }

  @Test func aLineOfTheUsualBoundPassesAndOneByteMoreDoesNot() async throws {
    try await withServer { server in
      let client = try server.connect()
      #expect(try await client.ask(subtract(Wire.frameLimit)) == ServerTests.nineteen)
      #expect(try await ServerTests.code(client.ask(subtract(Wire.frameLimit + 1))) == -32030)
    }
  }

  @Test func aLongLineOfItsBoundPassesAndOneByteMoreDoesNot() async throws {
    try await withServer { server in
      let client = try server.connect()
      #expect(try await sendAside(client, echo(Wire.longFrameLimit))?.hasPrefix(#"{"id":1"#) == true)
      #expect(try await ServerTests.code(sendAside(client, echo(Wire.longFrameLimit + 1))) == -32030)
    }
  }

  @Test func aLongLineThatIsNoObjectIsNotWaitedFor() async throws {
    try await withServer { server in
      let client = try server.connect()
      for start in ["x", " [", "\t\"{"] {
        // The line is refused before it ends, and skipped up to its end.
        try await client.send(start + String(repeating: "x", count: Wire.frameLimit))
        #expect(try await ServerTests.code(client.line()) == -32030)
        try await client.send(String(repeating: "{", count: Wire.frameLimit) + "\n")
        #expect(try await client.ask(ServerTests.subtract) == ServerTests.nineteen)
      }
      // An object may turn out to be a request of a method with long frames.
      #expect(try await sendAside(client, " \t\r" + echo(Wire.frameLimit * 2))?.hasPrefix(#"{"id":1"#) == true)
    }
  }

  @Test func longLinesShareTheirMemoryAndGiveItBack() async throws {
    let budget = LongFrameBudget(100)
    #expect(budget.reserve(60))
    #expect(budget.reserve(40))
    #expect(!budget.reserve(1))
    budget.release(40)
    #expect(!budget.reserve(41))
    #expect(budget.reserve(40))
  }

  @Test func aLongLineThatIsNotEndedHoldsUpNobodyElses() async throws {
    try await withServer { server in
      let unfinished = "{" + String(repeating: "x", count: Wire.longFrameLimit - 1)
      var holders: [RawClient] = []
      for _ in 0..<2 {
        holders.append(try server.connect())
        try await holders[holders.count - 1].send(unfinished)
      }
      // 24 of 32 MiB are reserved.
      let client = try server.connect()
      #expect(try await ServerTests.code(sendAside(client, echo(Wire.longFrameLimit - 1))) == -32031)
      #expect(try await client.ask(ServerTests.subtract) == ServerTests.nineteen)
      holders = []
      try await eventually("their memory is free again") {
        try await sendAside(client, echo(Wire.longFrameLimit - 1))?.hasPrefix(#"{"id":1"#) == true
      }
    }
  }

  @Test func depthIsBounded() async throws {
    try await withServer { server in
      let client = try server.connect()
      func nested(_ depth: Int) -> String {
        // The request's own object and the params are two levels.
        let value = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
        return ServerTests.request("test.subtract", #"{"minuend":42,"subtrahend":23,"new":\#(value)}"#)
      }
      #expect(try await client.ask(nested(JSONReader.depthLimit)) == ServerTests.nineteen)
      #expect(try await ServerTests.code(client.ask(nested(JSONReader.depthLimit + 1))) == -32700)
    }
  }

  @Test func connectionsAreBoundedInAllAndForEachProcess() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let refusals = try await loop.submit { () -> [ErrorKind?] in
      let state = Self.state(loop)
      var refusals: [ErrorKind?] = []
      func ask(_ pid: Int32) { refusals.append(state.refusal(of: Peer(pid: pid, uid: 0, gid: 0))?.kind) }
      func add(_ count: Int, _ pid: Int32) -> [ConnectionHandler] {
        let peer = Peer(pid: pid, uid: 0, gid: 0)
        return (0..<count).map { _ in
          let connection = ConnectionHandler(state, peer: peer, accepted: SystemClock().now, id: state.nextID())
          state.add(connection)
          return connection
        }
      }
      _ = add(SocketLimits.maxConnectionsPerProcess - 1, 1)
      ask(1)
      let last = add(1, 1)
      ask(1)
      ask(2)
      _ = add(SocketLimits.maxConnections - SocketLimits.maxConnectionsPerProcess - 1, 2)
      ask(3)
      _ = add(1, 2)
      ask(3)
      state.remove(last[0])
      ask(1)
      return refusals
    }.get()
    #expect(refusals == [nil, .tooMany, nil, nil, .tooMany, nil])
  }

  private static func state(_ loop: any EventLoop) -> ServerState {
    let logger = Logger(label: "test") { _ in LogLines() }
    let clock = SystemClock()
    return ServerState(
      dispatcher: Dispatcher(methods: MethodTable(), logger: logger),
      hot: HotPath(tokens: TokenSnapshot(clock: clock), clock: clock), handOuts: HandOutTable(), logger: logger,
      starting: AsyncStream.makeStream(of: ConnectionTasks.self).continuation, limits: ReadDeadline.Limits(),
      on: loop)
  }

  @Test func fewDescriptorsMeanFewConnections() {
    #expect(SocketLimits.maxConnections(descriptors: 1024) == SocketLimits.maxConnections)
    #expect(SocketLimits.callerLookups(descriptors: 1024) == 128)
    for few in [UInt64(64), 100, 200, 400] {
      let connections = SocketLimits.maxConnections(descriptors: few) + SocketLimits.callerLookups(descriptors: few)
      #expect(connections == Int(few) - SocketLimits.reservedDescriptors)
    }
    #expect(SocketLimits.maxConnections(descriptors: 10) == 4)
    #expect(SocketLimits.callerLookups(descriptors: 10) == 1)
    #expect(SocketLimits.maxConnections(descriptors: UInt64.max) == SocketLimits.maxConnections)
  }

  @Test func egressGetsWhatRemains() {
    #expect(SocketLimits.egressConnections(1024, descriptors: 8192) == 1024)
    let few = SocketLimits.egressConnections(1024, descriptors: 1024)
    let others = SocketLimits.maxConnections(descriptors: 1024) + SocketLimits.callerLookups(descriptors: 1024)
    #expect(
      few > 200 && 2 * few + others + SocketLimits.maxCredentialConnections + SocketLimits.reservedDescriptors <= 1024)
    #expect(SocketLimits.egressConnections(1024, descriptors: 64) == 4)
    #expect(SocketLimits.egressConnections(1024, descriptors: UInt64.max) == 1024)
  }

  @Test func subscriptionsOfAConnectionAreBounded() {
    let handle = ConnectionHandle(id: 1, send: { _ in }, cut: { _ in })
    for _ in 0..<RPCLimits.maxSubscriptions { #expect(throws: Never.self) { try handle.addSubscription() } }
    #expect { try handle.addSubscription() } throws: { ($0 as? AgentError)?.kind == .tooMany }
  }
}
