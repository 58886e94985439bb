import ArgumentParser

/// `approvals`: what programs asked for under a rule with `action = "ask"`.
struct ApprovalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approvals",
    abstract: "Answer programs that have to be asked about before they use an account.",
    subcommands: [
      ApprovalsListCommand.self, ApprovalsAllowCommand.self, ApprovalsDenyCommand.self, ApprovalsRevokeCommand.self,
    ],
    defaultSubcommand: ApprovalsListCommand.self)
}
