import AgentClient
import AgentProtocol
import ArgumentParser

/// `vault rekey`: a new master key (VA-3).
struct VaultRekeyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Make a new master key and seal everything anew.",
    discussion: "Needs every key of the vault. Copies that were made before still open with the keys that they had.")

  @Flag(help: "Read the passphrases from standard input, a line each, in the order of `vault status`.")
  var passphraseStdin = false
  @OptionGroup var files: PresentKeyFiles
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    let keys = try connection.call(VaultStatus.self).keys
    let present = try KeyCommand.presentAll(keys, files) { key in
      if passphraseStdin { return try PassphraseInput.fromStandardInput() }
      return try PassphraseInput.present("Passphrase \(ForeignText.shown(key.id, limit: 8)): ")
    }
    let result = try connection.call(
      VaultRekey.self, VaultRekey.Params(present: present), timeout: KeyCommand.patience)
    try output.answer(RekeyAnswer(value: result))
    output.note("copies that were made before still open with the keys that they had")
    return .done
  }
}

private struct RekeyAnswer: Answer {
  let value: VaultRekey.Result

  func text(_ style: Style) -> String { "the vault has a new master key (generation \(value.generation))" }
}
