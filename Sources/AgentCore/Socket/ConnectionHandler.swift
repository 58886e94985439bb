import AgentProtocol
import Logging
import NIOCore

/// One connection on the event loop: cuts bytes into frames, answers the hot path in place, hands everything else to
/// tasks, and keeps the connection's bounds.
///
/// Bound to its event loop, like everything that it holds.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let server: ServerState
  private let peer: Peer
  /// Until it is handed on.
  private var process: PeerProcess?
  private let id: UInt64
  private var context: ChannelHandlerContext?
  private var tasks: AsyncStream<Work>.Continuation?

  private var lines = LineSplitter()
  private var reserved = 0
  private var longFrames = 0
  private var output = OutputBuffer()

  private var requests = 0
  private var awaited = 0
  private var unsentNotifications = 0
  private var isReadWanted = false
  private var isInputEnded = false
  private var hasAsked = false
  private var drainsAfterFirstRequest = false
  private var isDraining = false

  init(_ server: ServerState, peer: Peer, process: PeerProcess? = nil, id: UInt64) {
    self.server = server
    self.peer = peer
    self.process = process
    self.id = id
  }

  // MARK: - The channel's life

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    server.add(self, id, peer, process)
    process = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    tasks?.finish()
    server.longFrames.release(reserved)
    reserved = 0
    server.remove(id)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    server.logger.debug("connection failed", metadata: ["connection": "\(id)", "error": "\(type(of: error))"])
    context.close(promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent {
      // shutdown(2) of the client's writing side: it may still wait for answers.
      isInputEnded = true
      closeIfDone(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  // MARK: - Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lines.append(unwrapInboundIn(data))
    readLines(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    output.flush(context)
    if drainsAfterFirstRequest && hasAsked { drain() }
  }

  /// Reads no more from a client that does not take its answers.
  func read(context: ChannelHandlerContext) {
    guard context.channel.isWritable, !isDraining else {
      isReadWanted = true
      return
    }
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      readLines(context)
      output.flush(context)
      readAgain(context)
    }
    context.fireChannelWritabilityChanged()
  }

  private func readAgain(_ context: ChannelHandlerContext) {
    guard isReadWanted, context.channel.isWritable else { return }
    isReadWanted = false
    read(context: context)
  }

  private func readLines(_ context: ChannelHandlerContext) {
    while !isDraining, context.channel.isWritable, let line = lines.next() {
      take(line, context)
      if output.count >= SocketBounds.writePiece { output.flush(context) }
    }
    if lines.unfinished > Wire.frameLimit { reserve(lines.unfinished) }
  }

  private func take(_ line: ByteBuffer, _ context: ChannelHandlerContext) {
    hasAsked = true
    guard line.readableBytes <= Wire.frameLimit else { return takeLong(line, context) }
    let connection = HandOutTable.Connection(id: id, pid: peer.pid)
    if output.write({ server.hot.answer(line, into: &$0, for: connection) }) { return }
    switch IncomingFrame(line) {
    case .single(let incoming): take(incoming, context)
    case .batch(let batch): take(batch, context)
    case .refused(let error):
      if !line.isBlank { send(Outgoing.error(error, id: Incoming.nullID), context) }
    }
  }

  private func take(_ incoming: Incoming, _ context: ChannelHandlerContext) {
    if let error = refusal(of: incoming, load: 1) {
      if let id = error.id { send(Outgoing.error(error.error, id: id), context) }
    } else {
      start(Work(frame: .single(incoming), load: Work.Load(awaited: server.awaited(incoming))), context)
    }
  }

  private func take(_ batch: [Incoming], _ context: ChannelHandlerContext) {
    guard requests + batch.count <= RPCBounds.inFlight else {
      let answers = batch.compactMap { element -> ByteBuffer? in
        guard let refused = refusal(of: element, load: batch.count), let id = refused.id else { return nil }
        return Outgoing.error(refused.error, id: id)
      }
      if !answers.isEmpty { send(Outgoing.batch(answers), context) }
      return
    }
    let awaited = batch.reduce(0) { max($0, server.awaited($1)) }
    start(Work(frame: .batch(batch), load: Work.Load(requests: batch.count, awaited: awaited)), context)
  }

  /// Why nothing is begun for `incoming`, with the id to answer to; nil where it is admitted.
  private func refusal(of incoming: Incoming, load: Int) -> (id: [UInt8]?, error: AgentError)? {
    switch incoming {
    case .refused(let id, let error): return (id, error)
    case .request(let request):
      guard requests + load > RPCBounds.inFlight else { return nil }
      let words = "At most \(RPCBounds.inFlight) requests of a connection may be unfinished."
      return (request.id, AgentError(.tooMany, words))
    }
  }

  // MARK: - Long frames

  private func takeLong(_ line: ByteBuffer, _ context: ChannelHandlerContext) {
    guard reserve(line.readableBytes, skips: false) else { return }
    let load = Work.Load(reserved: reserved)
    reserved = 0
    longFrames += 1
    start(Work(frame: .long(line), load: load), context)
  }

  /// Sets memory aside for a line of `bytes`, or answers why not and forgets the line.
  @discardableResult
  private func reserve(_ bytes: Int, skips: Bool = true) -> Bool {
    let error: AgentError
    if bytes > Wire.longFrameLimit {
      error = .frameTooLarge
    } else if longFrames > 0 || requests >= RPCBounds.inFlight {
      error = AgentError(.tooMany, "One long request at a time on a connection.")
    } else if server.longFrames.reserve(bytes - reserved) {
      reserved = bytes
      return true
    } else {
      error = AgentError(.tooMany, "Too many long requests at once. Please try again.")
    }
    server.longFrames.release(reserved)
    reserved = 0
    if skips { lines.skipLine() }
    if let context { send(Outgoing.error(error, id: Incoming.nullID), context) }
    return false
  }

  // MARK: - Tasks

  private func start(_ work: Work, _ context: ChannelHandlerContext) {
    requests += work.load.requests
    awaited += work.load.awaited
    let tasks = self.tasks ?? beginTasks(context)
    self.tasks = tasks
    tasks.yield(work)
  }

  /// A connection that only asks for tokens never comes here, and costs no task.
  private func beginTasks(_ context: ChannelHandlerContext) -> AsyncStream<Work>.Continuation {
    let (stream, continuation) = AsyncStream.makeStream(of: Work.self)
    let port = ConnectionPort(self, context.eventLoop)
    let handle = ConnectionHandle(id: id, send: { port.notify($0) }, cut: { port.cutOff($0) })
    server.begin(
      ConnectionTasks(
        work: stream, dispatcher: server.dispatcher, call: Call(peer: peer, connection: handle), port: port))
    return continuation
  }

  /// A frame's answer has come.
  func finished(_ message: ByteBuffer?, _ load: Work.Load) {
    awaited -= load.awaited
    guard let context else { return }
    if let message {
      send(message, context)
      output.flush(context)
    }
    closeIfDone(context)
  }

  /// A frame's tasks have ended.
  func released(_ load: Work.Load) {
    requests -= load.requests
    if load.reserved > 0 {
      longFrames -= 1
      server.longFrames.release(load.reserved)
    }
    if let context { closeIfDone(context) }
  }

  // MARK: - Writing

  private func send(_ message: ByteBuffer, _ context: ChannelHandlerContext) {
    output.append(message, context)
  }

  func notify(_ message: ByteBuffer) {
    guard let context else { return }
    let bytes = message.readableBytes
    unsentNotifications += bytes
    guard unsentNotifications <= SocketBounds.unsentNotifications else {
      return cutOff("it does not read its notifications")
    }
    send(message, context)
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess { self.unsentNotifications -= bytes }
    output.flush(context, promise: sent)
  }

  /// Ends the connection, whatever it still waits for.
  func cutOff(_ reason: String) {
    guard let context else { return }
    server.logger.notice("connection cut off", metadata: ["pid": "\(peer.pid)", "reason": "\(reason)"])
    context.close(promise: nil)
  }

  // MARK: - Ending

  /// Who has just connected may still ask, once: nobody is turned away because the agent is about to stop.
  func drainAfterFirstRequest() {
    guard !hasAsked else { return drain() }
    drainsAfterFirstRequest = true
  }

  /// Takes no more requests, and closes when those in flight are answered.
  func drain() {
    isDraining = true
    if let context { closeIfDone(context) }
  }

  private func closeIfDone(_ context: ChannelHandlerContext) {
    guard isInputEnded && requests == 0 || isDraining && awaited == 0 else { return }
    let sent = context.eventLoop.makePromise(of: Void.self)
    // Closes behind what was written before.
    sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    output.flush(context, promise: sent)
  }
}

extension ByteBuffer {
  /// Nothing but white space: between two messages that is no message.
  fileprivate var isBlank: Bool { readableBytesView.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } }
}
