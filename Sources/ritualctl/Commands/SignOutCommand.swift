import AgentClient
import AgentProtocol
import ArgumentParser

/// `sign-out`: ends the session on this machine immediately, and on the server as soon as it is
/// reachable (SE-4).
struct SignOutCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out", abstract: "Sign out on this machine and on the server.",
    discussion: "An anonymous user is lost with its session, so its sign-out requires --yes.", aliases: ["logout"]
  ).examples(
    "ritualctl sign-out", "ritualctl sign-out --all", "# End the user's sessions on all devices",
    "ritualctl sign-out --account work --scope global")
  static let documents = [JSONDocument(SessionSignOut.Result.self)]

  enum Scope: String, ExpressibleByArgument, CaseIterable {
    case local, global, others
  }

  @OptionGroup var account: AccountOption
  @Flag(help: "Sign out of all accounts.") var all = false
  @Option(help: "local: this session; global: all sessions of the user; others: all sessions except this one.")
  var scope: Scope = .local
  @Flag(help: "Also sign out anonymous users, who are then lost.") var yes = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if all && account.option != nil { throw ValidationError("use --account or --all, not both") }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let params = SessionSignOut.Params(
      account: all ? nil : account.account, scope: SignOutScope(rawValue: scope.rawValue), all: all ? true : nil,
      discard: yes ? true : nil)
    let result = try common.connect().call(SessionSignOut.self, params)
    try output.answer(SignOutAnswer(value: result, scope: scope))
    for name in result.pending {
      output.note("\(ForeignText.shown(name)): the server has not confirmed it yet; the agent keeps trying")
    }
    for failure in result.failed ?? [] {
      output.warning("\(ForeignText.shown(failure.account)): not signed out: \(ForeignText.shown(failure.message))")
    }
    return result.failed == nil ? .done : .failed
  }
}

/// The outcome for each account.
private struct SignOutAnswer: Answer {
  private enum Outcome { case signedOut, pending, failed }

  let value: SessionSignOut.Result
  let scope: SignOutCommand.Scope

  /// By account, in order of the names.
  private var outcomes: [(account: String, outcome: Outcome)] {
    let ended = value.accounts.map { ($0, value.pending.contains($0) ? Outcome.pending : .signedOut) }
    let failed = (value.failed ?? []).map { ($0.account, Outcome.failed) }
    return (ended + failed).sorted { $0.0 < $1.0 }.map { (account: $0.0, outcome: $0.1) }
  }

  func text(_ style: Style) -> String {
    guard !value.accounts.isEmpty || value.failed != nil else { return "no account was signed in" }
    return outcomes.map { account, outcome in
      let name = ForeignText.shown(account)
      switch outcome {
      case .failed: return "\(name): still signed in"
      case .pending:
        return scope == .others
          ? "\(name): the end of the user's other sessions is pending"
          : "\(name): signed out here, revocation pending"
      case .signedOut: return scope == .others ? "\(name): the user's other sessions were ended" : "\(name): signed out"
      }
    }.joined(separator: "\n")
  }
}
