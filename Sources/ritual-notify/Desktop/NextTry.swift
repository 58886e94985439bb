/// When a notification service is asked again that has refused, or has not answered: one that has had too much for a moment
/// (`ExcessNotificationGeneration` of several desktops), or that is just starting, soon; one that always refuses now and then.
struct NextTry {
  private enum State {
    case any
    case notBefore(ContinuousClock.Instant)
    /// There is none; the bus tells when one comes.
    case whenOneComes
  }

  /// Doubled from the first to the last.
  private static let pauses: (first: Duration, last: Duration) = (.seconds(2), .seconds(600))

  private var state = State.any
  private var pause = pauses.first

  /// Whether it may be asked now.
  var isNow: Bool {
    switch state {
    case .any: true
    case .notBefore(let moment): ContinuousClock.now >= moment
    case .whenOneComes: false
    }
  }

  /// How long until it may be asked; nil where there is nothing to wait for.
  var wait: Duration? {
    guard case .notBefore(let moment) = state else { return nil }
    return max(.zero, ContinuousClock.now.duration(to: moment))
  }

  /// - Returns: whether this is the first failure since the last success.
  mutating func failed(_ error: NotifyError) -> Bool {
    let isFirst = if case .any = state { true } else { false }
    guard !error.isFromNobody else {
      state = .whenOneComes
      return isFirst
    }
    state = .notBefore(.now + pause)
    pause = min(pause * 2, Self.pauses.last)
    return isFirst
  }

  mutating func succeeded() { self = NextTry() }

  /// A service has come, or gone.
  mutating func serviceChanged(isThere: Bool) {
    self = NextTry()
    if !isThere { state = .whenOneComes }
  }
}
