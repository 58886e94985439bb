import AgentClient
import AgentProtocol
import ArgumentParser

/// `sign-out`: ends the session on this machine immediately, and on the server as soon as it is
/// reachable.
struct SignOutCommand: CallCommand {
  typealias Method = SessionSignOut
  static let configuration = CommandConfiguration(
    commandName: "sign-out", abstract: "Sign out on this machine and on the server.",
    discussion: "An anonymous user is lost with its session, so its sign-out requires --yes.", aliases: ["logout"]
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
  @Flag(help: "Also sign out anonymous users, who are then lost.") var yes = false
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if all && account.option != nil { throw ValidationError("use --account or --all, not both") }
  }

  var params: SessionSignOut.Params {
    SessionSignOut.Params(
      account: all ? nil : account.account, scope: SignOutScope(rawValue: scope.rawValue), all: all ? true : nil,
      discard: yes ? true : nil)
  }

  func end(_ result: SessionSignOut.Result, _ output: Output) -> ExitStatus {
    for name in result.pending {
      output.note("\(name): the server has not confirmed it yet; the agent keeps trying")
    }
    for failure in result.failed ?? [] {
      output.warning("\(failure.account): not signed out: \(failure.message)")
    }
    return result.failed == nil ? .done : .failed
  }

  /// The outcome for each account, in order of the names.
  func text(_ result: SessionSignOut.Result, _ style: Style) -> Words {
    let others = scope == .others
    let ended = result.accounts.map { account -> (String, Words) in
      guard result.pending.contains(account) else {
        return (account, others ? "the user's other sessions were ended" : "signed out")
      }
      return (
        account, others ? "the end of the user's other sessions is pending" : "signed out here, revocation pending"
      )
    }
    let failed = (result.failed ?? []).map { ($0.account, "still signed in" as Words) }
    let lines = (ended + failed).sorted { $0.0 < $1.0 }.map { "\($0.0): \($0.1)" as Words }
    return lines.isEmpty && result.failed == nil ? "no account was signed in" : lines.joined(separator: "\n")
  }
}
