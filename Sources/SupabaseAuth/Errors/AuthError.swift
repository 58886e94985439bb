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

extension AuthError {
  /// What happened. Open: later versions add codes, so a `switch` has a default.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The stable name of the code.
    public let rawValue: String
    /// A code by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }
  }
}

// Found on this side.
extension AuthError.Code {
  /// DNS, TCP or TLS did not come to pass, or the connection broke; whether the server acted is unknown.
  public static let network = Self(rawValue: "network")
  /// No whole answer within the limit; whether the server acted is unknown.
  public static let timeout = Self(rawValue: "timeout")
  /// The server's certificate or protocol version was refused, or the CA file could not be used.
  public static let tls = Self(rawValue: "tls")
  /// A success that could not be read; whether the server acted is unknown.
  public static let unreadable = Self(rawValue: "unreadable")
  /// The answer is larger than the limit, or the server finds the request too large.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// Plain http to another machine, or a password in an address: refused before a byte was sent.
  public static let insecure = Self(rawValue: "insecure")
  /// An address, key or proxy that cannot be used.
  public static let invalidEndpoint = Self(rawValue: "invalidEndpoint")
  /// A request that must not be sent as it is.
  public static let invalidRequest = Self(rawValue: "invalidRequest")
  /// The calling task was cancelled.
  public static let cancelled = Self(rawValue: "cancelled")
  /// The client was shut down.
  public static let shutDown = Self(rawValue: "shutDown")
}

// Said by the server, or by what stands before it.
extension AuthError.Code {
  /// The e-mail address or the password is wrong.
  public static let invalidCredentials = Self(rawValue: "invalidCredentials")
  /// The address is to be confirmed first.
  public static let emailNotConfirmed = Self(rawValue: "emailNotConfirmed")
  /// The address belongs to a user already.
  public static let userExists = Self(rawValue: "userExists")
  /// The password does not meet the project's rules.
  public static let weakPassword = Self(rawValue: "weakPassword")
  /// The new password is the old one.
  public static let samePassword = Self(rawValue: "samePassword")
  /// The project takes no new users.
  public static let signupDisabled = Self(rawValue: "signupDisabled")
  /// The project has this way to sign in switched off.
  public static let providerDisabled = Self(rawValue: "providerDisabled")
  /// The provider's identity token was refused.
  public static let idTokenRefused = Self(rawValue: "idTokenRefused")
  /// No e-mail address.
  public static let invalidEmail = Self(rawValue: "invalidEmail")
  /// The project demands a captcha, which the agent cannot solve.
  public static let captchaRequired = Self(rawValue: "captchaRequired")
  /// The server found a member of the request wrong.
  public static let validationFailed = Self(rawValue: "validationFailed")
  /// The code is unknown, was exchanged already, or its login was not completed.
  public static let flowStateNotFound = Self(rawValue: "flowStateNotFound")
  /// The login took longer than the server allows (300 s).
  public static let flowStateExpired = Self(rawValue: "flowStateExpired")
  /// The verifier does not belong to the code.
  public static let badCodeVerifier = Self(rawValue: "badCodeVerifier")
  /// The access token is missing, forged or expired.
  public static let badJWT = Self(rawValue: "badJWT")
  /// The session of the token is gone.
  public static let sessionNotFound = Self(rawValue: "sessionNotFound")
  /// The project's time limit for sessions passed.
  public static let sessionExpired = Self(rawValue: "sessionExpired")
  /// The user of the token is gone.
  public static let userNotFound = Self(rawValue: "userNotFound")
  /// The user is banned, which may be lifted.
  public static let userBanned = Self(rawValue: "userBanned")
  /// The refresh token is unknown.
  public static let refreshTokenNotFound = Self(rawValue: "refreshTokenNotFound")
  /// The refresh token was used already, too long ago.
  public static let refreshTokenAlreadyUsed = Self(rawValue: "refreshTokenAlreadyUsed")
  /// The identity belongs to another user.
  public static let identityAlreadyExists = Self(rawValue: "identityAlreadyExists")
  /// The user has no such identity.
  public static let identityNotFound = Self(rawValue: "identityNotFound")
  /// The last identity cannot be unlinked.
  public static let lastIdentity = Self(rawValue: "lastIdentity")
  /// Unlinking would leave the user with an address that is another's.
  public static let emailConflict = Self(rawValue: "emailConflict")
  /// The project does not allow linking and unlinking by hand (the default).
  public static let manualLinkingDisabled = Self(rawValue: "manualLinkingDisabled")
  /// Too many requests.
  public static let rateLimited = Self(rawValue: "rateLimited")
  /// Another request for the same session runs; try again.
  public static let conflict = Self(rawValue: "conflict")
  /// The server has trouble (5xx); try again.
  public static let serverUnavailable = Self(rawValue: "serverUnavailable")
  /// The project is paused (540).
  public static let projectPaused = Self(rawValue: "projectPaused")
  /// A gateway refused (401 or 403 that is not GoTrue's), or a redirect came where none belongs.
  public static let gatewayRefused = Self(rawValue: "gatewayRefused")
  /// Nothing known at this address.
  public static let notFound = Self(rawValue: "notFound")
  /// A refusal without any code.
  public static let unexpected = Self(rawValue: "unexpected")

  /// A code of the server that has no name here.
  public static func server(_ code: String) -> Self { Self(rawValue: "server.\(code)") }
}

/// What lies below an `AuthError` of the transport, for the journal. Made of texts that cannot hold a secret: the HTTP
/// client's own error would print the values of headers that it refuses.
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// At most 200 characters of visible ASCII and spaces.
  public let description: String

  init(_ text: String) {
    let plain = text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
    description = String(plain.prefix(200))
  }
}
