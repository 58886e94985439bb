import ArgumentParser

/// `vault`: the group of commands about the vault itself.
struct VaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vault",
    abstract: "Look after the vault: its state, its keys, its home.",
    subcommands: [
      VaultStatusCommand.self, VaultVerifyCommand.self, VaultAddKeyCommand.self, VaultRemoveKeyCommand.self,
      VaultRekeyCommand.self, VaultAdoptCommand.self,
    ])
}
