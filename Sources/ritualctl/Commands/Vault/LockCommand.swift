import AgentClient
import AgentProtocol
import ArgumentParser

/// `lock`: until `unlock`, over restarts (VA-4).
struct LockCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock the vault: no token is handed out or refreshed until it is unlocked.",
    discussion: "It stays locked over restarts of the agent. Refreshes that were sent are finished first, within 3 s.")

  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let result = try common.connect().call(VaultLock.self)
    try output.answer(LockAnswer(value: result))
    // The document has it as a member of its own.
    if let warning = result.warning, !output.json { output.warning(ForeignText.shown(warning, limit: 1000)) }
    if result.opensByFile {
      output.note(
        "any program of the user can unlock it, for it opens by a key file or credential\n"
          + "  ritualctl vault add-key --passphrase")
    }
    return .done
  }
}

private struct LockAnswer: Answer {
  let value: VaultLock.Result

  func text(_ style: Style) -> String { "the vault is locked" }
}
