import AgentConfiguration
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SessionEngine
import SystemSupport
import WebURLs

/// A WebSocket handshake with a server, which the HTTP client does not support, under the same trust
/// settings (EG-4). Its answer is passed to the exchange; after a 101 the connection belongs to the
/// tunnel. Bound to the event loop.
final class EgressTunnel: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let request: EgressRequest
  private let permit: EgressAccess.Permit
  private let trust: TLSConfiguration
  private weak var exchange: EgressExchange?
  private let eventLoop: any EventLoop
  private var channel: (any Channel)?
  private var context: ChannelHandlerContext?
  private var isOver = false

  init(
    _ request: EgressRequest, _ permit: EgressAccess.Permit, _ trust: TLSConfiguration, _ exchange: EgressExchange,
    on eventLoop: any EventLoop
  ) {
    (self.request, self.permit, self.trust) = (request, permit, trust)
    (self.exchange, self.eventLoop) = (exchange, eventLoop)
  }

  /// Connects, and sends the handshake.
  func begin() {
    do {
      let address = try WebURL(permit.url.origin)
      let isSecure = permit.url.origin.hasPrefix("https:")
      let port = try Self.port(of: permit.url.origin, isSecure: isSecure)
      let context = isSecure ? try NIOSSLContext(configuration: trust) : nil
      let bound = NIOLoopBound(self, eventLoop: eventLoop)
      connect(address, port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try bound.value.prepare(channel, address.host, context)
        }
      }.whenComplete { result in
        switch result {
        case .success(let channel): bound.value.connected(channel)
        case .failure(let error): bound.value.failed(error)
        }
      }
    } catch {
      failed(error)
    }
  }

  private func connect(
    _ address: WebURL, _ port: Int, _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    ClientBootstrap(group: eventLoop)
      .connectTimeout(EgressLimits.connect)
      .channelOption(.autoRead, value: false)
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      .channelOption(.writeBufferWaterMark, value: EgressLimits.writeWatermarks)
      .channelInitializer(prepare)
      .connect(host: address.host, port: port)
  }

  private static func port(of origin: String, isSecure: Bool) throws -> Int {
    guard let colon = origin.lastIndex(of: ":"), let port = Int(origin[origin.index(after: colon)...]) else {
      return isSecure ? 443 : 80
    }
    return port
  }

  private func prepare(_ channel: any Channel, _ host: String, _ context: NIOSSLContext?) throws {
    let pipeline = channel.pipeline.syncOperations
    if let context {
      let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
      try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host))
    }
    try pipeline.addHandlers(
      HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)), self)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  private func connected(_ channel: any Channel) {
    guard !isOver, let context else { return channel.close(promise: nil) }
    self.channel = channel
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target)
    head.headers = EgressHTTPAttempt.headers(request, permit)
    head.headers.add(name: "host", value: String(permit.url.origin.drop { $0 != "/" }.dropFirst(2)))
    head.headers.add(name: "connection", value: "Upgrade")
    head.headers.add(name: "upgrade", value: "websocket")
    // Realtime takes the token of the connection from here.
    if isRealtime { head.headers.add(name: "x-api-key", value: permit.token.exposed) }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.read()
  }

  private var isRealtime: Bool {
    permit.url.isProject && permit.url.target.dropFirst(permit.project.basePath.count).hasPrefix("/realtime/")
  }

  /// Path and query; Realtime's clients send the key in the query, where it has to be the project's.
  private var target: String {
    isRealtime
      ? RealtimeKey.replaced(in: permit.url.target, with: permit.project.settings.anonKey) : permit.url.target
  }

  // MARK: - The answer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver, let exchange else { return cancel() }
    switch unwrapInboundIn(data) {
    case .head(let head) where head.status == .switchingProtocols: exchange.upgraded(head, self)
    case .head(let head): readAfter(exchange.received(head, from: self))
    case .body(let piece): readAfter(exchange.received(piece, from: self))
    case .end:
      exchange.receivedEnd(from: self)
      cancel()
    }
  }

  private func readAfter(_ taken: EventLoopFuture<Void>) {
    taken.hop(to: eventLoop).assumeIsolated().whenSuccess { self.context?.read() }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // A head that is not complete yet.
    if !isOver { context.read() }
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    failed(ChannelError.eof)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { failed(error) }

  private func failed(_ error: any Error) {
    guard !isOver else { return }
    let exchange = exchange
    cancelConnection()
    exchange?.failed(error, from: self)
  }

  /// Closes the connection.
  func cancel() { if !isOver { cancelConnection() } }

  private func cancelConnection() {
    isOver = true
    let channel = context?.channel
    context = nil
    channel?.close(promise: nil)
  }

  // MARK: - The tunnel

  /// Replaces the HTTP handlers by `end`, after a 101.
  func join(_ end: TunnelEnd) throws {
    guard let context, !isOver else { throw ChannelError.ioOnClosedChannel }
    (isOver, self.context) = (true, nil)
    let pipeline = context.pipeline.syncOperations
    try pipeline.addHandler(end)
    let before = [
      try pipeline.context(handlerType: HTTPRequestEncoder.self), context,
      // Last: what the decoder has left goes to the handler after it.
      try pipeline.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self),
    ]
    for handler in before { pipeline.removeHandler(context: handler, promise: nil) }
    end.begin()
  }
}

/// One end of a tunnel: passes bytes to the other end, as fast as that one takes them. Bound to the
/// event loop.
final class TunnelEnd: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let connection: EgressConnection
  private var partner: TunnelEnd?
  private var context: ChannelHandlerContext?
  private var isReadWanted = false

  private init(_ connection: EgressConnection) { self.connection = connection }

  /// Returns both ends of a client's connection.
  static func pair(_ connection: EgressConnection) -> (client: TunnelEnd, server: TunnelEnd) {
    let (client, server) = (TunnelEnd(connection), TunnelEnd(connection))
    (client.partner, server.partner) = (server, client)
    return (client, server)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  /// Starts to read. Call when both ends are in place.
  func begin() { read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection.touch()
    partner?.context?.writeAndFlush(data, promise: nil)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    read()
    context.fireChannelReadComplete()
  }

  private func read() {
    guard let other = partner?.context else { return }
    guard other.channel.isWritable else {
      isReadWanted = true
      return
    }
    isReadWanted = false
    context?.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, let partner, partner.isReadWanted { partner.read() }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    close()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

  /// Closes both ends; what was written before is flushed by then or lost with the peer.
  private func close() {
    let (own, other) = (context, partner)
    (context, partner) = (nil, nil)
    other?.partner = nil
    own?.channel.close(promise: nil)
    if let context = other?.context {
      other?.context = nil
      // An empty write completes after everything before it.
      let channel = context.channel
      channel.writeAndFlush(ByteBuffer()).whenComplete { _ in channel.close(promise: nil) }
    }
    connection.ended()
  }
}

/// The key in the query of a Realtime connection. Pure.
enum RealtimeKey {
  /// Returns `target` with the value of `apikey` replaced, if the query has one.
  static func replaced(in target: String, with key: String) -> String {
    guard let mark = target.firstIndex(of: "?") else { return target }
    let fields = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map {
      $0.hasPrefix("apikey=") ? "apikey=\(PercentEncoding.encode(key))" : String($0)
    }
    return target[...mark] + fields.joined(separator: "&")
  }
}
