import AgentProtocol
import Glibc

extension AgentClientError {
  /// connect(2) failed.
  static func unreachable(_ path: String, errno number: Int32) -> AgentClientError {
    let shown = ForeignText.shown(path)
    let hint = number == EACCES ? "use the socket of your own agent" : startingHint
    return AgentClientError(
      .unreachable, "the agent cannot be reached at \(shown)", hint: hint, cause: String(cString: strerror(number)))
  }

  /// Nothing came in time.
  static var timedOut: AgentClientError {
    AgentClientError(
      .timedOut, "the agent did not answer in time", hint: "try again, or look at: systemctl --user status ritual-agent"
    )
  }

  /// The stream ended, or broke with `number`.
  static func disconnected(errno number: Int32? = nil) -> AgentClientError {
    AgentClientError(
      .disconnected, "the agent closed the connection before it answered",
      hint: "try again, or look at: journalctl --user -u ritual-agent.service",
      cause: number.map { String(cString: strerror($0)) })
  }

  /// The other end does not speak this protocol.
  static func protocolViolation(_ what: String, cause: (any Error)? = nil) -> AgentClientError {
    AgentClientError(
      .protocolViolation, "the agent's answer cannot be understood: \(what)",
      hint: "systemctl --user restart ritual-agent.service",
      cause: cause.map { ForeignText.shown(String(describing: type(of: $0))) })
  }

  /// The server is another user's (PR-7).
  static func foreignServer(_ path: String, uid: UInt32?) -> AgentClientError {
    let owner = uid.map { "user \($0)" } ?? "an unknown user"
    return AgentClientError(
      .foreignServer, "the server at \(ForeignText.shown(path)) runs as \(owner), not as you; nothing was sent to it",
      hint: "run this as the user whose agent it is, without sudo")
  }

  /// Without a user manager there is no socket that could be enabled: a session, or lingering, brings one.
  private static var startingHint: String {
    let hasRuntimeFolder = isSet("XDG_RUNTIME_DIR") || access("/run/user/\(getuid())", F_OK) == 0
    return hasRuntimeFolder || isSet("RITUAL_AGENT_SOCKET")
      ? "systemctl --user enable --now ritual-agent.socket" : "loginctl enable-linger"
  }

  /// An empty variable counts as none (XDG Base Directory Specification).
  private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
}
