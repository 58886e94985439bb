import Crypto

/// Algorithm v2. The session counts; a token carries the count at its making.
struct CounterRotation: Sendable {
  var now: Moment
  var reuseInterval: Double

  func refresh(_ session: SessionRecord, presenting token: CounterToken) throws(RefreshRefusal) -> RefreshOutcome {
    var session = session
    guard let state = session.counter, token.isSigned(by: state.key), token.counter <= state.value else {
      throw .validation("Invalid Refresh Token: Not Issued By This Server")
    }
    let isWithinInterval = now <= (session.refreshedAt ?? session.createdAt).adding(seconds: reuseInterval)
    let cause = "sb-auth-refresh-token-reuse-cause"
    switch state.value - token.counter {
    case 0:
      session.counter?.value += 1
      session.refreshedAt = now
      return Self.outcome(session, isNew: true, name: "sb-auth-refresh-token-reuse", value: "false")
    case 1:
      let why = isWithinInterval ? "concurrent-refresh,fail-to-save" : "fail-to-save"
      return Self.outcome(session, isNew: false, name: cause, value: why)
    default:
      guard isWithinInterval else {
        throw .alreadyUsed(.delete(session.id), headers: [("sb-auth-refresh-token-rotated", "true")])
      }
      return Self.outcome(session, isNew: false, name: cause, value: "concurrent-refresh")
    }
  }

  /// The session's current token, with the headers that go with it.
  static func outcome(_ session: SessionRecord, isNew: Bool, name: String, value: String) -> RefreshOutcome {
    let state = session.counter ?? CounterState()
    return RefreshOutcome(
      session: session, token: CounterToken(session: session.id, counter: state.value, key: state.key).text,
      isNew: isNew,
      headers: [(name, value), ("sb-auth-refresh-token-counter", String(state.value))])
  }
}
