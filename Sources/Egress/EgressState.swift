import AccessControl
import AgentProtocol
import Logging
import NIOCore
import SessionEngine
import SupabaseAuth
import SystemSupport

/// State shared by the proxy's connections. Bound to the event loop.
final class EgressState {
  let access: EgressAccess
  let servers: EgressServers
  let eventLoop: any EventLoop
  let logger: Logger

  /// Maximum simultaneous connections of clients.
  let maxConnections: Int

  private var connections: [ObjectIdentifier: EgressConnection] = [:]
  private var isChecking = false
  private(set) var isDraining = false
  /// The number of sessions that have ended and of changes of the policy: a permit from before may be void.
  private(set) var changes = 0
  private var emptied: EventLoopPromise<Void>?

  init(
    _ access: EgressAccess, on eventLoop: any EventLoop, maxConnections: Int = EgressLimits.maxConnections,
    logger: Logger
  ) {
    self.maxConnections = maxConnections
    (self.access, self.eventLoop, self.logger) = (access, eventLoop, logger)
    servers = EgressServers(eventLoop)
  }

  var hasRoom: Bool { connections.count < maxConnections }

  func add(_ connection: EgressConnection) {
    connections[ObjectIdentifier(connection)] = connection
    access.noteConnections(1)
    if isDraining { connection.drain() }
    checkDeadlines()
  }

  func remove(_ connection: EgressConnection) {
    connections[ObjectIdentifier(connection)] = nil
    access.noteConnections(-1)
    if connections.isEmpty { emptied?.succeed() }
  }

  /// Checks all deadlines regularly while there are connections, and whether an approval has expired.
  private func checkDeadlines() {
    guard !isChecking, !connections.isEmpty else { return }
    isChecking = true
    eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.check) {
      self.isChecking = false
      let now = NIODeadline.now()
      for connection in self.connections.values { connection.checkDeadline(now) }
      self.checkUses()
      self.checkDeadlines()
    }
  }

  /// Closes all connections and forgets what they hold.
  func closeAll(_ reason: String) {
    for connection in connections.values { connection.cutOff(reason) }
    // A connection to a server keeps the buffers of its last requests, which contain tokens.
    servers.retireAll()
  }

  /// Ends the streams of a grant.
  func grantEnded(_ id: String) {
    for connection in connections.values where connection.grant == id { connection.cutOff("the grant has ended") }
  }

  /// Ends the streams of an account.
  func sessionEnded(_ account: String) {
    changes += 1
    for connection in connections.values where connection.use?.account == account {
      connection.abort(AgentError(.signInNeeded, account: account), "the session has ended")
    }
  }

  /// Ends the streams that the policy does not allow any more.
  func policyChanged() {
    changes += 1
    checkUses()
  }

  private func checkUses() {
    guard access.hasRules else { return }
    for connection in connections.values { connection.checkUse() }
  }

  /// Ends idle connections now, the others with their request, and all that are left after `grace`.
  /// The future completes when the last one has ended.
  func drain(_ grace: TimeAmount) -> EventLoopFuture<Void> {
    isDraining = true
    let promise = eventLoop.makePromise(of: Void.self)
    emptied = promise
    for connection in connections.values { connection.drain() }
    if connections.isEmpty { promise.succeed() }
    let last = eventLoop.assumeIsolated().scheduleTask(in: grace) { self.closeAll("the agent is stopping") }
    promise.futureResult.assumeIsolated().whenComplete { _ in
      last.cancel()
      self.servers.retireAll()
    }
    return promise.futureResult
  }
}
