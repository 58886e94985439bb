import AgentProtocol
import SystemSupport

/// Descriptions of an account that are safe to print on a terminal.
extension AccountStatus {
  /// Whether the account has no session to end; false while that is unknown.
  var isSignedOut: Bool { [.unauthenticated, .signInNeeded].contains(state) }

  var stateWords: Table.Cell {
    switch state {
    case .authenticated: .init("signed in" + levelWords, .green)
    case .degraded: .init("degraded" + levelWords, .yellow)
    case .unauthenticated: .init("signed out")
    case .signInNeeded: .init("sign-in needed", .red)
    case .locked: .init("locked", .yellow)
    case .copied: .init("copied", .red)
    case .misconfigured: .init("misconfigured", .red)
    case .formatTooNew: .init("unreadable", .red)
    default: .init(state.rawValue)
    }
  }

  /// The session's level of assurance, if the user has a second factor.
  private var levelWords: Words {
    guard let assurance, assurance.possible != AccountAssurance.aal1 || assurance.current != AccountAssurance.aal1
    else { return "" }
    return ", \(assurance.current)"
  }

  /// The token's next refresh or its expiry; empty if there is no session. The long form adds the
  /// local time and the remaining time.
  func tokenWords(isLong: Bool) -> Words {
    if activity == .authenticating { return "sign-in in progress" }
    guard [.authenticated, .degraded].contains(state) || tokenUsable else { return "" }
    if activity == .refreshing { return "refreshing now" }
    guard tokenUsable, let next = refresh?.nextAt, refresh?.attempts == 0, obstacle == nil else { return expiryWords }
    let refreshes: Words = "refreshes \(Times.upcoming(next))"
    return isLong ? "\(refreshes) (\(Times.clock(next))), \(expiryWords)" : refreshes
  }

  private var expiryWords: Words {
    guard let expiresAt else { return tokenUsable ? "valid" : "no token yet" }
    if tokenUsable { return "valid for \(durationText(expiresAt.unixSeconds - Times.now.unixSeconds))" }
    return expiresAt > Times.now ? "expires \(Times.relative(expiresAt))" : "expired \(Times.relative(expiresAt))"
  }

  /// The reason why the account can give no token, and the remedy; nil if it can.
  var problem: AccountProblem? {
    let signIn: Words = "ritualctl sign-in --account \(name)"
    return switch state {
    case _ where activity == .authenticating: nil
    // The person signed out: that is no problem.
    case .unauthenticated: nil
    case .signInNeeded: ending(signIn)
    case .locked: .init("the vault is locked", "ritualctl unlock", .yellow)
    case .copied: .init("the vault was copied from another machine", "ritualctl vault adopt", .red)
    case .misconfigured:
      .init(
        account: name,
        "signed in at \(origin ?? "another origin"), which is not in the configuration", signIn,
        .red)
    case .formatTooNew: .init(account: name, "a newer ritual-agent wrote its record", "update ritual-agent", .red)
    default: failedRefresh
    }
  }

  /// Why the session ended. An anonymous user cannot sign in again.
  private func ending(_ signIn: Words) -> AccountProblem {
    let words: Words = ended.map { "\($0.reason) \(Times.clock($0.at))" } ?? "sign-in needed"
    guard user?.isAnonymous == true else { return .init(account: name, words, signIn, .red) }
    return .init(
      account: name, words + ": this anonymous user is lost",
      "ritualctl accounts remove \(name)", .red)
  }

  /// When the session is expected to end: a warning in its last day, else a line of information;
  /// nil if no limit is known.
  var sessionEnd: AccountProblem? {
    guard [.authenticated, .degraded, .locked].contains(state), let end = session?.endsAt else { return nil }
    let about = session?.isEstimate == true ? "about " : ""
    let words: Words = "the session ends \(about)\(Times.upcoming(end)) (\(Times.clock(end)))"
    // A limit that the server has shown may be that for sessions without the second factor, which a new
    // sign-in would have as well.
    let needsFactor = session?.isEstimate == true && assurance.map { $0.current != $0.possible } ?? false
    let command = needsFactor ? "mfa verify" : "sign-in"
    let isSoon = end.unixSeconds - Times.now.unixSeconds < Self.daySeconds
    return isSoon
      ? .init(account: name, words, "ritualctl \(command) --account \(name)", .yellow)
      : .init(information: words, about: name)
  }

