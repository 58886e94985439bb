import AccessControl
import AgentProtocol
import NIOCore
import SystemSupport

/// Admission of requests that the hot path does not answer. Each admitted frame becomes a task.
extension ConnectionHandler {
  /// Admits a line. A line of at most `SocketLimits.parsedOnLoop` bytes is parsed here, a longer
  /// line by a task.
  func takeGeneral(_ line: ByteBuffer) {
    let bytes = line.readableBytes
    guard bytes > SocketLimits.parsedOnLoop else { return begin(.parsed(IncomingFrame(line))) }
    guard bytes <= Wire.frameLimit || reserve(bytes, skips: false) else { return }
    begin(.line(line))
  }

  /// Starts a frame, refuses it, or holds it until there is room.
  func begin(_ frame: Work.Frame) {
    var load = server.load(of: frame)
    guard server.answerBudget.canHold(load.answer) else { return refuse(frame, .answersTooLarge) }
    if process.hasRoom(for: load), let error = inFlight.refusal(of: load) { return refuse(frame, error) }
    let reservation = hasRoom(for: load) ? server.answerBudget.reserve(load.answer, for: peer.pid) : nil
    guard let reservation else {
      heldFrame = frame
      return server.wait(self)
    }
    load.reserved = inFlight.takeReserved()
    start(Work(frame: frame, load: load, reservation: reservation))
  }

  /// True if the process and the connection have room. A connection without pending answers has
  /// room for one answer of any size.
  private func hasRoom(for load: Work.Load) -> Bool {
    process.hasRoom(for: load) && (reserved == 0 || reserved + load.answer <= RPCLimits.maxAnswerBytesPerConnection)
  }

  /// Retries the held frame. The frame stays held if there is still no room.
  func retryHeldFrame() {
    guard let frame = heldFrame, context != nil else { return }
    heldFrame = nil
    begin(frame)
    if heldFrame == nil { continueReading() }
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

  /// Admits a frame that a task has parsed.
  func parsed(_ frame: IncomingFrame) {
    isParsing = false
    guard context != nil else { return }
    begin(.parsed(frame))
    continueReading()
  }

  // MARK: - Long lines

  /// Handles the start of a line over `Wire.frameLimit`. Only an object is accepted, and only if
  /// memory can be reserved for it.
  func takeLongStart(_ context: ChannelHandlerContext) {
    if lines.mayBeObject { reserve(lines.unfinished, skips: true) } else { refuseLine(.frameTooLarge, context) }
  }

  /// Reserves memory for a line of `bytes`. On failure sends an error and, with `skips`, ignores
  /// the rest of the line.
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
    // `cancelRequests` has finished the stream, so no more work starts.
    if case .terminated = tasks.yield(work) { return refuse(work.frame, AgentError(.cancelled)) }
    inFlight.begin(work.load)
    process.begin(work.load)
    reserved += work.load.answer
    if case .line(let line) = work.frame, line.readableBytes <= Wire.frameLimit { isParsing = true }
  }

  /// Starts the connection's task, with the first request of the general path. A connection that
  /// only requests tokens needs no task.
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
}
