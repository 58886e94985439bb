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
  /// The number of connections of each process; under nil, of those that count for none yet.
  private var processes: [Int32?: Int] = [:]
  private var isChecking = false
  private(set) var isDraining = false
  /// The number of sessions that have ended and of changes of the policy: a permit from before may be void.
  private(set) var changes = 0
  private var emptied: EventLoopPromise<Void>?
  /// The time of the last check of the deadlines, or of the last new connection.
  private var checked: BootTime

  init(
    _ access: EgressAccess, on eventLoop: any EventLoop, maxConnections: Int = EgressLimits.maxConnections,
    logger: Logger
  ) {
    self.maxConnections = maxConnections
    (self.access, self.eventLoop, self.logger) = (access, eventLoop, logger)
    servers = EgressServers(eventLoop, access.clock)
    checked = access.clock.now
  }

  /// The moment in `time`, a deadline that moves with each piece: up to `EgressLimits.check` too early, and
  /// without a look at the clock.
  func moment(in time: TimeAmount) -> BootTime { checked.advanced(by: .nanoseconds(time.nanoseconds)) }

  /// The reason to refuse another connection, for a process if it is known; nil if there is room.
  func refusal(of process: Int32?) -> EgressProblem? {
    if connections.count >= maxConnections { return .tooManyConnections("at once", maxConnections) }
    return process.flatMap(refusal(ofMore:))
  }

  private func refusal(ofMore process: Int32) -> EgressProblem? {
    processes[process, default: 0] < maxPerProcess ? nil : .tooManyConnections("of one program", maxPerProcess)
  }

  private var maxPerProcess: Int { EgressLimits.share(of: maxConnections) }

  func add(_ connection: EgressConnection) {
    if connections.isEmpty { checked = access.clock.now }
    if connection.process == nil, processes[nil, default: 0] >= maxPerProcess { closeOldestSilent() }
    connections[ObjectIdentifier(connection)] = connection
    processes[connection.process, default: 0] += 1
    access.noteConnections(1)
    if isDraining { connection.drain() }
    checkDeadlines()
  }

  func remove(_ connection: EgressConnection) {
    connections[ObjectIdentifier(connection)] = nil
    uncount(connection.process)
    access.noteConnections(-1)
    if connections.isEmpty { emptied?.succeed() }
  }

  private func uncount(_ process: Int32?) {
    processes[process, default: 0] -= 1
    if processes[process] == 0 { processes[process] = nil }
  }

  /// Counts a connection of a grant for the process that made the grant.
  func count(_ connection: EgressConnection, for process: Int32) throws(EgressProblem) {
    guard connection.process != process else { return }
    if let refusal = refusal(ofMore: process) { throw refusal }
    uncount(connection.process)
    processes[process, default: 0] += 1
  }

  /// Makes room for a connection to the listener of the grants: connections without a request are those of
  /// an unknown program, which must not fill it.
  private func closeOldestSilent() {
    let oldest = connections.values.filter { $0.process == nil }.min { $0.deadline < $1.deadline }
    oldest?.cutOff("too many connections without a request")
  }

  /// Checks all deadlines regularly while there are connections, and whether an approval has expired.
  private func checkDeadlines() {
    guard !isChecking, !connections.isEmpty else { return }
    isChecking = true
    eventLoop.assumeIsolated().scheduleTask(in: EgressLimits.check) {
      self.isChecking = false
      self.endOverdue()
      self.checkUses()
      self.checkDeadlines()
    }
  }

  private func endOverdue() {
    let now = access.clock.now
    checked = now
    for connection in connections.values { connection.checkDeadline(now) }
  }

  /// Gives up connections to servers that may be dead after a suspend or a change of the network, and ends
  /// those of clients whose deadline has passed meanwhile.
  func networkChanged() {
    servers.retireAll()
    endOverdue()
  }

  /// Ends all requests, with the reason where there is no response yet, and closes all connections.
  func lock() {
    let reason = "the vault was locked"
    for connection in connections.values { connection.abort(AgentError(.vaultLocked), reason) }
    closeAll(reason)
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
    for connection in connections.values where connection.permit?.account == account {
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
