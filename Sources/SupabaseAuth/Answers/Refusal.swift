import FoundationEssentials

/// An answer that is no success, decoded: the status first, the body only where it can be believed.
struct Refusal {
  let status: Int
  /// The server's own code, from the body or else from `x-sb-error-code`.
  let serverCode: String?
  let serverMessage: String?
  let reasons: [String]
  let isOAuth: Bool
  let retryAfter: Duration?

  /// Beyond this length nobody reads a foreign text.
  private static let longestMessage = 200

  init(_ answer: Answer, now: Date) {
    status = answer.status
    let body = answer.json(ErrorBody.self)
    serverCode = (body?.code ?? answer.header("x-sb-error-code"))?.asServerCode
    serverMessage = body?.message.map { String($0.prefix(Self.longestMessage)) }
    reasons = body?.reasons ?? []
    isOAuth = body?.isOAuth ?? false
    retryAfter = answer.retryAfter(now: now)
  }

  /// The refusal as an error.
  var error: AuthError {
    let code = errorCode
    return AuthError(
      code, RefusalWords.message(for: code, reasons: reasons), status: status, serverCode: serverCode,
      serverMessage: serverMessage, retryAfter: retryAfter)
  }

  /// Statuses that decide alone come first: what a 5xx says about itself is no ground to branch on.
  private var errorCode: AuthError.Code {
    switch status {
    case 300...399: .gatewayRefused
    case 408: .timeout
    case 413: .tooLarge
    case 429: .rateLimited
    case 540: .projectPaused
    case 500...599: .serverUnavailable
    default: serverCode.map(named) ?? unnamed
    }
  }

  private func named(_ serverCode: String) -> AuthError.Code {
    RefusalWords.codes[serverCode] ?? .server(serverCode)
  }

  private var unnamed: AuthError.Code {
    switch status {
    case 401, 403: .gatewayRefused
    case 404, 405: .notFound
    case 409: .conflict
    default: .unexpected
    }
  }
}
