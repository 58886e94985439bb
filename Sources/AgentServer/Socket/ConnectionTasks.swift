import AccessControl
import AgentProtocol
import NIOCore

/// What the event loop passes to the tasks of a connection.
enum Work: Sendable {
  /// The requests of a parsed line.
  case frame(IncomingFrame)
  /// A line whose parsing would occupy the event loop for too long.
  case line(ByteBuffer)
  /// The answer to a frame with costly requests was written.
  case written
  /// Cancels all requests, also those that follow. Each is still answered.
  case cancel
}

/// Runs the requests of a connection that the hot path does not answer. Each frame is a child task,
/// so answers come in any order. The end of the connection cancels all tasks and drops frames that
/// have not started.
struct ConnectionTasks: Sendable {
  let work: AsyncStream<Work>
  let dispatcher: Dispatcher
  let call: Call
  let port: ConnectionPort

  /// Returns when the connection has closed and all requests have ended.
  func run() async {
    /// Frames with costly requests that wait for the one that runs.
    var waiting: [IncomingFrame] = []
    var (isBusy, isCancelled) = (false, false)
    await withDiscardingTaskGroup { group in
      for await work in work where !call.connection.isClosed {
        switch work {
        case .frame(let frame) where dispatcher.isCostly(frame): waiting.append(frame)
        case .frame(let frame): group.addTask { await answer(frame, isCostly: false) }
        case .line(let line): group.addTask { port.parsed(IncomingFrame(line)) }
        case .written: isBusy = false
        case .cancel:
          group.cancelAll()
          isCancelled = true
        }
        // The client of a cancelled request may never read the answer to the one before.
        while !waiting.isEmpty, !isBusy || isCancelled {
          isBusy = true
          let next = waiting.removeFirst()
          group.addTask { await answer(next, isCostly: true) }
        }
      }
      group.cancelAll()
      await call.connection.closed()
    }
  }

  private func answer(_ frame: IncomingFrame, isCostly: Bool) async {
    guard !call.connection.isClosed else { return }
    let answered = await dispatcher.answer(frame, call)
    port.finished(frame, answered, isCostly: isCostly)
    guard !answered.afterwards.isEmpty else { return }
    await withDiscardingTaskGroup { group in
      for body in answered.afterwards { group.addTask { await body() } }
    }
    port.ended()
  }
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

  /// Reports the end of a frame's requests, and sends their answer, if there is one.
  func finished(_ frame: IncomingFrame, _ answered: Answered, isCostly: Bool) {
    eventLoop.execute { connection.value.finished(frame, answered, isCostly: isCostly) }
  }

  /// Reports that the work after an answer has ended.
  func ended() {
    eventLoop.execute { connection.value.ended() }
  }

  /// Passes on a parsed line.
  func parsed(_ frame: IncomingFrame) {
    eventLoop.execute { connection.value.parsed(frame) }
  }

  /// Sends a notification. Returns when the kernel has accepted the message or the connection has
  /// closed.
  func notify(_ message: @escaping @Sendable () -> ByteBuffer) async {
    let written = eventLoop.makePromise(of: Void.self)
    eventLoop.execute { connection.value.send(message(), written) }
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
