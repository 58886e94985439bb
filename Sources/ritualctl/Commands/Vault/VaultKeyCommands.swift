import AgentClient
import AgentProtocol
import ArgumentParser

struct VaultAddKeyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-key",
    abstract: "Add a key that unlocks the vault: a passphrase, a key file, or a systemd credential.",
    discussion: """
      With a passphrase, the key file's slot is removed after a prompt, because any program of the user could \
      unlock the vault with the key file; --keep-key-file and --drop-key-file answer the prompt. Passphrases are read from the \
      terminal or from standard input, never from an argument. The agent creates the key \
      file. Under systemd, it can write only to its own directories.
      """
  ).examples(
    "ritualctl vault add-key --passphrase", "# A spare key, to move to another disk",
    "ritualctl vault add-key --key-file ~/.local/share/ritual-agent/spare.key")
  static let documents = [JSONDocument(VaultAddKey.Result.self)]

  @Flag(help: "Ask for the new passphrase on the terminal.") var passphrase = false
  @Flag(
    help: ArgumentHelp(
      "Read the new passphrase from standard input, after the current one if nothing else unlocks the vault."))
  var passphraseStdin = false
  @Option(help: ArgumentHelp("Key file; created if it does not exist.", valueName: "file"), completion: .file())
  var keyFile: String?
  @Flag(help: "Use the agent's systemd credential ritual-agent.vault-key.") var credential = false
  @Flag(help: "Keep the key file's slot when a passphrase is added.") var keepKeyFile = false
  @Flag(help: "Remove the key file's slot without asking.") var dropKeyFile = false
  @Option(
    help: ArgumentHelp(
      "Replace this key, which must be of the same kind: its ID, or at least its first 4 digits.", valueName: "id"),
    completion: .custom(Completion.keys))
  var replace: String?
  @OptionGroup var files: PresentKeyFiles
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [passphrase, passphraseStdin, keyFile != nil, credential].count(where: { $0 }) == 1 else {
      throw ValidationError("use one of --passphrase, --passphrase-stdin, --key-file, and --credential")
    }
    if keepKeyFile && dropKeyFile { throw ValidationError("use --keep-key-file or --drop-key-file, not both") }
    if (keepKeyFile || dropKeyFile) && !isPassphrase {
      throw ValidationError("--keep-key-file and --drop-key-file require --passphrase or --passphrase-stdin")
    }
    if replace != nil && (keepKeyFile || dropKeyFile) {
      throw ValidationError("--replace cannot be combined with --keep-key-file or --drop-key-file")
    }
    if let keyFile, !keyFile.hasPrefix("/") { throw ValidationError("--key-file must be an absolute path") }
  }

  private var isPassphrase: Bool { passphrase || passphraseStdin }

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    let keys = try connection.call(VaultStatus.self).keys
    let replaces = try replace.map { try keys.chosen(by: $0).id }
    var asked: VaultAddKey.Params?
    let result = try KeyCommand.presenting(keys, files, fromStandardInput: passphraseStdin) { present in
      // Ask for the new passphrase only once, also when the call is retried.
      var params = try asked ?? params(keys, present)
      (params.present, params.replaces) = (present, replaces)
      asked = params
      return try connection.call(VaultAddKey.self, params, timeout: KeyCommand.requestTimeout)
    }
    let removed = result.removed.map { "\nremoved: \($0.id) (\($0.kind.displayName))" as Words }
    try output.answer(result, "added: \(result.key.id) (\(result.key.kind.displayName))" + removed.joined())
    if !removed.isEmpty { output.note(KeyCommand.olderCopies) }
    return .done
  }

  private func params(_ keys: [VaultKey], _ present: PresentKeys) throws -> VaultAddKey.Params {
    if let keyFile { return VaultAddKey.Params(kind: .keyFile, path: keyFile, present: present) }
    if credential { return VaultAddKey.Params(kind: .credential, present: present) }
    let keeps = try replace == nil && keys.contains { $0.kind == .keyFile } ? keepsKeyFile() : true
    let new = try passphraseStdin ? PassphraseInput.fromStandardInput() : PassphraseInput.new()
    return VaultAddKey.Params(kind: .passphrase, passphrase: new, present: present, keepKeyFile: keeps)
  }

  private func keepsKeyFile() throws -> Bool {
    if keepKeyFile || dropKeyFile { return keepKeyFile }
    guard let terminal = ControllingTerminal.open() else {
      throw Failure(
        .usage, "specify whether to keep the key file, with which any program of the user can unlock the vault",
        hint: "add --drop-key-file or --keep-key-file")
    }
    return try !terminal.confirm("Remove the key file, so that only the passphrase unlocks the vault?", byDefault: true)
  }
}

struct VaultRemoveKeyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-key",
    abstract: "Remove a vault key. The last one cannot be removed.",
    discussion: "The removed key still unlocks older copies of the vault. `vault status` lists the keys."
  ).examples("ritualctl vault remove-key 5d81")
  static let documents = [JSONDocument(VaultKey.self)]

  @Argument(help: "ID of the key, or at least its first 4 digits.", completion: .custom(Completion.keys))
  var id: String
  @Flag(help: "Read a passphrase from standard input if no key file or credential unlocks the vault.")
  var passphraseStdin = false
  @OptionGroup var files: PresentKeyFiles
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    let keys = try connection.call(VaultStatus.self).keys
    let key = try keys.chosen(by: id)
    _ = try KeyCommand.presenting(keys, files, fromStandardInput: passphraseStdin) { present in
      try connection.call(
        VaultRemoveKey.self, VaultRemoveKey.Params(id: key.id, present: present), timeout: KeyCommand.requestTimeout)
    }
    try output.answer(key, "removed: \(key.id) (\(key.kind.displayName))")
    output.note(KeyCommand.olderCopies)
    return .done
  }
}

/// `vault rekey`: replaces the master key.
struct VaultRekeyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Create a new master key and re-encrypt the vault.",
    discussion: "Requires all keys of the vault. The old keys still unlock older copies of the vault."
  ).examples("ritualctl vault rekey", "ritualctl vault rekey --present-key-file /media/usb/vault.key")
  static let documents = [JSONDocument(VaultRekey.Result.self)]

  @Flag(help: "Read the passphrases from standard input, one per line, in the order of `vault status`.")
  var passphraseStdin = false
  @OptionGroup var files: PresentKeyFiles
  @OptionGroup var common: CommonOptions

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    let keys = try connection.call(VaultStatus.self).keys
    let asks = !passphraseStdin && keys.contains { $0.kind == .passphrase }
    let result = try PassphraseInput.attempts(asks ? PassphraseInput.maxAttempts : 1) {
      let present = try KeyCommand.presentAll(keys, files) { key in
        try PassphraseInput.present(
          "Passphrase of the key \(key.id.prefix(8)) (ritualctl vault status): ", fromStandardInput: passphraseStdin)
      }
      return try connection.call(
        VaultRekey.self, VaultRekey.Params(present: present), timeout: KeyCommand.requestTimeout)
    }
    try output.answer(result, "the vault has a new master key (generation \(result.generation))")
    output.note("the old keys still unlock older copies of the vault")
    return .done
  }
}
