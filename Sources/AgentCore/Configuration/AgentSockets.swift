import AgentProtocol
import AgentServer
import Logging

/// The listening sockets of one agent. Those of egress and of credentials are nil where the agent
/// does not serve them.
struct AgentSockets: Sendable {
  /// Names of passed sockets (FileDescriptorName=, systemd.socket(5)).
  enum Name {
    static let agent = "agent"
    static let egress = "egress"
    static let credentials = "credentials"
  }

  let agent: ListeningSocket
  let egress: ListeningSocket?
  let credentials: ListeningSocket?

  /// The sockets that the service manager passed, by their use.
  struct Passed: Sendable {
    /// The first descriptor with another name than those below: the name is free, because older
    /// units and `systemd-socket-activate` give others.
    let agent: PassedSocket?
    let egress: PassedSocket?
    let credentials: PassedSocket?

    init(_ passed: [PassedSocket]) {
      let others = [Name.egress, Name.credentials, RestartKey.name]
      agent = passed.first { $0.name == Name.agent } ?? passed.first { !others.contains($0.name) }
      egress = passed.first { $0.name == Name.egress }
      credentials = passed.first { $0.name == Name.credentials }
    }
  }

  /// Adopts the passed sockets. Where the agent's own socket was not passed, binds it at `path`, and
  /// the missing ones next to it. Beside a passed socket nothing is bound: the directory is
  /// systemd's, which may pass the other sockets after the next start.
  ///
  /// - Throws: `SocketError` of the agent's own socket. A failure of another one is only logged.
  static func open(_ passed: Passed, path: String, logger: Logger) throws -> AgentSockets {
    let agent = try passed.agent.map(ListeningSocket.adopt) ?? ListeningSocket.bind(path)
    let isBound = passed.agent == nil
    if !isBound, passed.egress == nil || passed.credentials == nil {
      logger.info(
        """
        systemd passed no socket for egress or for credentials; to get them: systemctl --user enable \
        ritual-agent.socket, then restart ritual-agent.service
        """)
    }
    func other(_ name: String, _ socket: PassedSocket?, _ path: String) -> ListeningSocket? {
      guard isBound || socket != nil else { return nil }
      do {
        return try socket.map(ListeningSocket.adopt) ?? ListeningSocket.bind(path)
      } catch {
        logger.warning("the \(name) socket is not served: \(error)")
        return nil
      }
    }
    return AgentSockets(
      agent: agent, egress: other(Name.egress, passed.egress, AgentPaths.egressSocket(nextTo: path)),
      credentials: other(Name.credentials, passed.credentials, AgentPaths.credentialsSocket(nextTo: path)))
  }

  /// Removes the files that `open` created and that are still there.
  func remove() { for socket in [agent, egress, credentials] { socket?.remove() } }
}
