/// What went wrong between here and the auth server. Equal by `code`.
///
/// `message` is ours and safe to show. Foreign text is kept apart in `serverMessage`, and shows in neither description
/// nor dump: filter it before it is shown.
public struct AuthError: Error, Sendable {
  /// What happened, for branching.
  public let code: Code
  /// What happened in our words, with the remedy where there is one. Never foreign text, never a secret.
  public let message: String
  /// The HTTP status, if there was an answer.
  public let status: Int?
  /// The server's own code, for the journal: at most 64 characters, letters, digits, `_`, `-`, `.` and space.
  public let serverCode: String?
  /// What the server wrote: foreign text, at most 200 characters.
  public let serverMessage: String?
  /// How long the server asks to wait (`Retry-After`); 0 s to 1 day.
  public let retryAfter: Duration?
  /// What lies below, free of secrets: a `TransportFailure`, if anything.
  public let cause: (any Error)?

  /// An error by its parts.
  public init(
    _ code: Code, _ message: String, status: Int? = nil, serverCode: String? = nil, serverMessage: String? = nil,
    retryAfter: Duration? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.status = status
    self.serverCode = serverCode
    self.serverMessage = serverMessage
    self.retryAfter = retryAfter
    self.cause = cause
  }
}

extension AuthError {
  /// The host and the cause where no connection came to pass or it broke, such as `auth.example.org: connection refused`;
  /// nil for an error that the server answered. Never a secret.
  public var connectionFailure: String? {
    guard [.network, .timeout, .tls].contains(code), let failure = cause as? TransportFailure else { return nil }
    return failure.description
  }
}

extension AuthError: Equatable {
  /// Equal if the codes are.
  public static func == (left: AuthError, right: AuthError) -> Bool { left.code == right.code }
}

extension AuthError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Code, status and our message: `invalidCredentials (400): …`.
  public var description: String {
    let status = status.map { " (\($0))" } ?? ""
    return "\(code)\(status): \(message)"
  }

  /// The same as `description`, with the cause.
  public var debugDescription: String {
    guard let cause else { return description }
    return "\(description) [\(String(describing: cause))]"
  }

  /// Without the foreign text.
  public var customMirror: Mirror {
    Mirror(self, children: ["code": code.rawValue, "message": message, "status": status as Any])
  }
}
