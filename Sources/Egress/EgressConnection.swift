import AccessControl
import AgentProtocol
import Logging
import NIOCore
import NIOHTTP1
import SystemSupport

/// One connection of a client, which sends requests one after the other. Bound to its event loop.
///
/// Reads only what it can pass on: the head of the next request when the last one is answered, and a
/// body as fast as the server takes it.
final class EgressConnection: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// How the requests of a connection are identified.
  enum Origin {
    /// By the process at the other end of the Unix socket.
    case process(EgressAccess.Caller)
    /// By the stand-in that each request carries.
    case grant((HTTPRequestHead) throws(EgressProblem) -> (EgressRequest, EgressAccess.Caller))
  }

  let state: EgressState
  private let origin: Origin
  private let reads: PacedReads
  private let bytes: EgressBytes
  private let channel: any Channel
  /// Nil when the connection is closed or has become a tunnel.
  private var context: ChannelHandlerContext?
  private var isEnded = false
  private var exchange: EgressExchange?
  /// Parts of the requests after the current one, which were read together with it.
  private var later = CircularBuffer<HTTPServerRequestPart>()
  /// The error behind those parts, or behind the current request.
  private var laterError: (any Error)?
  /// True if the request that the parser refuses may be HEAD.
  private var mayRefuseHead = false
  /// The body that this read has brought so far.
  private var body = ByteBuffer()
  /// True if the client has closed its sending side.
  private var isInputClosed = false
  /// True if the current request is HEAD, whose answer has no body.
  private var isHead = false
  /// False while the body of the current request is still to be read.
  private(set) var isRequestEnded = true
  private var keepsAlive = true
  /// True if the connection ends after the current body, which is dropped.
  private var isDropping = false
  /// True if the next request waits until the client has taken the last answer.
  private var isSettling = false
  private(set) var deadline: BootTime
  private var writable: EventLoopPromise<Void>?
  /// Pieces of answers that are not written yet.
  private var unwritten = 0
  private var isFlushPending = false
  /// The grant of the current request.
  private(set) var grant: String?
  /// The permitted use of the current request or tunnel; nil until it is permitted.
  var use: EgressAccess.Use?
  /// The process that the connection counts for: for a grant, the one that made it. Nil before the first
  /// request with a valid stand-in.
  private(set) var process: Int32?

  private init(
    _ state: EgressState, _ origin: Origin, _ reads: PacedReads, _ bytes: EgressBytes, _ channel: any Channel
  ) {
    (self.state, self.origin, self.reads, self.bytes, self.channel) = (state, origin, reads, bytes, channel)
    deadline = state.access.clock.moment(in: EgressLimits.betweenRequests)
    if case .process(let caller) = origin { process = caller.connection.pid }
  }

  /// Adds the handlers of a connection to `channel`, which does not read automatically. Call on the
  /// event loop.
  static func add(to channel: any Channel, _ state: EgressState, _ origin: Origin) throws {
    let (reads, bytes) = (PacedReads(state.servers.pacer), EgressBytes())
    var framing = HTTPResponseEncoder.Configuration()
    // The encoder does not know that an answer to HEAD has no body.
    framing.automaticallySetFramingHeaders = false
    try channel.pipeline.syncOperations.addHandlers(
      reads, bytes, ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes)),
      HTTPResponseEncoder(configuration: framing), EgressConnection(state, origin, reads, bytes, channel))
  }

  // MARK: - Channel lifecycle

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    state.add(self)
    if context.channel.isActive { context.read() }
  }

  func channelActive(context: ChannelHandlerContext) {
    context.read()
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    ended()
    context.fireChannelInactive()
  }

  /// Called when the connection is closed, also after it became a tunnel.
  func ended() {
    guard !isEnded else { return }
    (isEnded, context) = (true, nil)
    exchange?.cancel()
    exchange = nil
    later.removeAll()
    body = ByteBuffer()
    writable?.fail(ChannelError.ioOnClosedChannel)
    writable = nil
    if case .process(let caller) = origin { state.access.closed(caller.connection.id) }
    state.remove(self)
  }

  /// Answers a request that the parser refuses: its head, or its body before the server has answered.
  /// The requests before it are answered first.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    mayRefuseHead = bytes.mayBeHead
    if isBusy, error is HTTPParserError || error is EgressProblem { laterError = error } else { failed(error) }
  }

  private func failed(_ error: any Error) {
    guard let context else { return }
    let isUnanswered = exchange.map { !isRequestEnded && !$0.isAnswered } ?? true
    guard error is HTTPParserError || error is EgressProblem, isUnanswered, !isDropping else {
      context.close(promise: nil)
      return
    }
    // Without a head of its own, the error is in the head.
    if isRequestEnded { isHead = mayRefuseHead }
    isRequestEnded = true
    exchange?.cancel()
    exchange = nil
    answer((error as? EgressProblem) ?? Self.problem(error))
    closeAfterAnswer()
  }

  private static func problem(_ error: any Error) -> EgressProblem {
    switch error as? HTTPParserError {
    case .headerOverflow?: .tooLargeHead
    default: .badRequest("The request is not valid HTTP/1.1.")
    }
  }

  // MARK: - Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The decoder may still pass on what it has read before the connection was closed.
    guard !isEnded else { return }
    bytes.parsed()
    reads.notePart()
    let part = unwrapInboundIn(data)
    if case .body(let piece) = part, body.join(piece) { return }
    takeBody()
    if case .body(let piece) = part { body = piece } else { takeOrKeep(part) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    takeBody()
    readIfWanted()
  }

  private func takeBody() {
    guard body.readableBytes > 0 else { return }
    let piece = body
    body = ByteBuffer()
    takeOrKeep(.body(piece))
  }

  private func takeOrKeep(_ part: HTTPServerRequestPart) { if isBusy { later.append(part) } else { take(part) } }

  /// True if what follows has to wait for the current request.
  private var isBusy: Bool { isSettling || !later.isEmpty || isRequestEnded && exchange != nil }

  /// A client that has sent everything gets its answers (`nc -N`).
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent {
      isInputClosed = true
      if exchange == nil, !isBusy {
        isRequestEnded = true
        closeAfterAnswer()
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func take(_ part: HTTPServerRequestPart) {
    switch part {
    case .head(let head):
      guard !isDropping else { return }
      isRequestEnded = false
      begin(head)
    case .body(let piece):
      guard !isDropping else { return }
      touch()
      exchange?.received(piece)
    case .end:
      isRequestEnded = true
      if isDropping { context?.close(promise: nil) } else { exchange?.receivedEnd() }
    }
  }

  /// Reads if a request, or more of its body, can be taken.
  func readIfWanted() {
    let wantsHead = isRequestEnded && exchange == nil
    // Parts that arrived with the current request are handled before more is read.
    guard !isSettling, later.isEmpty, laterError == nil else { return }
    guard wantsHead || isDropping || !isRequestEnded && exchange?.hasRoom ?? true else { return }
    context?.read()
  }

  private func begin(_ head: HTTPRequestHead) {
    isHead = head.method == .HEAD
    do throws(EgressProblem) {
      let (request, caller) = try identified(head)
      keepsAlive = request.keepsAlive && !state.isDraining
      touch(EgressLimits.firstByte)
      let exchange = EgressExchange(request, caller, self)
      self.exchange = exchange
      exchange.begin()
    } catch {
      // A body whose length is unknown cannot be dropped (RFC 9112, section 6.3).
      if !head.hasReadableLength { isRequestEnded = true }
      keepsAlive =
        head.isKeepAlive && head.hasReadableLength && !head.headers.contains(name: "upgrade") && !state.isDraining
      refuse(error, hasBody: head.hasBody)
    }
  }

  private func identified(_ head: HTTPRequestHead) throws(EgressProblem) -> (EgressRequest, EgressAccess.Caller) {
    switch origin {
    case .process(let caller): return (try EgressRequest(checked: head), caller)
    case .grant(let identify):
      let (request, caller) = try identify(head)
      try state.count(self, for: caller.connection.pid)
      (process, grant) = (caller.connection.pid, caller.grant)
      return (request, caller)
    }
  }

  /// Begins the lookup of the process at the other end, once.
  func lookUpCaller() {
    guard case .process(let caller) = origin else { return }
    state.access.lookUp(caller, PeerProcess(of: channel, now: state.access.clock.now))
  }

  // MARK: - Answering

  /// Answers with a problem instead of sending the request on.
  func refuse(_ problem: EgressProblem, hasBody: Bool) {
    exchange = nil
    var problem = problem
    if hasBody, !isRequestEnded { problem.closes = true }
    answer(problem)
    settle()
  }

  private func answer(_ problem: EgressProblem) {
    guard let context else { return }
    state.access.noteRefusal(problem)
    if !keepsAlive || problem.closes { keepsAlive = false }
    var problem = problem
    problem.closes = !keepsAlive
    let body = problem.body
    let head = HTTPResponseHead(version: .http1_1, status: problem.status, headers: problem.headers(length: body.count))
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
    writeEnd()
  }

  /// Tells a client that waits with its body to send it (RFC 9110, section 10.1.1).
  func writeContinue() {
    context?.writeAndFlush(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
  }

  /// Writes the head of a server's answer.
  func write(_ head: HTTPResponseHead) {
    var head = head
    // A body that the server did not want is not read to its end.
    if !isRequestEnded { keepsAlive = false }
    if !keepsAlive { head.headers.add(name: "connection", value: "close") }
    touch()
    context?.write(wrapOutboundOut(.head(head)), promise: nil)
    flushSoon()
  }

  /// Flushes at the end of this pass of the event loop: a head, and a body that arrived with it, take
  /// one system call, and wake the client once.
  private func flushSoon() {
    guard !isFlushPending else { return }
    isFlushPending = true
    state.eventLoop.assumeIsolated().execute {
      guard self.isFlushPending else { return }
      self.isFlushPending = false
      self.context?.flush()
    }
  }

  /// Writes a piece of an answer's body.
  ///
  /// - Returns: a future that completes when the client has taken enough.
  func write(_ piece: ByteBuffer) -> EventLoopFuture<Void> {
    guard let context else { return state.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
    touch()
    unwritten += 1
    context.write(wrapOutboundOut(.body(.byteBuffer(piece)))).assumeIsolated().whenComplete { _ in
      self.unwritten -= 1
      self.written()
    }
    if !isFlushPending { context.flush() }
    return whenWritable()
  }

  func whenWritable() -> EventLoopFuture<Void> {
    guard let context else { return state.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
    guard !isWritable else { return context.eventLoop.makeSucceededVoidFuture() }
    let promise = writable ?? context.eventLoop.makePromise(of: Void.self)
    writable = promise
    return promise.futureResult
  }

  /// True if the client has taken enough.
  private var isWritable: Bool { unwritten < EgressLimits.maxUnwritten && context?.channel.isWritable ?? false }

  private func written() {
    guard writable != nil || isSettling, isWritable else { return }
    touch()
    let promise = writable
    writable = nil
    promise?.succeed()
    if isSettling { settle() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    written()
    context.fireChannelWritabilityChanged()
  }

  /// Ends the current answer, and goes on with the next request.
  func finish() {
    exchange = nil
    writeEnd()
    settle()
  }

  private func writeEnd() {
    isFlushPending = false
    context?.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  private func settle() {
    (grant, use) = (nil, nil)
    guard keepsAlive else { return closeAfterAnswer() }
    // A client that reads no answers gets no further ones.
    isSettling = context != nil && !isWritable
    guard !isSettling else { return touch(EgressLimits.idle) }
    touch(EgressLimits.betweenRequests)
    while !later.isEmpty, !(isRequestEnded && exchange != nil) { take(later.removeFirst()) }
    if !isBusy, let error = laterError {
      laterError = nil
      return failed(error)
    }
    if isDrained { closeAfterAnswer() } else { readIfWanted() }
  }

  /// True if a stop of the agent, or the end of the client's side, can close the connection.
  private var isDrained: Bool {
    (state.isDraining || isInputClosed) && exchange == nil && isRequestEnded && later.isEmpty
  }

  /// Closes when the answer is written. A body that still arrives is dropped for a short time: if the
  /// connection were closed at once, the client might not see the answer.
  private func closeAfterAnswer() {
    guard let context else { return }
    later.removeAll()
    laterError = nil
    if isRequestEnded {
      // An empty write completes after everything before it.
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))).assumeIsolated().whenComplete { _ in
        context.close(promise: nil)
      }
    } else {
      isDropping = true
      context.eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.drop) { context.close(promise: nil) }
      readIfWanted()
    }
  }

  // MARK: - Ends

  /// Closes without an answer, or in the middle of one. The connection has ended on return.
  func cutOff(_ reason: String) {
    state.logger.debug("egress connection closed", metadata: ["reason": "\(reason)"])
    // A head and the start of a body may still wait for their flush.
    context?.flush()
    ended()
    channel.close(promise: nil)
  }

  /// Ends the current request with an error, or closes the connection.
  func abort(_ error: AgentError, _ reason: String) {
    if let exchange { exchange.abort(error, reason) } else { cutOff(reason) }
  }

  /// Ends the current request or tunnel if the policy does not allow it any more. What takes a lookup is
  /// decided off the event loop.
  func checkUse() {
    guard let use, !state.access.isAllowedAtOnce(use) else { return }
    lookUpCaller()
    let (access, eventLoop, bound) = (state.access, state.eventLoop, NIOLoopBound(self, eventLoop: state.eventLoop))
    Task {
      guard await !access.isAllowed(use) else { return }
      eventLoop.execute {
        guard bound.value.use === use else { return }
        bound.value.abort(.refusedByPolicy(use.account), "the policy denies it now")
      }
    }
  }

  /// Serves no further request.
  func drain() {
    keepsAlive = false
    if isDrained { channel.close(promise: nil) }
  }

  /// Notes that a byte was passed on, or that another step has begun that may take `time`.
  func touch(_ time: TimeAmount = EgressLimits.idle) { deadline = state.access.clock.moment(in: time) }

  func checkDeadline(_ now: BootTime) {
    if isInputClosed, LoopbackPeers.hasLeft(channel) { return cutOff("the client has left") }
    if now >= deadline { abort(AgentError(.timedOut, account: use?.account), "no request or data in time") }
  }

  // MARK: - Upgrades

  /// Writes a 101, and passes the bytes of both sides on from then on. What the client has sent
  /// meanwhile reaches the tunnel.
  func switchProtocols(_ head: HTTPResponseHead, _ attempt: EgressAttempt) {
    guard let context else { return attempt.cancel() }
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    (self.context, exchange) = (nil, nil)
    do {
      let pipeline = channel.pipeline.syncOperations
      let (client, server) = TunnelEnd.pair(self)
      let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let others = [
        try pipeline.context(handlerType: EgressBytes.self),
        try pipeline.context(handlerType: HTTPResponseEncoder.self), context,
      ]
      try pipeline.addHandler(client)
      for handler in others { pipeline.removeHandler(context: handler, promise: nil) }
      try attempt.join(server).assumeIsolated().whenSuccess {
        guard !client.isClosed else { return }
        // The decoder passes its remaining bytes to the next handler, which sends them to the server.
        pipeline.removeHandler(context: decoder, promise: nil)
        server.begin()
        client.begin()
      }
    } catch {
      attempt.cancel()
      channel.close(promise: nil)
    }
  }
}

extension HTTPRequestHead {
  fileprivate var hasBody: Bool {
    headers.contains(name: "transfer-encoding") || headers[canonicalForm: "content-length"].contains { $0 != "0" }
  }

  fileprivate var hasReadableLength: Bool { headers["content-length"].allSatisfy { Int($0) != nil } }
}

/// Counts bytes that the parser has not turned into anything yet: a head, a chunk header or a trailer
/// that is too long ends the connection. Bound to its event loop.
final class EgressBytes: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private var unparsed = 0
  /// The bytes that the parser is reading; nil while it waits for more.
  private var current: ByteBuffer?
  /// True if what earlier reads left unparsed may begin with the method HEAD.
  private var wasHead = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    current = bytes
    unparsed += bytes.readableBytes
    context.fireChannelRead(data)
    wasHead = unparsed > 0 && mayBeHead || bytes.endsWithPartOfHead
    current = nil
    if unparsed > EgressRequest.maxHeadBytes { context.fireErrorCaught(EgressProblem.tooLargeHead) }
  }

  /// Called when the parser has passed something on.
  func parsed() { unparsed = 0 }

  /// True if the request being parsed may be HEAD. The parser does not tell where in a read a request
  /// begins, and an answer without a body harms no other request.
  var mayBeHead: Bool { wasHead || current?.containsHead ?? false }
}

extension ByteBuffer {
  private static let head = Array("HEAD ".utf8)

  fileprivate var containsHead: Bool { readableBytesView.contains(Self.head) }

  /// True if the method may go on in the next read.
  fileprivate var endsWithPartOfHead: Bool {
    (1..<Self.head.count).contains { readableBytesView.suffix($0).elementsEqual(Self.head.prefix($0)) }
  }
}
