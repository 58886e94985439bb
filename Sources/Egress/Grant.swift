package import AccessControl
package import AgentConfiguration
import AgentProtocol
import SessionEngine
import Synchronization
import SystemSupport

/// A permission to send requests of one account with a placeholder token.
package final class Grant: Sendable {
  /// Why a grant ended, as the audit log states it.
  package enum End: String, Sendable {
    case expired, revoked
    case locked = "the vault was locked"
    case signedOut = "signed out"
    case ownerChanged = "another user or project"
    case renamed = "the account was renamed"
    case removed = "the account was removed"
    case processEnded = "its process ended"
    case agentStopped = "the agent stopped"
  }

  /// The program that asked for the grant.
  struct Asker: Sendable {
    let pid: Int32
    let caller: Caller
    /// Set if the grant ends with the process.
    let process: PeerProcess?

    var hasEnded: Bool { process.map { !$0.isRunning(pid: pid) } ?? false }
  }

  /// Unique among the grants of this agent process.
  package let id: String
  package let account: String
  /// The connection by which the policy and the audit log know the program that asked.
  package let connection: IssuedTokens.Connection
  /// Nil for every request. This is no rule about tables, which a query, `rpc` and `graphql` can reach
  /// by other paths.
  package let scope: RequestScope?
  let endpoint: GrantEndpoint
  /// Another name that requests may have as their host, in small letters.
  let host: String?
  let owner: SessionOwner
  let asker: Asker
  let createdAt: Timestamp
  let expiresAt: Timestamp
  let until: BootTime
  /// The program that makes the requests with the grant.
  let caller: EgressAccess.Caller
  private let sent = Atomic<UInt64>(0)

  init(
    id: String, account: String, connection: IssuedTokens.Connection, scope: RequestScope?,
    endpoint: GrantEndpoint = .loopback, host: String? = nil, owner: SessionOwner, asker: Asker,
    createdAt: Timestamp, expiresAt: Timestamp, until: BootTime
  ) {
    (self.id, self.account, self.connection, self.scope) = (id, account, connection, scope)
    (self.endpoint, self.host) = (endpoint, host)
    (self.owner, self.asker) = (owner, asker)
    (self.createdAt, self.expiresAt, self.until) = (createdAt, expiresAt, until)
    caller = EgressAccess.Caller(connection: connection, opener: nil, grant: id, scope: scope)
  }
  /// The number of requests that were sent with it.
  var requests: UInt64 { sent.load(ordering: .relaxed) }

  /// Counts a request.
  func noteRequest() { sent.wrappingAdd(1, ordering: .relaxed) }
}
