import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The parsed URL on which a browser ended. Pure: the flow decides whether the URL belongs
/// to it.
struct CallbackURL: Sendable, Hashable {
  /// The scheme, host, port and path, byte for byte; empty if the text is not a valid URL.
  let baseURL: String
  /// The value that binds the callback to a flow; nil if it is missing or repeated.
  let attempt: String?
  let answer: CallbackAnswer

  /// Parses any text. Surrounding white space and quotes come from pasting and are ignored.
  init(_ text: String) {
    self = Self.read(PastedText.trimmed(text))
  }

  private static func read(_ bytes: ArraySlice<UInt8>) -> CallbackURL {
    guard bytes.count <= SignInLimits.maxCallbackLength else { return CallbackURL(fault: .tooLong) }
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return CallbackURL(fault: .notAnAddress)
    }
    let (whole, fragment) = cut(bytes, at: UInt8(ascii: "#"))
    let (place, query) = cut(whole, at: UInt8(ascii: "?"))
    guard let items = QueryItems(query) else { return CallbackURL(fault: .unreadable) }
    return CallbackURL(
      place: String(decoding: place, as: UTF8.self), attempt: items.only(Redirect.attempt),
      answer: CallbackAnswer(items, fragment: QueryItems(fragment)))
  }

  private init(place: String, attempt: String?, answer: CallbackAnswer) {
    (self.baseURL, self.attempt, self.answer) = (place, attempt, answer)
  }

  private init(fault: CallbackFault) { self.init(place: "", attempt: nil, answer: .invalid(fault)) }

  /// Returns the parts before and after the first `separator`.
  private static func cut(
    _ bytes: ArraySlice<UInt8>, at separator: UInt8
  ) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>) {
    guard let index = bytes.firstIndex(of: separator) else { return (bytes, []) }
    return (bytes[..<index], bytes[(index + 1)...])
  }
}

/// The meaning of a callback. Closed: a reader handles every case.
enum CallbackAnswer: Sendable, Hashable {
  /// Signed in at the provider, with a code to exchange.
  case code(String)
  case cancelled
  /// The server or the provider refused. The value is GoTrue's `error_code`, else OAuth's `error`.
  case failed(String)
  case invalid(CallbackFault)
}

/// The reason why a URL is not an acceptable callback.
enum CallbackFault: String, Sendable, Hashable, CaseIterable {
  case tooLong, notAnAddress, unreadable, duplicate, tokens, ambiguous, noAnswer, badCode
}

extension CallbackAnswer {
  /// Parameters that only an implicit login produces. No flow of the agent requests one, so the URL
  /// comes from elsewhere.
  private static let tokenNames = [
    "access_token", "refresh_token", "provider_token", "provider_refresh_token", "id_token", "token_hash",
  ]

  /// Unknown parameters are ignored, as RFC 6749, section 4.1.2 requires. GoTrue repeats an error
  /// in the fragment, encoded twice. So only the query is read; the fragment is only searched for
  /// tokens.
  init(_ query: QueryItems, fragment: QueryItems?) {
    let everything = query.names + (fragment?.names ?? [])
    if Self.tokenNames.contains(where: everything.contains) {
      self = .invalid(.tokens)
    } else if query.hasDuplicates {
      self = .invalid(.duplicate)
    } else if let error = query.only("error") {
      self = query.only("code") == nil ? Self.refusal(error, query.only("error_code")) : .invalid(.ambiguous)
    } else if let code = query.only("code") {
      self = Self.isCode(code) ? .code(code) : .invalid(.badCode)
    } else {
      self = .invalid(.noAnswer)
    }
  }

  /// A missing `error_code` identifies a person who cancelled: a refusal by the server (a ban, an
  /// expired link) also has `access_denied`.
  private static func refusal(_ error: String, _ code: String?) -> CallbackAnswer {
    if let code, !code.isEmpty { return .failed(code) }
    return ["access_denied", "user_cancelled_authorize"].contains(error) ? .cancelled : .failed(error)
  }

  /// GoTrue's codes are UUIDs; any other form is accepted if it is short and plain.
  private static func isCode(_ text: String) -> Bool {
    (1...512).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

extension CallbackFault {
  /// The error for the caller that supplied the URL: a fixed message, and the problem as a hint.
  var error: AgentError { AgentError(.callbackInvalid, hint: hint) }

  private var hint: String {
    switch self {
    case .tooLong: "the URL is longer than 8 KiB; copy the complete redirect URL"
    case .notAnAddress, .unreadable: "this is not a URL; copy the complete redirect URL"
    case .duplicate, .ambiguous: "the URL has conflicting parameters; start again with ritualctl sign-in"
    case .tokens:
      "the URL contains tokens, which this agent never requests; start again with ritualctl sign-in"
    case .noAnswer, .badCode: "the URL has no sign-in result; copy the complete redirect URL"
    }
  }
}

/// The user's messages for errors in a callback. The server's text is not shown: it is untrusted,
/// and the code is sufficient.
enum CallbackRefusal {
  private static let kinds: [String: ErrorKind] = [
    "provider_disabled": .methodDisabled, "identity_already_exists": .identityTaken, "email_exists": .linkingConflict,
    "over_request_rate_limit": .rateLimited, "request_timeout": .serviceUnavailable,
    "temporarily_unavailable": .serviceUnavailable,
  ]

  static func error(_ code: String, account: String) -> AgentError {
    switch code {
    case "otp_expired":
      AgentError(
        .codeInvalid, "That link did not work.",
        hint: "it is used up or expired, or a newer email has replaced it", account: account)
    case "flow_state_expired", "bad_oauth_state":
      AgentError(
        .callbackInvalid, hint: "the sign-in took longer than 5 minutes; start again with ritualctl sign-in",
        account: account)
    case "bad_oauth_callback":
      AgentError(
        .callbackInvalid, hint: "the provider returned an error; start again with ritualctl sign-in", account: account)
    case "provider_email_needs_verification", "email_not_confirmed":
      AgentError(
        .emailNotConfirmed,
        hint: "the provider has not verified your email address; check your email for a confirmation link",
        account: account)
    case "user_banned":
      AgentError(
        .denied, "This account is suspended.", hint: "contact the project's administrator", account: account)
    case "unexpected_failure", "server_error":
      // An expired client secret of the project also causes this error; Apple's secrets are valid
      // for six months.
      AgentError(
        .serviceUnavailable,
        hint:
          "if this continues, the project's client secret may have expired: contact the project's administrator",
        account: account)
    case "signup_disabled":
      AgentError(.methodDisabled, "Sign-ups are disabled for the project.", account: account)
    default: kinds[code].map { AgentError($0, account: account) } ?? unknown(code, account)
    }
  }

  /// The code is from a URL, so only one in the form of the server's codes is shown.
  private static func unknown(_ code: String, _ account: String) -> AgentError {
    let isCode = (1...64).contains(code.utf8.count) && code.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
    guard isCode else { return AgentError(.callbackInvalid, account: account) }
    return AgentError(
      .callbackInvalid, "The server refused the sign-in (code \(code)).",
      hint: "tell the project's owner the code; to try again: ritualctl sign-in --account \(account)", account: account)
  }
}
