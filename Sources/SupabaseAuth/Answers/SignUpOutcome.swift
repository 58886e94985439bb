/// What `POST /signup` came to.
public enum SignUpOutcome: Sendable {
  /// The project confirms by itself: signed in.
  case session(Session)
  /// A mail was sent, or the address is known already: the server does not tell the two apart, nor do we.
  case confirmationSent
}
