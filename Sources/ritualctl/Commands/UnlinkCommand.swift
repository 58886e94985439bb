import AgentClient
import AgentProtocol
import ArgumentParser

/// `unlink`: takes a way to sign in away (LK-3).
struct UnlinkCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Take a way to sign in away from the account's user; the last one stays.")

  @Argument(help: ArgumentHelp("The id that ritualctl identities shows.", valueName: "id")) var identity: String
  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let params = IdentityUnlink.Params(account: account.account, identityID: identity)
    try output.answer(IdentitiesShown(value: try common.connect().call(IdentityUnlink.self, params)))
    return .done
  }
}
