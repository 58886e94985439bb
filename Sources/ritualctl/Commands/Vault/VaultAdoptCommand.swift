import AgentClient
import AgentProtocol
import ArgumentParser

/// `vault adopt`: takes over a vault that came from another machine (VA-8).
struct VaultAdoptCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Use a vault here that was copied from another machine.",
    discussion:
      "The other machine must let go of its sessions first: two holders of one session sign each other out. Sign in anew "
      + "instead where both are to go on.")

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.connect().call(VaultAdopt.self)
    try output.answer(AdoptAnswer(value: result))
    if !result.accounts.isEmpty {
      output.note("the other machine must not use them any more: two holders of one session sign each other out")
    }
    return .done
  }
}

private struct AdoptAnswer: Answer {
  let value: VaultAdopt.Result

  func text(_ style: Style) -> String {
    let names = value.accounts.map { ForeignText.shown($0) }.joined(separator: ", ")
    return "the vault is at home on this machine" + (names.isEmpty ? "" : "; taken over: \(names)")
  }
}
