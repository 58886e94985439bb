import Logging
import NIOCore

/// What the connections of one server share. Bound to the event loop.
final class ServerState {
  let dispatcher: Dispatcher
  let logger: Logger
  let longFrames = LongFrameBudget(SocketBounds.longFrames)
  var hot: HotPath

  private let handOuts: HandOutTable
  private let policy: Policy?
  private let starting: AsyncStream<ConnectionTasks>.Continuation
  private var connections: [UInt64: ConnectionHandler] = [:]
  private var lastID: UInt64 = 0
  private var emptied: EventLoopPromise<Void>?

  init(
    dispatcher: Dispatcher, hot: HotPath, handOuts: HandOutTable, policy: Policy? = nil, logger: Logger,
    starting: AsyncStream<ConnectionTasks>.Continuation
  ) {
    self.handOuts = handOuts
    self.policy = policy
    self.dispatcher = dispatcher
    self.hot = hot
    self.logger = logger
    self.starting = starting
  }

  var isFull: Bool { connections.count >= SocketBounds.connections }

  func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  func add(_ connection: ConnectionHandler, _ id: UInt64, _ peer: Peer, _ process: PeerProcess?) {
    connections[id] = connection
    handOuts.opened(HandOutTable.Connection(id: id, pid: peer.pid), process)
    policy?.opened(id)
  }

  func remove(_ id: UInt64) {
    connections[id] = nil
    handOuts.closed(id)
    policy?.closed(id)
    if connections.isEmpty { emptied?.succeed() }
  }

  /// Hands a connection's tasks to the server, whose children they are.
  func begin(_ tasks: ConnectionTasks) { starting.yield(tasks) }

  /// How many answers a stop waits for on account of `incoming`.
  func awaited(_ incoming: Incoming) -> Int {
    guard case .request(let request) = incoming else { return 1 }
    return dispatcher.methods[request.method]?.waitsForPerson == true ? 0 : 1
  }

  /// Ends all connections: those that wait for answers within `grace`, those that have not asked anything yet within
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
      for connection in self.connections.values { connection.cutOff("the agent stops") }
    }
    promise.futureResult.assumeIsolated().whenComplete { _ in
      silent.cancel()
      overdue.cancel()
    }
    return promise.futureResult
  }
}
