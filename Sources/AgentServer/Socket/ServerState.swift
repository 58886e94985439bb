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
  let limits: ReadDeadline.Limits
  var hot: HotPath
  var refusalNotice = NoticeRateLimiter()

  private let eventLoop: any EventLoop
  private let issuedTokens: IssuedTokens
  private let policy: Policy?
  private let starting: AsyncStream<ConnectionTasks>.Continuation
  private let maxConnections: Int
  private var connections: [UInt64: ConnectionHandler] = [:]
  /// Number of connections of each process.
  private var processes: [Int32: Int] = [:]
  /// Maximum number of simultaneous connections since memory was last returned.
  private var peak = 0
  private var isReturningMemory = false
  private var emptied: EventLoopPromise<Void>?

  init(
    dispatcher: Dispatcher, hot: HotPath, issuedTokens: IssuedTokens, policy: Policy? = nil, logger: Logger,
    starting: AsyncStream<ConnectionTasks>.Continuation, limits: ReadDeadline.Limits, on eventLoop: any EventLoop
  ) {
    self.eventLoop = eventLoop
    self.limits = limits
    maxConnections = SocketLimits.maxConnections(descriptors: SocketLimits.descriptorLimit)
    self.issuedTokens = issuedTokens
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
    guard processes[peer.pid, default: 0] < most else {
      return AgentError(.tooMany, "A program can have at most \(most) connections.")
    }
    return nil
  }

  func nextID() -> UInt64 { issuedTokens.callers.nextConnectionID() }

  /// The policy, if it has rules.
  var rules: Policy? { policy.flatMap { $0.isInForce ? $0 : nil } }

  func add(_ connection: ConnectionHandler) {
    connections[connection.id] = connection
    processes[connection.peer.pid, default: 0] += 1
    peak = max(peak, connections.count)
    policy?.opened(connection.id)
  }

  /// Starts the lookup of a connection's caller, once. Requests wait for its result only if the
  /// policy has rules.
  func lookUpCaller(
    _ handler: ConnectionHandler, _ connection: IssuedTokens.Connection, _ process: PeerProcess?,
    _ opener: ConnectionOpener?
  ) {
    guard let policy = rules else {
      issuedTokens.callers.lookUpCaller(of: connection, process)
      return
    }
    let handler = NIOLoopBound(handler, eventLoop: eventLoop)
    let isBegun = issuedTokens.callers.lookUpCaller(of: connection, process, opener) { [eventLoop] caller in
      policy.found(caller, connection.id)
      eventLoop.execute { handler.value.callerResolved() }
    }
    handler.value.isCallerResolved = !isBegun
  }

  func remove(_ connection: ConnectionHandler) {
    let (id, pid) = (connection.id, connection.peer.pid)
    connections[id] = nil
    let left = processes[pid, default: 0] - 1
    processes[pid] = left > 0 ? left : nil
    issuedTokens.callers.closed(id)
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
