import AgentProtocol
import SessionEngine
import SystemSupport

/// Requests that were sent with a token on behalf of a process, in one hour (EG-8). Neither method nor
/// path is kept.
struct EgressUse: Sendable {
  /// What is counted together for one process.
  struct Series: Sendable, Hashable {
    let account: String
    /// The id of the grant that the requests were made with.
    let grant: String?
    let hour: Int64
  }

  let series: Series
  /// The first of the connections, whose caller lookup describes the process.
  let connection: HandOutTable.Connection
  /// The number of requests that were sent.
  private(set) var count: UInt64 = 0
  /// The number of requests that have ended, by status. They may be of an earlier `count`.
  private(set) var statuses: [StatusClass: UInt64] = [:]
  private(set) var inFlight: UInt64 = 0
  /// When the first and the last request were sent.
  let first: Timestamp
  private(set) var last: Timestamp

  init(series: Series, connection: HandOutTable.Connection, at time: Timestamp) {
    (self.series, self.connection, first, last) = (series, connection, time, time)
  }

  mutating func send(at time: Timestamp) {
    count += 1
    inFlight += 1
    last = time
  }

  mutating func end(_ status: StatusClass) {
    // A request that did not fit into the table ends here, too.
    guard inFlight > 0 else { return }
    inFlight -= 1
    statuses[status, default: 0] += 1
  }

  /// True if there is something to write.
  var hasCounts: Bool { count > 0 || !statuses.isEmpty }

  /// The part that stays when the counts are taken; nil if no request is in flight.
  var remainder: EgressUse? {
    guard inFlight > 0 else { return nil }
    var rest = self
    (rest.count, rest.statuses) = (0, [:])
    return rest
  }

  /// The hour of a time, in UTC.
  static func hour(of time: Timestamp) -> Int64 { time.unixSeconds / 3600 }
}

/// Notes requests that are sent with a token, for the audit log (EG-8). Safe from any thread.
package struct EgressUses: Sendable {
  /// A request that is noted, and whose status is still to be noted.
  package struct Sent: Sendable {
    let series: EgressUse.Series
    let connection: HandOutTable.Connection
  }

  let table: HandOutTable
  let clock: any AgentClock

  /// Notes a request, at the cost of a dictionary lookup. Call before its head is sent: the program may
  /// end with its response. Each call must be followed by one `end`.
  ///
  /// - Parameters:
  ///   - connection: the connection of the program, or of the grant.
  ///   - grant: the id of the grant, if the request is made with one.
  /// - Returns: The request, and whether the log needs to know the connection's caller, whose lookup has
  ///   not begun.
  package func send(
    account: String, to connection: HandOutTable.Connection, grant: String? = nil
  ) -> (request: Sent, needsCaller: Bool) {
    let now = clock.wall
    let series = EgressUse.Series(account: account, grant: grant, hour: EgressUse.hour(of: now))
    return (Sent(series: series, connection: connection), table.send(series, to: connection, at: now))
  }

  /// Notes the status of the response to a request, in the hour in which the request was sent; nil if
  /// there was no response.
  package func end(_ request: Sent, status: Int?) {
    table.end(request.series, to: request.connection, StatusClass(status))
  }
}
