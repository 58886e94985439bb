import Synchronization
package import SystemSupport

/// Requests sent with a token on behalf of programs, counted by process and account (EG-8). Noted on
/// the event loop, at the cost of a dictionary lookup. Safe from any thread.
package final class EgressUses: Sendable {
  private struct Key: Hashable {
    let account: String
    let connection: UInt64
  }

  private let noted = Mutex<[Key: [Int: UInt64]]>([:])
  private let changed: WakeSignal

  package init(changed: WakeSignal = WakeSignal()) { self.changed = changed }

  /// Notes a request.
  ///
  /// - Parameter status: The status of the response that the program got.
  package func note(account: String, to connection: HandOutTable.Connection, status: Int) {
    let isFirst = noted.withLock { noted in
      defer { noted[Key(account: account, connection: connection.id), default: [:]][status / 100, default: 0] += 1 }
      return noted.isEmpty
    }
    if isFirst { changed.signal() }
  }
}
