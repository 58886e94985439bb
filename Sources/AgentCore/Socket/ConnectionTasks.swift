import AgentProtocol
import NIOCore

/// What the event loop hands over: one frame's requests, which it has admitted.
struct Work: Sendable {
  enum Frame: Sendable {
    case single(Incoming)
    case batch([Incoming])
    /// A frame over the usual bound, not yet read: that takes longer than the event loop should be kept.
    case long(ByteBuffer)
  }

  let frame: Frame
  /// What it counts for in the connection's bound, and in what a stop waits for.
  let load: Load

  struct Load: Sendable {
    /// Requests in flight.
    var requests = 1
    /// Answers that a stop of the agent waits for.
    var awaited = 1
    /// Bytes of the shared budget.
    var reserved = 0
  }
}

/// A connection's requests beyond the hot path: each frame is a child task, so answers come in any order, and the end of
/// the connection cancels them all.
struct ConnectionTasks: Sendable {
  let work: AsyncStream<Work>
  let dispatcher: Dispatcher
  let call: Call
  let port: ConnectionPort

  /// Returns when the connection has closed and its requests have ended.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await item in work { group.addTask { await perform(item) } }
      group.cancelAll()
      await call.connection.closed()
    }
  }

  private func perform(_ item: Work) async {
    let answered = await answer(item.frame)
    port.finished(answered.message, item.load)
    if !answered.afterwards.isEmpty { await goOn(answered.afterwards) }
    port.released(item.load)
  }

  private func goOn(_ afterwards: [MethodTable.Afterwards]) async {
    await withDiscardingTaskGroup { group in
      for body in afterwards { group.addTask { await body() } }
    }
  }

  private func answer(_ frame: Work.Frame) async -> Answered {
    switch frame {
    case .single(let incoming): await dispatcher.answer(incoming, call)
    case .batch(let batch): await dispatcher.answer(batch, call)
    case .long(let line): await dispatcher.answer(long(line), call)
    }
  }

  /// A long frame holds one request of a method that may be long, or it is refused.
  private func long(_ line: ByteBuffer) -> Incoming {
    switch IncomingFrame(line) {
    case .refused(let error): return .refused(id: Incoming.nullID, error)
    case .batch: return .refused(id: Incoming.nullID, .frameTooLarge)
    case .single(.refused(let id, let error)): return .refused(id: id, error)
    case .single(.request(let request)):
      // An unknown method is told so by the dispatcher.
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

  /// Sends the answer, if there is one.
  func finished(_ message: ByteBuffer?, _ load: Work.Load) {
    eventLoop.execute { connection.value.finished(message, load) }
  }

  /// Nothing goes on for this frame any more.
  func released(_ load: Work.Load) {
    eventLoop.execute { connection.value.released(load) }
  }

  func notify(_ message: ByteBuffer) {
    eventLoop.execute { connection.value.notify(message) }
  }

  func cutOff(_ reason: String) {
    eventLoop.execute { connection.value.cutOff(reason) }
  }
}
