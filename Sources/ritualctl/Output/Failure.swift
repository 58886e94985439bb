import AgentClient
import AgentConfiguration
import AgentProtocol
import SystemSupport

/// The reason why a command failed: an error of the agent, of the connection to it, or of the
/// command itself.
struct Failure: Error {
  /// The stable name: that of an `ErrorKind`, an `AgentClientError.Code` or a `Kind`.
  let kind: String
  var message: Words
  var exit: ExitStatus
  var hints: [Words] = []
  var retryable = false
  var retryAfter: Double?
  var account: Words?
  /// The host and the cause of a failed connection.
  var detail: Words?

  /// The kind of an error that the command itself finds.
  struct Kind {
    let name: String
    let exit: ExitStatus
    static let usage = Kind(name: "usage", exit: .usage)
    static let failed = Kind(name: "failed", exit: .failed)
    static let cancelled = Kind(name: "cancelled", exit: .cancelled)
    /// Names of `AgentClientError.Code`, for failures of the connection to the proxy.
    static let unreachable = Kind(name: "unreachable", exit: .unreachable)
    static let cutOff = Kind(name: "disconnected", exit: .temporary)
    /// The rejected token is still the newest one.
    static let unchanged = Kind(name: "unchanged", exit: .temporary)
  }

  init(_ kind: Kind, _ message: Words, hint: Words? = nil) {
    self.kind = kind.name
    self.message = message
    exit = kind.exit
    retryable = kind.exit == .temporary
    hints = hint.map { [$0] } ?? []
  }

  /// The reader of the output has closed its end; the exit status tells.
  static let closedPipe = Failure(Kind(name: "closedPipe", exit: .failed), "the output was closed")

  /// Converts any thrown error.
  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as AgentError: self.init(agent: error)
    case let error as AgentClientError: self.init(client: error)
    case let error as ConfigurationError: self.init(.failed, Words(harmless: error.description))
    case let error as AgentPathsError:
      self.init(.failed, Words(harmless: error.message), hint: Words(harmless: error.hint))
    default: self.init(.failed, "unexpected error: \(String(describing: type(of: error)))")
    }
  }

  private init(agent error: AgentError) {
    kind = Self.shown(error.kind.rawValue).text
    message = Self.shown(error.message)
    exit = error.kind.facts.exit
    hints = [error.data.hint.map { Self.shown($0) }, Self.ownHint(error)].compactMap(\.self)
    retryable = error.data.retryable
    retryAfter = error.data.retryAfter
    account = error.data.account.map { Self.shown($0) }
    detail = error.data.detail.map { Self.shown($0) }
    if error.kind == .offline, let place = error.data.detail, Self.isLoopback(place) {
      hints.append("this address is on this machine, not on the internet: is the server started?")
    }
    if let seconds = retryAfter, seconds > 0 {
      hints.append("try again in \(durationText(Int64(min(seconds, 1e9).rounded(.up))))")
    }
  }

  private init(client error: AgentClientError) {
    kind = error.code.description
    message = Words(harmless: error.description)
    hints = error.hint.map { [Words(harmless: $0)] } ?? []
    switch error.code {
    case .unreachable, .forbidden, .foreignServer: exit = .unreachable
    case .timedOut, .disconnected:
      exit = .temporary
      retryable = true
    default: exit = .failed
    }
  }

  /// The message, followed by the cause and the next steps, indented.
  func text(showsKind: Bool = false) -> Words {
    let first = showsKind ? "\(message) (\(kind))" : message
    let cause = kind == ErrorKind.offline.rawValue ? detail.map { "cannot reach \($0)" } : detail
    return ([first] + ([cause].compactMap(\.self) + hints).map { "  \($0)" }).joined(separator: "\n")
  }

  /// A hint that is specific to this program. The agent does not give it, because it also serves
  /// other programs.
  private static func ownHint(_ error: AgentError) -> Words? {
    guard error.kind == .wrongUser, error.data.hint == nil else { return nil }
    let account: Words = error.data.account.map { " --account \(shown($0))" } ?? ""
    return "to sign in as the other user instead: ritualctl sign-in\(account) --replace"
  }

  /// Whether a place such as `127.0.0.1:9987: connection refused` is this machine, by its spelling.
  private static func isLoopback(_ place: String) -> Bool {
    ["127.", "localhost:", "[::1]:"].contains { place.hasPrefix($0) }
  }

  /// The limit exceeds the default: the agent's messages are long, and the agent has already
  /// limited the foreign text in them.
  private static func shown(_ text: String) -> Words { Words(text, limit: 1000) }
}

/// The error document of `--json`.
struct ErrorDocument: Codable {
  /// The reason of a failure.
  struct Details: Codable {
    /// The stable name, for programs to branch on: an error kind of the agent, or `unreachable`,
    /// `foreignServer`, `protocolViolation`, `disconnected`, `usage`, `failed`, `cancelled` or
    /// `unchanged`.
    let kind: String
    /// The message for the user.
    let message: String
    /// The next step, a command if there is one.
    let hint: String?
    /// Whether the same command can succeed later without intervention.
    let retryable: Bool
    /// Seconds to wait before a retry.
    let retryAfter: Double?
    /// The account that the error concerns.
    let account: String?
    /// The host and the cause of a failed connection.
    let detail: String?
  }

  /// Why the command failed.
  let error: Details
  /// The exit status of the command.
  let exitStatus: Int32

  init(_ failure: Failure, status: Int32) {
    error = Details(
      kind: failure.kind, message: failure.message.text, hint: failure.hints.first?.text,
      retryable: failure.retryable, retryAfter: failure.retryAfter, account: failure.account?.text,
      detail: failure.detail?.text)
    exitStatus = status
  }
}
