import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

/// The address that a browser ended on, taken apart (SI-8). Pure: whether it belongs to a flow is for the flow to say.
struct CallbackAddress: Sendable, Hashable {
  /// Scheme, host, port and path, to the letter; empty if there is no such thing.
  let place: String
  /// The value that binds it to a flow; nil if it is missing or unusable.
  let attempt: String?
  let answer: CallbackAnswer

  /// Takes apart whatever was handed in. White space around it is a person's, and ignored.
  init(_ text: String) {
    self = Self.read(Self.trimmed(text))
  }

  private static func read(_ bytes: ArraySlice<UInt8>) -> CallbackAddress {
    guard bytes.count <= SignInBounds.callbackLength else { return CallbackAddress(fault: .tooLong) }
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return CallbackAddress(fault: .notAnAddress)
    }
    let (whole, fragment) = cut(bytes, at: UInt8(ascii: "#"))
    let (place, query) = cut(whole, at: UInt8(ascii: "?"))
    guard let items = QueryItems(query) else { return CallbackAddress(fault: .unreadable) }
    return CallbackAddress(
      place: String(decoding: place, as: UTF8.self), attempt: items.only(Redirect.attempt),
      answer: CallbackAnswer(items, fragment: QueryItems(fragment)))
  }

  private init(place: String, attempt: String?, answer: CallbackAnswer) {
    (self.place, self.attempt, self.answer) = (place, attempt, answer)
  }

  private init(fault: CallbackFault) { self.init(place: "", attempt: nil, answer: .invalid(fault)) }

  private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
    var bytes = ArraySlice(text.utf8)
    while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes
  }

  /// What stands before and after the first `separator`.
  private static func cut(
    _ bytes: ArraySlice<UInt8>, at separator: UInt8
  ) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>) {
    guard let index = bytes.firstIndex(of: separator) else { return (bytes, []) }
    return (bytes[..<index], bytes[(index + 1)...])
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// What a callback says. Closed: whoever reads it handles every case.
enum CallbackAnswer: Sendable, Hashable {
  /// Signed in at the provider; the code is to be exchanged.
  case code(String)
  /// The person cancelled at the provider.
  case cancelled
  /// The server or the provider refused; GoTrue's `error_code`, else the `error` of OAuth.
  case failed(String)
  /// Not a callback that is accepted.
  case invalid(CallbackFault)
}

/// Why an address is no callback that is accepted.
enum CallbackFault: String, Sendable, Hashable, CaseIterable {
  case tooLong, notAnAddress, unreadable, duplicate, tokens, ambiguous, noAnswer, badCode
}

extension CallbackAnswer {
  /// Names that come with an implicit login alone: no flow of ours asks for one, so somebody else did.
  private static let tokenNames = [
    "access_token", "refresh_token", "provider_token", "provider_refresh_token", "id_token", "token_hash",
  ]

  /// Unknown parameters are ignored, as RFC 6749, section 4.1.2 demands. GoTrue repeats an error in the fragment, encoded
  /// twice: only the query is read, and of the fragment only whether it holds tokens.
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

  /// A person who cancels is told apart by the missing `error_code`: a refusal by the server (a ban, a link that
  /// expired) shows as `access_denied` too.
  private static func refusal(_ error: String, _ code: String?) -> CallbackAnswer {
    if let code, !code.isEmpty { return .failed(code) }
    return ["access_denied", "user_cancelled_authorize"].contains(error) ? .cancelled : .failed(error)
  }

  /// GoTrue's codes are UUIDs; another form is let through as long as it is short and plain.
  private static func isCode(_ text: String) -> Bool {
    (1...512).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

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

/// What the answer to a code exchange means for its flow. Closed, decided here alone.
enum ExchangeVerdict: Sendable {
  case session(Session)
  /// The code is not one of this flow, or not any more: refused like any other wrong callback, the flow stays.
  case foreignCode(AgentError)
  /// Trouble of the network or the server; whether the code was used up is unknown, the same may be tried again.
  case transient(AgentError)
  /// Another answer will not come.
  case over(AgentError)

  /// - Parameter afterLostAnswer: the code was sent before, and the answer was lost: if it is unknown now, it was that
  ///   first try that used it up.
  init(_ error: AuthError, account: String, afterLostAnswer: Bool) {
    let told = AgentError.from(error, account: account)
    switch error.code {
    case .badCodeVerifier, .validationFailed: self = .foreignCode(AgentError(.callbackInvalid, account: account))
    case .flowStateNotFound: self = afterLostAnswer ? .over(told) : .foreignCode(told)
    case .network, .timeout, .tls, .unreadable, .serverUnavailable, .conflict, .rateLimited: self = .transient(told)
    default: self = .over(told)
    }
  }
}
