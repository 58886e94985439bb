import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A request as received by the server.
struct SeenRequest: Sendable {
  var method: String
  var target: String
  var headers: HTTPHeaders
  var body: String = ""
}

/// The server's reaction to one request.
enum Reply: Sendable {
  case answer(Int, [(String, String)] = [], String = "")
  /// Sends these bytes unchanged, then closes the connection.
  case bytesThenClose(String)
  /// Sends these bytes unchanged; the connection stays open and silent.
  case bytesThenSilence(String)
  /// Closes the connection without a response.
  case drop
  /// Keeps the connection open and silent.
  case silence
}

/// An event that tests await.
enum ServerEvent: Sendable {
  case connected, closed
  case request(SeenRequest)
}

/// An HTTP server on 127.0.0.1 that responds as its script says, byte by byte.
final class ScriptedServer: Sendable {
  let port: Int
  let events: AsyncStream<ServerEvent>
  private let log: EventLog
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup

  private init(
    channel: any Channel, group: MultiThreadedEventLoopGroup, log: EventLog, events: AsyncStream<ServerEvent>
  ) {
    self.channel = channel
    self.group = group
    self.log = log
    self.events = events
    port = channel.localAddress?.port ?? 0
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [SeenRequest] { log.requests }
  var connections: Int { log.connections }

  static func start(tls: TLSConfiguration? = nil, _ script: @escaping @Sendable (SeenRequest) -> Reply) async throws
    -> ScriptedServer
  {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let (events, continuation) = AsyncStream<ServerEvent>.makeStream()
    let log = EventLog(continuation)
    let context = try tls.map { try NIOSSLContext(configuration: $0) }
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let context { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }
          try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
          try channel.pipeline.syncOperations.addHandler(ScriptHandler(log: log, script: script))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return ScriptedServer(channel: channel, group: group, log: log, events: events)
  }

  func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
  }
}

/// The events so far.
final class EventLog: Sendable {
  private let seen = Mutex<(requests: [SeenRequest], connections: Int)>(([], 0))
  private let continuation: AsyncStream<ServerEvent>.Continuation

  init(_ continuation: AsyncStream<ServerEvent>.Continuation) { self.continuation = continuation }

  var requests: [SeenRequest] { seen.withLock { $0.requests } }
  var connections: Int { seen.withLock { $0.connections } }

  func add(_ event: ServerEvent) {
    seen.withLock { seen in
      switch event {
      case .connected: seen.connections += 1
      case .request(let request): seen.requests.append(request)
      case .closed: break
      }
    }
    continuation.yield(event)
  }
}

private final class ScriptHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  private let log: EventLog
  private let script: @Sendable (SeenRequest) -> Reply
  private var current: SeenRequest?

  init(log: EventLog, script: @escaping @Sendable (SeenRequest) -> Reply) {
    self.log = log
    self.script = script
  }

  func channelActive(context: ChannelHandlerContext) {
    log.add(.connected)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    log.add(.closed)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      current = SeenRequest(method: head.method.rawValue, target: head.uri, headers: head.headers)
    case .body(let bytes): current?.body += String(buffer: bytes)
    case .end:
      guard let request = current else { return }
      current = nil
      log.add(.request(request))
      perform(script(request), context)
    }
  }

  private func perform(_ reply: Reply, _ context: ChannelHandlerContext) {
    switch reply {
    case .answer(let status, let headers, let body): write(Self.wire(status, headers, body), context)
    case .bytesThenClose(let text):
      write(text, context)
      context.close(promise: nil)
    case .bytesThenSilence(let text): write(text, context)
    case .drop: context.close(promise: nil)
    case .silence: break
    }
  }

  private func write(_ text: String, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
  }

  private static func wire(_ status: Int, _ headers: [(String, String)], _ body: String) -> String {
    var text = "HTTP/1.1 \(status) Scripted\r\n"
    let names = Set(headers.map { $0.0.lowercased() })
    if !names.contains("content-type") { text += "content-type: application/json\r\n" }
    if status != 204 { text += "content-length: \(body.utf8.count)\r\n" }
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    return text + "\r\n" + body
  }
}
