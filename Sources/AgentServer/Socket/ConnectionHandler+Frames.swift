import AccessControl
import AgentProtocol
import NIOCore

/// Requests that the hot path does not answer: each frame is admitted, and becomes a task.
extension ConnectionHandler {
  /// A short line is parsed here, a longer one by a task.
  func takeGeneral(_ line: ByteBuffer) {
    let bytes = line.readableBytes
    guard bytes > SocketBounds.parsedOnLoop else { return begin(.parsed(IncomingFrame(line))) }
    guard bytes <= Wire.frameLimit || reserve(bytes, skips: false) else { return }
    begin(.line(line))
  }

  /// Begins the tasks of a frame, or holds it until there is room.
  func begin(_ frame: Work.Frame) {
    var load = server.load(of: frame)
    guard server.room.canHold(load.answer) else { return refuse(frame, .answersTooLarge) }
    if process.hasRoom(for: load), let error = inFlight.refusal(of: load) { return refuse(frame, error) }
    let reservation = hasRoom(for: load) ? server.room.reserve(load.answer, for: peer.pid) : nil
    guard let reservation else {
      heldFrame = frame
      return server.wait(self)
    }
    load.reserved = inFlight.takeReserved()
    start(Work(frame: frame, load: load, reservation: reservation))
  }

  /// One large answer fits if the connection has no other.
  private func hasRoom(for load: Work.Load) -> Bool {
    process.hasRoom(for: load) && (reserved == 0 || reserved + load.answer <= RPCBounds.answersOfOneConnection)
  }

  /// There may be room again. Returns with the frame still held if there is none.
  func tryAgain() {
    guard let frame = heldFrame, context != nil else { return }
    heldFrame = nil
    begin(frame)
    if heldFrame == nil { goOn() }
  }

  private func refuse(_ frame: Work.Frame, _ error: AgentError) {
    guard let context else { return }
    switch frame {
    case .line: answers.send(Outgoing.error(error, id: Incoming.nullID), context)
    case .parsed(.single(let incoming)):
      if let id = incoming.answerID { answers.send(Outgoing.error(error, id: id), context) }
    case .parsed(.batch(let batch)):
      let refused = batch.compactMap { $0.answerID.map { Outgoing.error(error, id: $0) } }
      if !refused.isEmpty { answers.send(Outgoing.batch(refused), context) }
    case .parsed(.refused(let reason)): answers.send(Outgoing.error(reason, id: Incoming.nullID), context)
    }
  }

  /// A line was parsed by a task: it is admitted as one that was parsed here.
  func parsed(_ frame: IncomingFrame) {
    isParsing = false
    guard context != nil else { return }
    begin(.parsed(frame))
    goOn()
  }

  // MARK: - Long lines

  /// A line over the usual bound has begun: only an object may become one, if there is memory for it.
  func takeLongStart(_ context: ChannelHandlerContext) {
    if lines.mayBeObject { reserve(lines.unfinished, skips: true) } else { refuseLine(.frameTooLarge, context) }
  }

  /// Reserves memory for a line of `bytes`, or answers why not and, with `skips`, ignores the rest of it.
  @discardableResult
  private func reserve(_ bytes: Int, skips: Bool) -> Bool {
    guard let error = inFlight.reserve(bytes, server.longFrames) else { return true }
    if skips { lines.skipLine() }
    if let context { answers.send(Outgoing.error(error, id: Incoming.nullID), context) }
    return false
  }

  private func refuseLine(_ error: AgentError, _ context: ChannelHandlerContext) {
    inFlight.forgetReserved(server.longFrames)
    lines.skipLine()
    answers.send(Outgoing.error(error, id: Incoming.nullID), context)
  }

  // MARK: - Tasks

  private func start(_ work: Work) {
    guard let context else { return }
    let tasks = self.tasks ?? beginTasks(context)
    self.tasks = tasks
    // After `cancelRequests` nothing more is begun.
    if case .terminated = tasks.yield(work) { return refuse(work.frame, AgentError(.cancelled)) }
    inFlight.begin(work.load)
    process.begin(work.load)
    reserved += work.load.answer
    if case .line(let line) = work.frame, line.readableBytes <= Wire.frameLimit { isParsing = true }
  }

  /// A connection that only asks for tokens never comes here, and costs no task.
  private func beginTasks(_ context: ChannelHandlerContext) -> AsyncStream<Work>.Continuation {
    let (stream, continuation) = AsyncStream.makeStream(of: Work.self)
    let port = ConnectionPort(self, context.eventLoop)
    let handle = ConnectionHandle(id: id, send: { await port.notify($0) }, cut: { port.cutOff($0) })
    self.handle = handle
    server.begin(
      ConnectionTasks(
        work: stream, dispatcher: server.dispatcher, call: Call(peer: peer, connection: handle), port: port))
    return continuation
  }
}
