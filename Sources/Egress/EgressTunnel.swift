import AgentConfiguration
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSOCKS
import NIOSSL
import SessionEngine
import SupabaseAuth
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
  /// The head of the 101.
  private var acceptance: HTTPResponseHead?
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
      try connect(address.host, port).flatMapThrowing { channel in
        try bound.value.prepare(channel, address.host, context)
        return channel
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

  /// Connects to a server, through the project's proxy if it has one.
  private func connect(_ host: String, _ port: Int) throws -> EventLoopFuture<any Channel> {
    let endpoint = permit.project.endpoint
    let bootstrap = ClientBootstrap(group: eventLoop)
      .connectTimeout(EgressLimits.connect)
      .channelOption(.autoRead, value: false)
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      .channelOption(.writeBufferWaterMark, value: EgressLimits.writeWatermarks)
    guard let proxy = endpoint.proxyAddress, try endpoint.isProxied(for: permit.url.origin) else {
      return bootstrap.connect(host: host, port: port)
    }
    return bootstrap.connect(host: proxy.host, port: proxy.port).flatMap { channel in
      ProxyHandshake.begin(on: channel, proxy.kind, host: host, port: port).map { channel }
    }
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

  /// Path and query. The gateway takes Realtime's key from the query, because browsers can set no
  /// header; it has to be the project's.
  private var target: String {
    isRealtime
      ? RealtimeKey.replaced(in: permit.url.target, with: permit.project.settings.anonKey) : permit.url.target
  }

  // MARK: - The answer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver, let exchange else { return cancel() }
    switch unwrapInboundIn(data) {
    // The decoder reports the end of this response, too, which must not reach the tunnel.
    case .head(let head) where head.status == .switchingProtocols: acceptance = head
    case .head(let head): readAfter(exchange.received(head, from: self))
    case .body(let piece): readAfter(exchange.received(piece, from: self))
    case .end:
      if let acceptance { return exchange.upgraded(acceptance, self) }
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
  ///
  /// - Returns: a future that completes when `end` may be written to: until then the decoder, which
  ///   observes writes, takes them for parts of a request.
  func join(_ end: TunnelEnd) throws -> EventLoopFuture<Void> {
    guard let context, !isOver else { throw ChannelError.ioOnClosedChannel }
    let pipeline = context.pipeline.syncOperations
    let encoder = try pipeline.context(handlerType: HTTPRequestEncoder.self)
    let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
    try pipeline.addHandler(end)
    (isOver, self.context) = (true, nil)
    for handler in [encoder, context] { pipeline.removeHandler(context: handler, promise: nil) }
    let removed = eventLoop.makePromise(of: Void.self)
    // What the decoder has left goes to the handler after it.
    pipeline.removeHandler(context: decoder, promise: removed)
    return removed.futureResult
  }
}

/// The handshake with a proxy, before that with a server.
private enum ProxyHandshake {
  /// - Returns: a future that completes when bytes reach the server. `channel` does not read
  ///   automatically before and after.
  static func begin(
    on channel: any Channel, _ kind: ProxyURL.Kind, host: String, port: Int
  ) -> EventLoopFuture<Void> {
    let established = channel.eventLoop.makePromise(of: Void.self)
    let added = channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      switch kind {
      case .http: try pipeline.addHandlers(http(host, port, established))
      case .socks5:
        try pipeline.addHandlers(
          [SOCKSClientHandler(targetAddress: .domain(host, port: port)), SOCKSEstablished(established)])
      }
    }
    added.cascadeFailure(to: established)
    channel.closeFuture.whenComplete { _ in established.fail(ChannelError.eof) }
    return channel.setOption(.autoRead, value: true).flatMap { established.futureResult }.flatMap {
      channel.setOption(.autoRead, value: false)
    }.flatMapThrowing { try removeAll(from: channel) }
  }

  private static func http(_ host: String, _ port: Int, _ established: EventLoopPromise<Void>) -> [any ChannelHandler] {
    [
      HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)),
      NIOHTTP1ProxyConnectHandler(
        targetHost: host, targetPort: port, headers: [:], deadline: .now() + EgressLimits.connect,
        promise: established),
    ]
  }

  private static func removeAll(from channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    if let socks = try? pipeline.context(handlerType: SOCKSClientHandler.self) {
      pipeline.removeHandler(context: try pipeline.context(handlerType: SOCKSEstablished.self), promise: nil)
      return pipeline.removeHandler(context: socks, promise: nil)
    }
    for handler in [
      try pipeline.context(handlerType: NIOHTTP1ProxyConnectHandler.self),
      try pipeline.context(handlerType: HTTPRequestEncoder.self),
      try pipeline.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self),
    ] { pipeline.removeHandler(context: handler, promise: nil) }
  }
}

/// Waits for the end of a SOCKS handshake. Bound to its event loop.
private final class SOCKSEstablished: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let established: EventLoopPromise<Void>

  init(_ established: EventLoopPromise<Void>) { self.established = established }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is SOCKSProxyEstablishedEvent { established.succeed() }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { established.fail(error) }
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
  /// Returns `target` with `key` as the only `apikey` of its query.
  static func replaced(in target: String, with key: String) -> String {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let others = parts.dropFirst().flatMap { $0.split(separator: "&") }.filter { !$0.hasPrefix("apikey=") }
    return parts[0] + "?" + (["apikey=\(PercentEncoding.encode(key))"] + others).joined(separator: "&")
  }
}
