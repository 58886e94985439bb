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
  private(set) var counts: [StatusClass: UInt64]
  let first: Timestamp
  private(set) var last: Timestamp

  init(series: Series, connection: HandOutTable.Connection, _ status: StatusClass, at time: Timestamp) {
    (self.series, self.connection, counts, first, last) = (series, connection, [status: 1], time, time)
  }

  mutating func count(_ status: StatusClass, at time: Timestamp) {
    counts[status, default: 0] += 1
    last = time
  }

  /// The hour of a time, in UTC.
  static func hour(of time: Timestamp) -> Int64 { time.unixSeconds / 3600 }
}

/// Notes requests that were sent with a token, for the audit log (EG-8). Safe from any thread.
package struct EgressUses: Sendable {
  let table: HandOutTable
  let clock: any AgentClock

  /// Notes a request, at the cost of a dictionary lookup.
  ///
  /// - Parameters:
  ///   - connection: the connection of the program, or of the grant.
  ///   - grant: the id of the grant, if the request was made with one.
  ///   - status: the status of the response that the program got.
  /// - Returns: True if the log needs to know the connection's caller, whose lookup has not begun.
  @discardableResult
  package func note(
    account: String, to connection: HandOutTable.Connection, grant: String? = nil, status: Int
  ) -> Bool {
    let now = clock.wall
    return table.note(series(account, grant, now), to: connection, StatusClass(status), at: now)
  }

  /// True if the log will need to know the connection's caller for its next request, and the lookup has not
  /// begun. To be asked before the request is sent: the program may end with its response.
  package func needsCaller(account: String, of connection: HandOutTable.Connection, grant: String?) -> Bool {
    table.needsCaller(series(account, grant, clock.wall), of: connection)
  }

  private func series(_ account: String, _ grant: String?, _ now: Timestamp) -> EgressUse.Series {
    EgressUse.Series(account: account, grant: grant, hour: EgressUse.hour(of: now))
  }
}
