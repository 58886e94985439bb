import AccessControl
import AgentProtocol
import Logging
import NIOCore
import SessionEngine
import SystemSupport

/// One connection on the event loop. Splits input into lines, answers the hot path in place, passes
/// other requests to tasks, and enforces the connection's limits.
///
/// One read takes at most `SocketLimits.readPiece` bytes. The rest stays in the kernel, so that
/// epoll(7) is the round robin between connections. No more is read while a line waits, too many
/// requests are unanswered (`isBlocked`), or the client does not read its answers.
///
/// Bound to its event loop, as is all of its state.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let server: ServerState
  let peer: Peer
  let id: UInt64
  private let accepted: BootTime
  /// The connection as the audit log knows it, once it was needed.
  private var connection: IssuedTokens.Connection?
  /// The process that opened the connection, if there were rules then and it could be told at once.
  private var opener: ConnectionOpener?
  private let deadline: ReadDeadline
  private var context: ChannelHandlerContext?
  private(set) var handle: ConnectionHandle?
  private var tasks: AsyncStream<Work>.Continuation?

  private let answers = AnswerWriter()
  private var lines = LineSplitter()
  /// Requests that were taken and are not answered yet.
  private var unanswered = 0
  /// Answered frames whose work goes on, such as subscriptions.
  private var continuing = 0
  /// Bytes passed to `write` that the kernel has not accepted yet.
  private var unwritten = 0

  /// A line that waits for the caller lookup.
  private var heldLine: ByteBuffer?
  /// False while requests that a policy rule may concern wait for the caller lookup.
  var isCallerResolved = true
  private var isLookupBegun = false
  /// True while a task parses a line.
  private var isParsing = false

  /// The channel's own property, which is read several times for each request and costs an atomic
  /// load through three objects.
  private var isWritable = true
  private var isReadWanted = false
  private var isInputEnded = false
  private var hasAsked = false
  private var drainsAfterFirstRequest = false
  private var isDraining = false

  init(_ server: ServerState, peer: Peer, accepted: BootTime, id: UInt64) {
    self.server = server
    self.peer = peer
    self.accepted = accepted
    self.id = id
    deadline = ReadDeadline(server.limits)
  }

  // MARK: - Channel lifecycle

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    server.add(self)
    if let policy = server.rules { identify(context, policy) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    deadline.cancel()
    handle?.markClosed()
    tasks?.finish()
    // The closures of the handle retain this handler. Without this line every closed connection
    // leaks.
    (handle, tasks, heldLine) = (nil, nil, nil)
    server.remove(self)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    server.logger.debug("connection failed", metadata: ["connection": "\(id)", "error": "\(type(of: error))"])
    context.close(promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent {
      // The client has called shutdown(2) on its writing side and may still wait for answers.
      isInputEnded = true
      closeIfDone(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  // MARK: - Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lines.append(unwrapInboundIn(data))
    takeLines(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    answers.flush(context)
    settle(context)
  }

  /// Reads, unless the connection is blocked or draining, or the client does not read its answers.
  func read(context: ChannelHandlerContext) {
    if isBlocked || isDraining || !isWritable {
      isReadWanted = true
    } else {
      context.read()
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    isWritable = context.channel.isWritable
    // Deferred, because this runs during a flush of `maxAnswerBytes`, which must not change then.
    context.eventLoop.assumeIsolated().execute { self.continueReading() }
    context.fireChannelWritabilityChanged()
  }

  /// Continues after a wait has ended or the client has read answers.
  func continueReading() {
    guard let context else { return }
    if isWritable {
      takeLines(context)
      answers.flush(context)
    }
    settle(context)
  }

  /// Updates the deadline, the next read and the close after each piece of work.
  private func settle(_ context: ChannelHandlerContext) {
    watch(context)
    if isReadWanted, !isBlocked, isWritable {
      isReadWanted = false
      read(context: context)
    }
    if drainsAfterFirstRequest && hasAsked { drain() }
    closeIfDone(context)
  }

  private func watch(_ context: ChannelHandlerContext) {
    let isUnread = unwritten > 0 || !isWritable
    guard isUnread || lines.unfinished > 0 && !isBlocked else { return deadline.clear() }
    deadline.watch(isUnread ? .answers : .line, context.eventLoop) { [weak self] reason in self?.cutOff(reason) }
  }

  /// True while a line waits for the caller lookup or for its parser, or too many requests are
  /// unanswered.
  private var isBlocked: Bool { heldLine != nil || isParsing || unanswered >= RPCLimits.maxInFlight }

  private func takeLines(_ context: ChannelHandlerContext) {
    if let line = heldLine, isCallerResolved {
      heldLine = nil
      take(line, context)
    }
    while !isBlocked, !isDraining, isWritable, let line = lines.next() {
      take(line, context)
      deadline.progress()
      answers.flushPiece(context)
    }
    let isWaitingForMore = !isBlocked && !isDraining && isWritable
    if isWaitingForMore, lines.unfinished > Wire.frameLimit {
      lines.skipLine()
      answers.send(Outgoing.error(.frameTooLarge, id: Incoming.nullID), context)
    }
  }

  /// Answers a line from memory, holds it for the caller lookup, or passes it to the general path.
  private func take(_ line: ByteBuffer, _ context: ChannelHandlerContext) {
    let connection = connection ?? connection(with: peerProcess(context))
    let outcome =
      line.readableBytes <= SocketLimits.parsedOnLoop
      ? answers.write { server.hot.answer(line, into: &$0, for: connection, opener) } : .notHandled
    if case .answered(let needsCaller) = outcome {
      hasAsked = true
      if needsCaller { lookUpCaller(connection, nil, context) }
      return
    }
    guard !line.isBlank else { return }
    lookUpCaller(connection, nil, context)
    if case .undecided = outcome, !isCallerResolved {
      heldLine = line
    } else {
      hasAsked = true
      takeGeneral(line, context)
    }
  }

  /// Passes a line to a task. Only a short line is parsed here.
  private func takeGeneral(_ line: ByteBuffer, _ context: ChannelHandlerContext) {
    switch line.readableBytes {
    case ...SocketLimits.parsedOnLoop: begin(IncomingFrame(line), context)
    case ...Wire.frameLimit:
      isParsing = true
      perform(.line(line), context)
    default: answers.send(Outgoing.error(.frameTooLarge, id: Incoming.nullID), context)
    }
  }

  private func begin(_ frame: IncomingFrame, _ context: ChannelHandlerContext) {
    unanswered += frame.requests
    perform(.frame(frame), context)
  }

  /// Called with a line that a task has parsed.
  func parsed(_ frame: IncomingFrame) {
    isParsing = false
    guard let context else { return }
    begin(frame, context)
    continueReading()
  }

  /// Passes `work` to the connection's task, which starts with the first request of the general path:
  /// a connection that only requests tokens needs none.
  private func perform(_ work: Work, _ context: ChannelHandlerContext) {
    let tasks = self.tasks ?? beginTasks(context)
    self.tasks = tasks
    tasks.yield(work)
  }

  private func beginTasks(_ context: ChannelHandlerContext) -> AsyncStream<Work>.Continuation {
    let (stream, continuation) = AsyncStream.makeStream(of: Work.self)
    let port = ConnectionPort(self, context.eventLoop)
    let handle = ConnectionHandle(
      id: id, send: { await port.notify($0) }, cut: { port.cutOff($0) }, process: { await port.process() })
    self.handle = handle
    server.begin(
      ConnectionTasks(
        work: stream, dispatcher: server.dispatcher, call: Call(peer: peer, connection: handle), port: port))
    return continuation
  }

  /// Determines who opens the connection, for the rules. If that cannot be told at once, the lookup
  /// of the caller begins now. Otherwise it begins with the first request that needs it, because
  /// few connections do.
  private func identify(_ context: ChannelHandlerContext, _ policy: Policy) {
    let process = peerProcess(context)
    let connection = connection(with: process)
    opener = process.flatMap { policy.opener($0, pid: peer.pid) }
    if opener == nil { lookUpCaller(connection, process, context) }
  }

  private func connection(with process: PeerProcess?) -> IssuedTokens.Connection {
    let connection = IssuedTokens.Connection(id: id, pid: peer.pid, process: process?.id)
    self.connection = connection
    return connection
  }

  /// Starts the lookup of the caller, once.
  private func lookUpCaller(
    _ connection: IssuedTokens.Connection, _ process: PeerProcess?, _ context: ChannelHandlerContext
  ) {
    guard !isLookupBegun else { return }
    isLookupBegun = true
    server.lookUpCaller(self, connection, process ?? peerProcess(context), opener)
  }

  /// Reads the kernel's evidence of the caller's process. It is not kept, because it may be a
  /// descriptor; the kernel gives the same process each time.
  private func peerProcess(_ context: ChannelHandlerContext) -> PeerProcess? {
    try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
      PeerProcess(of: $0, now: accepted)
    }
  }

  /// The process that opened the connection; nil once the connection has closed.
  func peerProcess() -> PeerProcess? { context.flatMap { peerProcess($0) } }

  /// Called when the caller lookup has finished. A held line is decided now.
  func callerResolved() {
    isCallerResolved = true
    if heldLine != nil { continueReading() }
  }

  // MARK: - Answers

  /// Called when all requests of a frame are answered.
  func finished(_ frame: IncomingFrame, _ answered: Answered, isCostly: Bool) {
    unanswered -= frame.requests
    if !answered.afterwards.isEmpty { continuing += 1 }
    guard let context else { return }
    let written = context.eventLoop.makePromise(of: Void.self)
    if isCostly { written.futureResult.assumeIsolated().whenComplete { _ in self.tasks?.yield(.written) } }
    if let message = answered.message(in: server.dispatcher.tokens.epoch) {
      send(message, written)
    } else {
      written.succeed()
    }
    continueReading()
  }

  /// Called when the work that continued after a frame's answer has ended.
  func ended() {
    continuing -= 1
    if let context { settle(context) }
  }

  /// Sends a message. `written` completes when the kernel has accepted it, and fails if the connection
  /// is closed.
  func send(_ message: ByteBuffer, _ written: EventLoopPromise<Void>) {
    guard let context else { return written.fail(ChannelError.ioOnClosedChannel) }
    let bytes = message.readableBytes
    unwritten += bytes
    written.futureResult.assumeIsolated().whenComplete { _ in
      self.unwritten -= bytes
      self.deadline.progress()
      // Otherwise the deadline would pass later, with nothing unread.
      if self.unwritten == 0, let context = self.context { self.watch(context) }
    }
    answers.send(message, context)
    answers.flush(context, written)
    watch(context)
  }

  /// Closes the connection immediately, and logs the reason.
  func cutOff(_ reason: String) {
    guard let context else { return }
    server.logger.notice("connection closed", metadata: ["pid": "\(peer.pid)", "reason": "\(reason)"])
    context.close(promise: nil)
  }

  /// Closes the connection if its client has not read all answers, which may contain tokens.
  func dropUnreadAnswers() {
    let unread = try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)
    if let unread, unread > 0 { cutOff("the vault was locked before its responses were read") }
  }

  // MARK: - Closing

  /// Drains the connection after its first request. A stop of the agent thus refuses no client that
  /// has just connected.
  func drainAfterFirstRequest() {
    guard !hasAsked else { return drain() }
    drainsAfterFirstRequest = true
  }

  /// Accepts no more requests, and closes the connection when those in flight are answered.
  func drain() {
    isDraining = true
    if let context { closeIfDone(context) }
  }

  /// Cancels every request in flight. Each request is still answered.
  func cancelRequests() {
    if let context { perform(.cancel, context) }
  }

  private func closeIfDone(_ context: ChannelHandlerContext) {
    // Lines that were read before the end of the input still wait, or the client has not read its
    // answers.
    let hasLines = isBlocked || !isWritable
    let isDone = isInputEnded && continuing == 0 && !hasLines
    guard unanswered == 0, isDone || isDraining && !isBlocked else { return }
    let sent = context.eventLoop.makePromise(of: Void.self)
    // Close after all earlier writes.
    sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    answers.flush(context, sent)
  }
}

extension ByteBuffer {
  /// Blank lines between messages are ignored.
  fileprivate var isBlank: Bool { readableBytesView.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } }
}