  private static let daySeconds: Int64 = 24 * 60 * 60

  /// The warning that a sign-out loses the user, and how to keep it; nil for a user who is not lost.
  var warning: AccountProblem? {
    guard user?.isAnonymous == true, !isSignedOut else { return nil }
    return .init(
      account: name, "anonymous: a sign-out loses this user and its data",
      "ritualctl link email --account \(name)", .yellow)
  }

  /// The error that keeps a degraded account from refreshing although no refresh failed, such as a second
  /// factor's verification of unknown outcome; nil if there is none.
  private var obstacle: AgentError? { state == .degraded && refresh?.attempts == 0 ? refresh?.lastError : nil }

  private var failedRefresh: AccountProblem? {
    if session?.endReason == .newerSignIn {
      return .init(
        account: name, "a newer sign-in took its place: the project allows one session for each user",
        "ritualctl why --account \(name)", .yellow)
    }
    if let obstacle {
      let command = obstacle.data.hint ?? "ritualctl why --account \(name)"
      return .init(
        account: name, Words(obstacle.message, limit: 1000), cause: obstacle.data.detail.map { Words($0) },
        Words(command, limit: 1000), .yellow)
    }
    guard let refresh, refresh.attempts > 0 else { return nil }
    let error = refresh.lastError
    let cause = [error?.kind.rawValue ?? "unknown", error?.data.detail].compactMap { $0 }.map { Words($0) }
    let count: Words = refresh.attempts == 1 ? "1 attempt" : "\(refresh.attempts) attempts"
    let token: Words = expiresAt == nil && !tokenUsable ? expiryWords : "token \(expiryWords)"
    let next: Words? = refresh.nextAt.map { "next attempt \(Times.upcoming($0))" }
    return .init(
      account: name, [token, next].compactMap { $0 }.joined(separator: ", "),
      cause: "\(count) failed (\(cause.joined(separator: ": ")))", "ritualctl why --account \(name)",
      .yellow)
  }
}

/// A line that begins with `!`, and indented lines with the cause and the command that helps; or a line
/// of information.
struct AccountProblem: Hashable {
  private let what: Words
  private let cause: Words?
  /// Nil for a line of information.
  private let command: Words?
  private let color: Style.Color?

  init(account: String? = nil, _ what: Words, cause: Words? = nil, _ command: Words, _ color: Style.Color) {
    self.what = account.map { "\($0): \(what)" } ?? what
    (self.cause, self.command, self.color) = (cause, command, color)
  }

  init(information: Words, about account: String) {
    what = "\(account): \(information)"
    (cause, command, color) = (nil, nil, nil)
  }

  func lines(_ style: Style) -> [Words] {
    guard let command else { return style.lines("  \(what)", indent: 4) }
    return style.lines("! \(what)").map { style.marked($0, color) }
      + (cause.map { style.lines("    \($0)", indent: 4) } ?? []) + ["    \(command)"]
  }
}

extension AccountUser {
  /// The user, such as "anna@example.org (Google)".
  var displayName: Words {
    // A user who was anonymous at the last sign-in can have an address since.
    guard let provider, provider != SignInMethod.anonymous.word else { return shownName }
    return "\(shownName) (\(ProviderName.shown(provider)))"
  }

  /// The user without the sign-in method.
  var shownName: Words {
    if isAnonymous == true { return "anonymous user" }
    return Words(email ?? phone.map { "+\($0)" } ?? name ?? id)
  }
}

extension AccountStatus: Answer {
  func text(_ style: Style) -> Words { AccountTable(accounts: [self]).text(style) }
}
