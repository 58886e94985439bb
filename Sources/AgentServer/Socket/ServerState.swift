import AccessControl
import AgentProtocol
import CSystemd
import Logging
import NIOCore
import SystemSupport

/// State shared by the connections of one server. Bound to the event loop.
final class ServerState {
  let dispatcher: Dispatcher
  let logger: Logger
  let longFrames = LongFrameBudget(SocketLimits.maxLongFrameBytes)
  let limits: ReadDeadline.Limits
  let answerBudget = AnswerBudget()
  var hot: HotPath
  var refusalNotice = NoticeRateLimiter()

  private let eventLoop: any EventLoop
  private let handOuts: HandOutTable
  private let policy: Policy?
  private let starting: AsyncStream<ConnectionTasks>.Continuation
  private let maxConnections: Int
  private var connections: [UInt64: ConnectionHandler] = [:]
  private var processes: [Int32: ProcessLoad] = [:]
  /// Connections with a held frame, in the order of their retries.
  private var waiting: [ConnectionHandler] = []
  private var retry: (task: Scheduled<Void>, isSoon: Bool)?
  /// Maximum number of simultaneous connections since memory was last returned.
  private var peak = 0
  private var isReturningMemory = false
  private var emptied: EventLoopPromise<Void>?

  init(
    dispatcher: Dispatcher, hot: HotPath, handOuts: HandOutTable, policy: Policy? = nil, logger: Logger,
    starting: AsyncStream<ConnectionTasks>.Continuation, limits: ReadDeadline.Limits, on eventLoop: any EventLoop
  ) {
    self.eventLoop = eventLoop
    self.limits = limits
    maxConnections = SocketLimits.maxConnections(descriptors: SocketLimits.descriptorLimit)
    self.handOuts = handOuts
    self.policy = policy
    self.dispatcher = dispatcher
    self.hot = hot
    self.logger = logger
    self.starting = starting
  }

  /// Returns the error that refuses another connection of `peer`, or nil if the connection is
  /// accepted.
  func refusal(of peer: Peer) -> AgentError? {
    if connections.count >= maxConnections {
      return AgentError(.tooMany, "Too many connections at once. Please try again.")
    }
    let most = min(SocketLimits.maxConnectionsPerProcess, max(1, maxConnections * 3 / 4))
    guard processes[peer.pid]?.connections ?? 0 < most else {
      return AgentError(.tooMany, "A program can have at most \(most) connections.")
    }
    return nil
  }

  func nextID() -> UInt64 { handOuts.nextConnectionID() }

  /// The load of the process `pid`, kept while the process has connections or unanswered requests.
  func process(_ pid: Int32) -> ProcessLoad { processes[pid] ?? ProcessLoad(pid: pid) }

  /// The policy, if it has rules.
  var rules: Policy? { policy.flatMap { $0.isInForce ? $0 : nil } }

  func add(_ connection: ConnectionHandler) {
    connections[connection.id] = connection
    connection.process.connections += 1
    peak = max(peak, connections.count)
    processes[connection.peer.pid] = connection.process
    policy?.opened(connection.id)
  }

  /// Starts the lookup of a connection's caller, once. Requests wait for its result only if the
  /// policy has rules.
  func lookUpCaller(
    _ handler: ConnectionHandler, _ connection: HandOutTable.Connection, _ process: PeerProcess?,
    _ opener: ConnectionOpener?
  ) {
    guard let policy = rules else {
      handOuts.lookUpCaller(of: connection, process)
      return
    }
    let handler = NIOLoopBound(handler, eventLoop: eventLoop)
    let isBegun = handOuts.lookUpCaller(of: connection, process, opener) { [eventLoop] caller in
      policy.found(caller, connection.id)
      eventLoop.execute { handler.value.callerResolved() }
    }
    handler.value.isCallerResolved = !isBegun
  }

  func remove(_ connection: ConnectionHandler) {
    let (id, process) = (connection.id, connection.process)
    connections[id] = nil
    process.connections -= 1
    forgetIfIdle(process)
    waiting.removeAll { $0 === connection }
    handOuts.closed(id)
    policy?.closed(id)
    if connections.isEmpty { emptied?.succeed() }
    returnMemory()
  }

