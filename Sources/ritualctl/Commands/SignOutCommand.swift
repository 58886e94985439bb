import AgentClient
import AgentProtocol
import ArgumentParser

/// `sign-out`: here at once, at the server as soon as it can be reached (SE-4).
struct SignOutCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out", abstract: "End the session, here and at the server.")

  enum Scope: String, ExpressibleByArgument, CaseIterable {
    case local, global, others
  }

  @OptionGroup var account: AccountOption
  @Flag(help: "Sign out of every account.") var all = false
  @Option(help: "local: this session; global: every session of the user; others: every one but this, which stays.")
  var scope: Scope = .local
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if all && account.account != nil { throw ValidationError("give --account or --all, not both") }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let params = SessionSignOut.Params(
      account: account.account, scope: SignOutScope(rawValue: scope.rawValue), all: all ? true : nil)
    let result = try common.connect().call(SessionSignOut.self, params)
    try output.answer(SignOutAnswer(value: result, scope: scope))
    for name in result.pending {
      output.note("\(ForeignText.shown(name)): the server could not be reached; the agent tells it as soon as it can")
    }
    return .done
  }
}

private struct SignOutAnswer: Answer {
  let value: SessionSignOut.Result
  let scope: SignOutCommand.Scope

  func text(_ style: Style) -> String {
    guard !value.accounts.isEmpty else { return "nobody was signed in" }
    return value.accounts.map { name in
      let name = ForeignText.shown(name)
      return scope == .others ? "\(name): the user's other sessions were ended" : "\(name): signed out"
    }.joined(separator: "\n")
  }
}
