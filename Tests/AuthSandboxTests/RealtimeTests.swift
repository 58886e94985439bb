import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Testing

@testable import AuthSandbox

/// Realtime over a WebSocket on the sandbox's own port.
struct RealtimeTests {
  @Test("joins a channel, gets its own broadcast back, and answers a heartbeat", arguments: [true, false])
  func channels(isArray: Bool) async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      try await stage.realtime(apiKeyHeader: token) { socket in
        let config: JSON = ["config": ["broadcast": ["self": .bool(true), "ack": .bool(true)]]]
        let joined = try await socket.ask(Self.message("phx_join", config, isArray))
        #expect(Self.payload(joined)["status"] == "ok")
        let said: JSON = ["type": "broadcast", "event": "e", "payload": ["a": 1]]
        #expect(Self.payload(try await socket.ask(Self.message("broadcast", said, isArray))) == said)
        #expect(Self.payload(try await socket.next())["status"] == "ok")
        let beat = Self.message("heartbeat", [:], isArray, topic: "phoenix")
        #expect(Self.payload(try await socket.ask(beat))["status"] == "ok")
      }
      #expect(stage.sandbox.requestCount(.realtime) == 1)
    }
  }

  @Test("a private channel needs a user: the token of the join, or that of the connection for none and for sb_")
  func privateChannels() async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      func status(header: String?, join: String?) async throws -> JSON? {
        try await stage.realtime(apiKeyHeader: header) { socket in
          var payload: [String: JSON] = ["config": ["private": .bool(true)]]
          payload["access_token"] = join.map(JSON.string)
          return Self.payload(try await socket.ask(Self.message("phx_join", .object(payload), true)))["status"]
        }
      }
      #expect(try await status(header: token, join: nil) == "ok")
      #expect(try await status(header: token, join: "sb_ritual_x") == "ok")
      #expect(try await status(header: nil, join: token) == "ok")
      #expect(try await status(header: nil, join: nil) == "error")
      #expect(try await status(header: nil, join: "sb_ritual_x") == "error")
      #expect(try await status(header: token, join: "a.b.c") == "error")
      stage.sandbox.expireAccessTokens()
      #expect(try await status(header: nil, join: token) == "error")
    }
  }

  @Test("a channel ends with a bad token, and stays with one that starts with sb_")
  func changedTokens() async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      try await stage.realtime(apiKeyHeader: token) { socket in
        _ = try await socket.ask(Self.message("phx_join", [:], true))
        socket.send(Self.message("access_token", ["access_token": "sb_ritual_x"], true))
        let beat = Self.message("heartbeat", [:], true, topic: "phoenix")
        #expect(Self.payload(try await socket.ask(beat))["status"] == "ok")
        let end = try await socket.ask(Self.message("access_token", ["access_token": "a.b.c"], true))
        #expect(end.array?[3] == "system")
        #expect(try await socket.next().array?[3] == "phx_close")
      }
    }
  }

  @Test("returns a binary message")
  func binary() async throws {
    try await withStage { stage in
      try await stage.realtime(apiKeyHeader: nil) { socket in
        for count in [0, 125, 126, 70_000] {
          let bytes = [UInt8](repeating: 7, count: count)
          socket.send(ByteBuffer(bytes: bytes), .binary)
          let frame = try await socket.frame()
          #expect(frame == ByteBuffer(bytes: bytes))
        }
      }
    }
  }

  @Test("refuses a connection without the key or with an expired token, and serves other requests")
  func refusals() async throws {
    try await withStage { stage in
      let token = try await stage.session().access
      stage.sandbox.expireAccessTokens()
      await #expect(throws: RefusedHandshake.self) { try await stage.realtime(apiKeyHeader: token) { _ in } }
      await #expect(throws: RefusedHandshake.self) {
        try await stage.realtime(key: "wrong", apiKeyHeader: nil) { _ in }
      }
      let url = stage.origin + "/realtime/v1/websocket?apikey=" + stage.sandbox.anonKey
      #expect(try await TestHTTP.send("GET", url).status == 404)
    }
  }

  private static func message(_ event: String, _ payload: JSON, _ isArray: Bool, topic: String = "realtime:room")
    -> JSON
  {
    isArray
      ? ["1", "2", .string(topic), .string(event), payload]
      : ["topic": .string(topic), "event": .string(event), "payload": payload, "ref": "2", "join_ref": "1"]
  }

  private static func payload(_ message: JSON) -> JSON { message["payload"] ?? message.array?[4] ?? .null }
}

/// The server did not switch protocols.
private struct RefusedHandshake: Error {}

/// A WebSocket connection of a test.
private final class RealtimeSocket {
  private var frames: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
  private let channel: any Channel

  init(_ frames: NIOAsyncChannelInboundStream<WebSocketFrame>, _ channel: any Channel) {
    (self.frames, self.channel) = (frames.makeAsyncIterator(), channel)
  }

  func send(_ message: JSON) { send(ByteBuffer(bytes: message.bytes), .text) }

  func send(_ data: ByteBuffer, _ opcode: WebSocketOpcode) {
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data), promise: nil)
  }

  func frame() async throws -> ByteBuffer? { try await frames.next()?.data }

  func next() async throws -> JSON { try JSON(parsing: Array(try #require(try await frame()).readableBytesView)) }

  func ask(_ message: JSON) async throws -> JSON {
    send(message)
    return try await next()
  }
}

extension Stage {
  private typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

  /// Runs `body` with a connection to Realtime.
  ///
  /// - Parameters:
  ///   - key: the query's `apikey`; nil for the anon key.
  ///   - apiKeyHeader: the header `x-api-key`.
  /// - Throws: if the handshake is refused.
  fileprivate func realtime<Result>(
    key: String? = nil, apiKeyHeader: String?, _ body: (RealtimeSocket) async throws -> Result
  ) async throws -> Result {
    let port = try #require(origin.split(separator: ":").last.flatMap { Int($0) })
    var headers: HTTPHeaders = ["host": "127.0.0.1"]
    if let apiKeyHeader { headers.add(name: "x-api-key", value: apiKeyHeader) }
    let uri = "/realtime/v1/websocket?vsn=2.0.0&apikey=" + (key ?? sandbox.anonKey)
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: headers)
    let upgrade: EventLoopFuture<Frames?> = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let upgrader = NIOTypedWebSocketClientUpgrader<Frames?>(maxFrameSize: 1 << 20) { channel, _ in
            channel.eventLoop.makeCompletedFuture { try Frames(wrappingChannelSynchronously: channel) }
          }
          return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: .init(
              upgradeConfiguration: .init(upgradeRequestHead: head, upgraders: [upgrader]) { channel in
                channel.close().map { nil }
              }))
        }
      }
    guard let frames = try await upgrade.get() else { throw RefusedHandshake() }
    return try await frames.executeThenClose { inbound, _ in try await body(RealtimeSocket(inbound, frames.channel)) }
  }
}
