import AgentClient
import AgentConfiguration
import AgentProtocol

/// Why a command failed, from whatever side: the agent, the way to it, or the command itself.
struct Failure: Error {
  /// The stable name: an `ErrorKind`, an `AgentClientError.Code`, or one of `Kind`.
  let kind: String
  /// In words, harmless to a terminal.
  var message: String
  let exit: ExitStatus
  var hints: [String] = []
  var retryable = false
  var retryAfter: Double?
  var account: String?
  /// The host and the cause of a failed connection.
  var detail: String?

  /// What the command itself finds wrong.
  struct Kind {
    let name: String
    let exit: ExitStatus
    static let usage = Kind(name: "usage", exit: .usage)
    static let failed = Kind(name: "failed", exit: .failed)
    static let cancelled = Kind(name: "cancelled", exit: .cancelled)
    /// The token that was rejected is still the newest.
    static let unchanged = Kind(name: "unchanged", exit: .temporary)
  }

  init(_ kind: Kind, _ message: String, hint: String? = nil) {
    self.kind = kind.name
    self.message = message
    exit = kind.exit
    hints = hint.map { [$0] } ?? []
  }

  /// Whatever was thrown.
  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as AgentError: self.init(agent: error)
    case let error as AgentClientError: self.init(client: error)
    case let error as ConfigurationError: self.init(.failed, error.description)
    case let error as PlacesError: self.init(.failed, error.message, hint: error.hint)
    default: self.init(.failed, "something went wrong: \(Self.shown(String(describing: type(of: error))))")
    }
  }

  private init(agent error: AgentError) {
    kind = Self.shown(error.kind.rawValue)
    message = Self.shown(error.message)
    exit = error.kind.facts.exit
    hints = [error.data.hint.map { Self.shown($0) }, Self.ownHint(error)].compactMap { $0 }
    retryable = error.data.retryable
    retryAfter = error.data.retryAfter
    account = error.data.account.map { Self.shown($0) }
    detail = error.data.detail.map { Self.shown($0) }
    if let seconds = retryAfter {
      hints.append("try again in \(Int(clamping: Int64(min(seconds, 1e9).rounded(.up)))) s")
    }
  }

  private init(client error: AgentClientError) {
    kind = error.code.description
    message = error.description
    hints = error.hint.map { [$0] } ?? []
    switch error.code {
    case .unreachable, .foreignServer: exit = .unreachable
    case .timedOut, .disconnected:
      exit = .temporary
      retryable = true
    default: exit = .failed
    }
  }

  /// The message, and below it the cause and the next steps.
  func text(showsKind: Bool) -> String {
    let first = showsKind ? "\(message) (\(kind))" : message
    return ([first] + ([detail].compactMap { $0 } + hints).map { "  " + $0 }).joined(separator: "\n")
  }

  /// What this program can do about an error, where the agent, which serves others too, cannot say it.
  private static func ownHint(_ error: AgentError) -> String? {
    guard error.kind == .wrongUser, error.data.hint?.contains("--replace") != true else { return nil }
    let account = error.data.account.map { " --account \(shown($0))" } ?? ""
    return "to sign in as the other user instead: ritualctl sign-in\(account) --replace"
  }

  /// The agent's sentences are longer than the foreign words in them, which it has bounded already.
  private static func shown(_ text: String) -> String { ForeignText.shown(text, limit: 1000) }
}

/// An error as `--json` prints it.
struct ErrorDocument: Encodable {
  struct Details: Encodable {
    let kind: String
    let message: String
    let hint: String?
    let retryable: Bool
    let retryAfter: Double?
    let account: String?
    let detail: String?
  }

  let error: Details
  let exitStatus: Int32

  init(_ failure: Failure, status: Int32) {
    error = Details(
      kind: failure.kind, message: failure.message, hint: failure.hints.first, retryable: failure.retryable,
      retryAfter: failure.retryAfter, account: failure.account, detail: failure.detail)
    exitStatus = status
  }
}
