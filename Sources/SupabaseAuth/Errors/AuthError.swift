/// An error of a request to the auth server. Two errors are equal if their codes are.
///
/// `message` is written by this module and safe to show. Text from the server is kept apart in
/// `serverMessage`, and appears in neither the description nor a dump. Filter this text before
/// showing it.
public struct AuthError: Error, Sendable {
  /// The kind of error, for branching.
  public let code: Code
  /// A description of the error, with the remedy where one exists. Contains no text from the server
  /// and no secret.
  public let message: String
  /// The HTTP status, if there was a response.
  public let status: Int?
  /// The server's own code, for the journal: at most 64 letters, digits, `_`, `-`, `.` and spaces.
  public let serverCode: String?
  /// The server's message: untrusted text of at most 200 characters.
  public let serverMessage: String?
  /// The wait that the server asks for (`Retry-After`), from 0 s to 1 day.
  public let retryAfter: Duration?
  /// The underlying error, if any: a `TransportFailure`, free of secrets.
  public let cause: (any Error)?

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
  /// The host and the cause of a connection that failed or broke, such as `auth.example.org:
  /// connection refused`; nil for every other error. Contains no secret.
  public var connectionFailure: String? {
    guard [.network, .timeout, .tls, .proxyRefused].contains(code), let failure = cause as? TransportFailure else {
      return nil
    }
    return failure.description
  }
}

extension AuthError {
  /// True if the request was certainly not sent: it is invalid, or no connection was made.
  package var wasNotSent: Bool {
    switch code {
    case .invalidRequest, .insecure, .invalidEndpoint, .tls, .proxyRefused, .shutDown: true
    case .network, .timeout: (cause as? TransportFailure)?.isBeforeRequest == true
    default: false
    }
  }
}

extension AuthError: Equatable {
  /// Returns true if the codes are equal.
  public static func == (left: AuthError, right: AuthError) -> Bool { left.code == right.code }
}

extension AuthError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The code, status and message: `invalidCredentials (400): …`.
  public var description: String {
    let status = status.map { " (\($0))" } ?? ""
    return "\(code)\(status): \(message)"
  }

  public var debugDescription: String {
    guard let cause else { return description }
    return "\(description) [\(String(describing: cause))]"
  }

  /// A mirror of code, message and status, without text from the server.
  public var customMirror: Mirror {
    Mirror(self, children: ["code": code.rawValue, "message": message, "status": status as Any])
  }
}

extension AuthError {
  /// The kind of an error. Open: later versions add codes, so a `switch` has a default.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The stable name of the code.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
  }
}

// Errors detected by the client.
extension AuthError.Code {
  /// DNS, TCP or TLS failed, or the connection broke. Whether the server acted is unknown.
  public static let network = Self(rawValue: "network")
  /// No complete response arrived within the time limit. Whether the server acted is unknown.
  public static let timeout = Self(rawValue: "timeout")
  /// The server's certificate or protocol version was refused, or the CA file could not be used.
  public static let tls = Self(rawValue: "tls")
  /// The configured proxy requires a user name and a password, or refuses them; nothing was sent to the server.
  public static let proxyRefused = Self(rawValue: "proxyRefused")
  /// A successful response could not be read. Whether the server acted is unknown.
  public static let unreadable = Self(rawValue: "unreadable")
  /// The response exceeds the size limit, or the server rejected the request as too large.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// Plain http to another machine, or userinfo in a URL; refused before a byte is sent.
  public static let insecure = Self(rawValue: "insecure")
  /// An invalid URL, key or proxy.
  public static let invalidEndpoint = Self(rawValue: "invalidEndpoint")
  public static let invalidRequest = Self(rawValue: "invalidRequest")
  public static let cancelled = Self(rawValue: "cancelled")
  public static let shutDown = Self(rawValue: "shutDown")
}

