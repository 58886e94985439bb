import AgentProtocol
import Glibc
import SystemSupport

extension AgentClientError {
  /// connect(2) failed.
  static func unreachable(_ path: String, errno number: Int32) -> AgentClientError {
    let shown = ForeignText.shown(path)
    let hint = number == EACCES ? "use the socket of your own agent" : startingHint(path)
    return AgentClientError(
      .unreachable, "the agent cannot be reached at \(shown)", hint: hint, cause: words(of: number))
  }

  /// No answer within `limit`.
  static func timedOut(after limit: Duration?) -> AgentClientError {
    let time = limit.map { " within \(seconds($0)) s" } ?? " in time"
    return AgentClientError(
      .timedOut, "the agent did not answer\(time)",
      hint: "it may be stopped or busy; try again, or: \(ServiceManager.restartAgent)")
  }

  /// "3", "0.5"; rounded up to tenths, since the limit of a call is what is left of the caller's.
  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let tenth: Int64 = 100_000_000_000_000_000
    let tenths = min(seconds, 1_000_000_000) * 10 + (attoseconds + tenth - 1) / tenth
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// The stream ended, or broke with `number`.
  static func disconnected(errno number: Int32? = nil) -> AgentClientError {
    AgentClientError(
      .disconnected, "the agent closed the connection before it answered",
      hint: "try again, or look at the log: \(ServiceManager.agentLog)",
      cause: number.map { words(of: $0) })
  }

  /// The other end does not speak this protocol.
  static func protocolViolation(_ what: String, cause: (any Error)? = nil) -> AgentClientError {
    AgentClientError(
      .protocolViolation, "the agent's answer cannot be understood: \(what)",
      hint: ServiceManager.restartAgent,
      cause: cause.map { ForeignText.shown(String(describing: type(of: $0))) })
  }

  /// The server is another user's (PR-7).
  static func foreignServer(_ path: String, uid: UInt32?) -> AgentClientError {
    let owner = uid.map { "user \($0)" } ?? "an unknown user"
    return AgentClientError(
      .foreignServer, "the server at \(ForeignText.shown(path)) runs as \(owner), not as you; nothing was sent to it",
      hint: "run this as the user whose agent it is, without sudo")
  }

  /// The command that starts the agent behind `path`.
  private static func startingHint(_ path: String) -> String {
    // The user's units serve the usual socket alone.
    guard path == (try? Places.usual.socket) else { return "ritual-agentd --socket \(ForeignText.shown(path))" }
    return ServiceManager.isBooted && !ServiceManager.isPresent ? "loginctl enable-linger" : ServiceManager.startAgent
  }
}
