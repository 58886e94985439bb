import AgentClient
import AgentProtocol
import ArgumentParser

/// `vault remove-key`: a key that is not to open the vault any more.
struct VaultRemoveKeyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-key",
    abstract: "Remove a key of the vault; the last one stays.",
    discussion: "An older copy of the vault still opens with the removed key. `vault status` lists the keys.")

  @Argument(help: "The key's id, or the first digits of it, at least 4.") var id: String
  @Flag(help: "Read a passphrase that opens the vault from standard input, where no key file or credential does.")
  var passphraseStdin = false
  @OptionGroup var files: PresentKeyFiles
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    let keys = try connection.call(VaultStatus.self).keys
    let key = try keys.chosen(by: id)
    let passphrase = { passphraseStdin ? try PassphraseInput.fromStandardInput() : try PassphraseInput.present() }
    _ = try KeyCommand.presenting(keys, files, passphrase: passphrase) { present in
      try connection.call(
        VaultRemoveKey.self, VaultRemoveKey.Params(id: key.id, present: present), timeout: KeyCommand.patience)
    }
    try output.answer(RemovedAnswer(value: key))
    output.note(
      "an older copy of the vault still opens with the removed key; so that later copies do not:\n"
        + "  ritualctl vault rekey")
    return .done
  }
}

private struct RemovedAnswer: Answer {
  let value: VaultKey

  func text(_ style: Style) -> String { "removed: \(ForeignText.shown(value.id)) (\(value.kind.words))" }
}
