import NIOCore
import SystemSupport

/// New connections that were taken from the socket and are not served yet: which is next, and when. The queue of the socket
/// itself knows one order alone, so who keeps it full would make all others wait; here processes take turns. And a connection
/// costs more than an answer, so a process that makes many at once is held to a rate of its own, below that of all
/// together. A value.
struct ConnectionQueue<Connection> {
  struct Next {
    let connection: Connection
    /// Its process makes many: it is served only where somebody waits for it.
    let isOfMany: Bool
  }

  private let most: Int
  private var waiting = ProcessTurns<Connection>()
  private var all: WorkAllowance
  /// Of processes that have used some of theirs.
  private var ofProcess: [Int32: WorkAllowance] = [:]

  /// - Parameter most: how many may wait here.
  init(most: Int, now: NIODeadline) {
    self.most = most
    all = WorkAllowance(saved: SocketBounds.savedConnections, part: SocketBounds.connectionPart, now: now)
  }

  var isEmpty: Bool { waiting.isEmpty }
  var isFull: Bool { waiting.count >= most }

  mutating func append(_ connection: Connection, of process: Int32) { waiting.append(connection, of: process) }

  /// Whether `process` has made many connections at once.
  func makesMany(_ process: Int32, now: NIODeadline) -> Bool {
    ofProcess[process]?.used(now: now) ?? .zero > SocketBounds.manyConnections
  }

  /// The one to be served now, if there is one. It is counted where more wait, whosever they are: one client that connects
  /// over and over, each time after its answer, is no crowd.
  ///
  /// - Parameter hasBehind: whether more wait at the socket.
  mutating func next(hasBehind: Bool, now: NIODeadline) -> Next? {
    guard all.wait(now: now) == .zero else { return nil }
    // When it is full others wait unseen: then it has to be emptied, whoever is in it.
    let (isFull, ofProcess) = (isFull, ofProcess)
    let popped = waiting.popFirst { isFull || Self.wait(ofProcess[$0], now) == .zero }
    guard let (process, connection) = popped else { return nil }
    let next = Next(connection: connection, isOfMany: makesMany(process, now: now))
    if !isEmpty || hasBehind { spend(process, now: now) }
    return next
  }

  /// Counts a connection of `process`.
  mutating func spend(_ process: Int32, now: NIODeadline) {
    all.spend(SocketBounds.connectionCost, now: now)
    var its =
      ofProcess[process]
      ?? WorkAllowance(saved: SocketBounds.savedConnections, part: SocketBounds.processPart, now: now)
    its.spend(SocketBounds.connectionCost, now: now)
    if ofProcess.count >= SocketBounds.countedProcesses { forget(now) }
    ofProcess[process] = its
  }

  /// Makes room: who has ended, or connects now and then, need not be counted on.
  private mutating func forget(_ now: NIODeadline) {
    ofProcess = ofProcess.filter { Self.wait($0.value, now) > .zero }
    if ofProcess.count >= SocketBounds.countedProcesses { ofProcess = [:] }
  }

  /// All that wait.
  mutating func drain() -> [Connection] {
    var drained: [Connection] = []
    while let (_, connection) = waiting.popFirst() { drained.append(connection) }
    return drained
  }

  /// How long none is to be taken from the socket where the last was not worth serving.
  func pause(now: NIODeadline) -> TimeAmount { all.wait(now: now) }

  /// How long none is to be served; nil where none waits.
  func wait(now: NIODeadline) -> TimeAmount? {
    guard let least = waiting.processes.map({ Self.wait(ofProcess[$0], now) }).min() else { return nil }
    return max(all.wait(now: now), isFull ? .zero : least)
  }

  private static func wait(_ allowance: WorkAllowance?, _ now: NIODeadline) -> TimeAmount {
    allowance?.wait(now: now) ?? .zero
  }
}
