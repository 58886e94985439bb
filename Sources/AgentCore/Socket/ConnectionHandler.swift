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
  private let patience: Patience
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
  /// What was read last was long: the next read waits for a turn.
  private var isReadLong = false
  private var isWaiting = false
  private var isInputEnded = false
  private var hasAsked = false
  private var drainsAfterFirstRequest = false
  private var isDraining = false

  init(_ server: ServerState, peer: Peer, process: PeerProcess? = nil, id: UInt64) {
    self.server = server
    self.peer = peer
    self.process = process
    self.id = id
    patience = Patience(server.patience)
  }

  // MARK: - The channel's life

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    server.add(self, id, peer, process)
    process = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    patience.end()
    tasks?.finish()
    server.longFrames.release(reserved)
    reserved = 0
    server.remove(id, peer)
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
    let bytes = unwrapInboundIn(data)
    isReadLong = bytes.readableBytes >= SocketBounds.longRead
    lines.append(bytes)
    readLines(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    flushAnswers(context)
    watch(context)
    if drainsAfterFirstRequest && hasAsked { drain() }
  }

  /// Reads no more from a client that does not take its answers.
  func read(context: ChannelHandlerContext) {
    guard context.channel.isWritable, !isDraining, !isWaiting, !isReadLong else {
      isReadWanted = true
      if isReadLong { waitForTurn() }
      return
    }
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    // Not at once: this is called from within a flush of `output`, which nobody else may touch meanwhile.
    context.eventLoop.assumeIsolated().execute { self.goOn() }
    context.fireChannelWritabilityChanged()
  }

  /// The client has taken answers, or takes no more of them.
  private func goOn() {
    guard let context else { return }
    if context.channel.isWritable {
      readLines(context)
      flushAnswers(context)
      readAgain(context)
    }
    watch(context)
    closeIfDone(context)
  }

  /// Keeps an eye on what the client has begun and not ended.
  private func watch(_ context: ChannelHandlerContext) {
    let isUnread = !context.channel.isWritable
    guard isUnread || lines.unfinished > 0 && !isWaiting else { return patience.rest() }
    patience.watch(isUnread ? .answers : .line, context.eventLoop) { [weak self] reason in self?.cutOff(reason) }
  }

  private func readAgain(_ context: ChannelHandlerContext) {
    guard isReadWanted, context.channel.isWritable else { return }
    isReadWanted = false
    read(context: context)
  }

  private func readLines(_ context: ChannelHandlerContext, until end: NIODeadline? = nil) {
    guard !isWaiting else { return }
    var end = end
    while !isDraining, context.channel.isWritable, let line = lines.next() {
      take(line, context)
      patience.progress()
      if output.count >= SocketBounds.writePiece { flushAnswers(context) }
      guard lines.unfinished > 0 else { break }
      // One line by itself never asks for the time.
      let turn = end ?? server.turns.end
      end = turn
      if NIODeadline.now() >= turn { return waitForTurn() }
    }
    if lines.unfinished > Wire.frameLimit, context.channel.isWritable { reserve(lines.unfinished) }
  }

  /// Lets the others have the event loop first.
  private func waitForTurn() {
    guard !isWaiting else { return }
    isWaiting = true
    server.turns.wait { [weak self] end in self?.takeTurn(until: end) }
  }

  /// Goes on with what was read, then with reading.
  private func takeTurn(until end: NIODeadline) {
    isWaiting = false
    guard let context else { return }
    readLines(context, until: end)
    flushAnswers(context)
    // Where lines are left it waits again.
    guard !isWaiting else { return }
    isReadLong = false
    readAgain(context)
    watch(context)
    closeIfDone(context)
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
      return (request.id, .tooManyUnfinished)
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
      flushAnswers(context)
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
    guard let large = output.append(message) else { return }
    context.write(NIOAny(output.take()), promise: nil)
    context.write(NIOAny(large), promise: nil)
    output.endLine()
  }

  private func flushAnswers(_ context: ChannelHandlerContext) {
    if output.count > 0 { flush(context, nil) }
  }

  /// Hands everything to the kernel; `promise` ends when it and all before it was taken.
  private func flush(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    var piece = output.take()
    context.write(NIOAny(piece), promise: promise)
    context.flush()
    output.giveBack(&piece)
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
    flush(context, sent)
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
    // Lines that were read before the end wait for a turn, or for the client to take its answers.
    let hasLines = isWaiting || !context.channel.isWritable
    guard isInputEnded && requests == 0 && !hasLines || isDraining && awaited == 0 else { return }
    let sent = context.eventLoop.makePromise(of: Void.self)
    // Closes behind what was written before.
    sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    flush(context, sent)
  }
}

extension ByteBuffer {
  /// Nothing but white space: between two messages that is no message.
  fileprivate var isBlank: Bool { readableBytesView.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } }
}
