import AccessControl
import AgentProtocol
import NIOCore

/// The requests of one frame, which the event loop has admitted.
struct Work: Sendable {
  enum Frame: Sendable {
    case parsed(IncomingFrame)
    /// An unparsed line that would occupy the event loop for too long.
    case line(ByteBuffer)
  }

  let frame: Frame
  /// The frame's share of the limits of its connection and process, and of what a stop waits for.
  let load: Load
  /// Memory reserved for the answers, until they are written.
  let reservation: AnswerReservation?

  struct Load: Sendable {
    var requests = 1
    /// Answers that a stop of the agent waits for.
    var awaited = 1
    /// Requests that count against the limit of the process: those that do not wait for a person.
    var counted = 1
    /// True if one of the requests has a costly method (`MethodCost.isCostly`).
    var isCostly = false
    /// Usual maximum size of the answers, in bytes.
    var answer = 0
    /// Bytes taken from `LongFrameBudget`.
    var reserved = 0
  }
}

/// Runs the requests of a connection that the hot path does not answer. Each frame is a child task,
/// so answers come in any order. The end of the connection cancels all tasks and drops frames that
/// have not started.
struct ConnectionTasks: Sendable {
  let work: AsyncStream<Work>
  let dispatcher: Dispatcher
  let call: Call
  let port: ConnectionPort

  /// Returns when the connection has closed or its requests were cancelled, and all requests have
  /// ended.
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
    await runAfterwards(answered.afterwards)
    port.released(work)
  }

  private func runAfterwards(_ afterwards: [MethodTable.Afterwards]) async {
    await withDiscardingTaskGroup { group in
      for body in afterwards { group.addTask { await body() } }
    }
  }

  /// Parses a line over `Wire.frameLimit`. The line must hold one request of a method with
  /// `mayBeLong`.
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
    AgentError(.tooLarge, "A request can have at most \(Wire.frameLimit) bytes (api.request: \(Wire.longFrameLimit)).")
  }

  static let answersTooLarge = AgentError(.tooMany, "The combined responses of this batch are too large.")
}

/// Posts results of tasks to the event loop of a connection. Thread-safe.
struct ConnectionPort: Sendable {
  private let eventLoop: any EventLoop
  private let connection: NIOLoopBound<ConnectionHandler>

  /// Must be called on the event loop of `connection`.
  init(_ connection: ConnectionHandler, _ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    self.connection = NIOLoopBound(connection, eventLoop: eventLoop)
  }

  /// Reports the end of a frame and sends its answer, if there is one. `continues` is true if work
  /// of the frame goes on after the answer.
  func finished(_ message: ByteBuffer?, _ work: Work, continues: Bool) {
    eventLoop.execute { connection.value.finished(message, work, continues: continues) }
  }

  /// Reports that the work after an answer has ended.
  func released(_ work: Work) {
    eventLoop.execute { connection.value.released(work) }
  }

  /// Reports a frame that did not start because the connection closed.
  func dropped(_ work: Work) {
    finished(nil, work, continues: false)
  }

  /// Reports a parsed line, which is no longer in flight until its frame is admitted.
  func parsed(_ frame: IncomingFrame, _ work: Work) {
    eventLoop.execute {
      connection.value.finished(nil, work, continues: false)
      connection.value.parsed(frame)
    }
  }

  /// Sends a notification. Returns when the kernel has accepted the message or the connection has
  /// closed.
  func notify(_ message: ByteBuffer) async {
    let written = eventLoop.makePromise(of: Void.self)
    eventLoop.execute { connection.value.notify(message, written) }
    try? await written.futureResult.get()
  }

  /// Returns the process that opened the connection; nil once the connection has closed.
  func process() async -> PeerProcess? {
    let found = try? await eventLoop.submit { connection.value.peerProcess() }.get()
    return found.flatMap { $0 }
  }

  func cutOff(_ reason: String) {
    eventLoop.execute { connection.value.cutOff(reason) }
  }
}
