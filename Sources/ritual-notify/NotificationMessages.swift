import AgentProtocol
import Glibc
import SystemSupport

extension NotificationService.Notification {
  /// The notification that a session has ended, or is not continued, and why.
  static func signInNeeded(_ account: String, _ reason: SessionEndReason) -> Self {
    let cause = causes[reason].map { ": \($0)" } ?? ""
    return Self(
      summary: "Sign-in needed",
      body: "The session of account \(account) has ended\(cause). To sign in again: ritualctl sign-in --account "
        + account,
      actions: [(key: Keys.signIn, words: "Sign in")])
  }

  private static let causes: [SessionEndReason: String] = [
    .endedElsewhere: "it was ended elsewhere, by a sign-out, a password change or a second factor",
    .timebox: "the project's time limit for sessions was reached",
    .inactivity: "it was not used for longer than the project allows",
    .lowAssurance: "the second factor was not verified in time",
    .newerSignIn: "the project allows one session, and a newer sign-in elsewhere replaced this one",
    .userGone: "the user no longer exists",
  ]

  /// The notification that a session is about to end.
  static func ending(_ account: String, _ ending: SessionEnding) -> Self {
    let time = LocalTime(unixSeconds: ending.end)
    let about = ending.isEstimate ? "about " : ""
    return Self(
      summary: "Session ends soon",
      body: "The session of account \(account) ends \(about)at \(time.time.prefix(5)) \(time.zone) on \(time.date), by "
        + "the project's limit. To sign in again: ritualctl sign-in --account \(account)",
      actions: [(key: Keys.signIn, words: "Sign in")])
  }

  /// The notification that a program needs the second factor. It asks for no code: a code belongs
  /// on the agent's page or in a terminal.
  static func codeNeeded(_ account: String, _ need: FactorNeeds.Need) -> Self {
    let program = need.program.map { ForeignText.shown($0, limit: 120) } ?? "A program"
    let reason = need.reason.map { " (\(ForeignText.shown($0, limit: 120)))" } ?? ""
    return Self(
      summary: "Second factor needed for \(account)",
      body: "\(program) needs the second factor of this account\(reason). To enter the code: ritualctl mfa verify "
        + "--account \(account)",
      actions: [(key: Keys.enterCode, words: "Enter code")])
  }

  /// The notification that a program requests an account.
  static func question(_ approval: Approval) -> Self {
    let name = approval.executable ?? approval.comm.map { "A program that calls itself \($0)" }
    let program = name.map { ForeignText.shown($0, limit: 80) } ?? "A program"
    let place = approval.unit.map { " in \(ForeignText.shown($0, limit: 80))" } ?? ""
    let use = approval.request.map { "send \(ForeignText.shown($0, limit: 160)) with this account" }
    // An answer for a while is for all requests of the rule.
    let pattern = approval.pattern.map { "The rule is about \(ForeignText.shown($0, limit: 160)). " } ?? ""
    let allow =
      approval.pattern == nil
      ? [(key: Keys.allow, words: "Allow")]
      : [(key: Keys.once, words: "Allow once"), (key: Keys.minutes, words: "Allow for 15 minutes")]
    return Self(
      summary: "Access request for \(ForeignText.shown(approval.account, limit: 40))",
      body: "\(program)\(place), process \(approval.pid), wants to \(use ?? "use this account"). \(pattern)"
        + "You can also answer with ritualctl approvals.",
      actions: allow + [(key: Keys.deny, words: "Deny")])
  }

  /// The action keys, returned when a button is pressed.
  enum Keys {
    static let signIn = "sign-in"
    static let enterCode = "enter-code"
    static let allow = "allow"
    static let once = "once"
    static let minutes = "minutes"
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
