import AgentClient
import AgentProtocol
import ArgumentParser

/// `unlock`: by key file or credential, else by a passphrase.
struct UnlockCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock the vault.",
    discussion:
      "Tries the key file and the systemd credential; where the vault has neither, asks for the passphrase on the terminal."
  )

  @Flag(help: "Read the passphrase from standard input.") var passphraseStdin = false
  @Option(help: ArgumentHelp("A key file that lies elsewhere than the agent's own.", valueName: "file"))
  var keyFile: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if passphraseStdin && keyFile != nil { throw ValidationError("give one key: --passphrase-stdin or --key-file") }
    if let keyFile, !keyFile.hasPrefix("/") { throw ValidationError("the path of a key file begins with /") }
  }

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    let result = try unlock(connection)
    try output.answer(UnlockAnswer(value: result))
    return .done
  }

  private func unlock(_ connection: AgentConnection) throws -> VaultUnlock.Result {
    if let keyFile { return try unlock(connection, VaultUnlock.Params(keyFile: keyFile)) }
    if passphraseStdin {
      return try unlock(connection, VaultUnlock.Params(passphrase: PassphraseInput.fromStandardInput()))
    }
    let kinds = Set(try connection.call(VaultStatus.self).keys.map(\.kind))
    if kinds.contains(.keyFile) || kinds.contains(.credential) {
      do {
        return try unlock(connection, VaultUnlock.Params())
      } catch let error as AgentError where error.kind == .wrongKey && kinds.contains(.passphrase) {
        // The files are not there, and a passphrase may be.
      }
    }
    return try unlock(connection, VaultUnlock.Params(passphrase: PassphraseInput.present()))
  }

  private func unlock(_ connection: AgentConnection, _ params: VaultUnlock.Params) throws -> VaultUnlock.Result {
    try connection.call(VaultUnlock.self, params, timeout: KeyCommand.patience)
  }
}

private struct UnlockAnswer: Answer {
  let value: VaultUnlock.Result

  func text(_ style: Style) -> String { "the vault is open (\(value.key.kind.words))" }
}
