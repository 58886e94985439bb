import AgentProtocol
import NIOCore

/// What the event loop hands over: the requests of one frame, which it has admitted.
struct Work: Sendable {
  enum Frame: Sendable {
    case parsed(IncomingFrame)
    /// A line that would keep the event loop for too long.
    case line(ByteBuffer)
  }

  let frame: Frame
  /// What it counts for in the bounds of the connection and its process, and in what a stop waits for.
  let load: Load
  /// The room of its answers, held until they are written.
  let reservation: AnswerReservation?

  struct Load: Sendable {
    /// Requests in flight.
    var requests = 1
    /// Answers that a stop of the agent waits for.
    var awaited = 1
    /// Requests that count for the bound of the process: those that do not wait for a person.
    var counted = 1
    /// True if a request of it runs on a thread of the costly work.
    var isCostly = false
    /// Bytes that its answers usually take at most.
    var answer = 0
    /// Bytes of the budget of long lines.
    var reserved = 0
  }
}

/// A connection's requests beyond the hot path: each frame is a child task, so answers come in any order, and the end of the
/// connection cancels them all. A frame that has not begun then is dropped.
struct ConnectionTasks: Sendable {
  let work: AsyncStream<Work>
  let dispatcher: Dispatcher
  let call: Call
  let port: ConnectionPort

  /// Returns when the connection has closed and its requests have ended.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await item in work {
        if call.connection.isClosed { port.dropped(item) } else { group.addTask { await perform(item) } }
      }
      group.cancelAll()
      await call.connection.closed()
    }
  }

  private func perform(_ work: Work) async {
    guard !call.connection.isClosed else { return port.dropped(work) }
    guard case .parsed(let frame) = work.frame else { return await parse(work) }
    await answer(frame, work)
  }

  private func parse(_ work: Work) async {
    guard case .line(let line) = work.frame else { return }
    if line.readableBytes <= Wire.frameLimit {
      port.parsed(IncomingFrame(line), work)
    } else {
      await answer(await dispatcher.threads.run { .single(long(line)) }, work)
    }
  }

  private func answer(_ frame: IncomingFrame, _ work: Work) async {
    var call = call
    call.answer = work.reservation
    let answered = await dispatcher.answer(frame, call)
    if answered.afterwards.isEmpty { work.reservation?.settle(at: answered.message?.readableBytes ?? 0) }
    port.finished(answered.message, work, continues: !answered.afterwards.isEmpty)
    guard !answered.afterwards.isEmpty else { return }
    await goOn(answered.afterwards)
    port.released(work)
  }

  private func goOn(_ afterwards: [MethodTable.Afterwards]) async {
    await withDiscardingTaskGroup { group in
      for body in afterwards { group.addTask { await body() } }
    }
  }

  /// A long line holds one request of a method that may be long, or it is refused.
  private func long(_ line: ByteBuffer) -> Incoming {
    switch IncomingFrame(line) {
    case .refused(let error): return .refused(id: Incoming.nullID, error)
    case .batch: return .refused(id: Incoming.nullID, .frameTooLarge)
    case .single(.refused(let id, let error)): return .refused(id: id, error)
    case .single(.request(let request)):
      // The dispatcher answers an unknown method.
      guard dispatcher.methods[request.method]?.mayBeLong ?? true else {
        return .refused(id: request.id, .frameTooLarge)
      }
      return .request(request)
    }
  }
}

extension AgentError {
  static var frameTooLarge: AgentError {
    AgentError(.tooLarge, "A request has at most \(Wire.frameLimit) bytes, one of api.request \(Wire.longFrameLimit).")
  }

  static let answersTooLarge = AgentError(.tooMany, "The answers of this batch are too large together.")
}

/// The way back to a connection's event loop. Safe from any thread.
struct ConnectionPort: Sendable {
  private let eventLoop: any EventLoop
  private let connection: NIOLoopBound<ConnectionHandler>

  /// Made on the event loop of `connection`.
  init(_ connection: ConnectionHandler, _ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    self.connection = NIOLoopBound(connection, eventLoop: eventLoop)
  }

  /// Sends the answer, if there is one; `continues` if tasks of the frame go on.
  func finished(_ message: ByteBuffer?, _ work: Work, continues: Bool) {
    eventLoop.execute { connection.value.finished(message, work, continues: continues) }
  }

  /// What went on after the answer has ended.
  func released(_ work: Work) {
    eventLoop.execute { connection.value.released(work) }
  }

  /// The connection closed before this frame began.
  func dropped(_ work: Work) {
    finished(nil, work, continues: false)
  }

  /// A line was parsed; it is not in flight until its frame is admitted.
  func parsed(_ frame: IncomingFrame, _ work: Work) {
    eventLoop.execute {
      connection.value.finished(nil, work, continues: false)
      connection.value.parsed(frame)
    }
  }

  /// Returns when the kernel has taken the message, or the connection has closed.
  func notify(_ message: ByteBuffer) async {
    let written = eventLoop.makePromise(of: Void.self)
    eventLoop.execute { connection.value.notify(message, written) }
    try? await written.futureResult.get()
  }

  func cutOff(_ reason: String) {
    eventLoop.execute { connection.value.cutOff(reason) }
  }
}
