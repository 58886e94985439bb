import AgentProtocol
import Glibc
import SystemSupport

/// Why a request has no answer of the agent's. What the agent itself refuses comes as `AgentError` instead. Two errors are
/// equal where their codes are.
public struct AgentClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened; programs branch on it. Open: later versions may add codes.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String { case unreachable, foreignServer, protocolViolation, timedOut, disconnected, tooLarge }
    private let name: Name
    private init(_ name: Name) { self.name = name }

    /// Nothing listens on the socket, or it may not be opened.
    public static let unreachable = Code(.unreachable)
    /// The server runs as another user; nothing was sent to it.
    public static let foreignServer = Code(.foreignServer)
    /// The server sent what is no answer of this protocol.
    public static let protocolViolation = Code(.protocolViolation)
    /// No answer within the caller's time limit.
    public static let timedOut = Code(.timedOut)
    /// The server closed the connection before it answered; whether it did what was asked is not known.
    public static let disconnected = Code(.disconnected)
    /// The request is longer than a line may be; nothing was sent.
    public static let tooLarge = Code(.tooLarge)

    /// The stable name.
    public var description: String { name.rawValue }
  }

  /// What happened.
  public let code: Code
  /// What the user reads.
  public let message: String
  /// The one command that helps, or what else to do next.
  public let hint: String?
  /// The system call's words (strerror(3)), or what the reader of JSON said.
  public let cause: String?

  init(_ code: Code, _ message: String, hint: String? = nil, cause: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.cause = cause
  }

  /// Equal codes: a test or a caller asks for what happened, not for the words.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
  /// By the code alone, as `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// The message with its cause, for a log or a terminal; foreign text in it has passed `ForeignText`.
  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension AgentClientError {
  /// connect(2) failed.
  static func unreachable(_ path: String, errno number: Int32) -> AgentClientError {
    let shown = ForeignText.shown(path)
    let hint = number == EACCES ? "use the socket of your own agent" : startingHint(path)
    return AgentClientError(
      .unreachable, "the agent cannot be reached at \(shown)", hint: hint, cause: errorDescription(number))
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
      cause: number.map { errorDescription($0) })
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
