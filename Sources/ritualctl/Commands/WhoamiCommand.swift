import AgentClient
import AgentProtocol
import ArgumentParser

/// `whoami`: prints who is signed in, as the part of `status` that a person asks for most.
struct WhoamiCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami",
    abstract: "Show the user who is signed in.",
    discussion: "Shows the user of the account (named or default). The exit status is that of `ritualctl status`."
  ).examples("ritualctl whoami", "ritualctl whoami --account work --json")
  static let documents = [JSONDocument(AccountStatus.self)]

  @OptionGroup var account: AccountOption
  @OptionGroup var timeout: AnswerTimeout
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let name = account.account
    let status = try common.ask(AgentStatusMethod.self, Empty(), within: timeout.limit).limited(to: name)
    guard let asked = status.account(name), asked.user != nil,
      ![.unauthenticated, .signInNeeded].contains(asked.state)
    else { throw status.noUser(name) }
    try output.answer(WhoamiAnswer(value: asked))
    return status.exitStatus(name)
  }
}

extension AgentStatusMethod.Result {
  /// Why there is no user, in the agent's words for a token.
  fileprivate func noUser(_ name: String?) -> Failure {
    guard vault.isOpen else { return closedVault(name) }
    guard let account = account(name) else {
      let words = accounts.isEmpty ? "No account is signed in." : "There is no default account."
      return Failure(AgentError(.signInNeeded, words, hint: accounts.isEmpty ? firstCommand : "ritualctl use ACCOUNT"))
    }
    // The default message is that of a session that has ended.
    let words = account.state == .signInNeeded ? nil : "Account \(ForeignText.shown(account.name)) is not signed in."
    return Failure(AgentError(.signInNeeded, words, account: account.name))
  }
}

/// Such as `anna@example.org (Google), account work`.
private struct WhoamiAnswer: Answer {
  let value: AccountStatus

  func text(_ style: Style) -> String {
    let level = value.assurance.flatMap {
      $0.current == AccountAssurance.aal1 ? nil : ", \(ForeignText.shown($0.current))"
    }
    return "\(value.user?.displayName ?? ""), account \(ForeignText.shown(value.name))\(level ?? "")"
  }
}
