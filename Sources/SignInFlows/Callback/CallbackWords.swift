import AgentProtocol

extension CallbackFault {
  /// The error that whoever handed the address in gets: the fixed words, and what was wrong as the next step.
  var error: AgentError { AgentError(.callbackInvalid, hint: hint) }

  private var hint: String {
    switch self {
    case .tooLong: "the address is longer than 8 KiB; copy the one that the browser ended on"
    case .notAnAddress, .unreadable: "this is not an address; copy the whole one that the browser ended on"
    case .duplicate, .ambiguous: "the address contradicts itself; begin again with ritualctl sign-in"
    case .tokens:
      "the address carries tokens, which no sign-in of this agent asks for; begin again with ritualctl sign-in"
    case .noAnswer, .badCode: "the address has no answer in it; copy the whole one that the browser ended on"
    }
  }
}

/// What the user is told about an error that came with a callback. The server's text is not shown: it is foreign, and the
/// code says it all.
enum CallbackRefusal {
  private static let kinds: [String: ErrorKind] = [
    "signup_disabled": .methodDisabled, "provider_disabled": .methodDisabled, "user_banned": .denied,
    "provider_email_needs_verification": .emailNotConfirmed, "identity_already_exists": .identityTaken,
    "email_exists": .linkingConflict, "over_request_rate_limit": .rateLimited,
    "unexpected_failure": .serviceUnavailable, "request_timeout": .serviceUnavailable,
    "server_error": .serviceUnavailable, "temporarily_unavailable": .serviceUnavailable,
  ]

  static func error(_ code: String, account: String) -> AgentError {
    switch code {
    case "provider_email_needs_verification":
      AgentError(
        .emailNotConfirmed, hint: "the provider has not verified the address; a mail was sent to it", account: account)
    case "user_banned":
      AgentError(
        .denied, "This account is suspended at the server.", hint: "ask whoever runs the project", account: account)
    case "unexpected_failure", "server_error":
      // Also what a provider's client secret that has ended looks like: Apple's lasts six months.
      AgentError(
        .serviceUnavailable,
        hint:
          "if it stays so, the project's client secret at the provider may have ended: ask whoever runs the project",
        account: account)
    case "signup_disabled":
      AgentError(.methodDisabled, "The project takes no new users.", account: account)
    default:
      AgentError(kinds[code] ?? .callbackInvalid, account: account)
    }
  }
}
