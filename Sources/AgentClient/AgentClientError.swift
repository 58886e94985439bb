import AgentProtocol
import Glibc
import SystemSupport

/// Why a request has no answer from the agent. A refusal by the agent itself is thrown as
/// `AgentError` instead. Two errors are equal if their codes are equal.
public struct AgentClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs to branch on. Later versions may add codes.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String {
      case unreachable, forbidden, foreignServer, protocolViolation, timedOut, disconnected, tooLarge
    }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    /// Nothing listens on the socket, or the caller has no permission to open it.
    public static let unreachable = Code(.unreachable)
    /// The caller's sandbox allows no connection to the socket, whether an agent runs or not.
    public static let forbidden = Code(.forbidden)
    /// The server runs as another user. Nothing was sent to it.
    public static let foreignServer = Code(.foreignServer)
    /// The server sent a message that is not valid in this protocol.
    public static let protocolViolation = Code(.protocolViolation)
    /// No answer arrived within the caller's timeout.
    public static let timedOut = Code(.timedOut)
    /// The server closed the connection before it answered. Whether it carried out the request is
    /// unknown.
    public static let disconnected = Code(.disconnected)
    /// The request exceeds the maximum line length. Nothing was sent.
    public static let tooLarge = Code(.tooLarge)

    /// The stable name.
    public var description: String { name.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// The message for the user.
  public let message: String
  /// The command that fixes the problem, or another next step.
  public let hint: String?
  /// The system call's error (strerror(3)), or the type of the JSON decoding error.
  public let cause: String?
  /// The path of the socket on which no agent listens; nil for all other errors.
  package var unusedSocket: String?

  init(_ code: Code, _ message: String, hint: String? = nil, cause: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }

  /// True if the codes are equal; messages and hints are not compared.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  /// Hashes the code only, consistent with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// The message with its cause, for a log or a terminal. Foreign text in it is escaped by
  /// `ForeignText`.
  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension AgentClientError {
  /// socket(2), or connect(2) if `hasSocket`, failed with this errno.
  static func unreachable(_ path: String, errno number: Int32, hasSocket: Bool) -> AgentClientError {
    if isForbidden(path, errno: number, hasSocket: hasSocket) {
      return AgentClientError(
        .forbidden, "this sandbox forbids the agent's socket \(ForeignText.shown(path))",
        hint: "outside the sandbox: ritualctl exec --egress --egress-host NAME -- COMMAND, or ritualctl grant --socket",
        cause: errorDescription(number))
    }
    let isForeign = number == EACCES
    let hint = isForeign ? "use the socket of your own agent" : StartAdvice(path: path).hints.first
    var error = AgentClientError(
      .unreachable, "cannot connect to the agent at \(ForeignText.shown(path))", hint: hint,
      cause: errorDescription(number))
    if !isForeign { error.unusedSocket = path }
    return error
  }

  /// True for an error that no missing agent causes: a filter of system calls, of address families
  /// (`RestrictAddressFamilies=`), or a security module. EACCES has another meaning where the caller has no
  /// permission for the socket, or for a directory above it (unix(7)).
  private static func isForbidden(_ path: String, errno number: Int32, hasSocket: Bool) -> Bool {
    switch number {
    case EPERM, EAFNOSUPPORT: true
    case EACCES: !hasSocket || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 || Glibc.errno != EACCES
    default: false
    }
  }

  /// - Parameter reason: why, from `UnixStream.silence`.
  package static func timedOut(after limit: Duration?, _ reason: String) -> AgentClientError {
    let time = limit.map { " within \(seconds($0)) s" } ?? " in time"
    return AgentClientError(.timedOut, "the agent did not respond\(time)", hint: reason)
  }

  /// Seconds as text ("3", "0.5"), rounded up to tenths because a timeout may be the remainder of a
  /// longer one.
  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let tenth: Int64 = 100_000_000_000_000_000
    let tenths = min(seconds, 1_000_000_000) * 10 + (attoseconds + tenth - 1) / tenth
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// The stream ended (nil), or failed with this errno.
  package static func disconnected(errno number: Int32? = nil) -> AgentClientError {
    AgentClientError(
      .disconnected, "the agent closed the connection before it answered",
      hint: "try again, or check the log: \(ServiceManager.agentLog)",
      cause: number.map { errorDescription($0) })
  }

  package static func protocolViolation(_ what: String, cause: (any Error)? = nil) -> AgentClientError {
    AgentClientError(
      .protocolViolation, "the agent sent an invalid response: \(what)",
      hint: ServiceManager.restartAgent,
      cause: cause.map { ForeignText.shown(String(describing: type(of: $0))) })
  }

  /// The server runs as another user.
  static func foreignServer(_ path: String, uid: UInt32?) -> AgentClientError {
    let owner = uid.map { "user \($0)" } ?? "an unknown user"
    return AgentClientError(
      .foreignServer, "the server at \(ForeignText.shown(path)) runs as \(owner), not as you; nothing was sent to it",
      hint: "run this as the user of the agent, without sudo")
  }
}