  /// Returns freed memory, which glibc would keep, to the system a second after most connections of
  /// a burst have closed. malloc_trim(3) takes some milliseconds, so it runs at most once a second.
  private func returnMemory() {
    guard peak >= SocketLimits.burst, connections.count <= peak / 4, !isReturningMemory else { return }
    isReturningMemory = true
    eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
      self.isReturningMemory = false
      self.peak = self.connections.count
      malloc_trim(0)
    }
  }

  /// Closes the connections whose clients have not read all answers.
  func dropUnreadAnswers() { for connection in connections.values { connection.dropUnreadAnswers() } }

  /// Starts the tasks of a connection, as children of the server.
  func begin(_ tasks: ConnectionTasks) { starting.yield(tasks) }

  /// Called when the answer to a frame is ready.
  func finish(_ load: Work.Load, _ process: ProcessLoad) {
    process.finish(load)
    forgetIfIdle(process)
  }

  /// Unanswered requests of closed connections count against later connections of the process.
  private func forgetIfIdle(_ process: ProcessLoad) {
    if process.connections == 0, process.requests == 0 { processes[process.pid] = nil }
  }

  // MARK: - Admission

  /// Returns a frame's share of the limits.
  func load(of frame: Work.Frame) -> Work.Load {
    switch frame {
    case .line(let line): Work.Load(answer: line.readableBytes > Wire.frameLimit ? MethodCost.longAnswer : 0)
    case .parsed(.refused): Work.Load(answer: MethodCost.errorAnswer)
    case .parsed(.single(let incoming)): load(of: incoming)
    case .parsed(.batch(let batch)):
      batch.reduce(into: Work.Load(requests: 0, awaited: 0, counted: 0)) { sum, incoming in
        let load = load(of: incoming)
        sum.requests += load.requests
        sum.awaited += load.awaited
        sum.counted += load.counted
        sum.answer += load.answer
        sum.isCostly = sum.isCostly || load.isCostly
      }
    }
  }

  private func load(of incoming: Incoming) -> Work.Load {
    guard case .request(let request) = incoming, let method = dispatcher.methods[request.method] else {
      return Work.Load(answer: MethodCost.errorAnswer)
    }
    return Work.Load(
      counted: method.waitsForPerson ? 0 : 1, isCostly: method.cost.isCostly, answer: method.cost.answer)
  }

  /// Queues `connection`, whose held frame waits for room.
  func wait(_ connection: ConnectionHandler) {
    waiting.append(connection)
    tryAgain(soon: false)
  }

  /// Schedules a retry of the held frames after room was freed. The retry uses a timer: due tasks
  /// run before the loop polls its sockets, so immediate retries would starve other connections.
  func resumeSoon() { if !waiting.isEmpty { tryAgain(soon: true) } }

  private func tryAgain(soon: Bool) {
    if let retry {
      guard soon && !retry.isSoon else { return }
      retry.task.cancel()
    }
    let pause = soon ? SocketLimits.retryPause : SocketLimits.longRetryPause
    let task = eventLoop.assumeIsolated().scheduleTask(in: pause) {
      self.retry = nil
      let connections = self.waiting
      self.waiting = []
      for connection in connections {
        if connection.process.isFull { self.waiting.append(connection) } else { connection.retryHeldFrame() }
      }
      if !self.waiting.isEmpty { self.tryAgain(soon: false) }
    }
    retry = (task, soon)
  }

  /// Closes all connections. Requests that are not answered within `grace` are cancelled, and
  /// thereby answered. Connections still open `cancellation` later (their clients do not read) are
  /// closed. A connection that has sent no request yet may send one within `firstRequest`. The
  /// future completes when the last connection has closed.
  func drain(
    _ grace: TimeAmount, cancellation: TimeAmount, firstRequest: TimeAmount, _ eventLoop: any EventLoop
  ) -> EventLoopFuture<Void> {
    let promise = eventLoop.makePromise(of: Void.self)
    emptied = promise
    for connection in connections.values { connection.drainAfterFirstRequest() }
    if connections.isEmpty { promise.succeed() }
    let silent = eventLoop.assumeIsolated().scheduleTask(in: firstRequest) {
      for connection in self.connections.values { connection.drain() }
    }
    let overdue = eventLoop.assumeIsolated().scheduleTask(in: grace) {
      for connection in self.connections.values { connection.cancelRequests() }
    }
    let last = eventLoop.assumeIsolated().scheduleTask(in: grace + cancellation) {
      for connection in self.connections.values { connection.cutOff("the agent is stopping") }
    }
    promise.futureResult.assumeIsolated().whenComplete { _ in
      silent.cancel()
      overdue.cancel()
      last.cancel()
    }
    return promise.futureResult
  }
}
