import AgentProtocol
import NIOCore

/// What becomes of a frame that the hot path leaves: an error at once, or a task.
extension ConnectionHandler {
  func takeFrame(_ line: ByteBuffer, _ context: ChannelHandlerContext) {
    switch IncomingFrame(line) {
    case .single(let incoming): take(incoming, context)
    case .batch(let batch): take(batch, context)
    case .refused(let error):
      if !line.isBlank { answers.send(Outgoing.error(error, id: Incoming.nullID), context) }
    }
  }

  private func take(_ incoming: Incoming, _ context: ChannelHandlerContext) {
    if let refused = inFlight.refusal(of: incoming, among: 1) {
      if let id = refused.id { answers.send(Outgoing.error(refused.error, id: id), context) }
    } else {
      start(Work(frame: .single(incoming), load: Work.Load(awaited: server.awaited(incoming))), context)
    }
  }

  private func take(_ batch: [Incoming], _ context: ChannelHandlerContext) {
    guard inFlight.hasRoom(for: batch.count) else {
      let refused = batch.compactMap { element -> ByteBuffer? in
        guard let refused = inFlight.refusal(of: element, among: batch.count), let id = refused.id else { return nil }
        return Outgoing.error(refused.error, id: id)
      }
      if !refused.isEmpty { answers.send(Outgoing.batch(refused), context) }
      return
    }
    let awaited = batch.reduce(0) { max($0, server.awaited($1)) }
    start(Work(frame: .batch(batch), load: Work.Load(requests: batch.count, awaited: awaited)), context)
  }

  func takeLong(_ line: ByteBuffer, _ context: ChannelHandlerContext) {
    guard reserve(line.readableBytes, skips: false) else { return }
    start(Work(frame: .long(line), load: Work.Load(reserved: inFlight.takeReserved())), context)
  }

  /// Sets memory aside for a line of `bytes`, or answers why not and, where `skips`, forgets what is still to come of it.
  @discardableResult
  func reserve(_ bytes: Int, skips: Bool) -> Bool {
    guard let error = inFlight.reserve(bytes, server.longFrames) else { return true }
    if skips { lines.skipLine() }
    if let context { answers.send(Outgoing.error(error, id: Incoming.nullID), context) }
    return false
  }

  /// Answers a line that has not ended, and forgets what is still to come of it.
  func refuseLine(_ error: AgentError, _ context: ChannelHandlerContext) {
    inFlight.forgetReserved(server.longFrames)
    lines.skipLine()
    answers.send(Outgoing.error(error, id: Incoming.nullID), context)
  }

  // MARK: - Tasks

  private func start(_ work: Work, _ context: ChannelHandlerContext) {
    inFlight.begin(work.load)
    server.turns.spend(SocketBounds.requestCost * work.load.requests)
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
}

extension ByteBuffer {
  /// Nothing but white space: between two messages that is no message.
  fileprivate var isBlank: Bool { readableBytesView.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } }
}
