import AgentProtocol

/// Descriptions of an account that are safe to print on a terminal.
extension AccountStatus {
  /// The user, such as "anna@example.org (Google)". For a session that ended, the reason and the
  /// time; empty if the user is unknown.
  var userDescription: String {
    if state == .signInNeeded, let ended {
      return "\(ForeignText.shown(ended.reason)) \(Times.clock(ended.at))"
    }
    return user?.displayName ?? ""
  }

  var stateWords: Table.Cell {
    switch state {
    case .authenticated: .init("signed in", .green)
    case .degraded: .init("degraded", .yellow)
    case .unauthenticated: .init("signed out", .yellow)
    case .signInNeeded: .init("sign-in needed", .red)
    case .locked: .init("locked", .red)
    case .copied: .init("copied", .red)
    case .misconfigured: .init("misconfigured", .red)
    default: .init(ForeignText.shown(state.rawValue))
    }
  }

  /// The next event for the account, or the command that solves its problem.
  var nextStep: String {
    if activity == .authenticating { return "sign-in in progress" }
    switch state {
    case .unauthenticated, .signInNeeded: return "ritualctl sign-in --account \(ForeignText.shown(name))"
    case .locked: return "ritualctl unlock"
    case .copied: return "ritualctl vault adopt"
    case .misconfigured:
      return "signed in at \(ForeignText.shown(origin ?? "another origin")), which is not in the configuration"
    default: return [tokenDescription, refreshDescription].compactMap { $0 }.joined(separator: ", ")
    }
  }

  private var tokenDescription: String {
    guard let expiresAt else { return tokenUsable ? "token valid" : "no token yet" }
    let left = expiresAt.unixSeconds - Times.now.unixSeconds
    if tokenUsable { return "token valid for \(Times.length(left))" }
    return left > 0 ? "token expires in \(Times.length(left))" : "token expired \(Times.length(-left)) ago"
  }

  private var refreshDescription: String? {
    if activity == .refreshing { return "refreshing now" }
    guard let refresh else { return nil }
    let when = refresh.nextAt.map { Times.clock($0) }
    guard refresh.attempts > 0 else { return when.map { "next refresh \($0)" } }
    let error = refresh.lastError
    let cause = [error?.kind.rawValue ?? "unknown", error?.data.detail].compactMap { $0 }.map { ForeignText.shown($0) }
    let failed = "\(refresh.attempts) failed (\(cause.joined(separator: ": ")))"
    return when.map { "next attempt \($0) after \(failed)" } ?? failed
  }
}

extension AccountUser {
  /// The user, such as "anna@example.org (Google)".
  var displayName: String {
    let name = ForeignText.shown(email ?? name ?? id)
    return provider.map { "\(name) (\(ProviderName.shown($0)))" } ?? name
  }
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

/// A table of accounts, one per line, such as:
///
/// `* work  prod  signed in  anna@example.org (Google)   token valid for 41 min, next refresh 14:32`.
enum AccountTable {
  static func lines(_ accounts: [AccountStatus], _ style: Style) -> [String] {
    var table = Table(gaps: [1, 2, 2, 2, 3])
    for account in accounts {
      table.rows.append([
        .init(account.isDefault ? "*" : " "), .init(ForeignText.shown(account.name)),
        .init(ForeignText.shown(account.project)), account.stateWords, .init(account.userDescription),
        .init(account.nextStep),
      ])
    }
    return table.lines(style)
  }
}

/// One account as an answer.
struct AccountAnswer: Answer {
  let value: AccountStatus

  func text(_ style: Style) -> String { AccountTable.lines([value], style).joined(separator: "\n") }
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
