import AgentProtocol
import Logging
import NIOCore
import SystemSupport

/// One connection on the event loop: cuts bytes into frames, answers the hot path in place, hands everything else to
/// tasks, and keeps the connection's bounds.
///
/// Bound to its event loop, like everything that it holds.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let server: ServerState
  let peer: Peer
  /// Until it is handed on.
  private var process: PeerProcess?
  let id: UInt64
  private let patience: Patience
  var context: ChannelHandlerContext?
  var tasks: AsyncStream<Work>.Continuation?

  let answers = AnswerWriter()
  var lines = LineSplitter()
  /// A line that waits for its turn, or for the caller to be known.
  private var held: ByteBuffer?
  /// Whether nobody waits for who is at the other end: no more, or because no rule asks for it.
  var isCallerKnown = true
  var inFlight = RequestsInFlight()

  private var isReadWanted = false
  /// What was read last was long: the next read waits for a turn.
  private var isReadLong = false
  private var isWaiting = false
  private var awaitsCaller = false
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
    held = nil
    inFlight.forgetReserved(server.longFrames)
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
    if isReadLong { server.turns.spend(SocketBounds.longReadCost * (bytes.readableBytes / 1024)) }
    lines.append(bytes)
    readLines(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    answers.flush(context)
    watch(context)
    drainIfAsked()
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
      answers.flush(context)
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

  /// Takes what was read, until `end` where this is a turn.
  private func readLines(_ context: ChannelHandlerContext, until end: NIODeadline? = nil) {
    guard !isWaiting else { return }
    let isTurn = end != nil
    var end = end
    while !isDraining, context.channel.isWritable, let line = nextLine() {
      guard take(line, isTurn: isTurn, context) else {
        held = line
        return awaitsCaller ? () : waitForTurn()
      }
      patience.progress()
      answers.flushPiece(context)
      guard lines.unfinished > 0 else { break }
      // One line by itself never asks for the time.
      let turn = end ?? server.turns.end
      end = turn
      if NIODeadline.now() >= turn { return waitForTurn() }
    }
    guard lines.unfinished > Wire.frameLimit, context.channel.isWritable else { return }
    if lines.mayBeObject { reserve(lines.unfinished, skips: true) } else { refuseLine(.frameTooLarge, context) }
  }

  private func nextLine() -> ByteBuffer? {
    guard let line = held else { return lines.next() }
    held = nil
    return line
  }

  /// Lets the others have the event loop first.
  private func waitForTurn() {
    guard !isWaiting else { return }
    isWaiting = true
    let begun = NIODeadline.now()
    server.turns.wait(peer.pid) { [weak self] end in self?.takeTurn(until: end, since: begun) ?? false }
  }

  /// Goes on with what was read, then with reading; false where the connection has closed.
  private func takeTurn(until end: NIODeadline, since begun: NIODeadline) -> Bool {
    isWaiting = false
    guard let context else { return false }
    patience.excuse(.now() - begun)
    goOn(context, until: end)
    return true
  }

  private func goOn(_ context: ChannelHandlerContext, until end: NIODeadline) {
    readLines(context, until: end)
    answers.flush(context)
    // Where lines are left it waits again.
    guard !isWaiting else { return }
    isReadLong = false
    readAgain(context)
    watch(context)
    drainIfAsked()
    closeIfDone(context)
  }

  /// The connection's caller was looked up: what it has asked meanwhile can be decided.
  func callerIsKnown() {
    isCallerKnown = true
    guard awaitsCaller else { return }
    awaitsCaller = false
    isWaiting = false
    goOn()
    drainIfAsked()
  }

  /// Answers a line or begins to; false where it has to wait.
  private func take(_ line: ByteBuffer, isTurn: Bool, _ context: ChannelHandlerContext) -> Bool {
    let isShort = line.readableBytes <= Wire.frameLimit
    switch isShort ? answerFromMemory(line) : .left {
    case .answered:
      hasAsked = true
      return true
    case .undecided where !isCallerKnown:
      isWaiting = true
      awaitsCaller = true
      return false
    case .undecided, .left: break
    }
    guard isTurn || !server.turns.isSpent else { return false }
    hasAsked = true
    let take = { isShort ? self.takeFrame(line, context) : self.takeLong(line, context) }
    // What is done in a turn is counted with it.
    if isTurn { take() } else { server.turns.counting(take) }
    return true
  }

  private func answerFromMemory(_ line: ByteBuffer) -> HotPath.Outcome {
    let connection = HandOutTable.Connection(id: id, pid: peer.pid)
    return answers.write { server.hot.answer(line, into: &$0, for: connection) }
  }

  // MARK: - Tasks

  /// A frame's answer has come.
  func finished(_ message: ByteBuffer?, _ load: Work.Load) {
    inFlight.finish(load)
    guard let context else { return }
    if let message {
      answers.send(message, context)
      answers.flush(context)
    }
    closeIfDone(context)
  }

  /// A frame's tasks have ended.
  func released(_ load: Work.Load) {
    inFlight.release(load, server.longFrames)
    if let context { closeIfDone(context) }
  }

  func notify(_ message: ByteBuffer) {
    guard let context, !answers.notify(message, context) else { return }
    cutOff("it does not read its notifications")
  }

  /// Ends the connection, whatever it still waits for.
  func cutOff(_ reason: String) {
    guard let context else { return }
    server.logger.notice("connection cut off", metadata: ["pid": "\(peer.pid)", "reason": "\(reason)"])
    context.close(promise: nil)
  }

  /// Ends the connection if its client has not read all answers, which may hold tokens (VA-4).
  func dropUnreadAnswers() {
    let unread = try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)
    if let unread, unread > 0 { cutOff("the vault was locked before its answers were read") }
  }

  // MARK: - Ending

  /// Who has just connected may still ask, once: nobody is turned away because the agent is about to stop.
  func drainAfterFirstRequest() {
    guard !hasAsked else { return drain() }
    drainsAfterFirstRequest = true
  }

  private func drainIfAsked() {
    if drainsAfterFirstRequest && hasAsked { drain() }
  }

  /// Takes no more requests, and closes when those in flight are answered.
  func drain() {
    isDraining = true
    if let context { closeIfDone(context) }
  }

  /// Cancels every request in flight. Each of them is still answered.
  func cancelRequests() { tasks?.finish() }

  private func closeIfDone(_ context: ChannelHandlerContext) {
    // Lines that were read before the end wait for a turn, or for the client to take its answers.
    let hasLines = isWaiting || !context.channel.isWritable
    guard isInputEnded && inFlight.requests == 0 && !hasLines || isDraining && inFlight.awaited == 0 else { return }
    let sent = context.eventLoop.makePromise(of: Void.self)
    // Closes behind what was written before.
    sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    answers.flush(context, sent)
  }
}