// Errors reported by the server, or by a gateway in front of it.
extension AuthError.Code {
  public static let invalidCredentials = Self(rawValue: "invalidCredentials")
  public static let emailNotConfirmed = Self(rawValue: "emailNotConfirmed")
  public static let userExists = Self(rawValue: "userExists")
  public static let weakPassword = Self(rawValue: "weakPassword")
  public static let samePassword = Self(rawValue: "samePassword")
  public static let signupDisabled = Self(rawValue: "signupDisabled")
  public static let providerDisabled = Self(rawValue: "providerDisabled")
  public static let idTokenRefused = Self(rawValue: "idTokenRefused")
  public static let invalidEmail = Self(rawValue: "invalidEmail")
  /// The project requires a captcha, which the agent cannot solve.
  public static let captchaRequired = Self(rawValue: "captchaRequired")
  /// A code or link is wrong, was used, has expired, or belongs to another address; the server does not say which.
  public static let codeRefused = Self(rawValue: "codeRefused")
  /// No user has this address, or the user signs in by single sign-on; a code was not sent.
  public static let otpDisabled = Self(rawValue: "otpDisabled")
  public static let messageNotSent = Self(rawValue: "messageNotSent")
  public static let anonymousDisabled = Self(rawValue: "anonymousDisabled")
  public static let ssoDisabled = Self(rawValue: "ssoDisabled")
  /// No identity provider is registered for the organization's domain.
  public static let ssoNotFound = Self(rawValue: "ssoNotFound")
  /// The user is managed by an identity provider, which alone can change them.
  public static let ssoManaged = Self(rawValue: "ssoManaged")
  /// The project does not accept this kind of email address.
  public static let emailNotAuthorized = Self(rawValue: "emailNotAuthorized")
  public static let providerEmailUnverified = Self(rawValue: "providerEmailUnverified")
  /// The server rejected a member of the request.
  public static let validationFailed = Self(rawValue: "validationFailed")
  /// The code is unknown or already exchanged, or its login was not completed.
  public static let flowStateNotFound = Self(rawValue: "flowStateNotFound")
  /// The login took longer than the server allows (300 s).
  public static let flowStateExpired = Self(rawValue: "flowStateExpired")
  public static let badCodeVerifier = Self(rawValue: "badCodeVerifier")
  /// The access token is missing, forged or expired.
  public static let badJWT = Self(rawValue: "badJWT")
  public static let sessionNotFound = Self(rawValue: "sessionNotFound")
  public static let sessionExpired = Self(rawValue: "sessionExpired")
  /// The project allows one session for each user, and a newer one exists. Not final: if that one is
  /// signed out, this one works again.
  public static let newerSignIn = Self(rawValue: "newerSignIn")
  /// A hook of the project refused the request; `serverMessage` is the project's text.
  public static let hookRefused = Self(rawValue: "hookRefused")
  public static let userNotFound = Self(rawValue: "userNotFound")
  /// The user is banned; a ban may be lifted.
  public static let userBanned = Self(rawValue: "userBanned")
  public static let refreshTokenNotFound = Self(rawValue: "refreshTokenNotFound")
  /// The refresh token was already used, outside the server's reuse interval.
  public static let refreshTokenAlreadyUsed = Self(rawValue: "refreshTokenAlreadyUsed")
  /// The request requires the second factor (`aal2`).
  public static let insufficientAssurance = Self(rawValue: "insufficientAssurance")
  public static let identityAlreadyExists = Self(rawValue: "identityAlreadyExists")
  public static let identityNotFound = Self(rawValue: "identityNotFound")
  public static let lastIdentity = Self(rawValue: "lastIdentity")
  /// Unlinking would leave the user with an email address that belongs to another user.
  public static let emailConflict = Self(rawValue: "emailConflict")
  /// The project does not allow manual linking and unlinking (the default).
  public static let manualLinkingDisabled = Self(rawValue: "manualLinkingDisabled")
  public static let rateLimited = Self(rawValue: "rateLimited")
  /// Another request for the same session is in flight; retry.
  public static let conflict = Self(rawValue: "conflict")
  /// The server is temporarily unavailable (5xx); retry.
  public static let serverUnavailable = Self(rawValue: "serverUnavailable")
  /// The project is paused (status 540).
  public static let projectPaused = Self(rawValue: "projectPaused")
  /// A gateway refused the request (401 or 403 without a GoTrue code), or an unexpected redirect
  /// arrived.
  public static let gatewayRefused = Self(rawValue: "gatewayRefused")
  /// A gate in front of the server refused the request: a 401 or 403 with a page instead of data.
  public static let gateRefused = Self(rawValue: "gateRefused")
  /// The project has disabled its legacy API keys (`anon`), and the request had one.
  public static let legacyKeyDisabled = Self(rawValue: "legacyKeyDisabled")
  /// No known server at this URL (404 or 405 without a GoTrue code).
  public static let notFound = Self(rawValue: "notFound")
  public static let unexpected = Self(rawValue: "unexpected")

  /// Returns a code for a server code that has no name here.
  public static func server(_ code: String) -> Self { Self(rawValue: "server.\(code)") }
}

/// The transport's cause of an `AuthError`, for the journal. Made of texts that cannot contain a
/// secret: the HTTP client's own error would print the values of rejected headers.
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause: at most 200 characters of visible ASCII and spaces.
  public let description: String
  /// True if no connection was made.
  let isBeforeRequest: Bool

  init(_ text: String, isBeforeRequest: Bool = false) {
    self.isBeforeRequest = isBeforeRequest
    let plain = text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
    description = String(plain.prefix(200))
  }
}
