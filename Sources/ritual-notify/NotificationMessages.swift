import AgentProtocol
import Glibc

extension NotificationService.Notification {
  /// The notification that a session has ended.
  static func signInNeeded(_ account: String) -> Self {
    Self(
      summary: "Sign-in needed",
      body: "The session of account \(account) has ended. To sign in again: ritualctl sign-in --account \(account)",
      actions: [(key: Keys.signIn, words: "Sign in")])
  }

  /// The notification that a program requests an account.
  static func question(_ approval: Approval) -> Self {
    let program = approval.executable.map { ForeignText.shown($0, limit: 80) } ?? "A program"
    let place = approval.unit.map { " in \(ForeignText.shown($0, limit: 80))" } ?? ""
    return Self(
      summary: "Access request for \(ForeignText.shown(approval.account, limit: 40))",
      body: "\(program)\(place), process \(approval.pid), wants to use this account. "
        + "You can also answer with ritualctl approvals.",
      actions: [(key: Keys.allow, words: "Allow"), (key: Keys.deny, words: "Deny")])
  }

  /// The action keys, returned when a button is pressed.
  enum Keys {
    static let signIn = "sign-in"
    static let allow = "allow"
    static let deny = "deny"
  }
}

/// Messages for the journal, written to standard error.
enum Journal {
  static func note(_ words: String) {
    let line = "ritual-notify: " + ForeignText.shown(words) + "\n"
    // A failure of standard error cannot be reported.
    _ = line.withCString { Glibc.write(STDERR_FILENO, $0, line.utf8.count) }
  }
}
