import AgentProtocol
import SystemSupport

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
    default: [token, unsaved, failures, next, skew].compactMap { $0 }
    }
  }

  private var token: String {
    guard let session = account.session, let received = session.received.bootTime(on: clock) else {
      return "The token's age is not known (the clock went backwards over a reboot)."
    }
    let left = clock.now.duration(to: received.advanced(by: session.life)).components.seconds
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
    let detail = error.data.detail.map { " (\($0))" } ?? ""
    return "\(account.failures) tries failed in a row, the last one with \(error.kind.rawValue)\(detail)."
  }

  private var next: String? {
    if let flight = account.flight { return "A refresh is on its way (\(flight.reason.rawValue))." }
    guard let at = account.nextTry, account.unsaved == nil else { return nil }
    let seconds = max(0, clock.now.duration(to: at).components.seconds)
    if account.wanted != nil { return "It waits for its turn: the server takes so many refreshes and no more." }
    guard account.failures > 0 else { return "It is refreshed ahead of its end\(lead), in \(seconds) s." }
    return switch account.pause?.kind {
    case .enforced: "The next try is in \(seconds) s; the server asked for that pause, so nobody can have it sooner."
    case .slow: "The next try is in \(seconds) s, for waiting does not mend that; a caller who asks causes one at once."
    default: "The next try is in \(seconds) s; a caller who asks causes one at once."
    }
  }

  /// How long before its end a token of this life is refreshed.
  private var lead: String {
    guard let session = account.session else { return "" }
    let lead = RefreshPolicy.lead(of: session.life)
    return " (\(Int(lead.seconds.rounded())) s or a little more)"
  }

  private var skew: String? {
    guard let skew = account.clockSkew(clock), abs(skew) > 30 else { return nil }
    return
      "The server's clock is \(abs(skew)) s \(skew > 0 ? "ahead of" : "behind") this machine's; nothing depends on it."
  }
}
