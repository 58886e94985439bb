import AgentProtocol

/// The answer to "why": sentences about one account, most important first.
struct RefreshExplanation {
  private let account: Account
  private let status: AccountStatus
  private let clock: any AgentClock

  init(_ account: Account, _ status: AccountStatus, _ clock: any AgentClock) {
    self.account = account
    self.status = status
    self.clock = clock
  }

  var sentences: [String] {
    switch status.state {
    case .unauthenticated: ["Nobody is signed in; there is nothing to refresh."]
    case .signInNeeded:
      ["The server ended the session (\(status.ended?.reason ?? "unknown")); only a new sign-in helps."]
    case .misconfigured:
      ["The configuration does not name \(status.origin ?? "the issuer") any more: nothing is sent, nothing is lost."]
    default: [token, unsaved, failures, next].compactMap { $0 }
    }
  }

  private var token: String {
    guard let session = account.session, let received = session.received.bootTime(on: clock) else {
      return "The token's age is not known (the clock went backwards over a reboot)."
    }
    let left = clock.now.duration(to: received.advanced(by: .seconds(session.expiresIn))).components.seconds
    return left > 0
      ? "The access token lives \(left) s more, of \(session.expiresIn) s."
      : "The access token ended \(-left) s ago."
  }

  private var unsaved: String? {
    guard account.unsaved != nil else { return nil }
    return "A new session is in memory and could not be written; until it is, no refresh starts."
  }

  private var failures: String? {
    guard account.failures > 0, let error = account.lastError else { return nil }
    return "\(account.failures) tries failed in a row, the last one with \(error.kind.rawValue)."
  }

  private var next: String? {
    if let flight = account.flight { return "A refresh is on its way (\(flight.reason.rawValue))." }
    guard let at = account.nextTry else { return nil }
    let seconds = max(0, clock.now.duration(to: at).components.seconds)
    if account.failures == 0 { return "It is refreshed ahead of its end, in \(seconds) s." }
    return account.notBefore == nil
      ? "The next try is in \(seconds) s; a caller who asks causes one at once."
      : "The next try is in \(seconds) s; the server asked for that pause, so nobody can have it sooner."
  }
}
