import AgentProtocol
import SessionEngine

/// How a flow stands, as its page shows it. The choice of a way and the form are pages of their own.
enum PageState: Sendable {
  case choosing
  /// Another program waits for the browser to come back; there is nothing to do here. With the callback that was refused
  /// last, if there was one.
  case waiting(AgentError?)
  case working
  /// A person is asked elsewhere.
  case deciding
  /// A person is asked here, or elsewhere, whether a link is to stay (LK-2).
  case question(SignInDecision)
  case signedIn(account: String, who: String?)
  case confirmationSent
  case cancelled
  case expired
  case failed(AgentError)
}
