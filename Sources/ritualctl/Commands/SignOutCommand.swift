import AgentClient
import AgentProtocol
import ArgumentParser

/// `sign-out`: ends the session on this machine immediately, and on the server as soon as it is
/// reachable (SE-4).
struct SignOutCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out", abstract: "Sign out on this machine and on the server.", aliases: ["logout"]
  ).examples(
    "ritualctl sign-out", "ritualctl sign-out --all", "# End the user's sessions on all devices",
    "ritualctl sign-out --account work --scope global")

  enum Scope: String, ExpressibleByArgument, CaseIterable {
    case local, global, others
  }

  @OptionGroup var account: AccountOption
  @Flag(help: "Sign out of all accounts.") var all = false
  @Option(help: "local: this session; global: all sessions of the user; others: all sessions except this one.")
  var scope: Scope = .local
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if all && account.option != nil { throw ValidationError("use --account or --all, not both") }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let params = SessionSignOut.Params(
      account: all ? nil : account.account, scope: SignOutScope(rawValue: scope.rawValue), all: all ? true : nil)
    let result = try common.connect().call(SessionSignOut.self, params)
    try output.answer(SignOutAnswer(value: result, scope: scope))
    for name in result.pending {
      output.note("\(ForeignText.shown(name)): the server could not be reached; the agent keeps trying")
    }
    for failure in result.failed ?? [] {
      output.note("\(ForeignText.shown(failure.account)): not signed out: \(ForeignText.shown(failure.message))")
    }
    return result.failed == nil ? .done : .failed
  }
}

/// The agent's answer with the outcome for each account.
private struct SignOutAnswer: Answer {
  private struct Outcome: Encodable {
    var account: String
    /// `signedOut`, `pending` (signed out on this machine, revocation pending on the server) or
    /// `failed`.
    var outcome: String
    var error: String?
  }

  let value: SessionSignOut.Result
  let scope: SignOutCommand.Scope

  private enum Key: String, CodingKey { case outcomes }

  func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(outcomes, forKey: .outcomes)
  }

  private var outcomes: [Outcome] {
    let ended = value.accounts.map {
      Outcome(account: $0, outcome: value.pending.contains($0) ? "pending" : "signedOut")
    }
    let failed = (value.failed ?? []).map { Outcome(account: $0.account, outcome: "failed", error: $0.kind.rawValue) }
    return (ended + failed).sorted { $0.account < $1.account }
  }

  func text(_ style: Style) -> String {
    guard !value.accounts.isEmpty || value.failed != nil else { return "no account was signed in" }
    return outcomes.map { outcome in
      let name = ForeignText.shown(outcome.account)
      switch outcome.outcome {
      case "failed": return "\(name): still signed in"
      case "pending":
        return scope == .others
          ? "\(name): the user's other sessions will end when the server is reachable"
          : "\(name): signed out here, revocation pending"
      default: return scope == .others ? "\(name): the user's other sessions were ended" : "\(name): signed out"
      }
    }.joined(separator: "\n")
  }
}
