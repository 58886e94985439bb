import AgentProtocol
import Logging
import NIOCore
import SystemSupport

/// What the connections of one server share. Bound to the event loop.
final class ServerState {
  let dispatcher: Dispatcher
  let logger: Logger
  let longFrames = LongFrameBudget(SocketBounds.longFrames)
  let turns: FairTurns
  let patience: Patience.Limits
  var hot: HotPath
  var refusalNotice = SparseNotice()
  /// When the connection was taken from the socket that is served next.
  var acceptedAt: BootTime

  private let eventLoop: any EventLoop
  private let handOuts: HandOutTable
  private let policy: Policy?
  private let starting: AsyncStream<ConnectionTasks>.Continuation
  private let mostConnections: Int
  private var connections: [UInt64: ConnectionHandler] = [:]
  /// How many connections each process has, by its pid.
  private var ofProcess: [Int32: Int] = [:]
  private var lastID: UInt64 = 0
  private var emptied: EventLoopPromise<Void>?

  init(
    dispatcher: Dispatcher, hot: HotPath, handOuts: HandOutTable, policy: Policy? = nil, logger: Logger,
    starting: AsyncStream<ConnectionTasks>.Continuation, patience: Patience.Limits, acceptedAt: BootTime,
    on eventLoop: any EventLoop
  ) {
    turns = FairTurns(eventLoop)
    self.acceptedAt = acceptedAt
    self.eventLoop = eventLoop
    self.patience = patience
    mostConnections = SocketBounds.connections(descriptors: SocketBounds.descriptorLimit)
    self.handOuts = handOuts
    self.policy = policy
    self.dispatcher = dispatcher
    self.hot = hot
    self.logger = logger
    self.starting = starting
  }

  /// Why one more connection of `peer` gets no service; nil where it does.
  func refusal(of peer: Peer) -> AgentError? {
    if connections.count >= mostConnections {
      return AgentError(.tooMany, "Too many connections at once. Please try again.")
    }
    let most = min(SocketBounds.connectionsOfOneProcess, max(1, mostConnections * 3 / 4))
    guard ofProcess[peer.pid, default: 0] < most else {
      return AgentError(.tooMany, "One program has at most \(most) connections at once.")
    }
    return nil
  }

  func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  func add(_ connection: ConnectionHandler, _ id: UInt64, _ peer: Peer, _ process: PeerProcess?) {
    connections[id] = connection
    ofProcess[peer.pid, default: 0] += 1
    policy?.opened(id)
    lookUp(connection, HandOutTable.Connection(id: id, pid: peer.pid), process)
  }

  /// Only where there are rules does anybody wait for who it is.
  private func lookUp(
    _ handler: ConnectionHandler, _ connection: HandOutTable.Connection, _ process: PeerProcess?
  ) {
    guard let policy, policy.isInForce else {
      handOuts.opened(connection, process)
      return
    }
    let handler = NIOLoopBound(handler, eventLoop: eventLoop)
    let isBegun = handOuts.opened(connection, process) { [eventLoop] caller in
      policy.found(caller, connection.id)
      eventLoop.execute { handler.value.callerIsKnown() }
    }
    handler.value.isCallerKnown = !isBegun
  }

  func remove(_ id: UInt64, _ peer: Peer) {
    connections[id] = nil
    let left = ofProcess[peer.pid, default: 1] - 1
    ofProcess[peer.pid] = left > 0 ? left : nil
    handOuts.closed(id)
    policy?.closed(id)
    if connections.isEmpty { emptied?.succeed() }
  }

  /// Ends the connections whose clients have not read all answers.
  func dropUnreadAnswers() { for connection in connections.values { connection.dropUnreadAnswers() } }

  /// Hands a connection's tasks to the server, whose children they are.
  func begin(_ tasks: ConnectionTasks) { starting.yield(tasks) }

  /// How many answers a stop waits for on account of `incoming`.
  func awaited(_ incoming: Incoming) -> Int {
    1
  }

  /// Ends all connections. Requests that are not answered within `grace` are cancelled, which answers them. Connections
  /// that are still open after that (a client that does not read) are closed. Those that have not asked anything yet within
  /// `firstRequest` after one request. The future ends when the last has closed.
  func drain(_ grace: TimeAmount, _ firstRequest: TimeAmount, _ eventLoop: any EventLoop) -> EventLoopFuture<Void> {
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
    let last = eventLoop.assumeIsolated().scheduleTask(in: grace + SocketBounds.cancellation) {
      for connection in self.connections.values { connection.cutOff("the agent stops") }
    }
    promise.futureResult.assumeIsolated().whenComplete { _ in
      silent.cancel()
      overdue.cancel()
      last.cancel()
    }
    return promise.futureResult
  }
}
