package import AgentProtocol
import SystemSupport

/// The user of a session, and the origin that issued it. A session with another owner gets nothing
/// that was permitted for this one. Its description shows neither.
package struct SessionOwner: Sendable, Hashable, Redacted {
  private let userID: String
  private let origin: String

  init(_ session: StoredSession) { (userID, origin) = (session.user.id, session.origin) }
}

extension Accounts {
  /// The owner of an account's session.
  ///
  /// - Throws: `signInNeeded` or `misconfigured` if no request can be sent with the session, and what
  ///   `session.status` throws.
  package func sessionOwner(_ name: String) throws(AgentError) -> SessionOwner {
    let target = try apiTarget(name)
    guard let session = accounts[target.account]?.newest else { throw AgentError(.signInNeeded, account: name) }
    return SessionOwner(session)
  }
}
