import AgentClient
import AgentProtocol
import ArgumentParser

/// `vault add-key`: adds a key that opens the vault.
struct VaultAddKeyCommand: AgentCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-key",
    abstract: "Add a key that opens the vault: a passphrase, a key file, or a systemd credential.",
    discussion: """
      With a passphrase the key file's slot is removed, after a question, for any program of the user could open the vault \
      by it; --keep-key-file and --drop-key-file answer the question. Passphrases come from the terminal or from standard \
      input, never from an argument.
      """)

  @Flag(help: "Ask for the new passphrase on the terminal, twice.") var passphrase = false
  @Flag(
    help: ArgumentHelp(
      "Read the new passphrase from standard input; the present one on a line before it, where nothing else opens the vault."
    ))
  var passphraseStdin = false
  @Option(help: ArgumentHelp("A key file, made if it is not there.", valueName: "file")) var keyFile: String?
  @Flag(help: "The systemd credential ritual-agent.vault-key that the agent was given.") var credential = false
  @Flag(help: "Leave the key file's slot beside a passphrase.") var keepKeyFile = false
  @Flag(help: "Remove the key file's slot without a question.") var dropKeyFile = false
  @Option(
    help: ArgumentHelp(
      "Put the new key in the place of this one, of the same kind: its id, or the first digits of it.", valueName: "id")
  )
  var replace: String?
  @OptionGroup var files: PresentKeyFiles
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [passphrase, passphraseStdin, keyFile != nil, credential].count(where: { $0 }) == 1 else {
      throw ValidationError("give one of --passphrase, --passphrase-stdin, --key-file, --credential")
    }
    if keepKeyFile && dropKeyFile { throw ValidationError("--keep-key-file and --drop-key-file exclude each other") }
    if (keepKeyFile || dropKeyFile) && !isPassphrase {
      throw ValidationError("--keep-key-file and --drop-key-file belong to a passphrase")
    }
    if replace != nil && (keepKeyFile || dropKeyFile) {
      throw ValidationError("with --replace no other key changes: leave out --keep-key-file and --drop-key-file")
    }
    if let keyFile, !keyFile.hasPrefix("/") { throw ValidationError("the path of a key file begins with /") }
  }

  private var isPassphrase: Bool { passphrase || passphraseStdin }

  func perform(_ output: Output) throws -> ExitStatus {
    let connection = try common.connect()
    let keys = try connection.call(VaultStatus.self).keys
    let replaces = try replace.map { try keys.chosen(by: $0).id }
    let passphrase = { passphraseStdin ? try PassphraseInput.fromStandardInput() : try PassphraseInput.present() }
    var asked: VaultAddKey.Params?
    let result = try KeyCommand.presenting(keys, files, passphrase: passphrase) { present in
      // Ask for the new passphrase only once, also when the call is retried.
      var params = try asked ?? params(keys, present)
      (params.present, params.replaces) = (present, replaces)
      asked = params
      return try connection.call(VaultAddKey.self, params, timeout: KeyCommand.requestTimeout)
    }
    try output.answer(AddedAnswer(value: result))
    if !result.removed.isEmpty {
      output.note("an older copy of the vault still opens with the removed key\n  ritualctl vault rekey")
    }
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
        .usage, "say whether the key file is still to open the vault, as any program of the user can by it",
        hint: "add --drop-key-file or --keep-key-file")
    }
    let answer = try terminal.ask("Shall the passphrase alone open the vault, and the key file no more? [Y/n] ")
    return !["", "y", "yes"].contains(answer.lowercased())
  }
}

private struct AddedAnswer: Answer {
  let value: VaultAddKey.Result

  func text(_ style: Style) -> String {
    let removed = value.removed.map { "removed: \(ForeignText.shown($0.id)) (\($0.kind.displayName))" }
    return (["added: \(ForeignText.shown(value.key.id)) (\(value.key.kind.displayName))"] + removed).joined(
      separator: "\n")
  }
}

/// `vault remove-key`: removes a key.
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
        VaultRemoveKey.self, VaultRemoveKey.Params(id: key.id, present: present), timeout: KeyCommand.requestTimeout)
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

  func text(_ style: Style) -> String { "removed: \(ForeignText.shown(value.id)) (\(value.kind.displayName))" }
}

/// `vault rekey`: replaces the master key (VA-3).
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
      VaultRekey.self, VaultRekey.Params(present: present), timeout: KeyCommand.requestTimeout)
    try output.answer(RekeyAnswer(value: result))
    output.note("copies that were made before still open with the keys that they had")
    return .done
  }
}

private struct RekeyAnswer: Answer {
  let value: VaultRekey.Result

  func text(_ style: Style) -> String { "the vault has a new master key (generation \(value.generation))" }
}
