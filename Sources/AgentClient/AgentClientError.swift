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
