import AgentClient
import AgentProtocol
import ArgumentParser

/// `identities`: the ways to sign in that belong to the account's user (LK-3).
struct IdentitiesCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "identities", abstract: "List the ways to sign in of the account's user.")

  @OptionGroup var account: AccountOption
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    try output.answer(IdentitiesShown(value: try common.connect().call(IdentityList.self, account.params)))
    return .done
  }
}

struct IdentitiesShown: Answer {
  let value: IdentityList.Result

  func text(_ style: Style) -> String {
    var table = Table(gaps: [2, 2])
    for identity in value.identities {
      table.rows.append([
        .init(ForeignText.shown(identity.identityID)), .init(ProviderName.shown(identity.provider)),
        .init(ForeignText.shown(identity.email ?? "")),
      ])
    }
    let note = value.isCurrent ? [] : ["the server cannot be asked now; this is what it said last"]
    return (table.lines(style) + note).joined(separator: "\n")
  }
}
