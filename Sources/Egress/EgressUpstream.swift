import NIOCore
import NIOHTTP1
import NIOSSL
import SystemSupport

/// A connection to a server, which serves one attempt after the other. Bound to the event loop.
///
/// While no attempt uses it, the next read is under way, so that the server's end is noticed.
final class EgressUpstream: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  let route: EgressServers.Route
  /// The `Host` header: host and port.
  let authority: String
  /// When a kept connection must not be used any more.
  private(set) var usableUntil = BootTime(nanoseconds: 0)
  /// How long the connection can be kept after the current answer.
  private var keptFor = EgressLimits.keptConnection
  private let servers: EgressServers
  private let generation: Int
  /// Nil when the connection is closed or has become a tunnel.
  private var context: ChannelHandlerContext?
  private weak var attempt: EgressAttempt?
  private var isRequestSent = false
  private var keepsAlive = true
  /// The head of a 101.
  private var acceptance: HTTPResponseHead?
  private let reads: PacedReads
  /// The body that this read has brought so far.
  private var body = ByteBuffer()
  /// Parts of the answer that the client has not taken yet.
  private var untaken = 0
  /// Pieces of requests that are not written yet.
  private var unwritten = 0
  /// Incremented with each attempt.
  private var attempts = 0
  private var isReadWanted = false
  private var isFree = false

  private init(_ route: EgressServers.Route, _ servers: EgressServers) {
    reads = PacedReads(servers.pacer)
    (self.route, self.servers, generation) = (route, servers, servers.generation)
    authority = String(route.origin.dropFirst(route.isSecure ? "https://".count : "http://".count))
  }

  /// Adds the handlers of HTTP/1.1 to a channel that is connected, and stops its automatic reads.
  static func add(to channel: any Channel, _ route: EgressServers.Route, _ servers: EgressServers) throws
    -> EgressUpstream
  {
    let upstream = EgressUpstream(route, servers)
    var framing = HTTPRequestEncoder.Configuration()
    // The client's own framing is passed on.
    framing.automaticallySetFramingHeaders = false
    try channel.syncOptions?.setOption(.autoRead, value: false)
    // An answer that the client has not taken yet outlives the server's end. With TLS, the end is not seen here.
    try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: !route.isSecure)
    try channel.pipeline.syncOperations.addHandlers(
      upstream.reads, HTTPRequestEncoder(configuration: framing),
      ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)), upstream)
    guard channel.isActive else { throw ChannelError.eof }
    return upstream
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  // MARK: - The request

  /// Sends the head of a request.
  func begin(_ attempt: EgressAttempt, _ head: HTTPRequestHead, hasBody: Bool) {
    self.attempt = attempt
    attempts += 1
    (isRequestSent, keepsAlive, untaken, isReadWanted) = (!hasBody, true, 0, false)
    context?.write(wrapOutboundOut(.head(head)), promise: nil)
    if !hasBody { context?.write(wrapOutboundOut(.end(nil)), promise: nil) }
    context?.flush()
    context?.read()
  }

  var takesBody: Bool {
    !isRequestSent && unwritten < EgressLimits.maxUnwritten && context?.channel.isWritable ?? false
  }

  func write(_ piece: ByteBuffer) {
    guard let context else { return }
    unwritten += 1
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece)))).assumeIsolated().whenComplete { _ in
      self.unwritten -= 1
      if self.unwritten == EgressLimits.maxUnwritten - 1 { self.attempt?.sendMore() }
    }
  }

  func endBody() {
    isRequestSent = true
    context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { attempt?.sendMore() }
    context.fireChannelWritabilityChanged()
  }

  // MARK: - The answer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // An answer that nobody has asked for.
    guard let attempt else { return close() }
    reads.notePart()
    switch unwrapInboundIn(data) {
    // The decoder reports the end of this answer, too, which must not reach the tunnel.
    case .head(let head) where head.status == .switchingProtocols: acceptance = head
    case .head(let head):
      guard head.canBePassedOn else { return failed(HTTPParserError.unknown) }
      (keepsAlive, keptFor) = (head.isKeepAlive, head.keptFor)
      readAfter(attempt.received(head))
    case .body(let piece) where body.join(piece): break
    case .body(let piece):
      passBody()
      body = piece
    case .end:
      if let acceptance { return attempt.upgraded(acceptance) }
      passBody()
      ended()
      attempt.receivedEnd()
    }
  }

  private func passBody() {
    guard let attempt, body.readableBytes > 0 else { return }
    let piece = body
    body = ByteBuffer()
    readAfter(attempt.received(piece))
  }

  private func readAfter(_ taken: EventLoopFuture<Void>) {
    untaken += 1
    let attempt = attempts
    taken.assumeIsolated().whenSuccess {
      guard self.attempts == attempt else { return }
      self.untaken -= 1
      if self.untaken == 0, self.isReadWanted {
        self.isReadWanted = false
        self.context?.read()
      }
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    passBody()
    if isFree { keep() } else if untaken == 0 { self.context?.read() } else { isReadWanted = true }
    context.fireChannelReadComplete()
  }

  /// Frees the connection after an answer, if both sides permit that. It is kept when this read is
  /// complete: more bytes, or the server's end, would not belong to another answer.
  private func ended() {
    attempt = nil
    attempts += 1
    isFree = isRequestSent && keepsAlive && keptFor > .zero && generation == servers.generation
    if !isFree { close() }
  }

  private func keep() {
    guard let context else { return }
    (isFree, usableUntil) = (false, servers.clock.moment(in: keptFor))
    context.read()
    servers.keep(self)
  }

  // MARK: - Ends

  func channelInactive(context: ChannelHandlerContext) {
    failed(ChannelError.eof)
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { failed(ChannelError.eof) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { failed(error) }

  private func failed(_ error: any Error) {
    guard context != nil else { return }
    let attempt = attempt
    close()
    // Many servers end TLS without close_notify. The framing of HTTP tells whether an answer is complete.
    let isClosed = (error as? NIOSSLError).map { $0 == .uncleanShutdown } ?? false
    attempt?.failed(isClosed ? ChannelError.eof : error)
  }

  /// Closes the connection. No attempt hears of it.
  func close() {
    guard let context else { return }
    (self.context, attempt) = (nil, nil)
    servers.remove(self)
    context.close(promise: nil)
  }

  // MARK: - The tunnel

  /// Replaces the HTTP handlers by `end`, after a 101.
  ///
  /// - Returns: a future that completes when `end` may be written to: until then the decoder, which
  ///   observes writes, takes them for parts of a request.
  func join(_ end: TunnelEnd) throws -> EventLoopFuture<Void> {
    guard let context else { throw ChannelError.ioOnClosedChannel }
    let pipeline = context.pipeline.syncOperations
    let encoder = try pipeline.context(handlerType: HTTPRequestEncoder.self)
    let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
    try pipeline.addHandler(end)
    (self.context, attempt) = (nil, nil)
    for handler in [encoder, context] { pipeline.removeHandler(context: handler, promise: nil) }
    let removed = context.eventLoop.makePromise(of: Void.self)
    // The decoder passes its remaining bytes to the next handler.
    pipeline.removeHandler(context: decoder, promise: removed)
    return removed.futureResult
  }
}

extension HTTPResponseHead {
  /// How long the server keeps the connection, less a second for the way there, if it says so (`Keep-Alive:
  /// timeout=5`), and at most as long as the proxy does.
  var keptFor: TimeAmount {
    let parameters = headers["keep-alive"].flatMap { $0.lowercased().split(separator: ",") }
    let limits = parameters.compactMap { parameter -> Int64? in
      let parts = parameter.filter { $0 != " " }.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == "timeout" ? Int64(parts[1]) : nil
    }
    let keptConnection = EgressLimits.keptConnection
    return limits.min().map { min(.seconds(max(1, min($0, 3600)) - 1), keptConnection) } ?? keptConnection
  }

  /// False for what the parser takes and no client would understand: a status that has no class, a transfer
  /// coding that would have to be undone, and a length that no body has.
  fileprivate var canBePassedOn: Bool {
    let (codings, lengths) = (headers["transfer-encoding"], headers["content-length"])
    return status.code >= 100 && (codings.isEmpty || codings.map { $0.lowercased() } == ["chunked"])
      && lengths.allSatisfy { Int($0) != nil }
  }
}
