import AgentProtocol
import SessionEngine
import SystemSupport

/// Notes requests that are sent with a token, for the audit log (EG-8). Safe from any thread.
package struct EgressUses: Sendable {
  /// A request that is noted, and whose status is still to be noted.
  package struct Sent: Sendable {
    let requests: HandOutTable.Requests
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
    let requests = HandOutTable.Requests(account: account, grant: grant, hour: Self.hour(of: now))
    return (Sent(requests: requests, connection: connection), table.send(requests, to: connection, at: now))
  }

  /// Notes the status of the response to a request, in the hour in which the request was sent; nil if
  /// there was no response.
  package func end(_ request: Sent, status: Int?) {
    table.end(request.requests, to: request.connection, StatusClass(status))
  }

  /// The hour of a time, in UTC.
  static func hour(of time: Timestamp) -> Int64 { time.unixSeconds / 3600 }
}
