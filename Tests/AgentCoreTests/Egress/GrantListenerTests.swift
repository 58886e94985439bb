import AgentProtocol
import Glibc
import NIOCore
import NIOPosix
import TestKit
import Testing

@testable import Egress

/// The listener of all grants.
@Suite(.timeLimit(.minutes(10))) struct GrantListenerTests {
  private func withListener(_ body: (GrantListener) async throws -> Void) async throws {
    let listener = GrantListener()
    listener.serve(on: MultiThreadedEventLoopGroup.singleton.next()) { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Greeter()) }
    }
    try await body(listener)
  }

  /// Reads what a connection gets, until it is closed.
  private func received(_ descriptor: Int32) async throws -> String {
    try await NIOThreadPool.singleton.runIfActive {
      defer { close(descriptor) }
      return String(decoding: LoopbackClient.readAll(descriptor), as: UTF8.self)
    }
  }

  @Test("EG-6: it is open while there is a grant, and its connections end with the last one")
  func isOpenForGrants() async throws {
    try await withListener { listener in
      #expect(listener.port == nil)
      let port = try await listener.acquire()
      #expect(try await listener.acquire() == port && listener.port == port)
      let connection = try LoopbackClient.connect(port)
      listener.release()
      #expect(listener.port == port)
      try await eventually("the connection is served") {
        var first: UInt8 = 0
        return recv(connection, &first, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1
      }
      listener.release()
      #expect(try await received(connection) == "served")
      #expect(listener.port == nil)
      try await eventually("the port is closed") {
        guard let left = try? LoopbackClient.connect(port) else { return true }
        close(left)
        return false
      }
    }
  }

  @Test("it opens once for grants that are made at the same time, and again after the last one")
  func opensOnce() async throws {
    try await withListener { listener in
      for _ in 0..<3 {
        let ports = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<20 { group.addTask { try await listener.acquire() } }
          return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ports.count == 1 && listener.port != nil)
        for _ in 0..<20 { listener.release() }
        #expect(listener.port == nil)
      }
    }
  }
}

/// Sends a word to each connection.
private final class Greeter: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "served")), promise: nil)
  }
}
