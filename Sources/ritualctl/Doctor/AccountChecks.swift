import AgentClient
import AgentProtocol

/// Whether each account can give a token. Names of accounts are shown, and nothing of who is signed in.
enum AccountChecks {
  static func checks(of connection: AgentConnection, timeout: Duration) -> [DiagnosticCheck] {
    do {
      let status = try connection.call(AgentStatusMethod.self, timeout: timeout)
      guard status.accounts.isEmpty else { return status.accounts.map(check) }
      let isOpen = status.vault.state == "open"
      return [
        DiagnosticCheck(
          "accounts", .warn, isOpen ? "no account is signed in" : "not known while the vault is not open",
          next: isOpen ? "ritualctl sign-in" : nil)
      ]
    } catch {
      let failure = Failure(error)
      return [DiagnosticCheck("accounts", .fail, failure.message, next: failure.hints.first)]
    }
  }

  private static func check(_ account: AccountStatus) -> DiagnosticCheck {
    let name = ForeignText.shown(account.name, limit: 40)
    func row(_ outcome: CheckOutcome, _ words: String, next: String? = nil) -> DiagnosticCheck {
      DiagnosticCheck("accounts", outcome, "\(name): \(words)", next: next)
    }
    switch account.state {
    case .authenticated where account.tokenUsable: return row(.ok, "signed in")
    case .authenticated, .degraded:
      return row(
        account.tokenUsable ? .warn : .fail,
        "signed in, but a refresh is overdue" + (account.tokenUsable ? "" : " and the token has expired"),
        next: "ritualctl why --account \(name)")
    case .unauthenticated, .signInNeeded:
      return row(.fail, "a sign-in is needed", next: "ritualctl sign-in --account \(name)")
    case .locked: return row(.warn, "not known while the vault is locked", next: "ritualctl unlock")
    case .copied: return row(.fail, "the vault was copied from another machine", next: "ritualctl vault adopt")
    case .misconfigured:
      return row(
        .fail, "the configuration does not fit this account", next: "ritualctl status --account \(name)")
    default:
      return row(.warn, "in a state that this ritualctl does not know", next: "ritualctl status --account \(name)")
    }
  }
}
