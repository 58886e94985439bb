/// Why a refresh was begun.
package enum RefreshReason: String, Sendable {
  /// The token comes to its end.
  case ahead
  /// A caller needs a token with more life.
  case demand
  /// A server refused the token.
  case rejected
  /// `session.refresh`.
  case forced
  /// The agent started and has to see whether the session still lives.
  case start
  /// A try before this one failed.
  case retry
  /// The machine is about to sleep, and the token could die before it wakes.
  case sleep

  /// Whether a caller waits for it.
  var isAwaited: Bool {
    switch self {
    case .demand, .rejected, .forced: true
    case .ahead, .start, .retry, .sleep: false
    }
  }
}
