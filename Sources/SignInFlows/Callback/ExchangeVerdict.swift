import AgentProtocol
import SessionEngine
import SupabaseAuth
import SystemSupport

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
