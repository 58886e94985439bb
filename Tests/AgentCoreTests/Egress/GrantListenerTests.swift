import AgentProtocol
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import TestKit
import Testing

@testable import Egress

/// The listener of all grants.
@Suite(.timeLimit(.minutes(10))) struct GrantListenerTests {
  private func withListener(
    _ directory: String? = nil, _ body: (GrantListener) async throws -> Void
  ) async throws {
    let listener = GrantListener(directory: directory)
    listener.serve(on: MultiThreadedEventLoopGroup.singleton.next()) { channel, _ in
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
      let place = try await listener.acquire(.loopback)
      let port = try #require(listener.port)
      #expect(try await listener.acquire(.loopback) == place && place == .port(port) && listener.port == port)
      let connection = try LoopbackClient.connect(port)
      listener.release(.loopback)
      #expect(listener.port == port)
      try await eventually("the connection is served") {
        var first: UInt8 = 0
        return recv(connection, &first, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1
      }
      listener.release(.loopback)
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
        let ports = try await withThrowingTaskGroup(of: GrantListener.Place.self) { group in
          for _ in 0..<20 { group.addTask { try await listener.acquire(.loopback) } }
          return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ports.count == 1 && listener.port != nil)
        for _ in 0..<20 { listener.release(.loopback) }
        #expect(listener.port == nil)
      }
    }
  }

  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  @Test("RC-1: a socket lets every uid in by its own directory alone, and ends with that directory", .scratchDirectory)
  func makesSockets() async throws {
    let folder = scratchDirectory.path + "/grants"
    try await withListener(folder) { listener in
      guard case .path(let path) = try await listener.acquire(.socket("a1")) else { throw CancellationError() }
      let other = try #require(try await listener.acquire(.socket("b2")).path)
      #expect(path == folder + "/a1/s" && listener.port == nil)
      let modes = [folder, folder + "/a1", path].map(Self.mode)
      #expect(modes == [0o700 | S_IFDIR, 0o711 | S_IFDIR, 0o666 | S_IFSOCK].map { $0 & 0o7777 }, "\(modes)")
      let connection = try connectedSocket(unix: path)
      try await eventually("the connection is served") {
        var first: UInt8 = 0
        return recv(connection, &first, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1
      }
      listener.release(.socket("a1"))
      #expect(try await received(connection) == "served")
      #expect(Self.mode(folder + "/a1") == nil && Self.mode(other) != nil)
      listener.release(.socket("b2"))
      #expect(Self.mode(folder + "/b2") == nil && Self.mode(folder) != nil)
    }
  }

  @Test("RC-1: a start removes what a killed agent has left, and nothing that is served", .scratchDirectory)
  func removesLeftovers() async throws {
    let folder = scratchDirectory.path + "/grants"
    GrantListener(directory: folder).removeLeftovers()
    try await withListener(folder) { listener in
      let served = try #require(try await listener.acquire(.socket("a1")).path)
      for name in ["b2", "c3"] {
        mkdir("\(folder)/\(name)", 0o711)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        if name == "b2" { #expect(withUnixAddress("\(folder)/b2/s") { bind(descriptor, $0, $1) } == 0) }
        close(descriptor)
      }
      #expect(Self.mode(folder + "/b2/s") != nil)
      GrantListener(directory: folder).removeLeftovers()
      #expect([folder + "/b2", folder + "/c3"].allSatisfy { Self.mode($0) == nil } && Self.mode(served) != nil)
      listener.release(.socket("a1"))
    }
  }

  @Test("a socket that cannot be made is named, and leaves nothing", .scratchDirectory)
  func namesTheReason() async throws {
    let long = scratchDirectory.path + "/" + String(repeating: "l", count: 100)
    let missing = scratchDirectory.path + "/none/grants"
    for (directory, words) in [(long, "more than 107 bytes"), (missing, "No such file or directory")] {
      try await withListener(directory) { listener in
        let error = await #expect(throws: AgentError.self) { _ = try await listener.acquire(.socket("a1")) }
        #expect(error?.kind == .misconfigured && error?.message.contains(words) == true, "\(String(describing: error))")
        #expect(Self.mode(directory) == nil)
      }
    }
    try await withListener { listener in
      let error = await #expect(throws: AgentError.self) { _ = try await listener.acquire(.socket("a1")) }
      #expect(error?.kind == .notReady)
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
