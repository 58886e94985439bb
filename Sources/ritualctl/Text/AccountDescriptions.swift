import AgentProtocol
import SystemSupport

/// Descriptions of an account that are safe to print on a terminal.
extension AccountStatus {
  var stateWords: Table.Cell {
    switch state {
    case .authenticated: .init("signed in", .green)
    case .degraded: .init("degraded", .yellow)
    case .unauthenticated: .init("signed out", .yellow)
    case .signInNeeded: .init("sign-in needed", .red)
    case .locked: .init("locked", .yellow)
    case .copied: .init("copied", .red)
    case .misconfigured: .init("misconfigured", .red)
    default: .init(ForeignText.shown(state.rawValue))
    }
  }

  /// The token's next refresh or its expiry; empty if there is no session. The long form adds the
  /// local time and the remaining time.
  func tokenWords(isLong: Bool) -> String {
    if activity == .authenticating { return "sign-in in progress" }
    guard [.authenticated, .degraded].contains(state) || tokenUsable else { return "" }
    if activity == .refreshing { return "refreshing now" }
    guard tokenUsable, let next = refresh?.nextAt, refresh?.attempts == 0 else { return expiryWords }
    let refreshes = "refreshes \(Times.relative(next))"
    return isLong ? "\(refreshes) (\(Times.clock(next))), \(expiryWords)" : refreshes
  }

  private var expiryWords: String {
    guard let expiresAt else { return tokenUsable ? "valid" : "no token yet" }
    if tokenUsable { return "valid for \(durationText(expiresAt.unixSeconds - Times.now.unixSeconds))" }
    return expiresAt > Times.now ? "expires \(Times.relative(expiresAt))" : "expired \(Times.relative(expiresAt))"
  }

  /// What keeps the account from giving a token, and what to do; nil if nothing does.
  var problem: AccountProblem? {
    let signIn = "ritualctl sign-in --account \(ForeignText.shown(name))"
    return switch state {
    case _ where activity == .authenticating: nil
    case .unauthenticated: .init(account: name, "signed out", [signIn], .yellow)
    case .signInNeeded:
      .init(
        account: name, ended.map { "\(ForeignText.shown($0.reason)) \(Times.clock($0.at))" } ?? "sign-in needed",
        [signIn], .red)
    case .locked: .init("the vault is locked", ["ritualctl unlock"], .yellow)
    case .copied: .init("the vault was copied from another machine", ["ritualctl vault adopt"], .red)
    case .misconfigured:
      .init(
        account: name,
        "signed in at \(ForeignText.shown(origin ?? "another origin")), which is not in the configuration", [signIn],
        .red)
    default: failedRefresh
    }
  }

  private var failedRefresh: AccountProblem? {
    guard let refresh, refresh.attempts > 0 else { return nil }
    let error = refresh.lastError
    let cause = [error?.kind.rawValue ?? "unknown", error?.data.detail].compactMap { $0 }.map { ForeignText.shown($0) }
    let count = refresh.attempts == 1 ? "1 attempt" : "\(refresh.attempts) attempts"
    let token = expiresAt == nil && !tokenUsable ? expiryWords : "token \(expiryWords)"
    let next = refresh.nextAt.map { "next attempt \(Times.relative($0))" }
    return .init(
      account: name, [token, next].compactMap { $0 }.joined(separator: ", "),
      ["\(count) failed (\(cause.joined(separator: ": ")))", "ritualctl why --account \(ForeignText.shown(name))"],
      .yellow)
  }
}

/// A line that begins with `!`, and indented lines with the cause or the command that helps.
struct AccountProblem: Hashable {
  private let what: String
  private let more: [String]
  private let color: Style.Color

  init(account: String? = nil, _ what: String, _ more: [String], _ color: Style.Color) {
    self.what = account.map { "\(ForeignText.shown($0)): \(what)" } ?? what
    (self.more, self.color) = (more, color)
  }

  func lines(_ style: Style) -> [String] {
    style.lines("! \(what)").map { style.marked($0, color) } + more.map { "    \($0)" }
  }
}

extension AccountUser {
  /// The user, such as "anna@example.org (Google)".
  var displayName: String { provider.map { "\(shownName) (\(ProviderName.shown($0)))" } ?? shownName }

  /// The user without the sign-in method.
  var shownName: String { ForeignText.shown(email ?? name ?? id) }
}

/// The display names of the sign-in methods.
enum ProviderName {
  static func shown(_ provider: String) -> String {
    switch provider {
    case "apple": "Apple"
    case "google": "Google"
    case "email": "email"
    default: ForeignText.shown(provider)
    }
  }
}

/// One account as an answer.
struct AccountAnswer: Answer {
  let value: AccountStatus

  func text(_ style: Style) -> String { AccountTable(accounts: [value]).text(style) }
}

extension ForeignText {
  /// Escapes text of several lines for a terminal. Newlines and tabs are kept, other unprintable
  /// characters are escaped. The length is not limited, because the user requested this text.
  static func shownLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false)
          .map { shown(String($0), limit: .max) }.joined(separator: "\t")
      }
      .joined(separator: "\n")
  }
}
