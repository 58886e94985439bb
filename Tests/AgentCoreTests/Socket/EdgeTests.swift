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

/// Each limit at its edge: the largest value that passes, and the first that does not.
@Suite struct EdgeTests {
  private var server: RunningServer { .current }

  /// A subtract request of exactly `bytes`, without its newline.
  private func subtract(_ bytes: Int) -> String {
    ServerTests.subtract + String(repeating: " ", count: bytes - ServerTests.subtract.utf8.count)
  }

  @Test(.server) func aLineOfTheBoundPassesAndOneByteMoreDoesNot() async throws {
    let client = try server.connect()
    #expect(try await client.ask(subtract(Wire.frameLimit)) == ServerTests.nineteen)
    #expect(try await ServerTests.code(client.ask(subtract(Wire.frameLimit + 1))) == -32030)
  }

  @Test(.server) func aResponseOfTheBoundPassesAndOneByteMoreDoesNot() async throws {
    let client = try server.connect()
    func ask(_ count: Int) async throws -> String? {
      try await client.ask(ServerTests.request("test.long", #"{"count":\#(count)}"#))
    }
    let envelope = try #require(try await ask(0)).utf8.count
    #expect(try await ask(Wire.answerLimit - envelope)?.utf8.count == Wire.answerLimit)
    #expect(try await ServerTests.code(ask(Wire.answerLimit - envelope + 1)) == -32030)
    #expect(try await client.ask(ServerTests.subtract) == ServerTests.nineteen)
  }

  @Test(.server) func depthIsBounded() async throws {
    let client = try server.connect()
    func nested(_ depth: Int) -> String {
      // The request's own object and the params are two levels.
      let value = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
      return ServerTests.request("test.subtract", #"{"minuend":42,"subtrahend":23,"new":\#(value)}"#)
    }
    #expect(try await client.ask(nested(JSONReader.depthLimit)) == ServerTests.nineteen)
    #expect(try await ServerTests.code(client.ask(nested(JSONReader.depthLimit + 1))) == -32700)
  }

  @Test func connectionsAreBoundedInAllAndForEachProcess() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let refusals = try await loop.submit { () -> [ErrorKind?] in
      let state = ServerState.test(on: loop)
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

  @Test func fewDescriptorsMeanFewConnections() {
    #expect(SocketLimits.maxConnections(descriptors: 1024) == SocketLimits.maxConnections)
    for few in [UInt64(64), 100, 200, 360] {
      #expect(SocketLimits.maxConnections(descriptors: few) == Int(few) - SocketLimits.reservedDescriptors)
    }
    #expect(SocketLimits.maxConnections(descriptors: 10) == 4)
    #expect(SocketLimits.maxConnections(descriptors: UInt64.max) == SocketLimits.maxConnections)
  }

  @Test func egressGetsWhatRemains() {
    #expect(SocketLimits.egressConnections(1024, descriptors: 8192) == 1024)
    let few = SocketLimits.egressConnections(1024, descriptors: 1024)
    let others = SocketLimits.maxConnections(descriptors: 1024)
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
