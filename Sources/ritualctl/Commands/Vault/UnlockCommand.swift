import AgentClient
import AgentProtocol
import ArgumentParser
import Glibc

struct UnlockCommand: CallCommand {
  typealias Method = VaultUnlock
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock the vault.",
    discussion:
      "Tries the key file and the systemd credential. If neither unlocks the vault, asks for the passphrase."
  ).examples(
    "ritualctl unlock", "ritualctl unlock --key-file /media/usb/vault.key",
    "pass ritual-vault | ritualctl unlock --passphrase-stdin")

  @Flag(help: "Read the passphrase from standard input.") var passphraseStdin = false
  @Option(help: ArgumentHelp("Key file other than the agent's own.", valueName: "file"), completion: .file())
  var keyFile: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if passphraseStdin && keyFile != nil { throw ValidationError("use --passphrase-stdin or --key-file, not both") }
    if let keyFile, !keyFile.hasPrefix("/") { throw ValidationError("--key-file must be an absolute path") }
  }

  var params: VaultUnlock.Params { VaultUnlock.Params(keyFile: keyFile) }

  func text(_ result: VaultUnlock.Result, _ style: Style) -> Words {
    "the vault is unlocked (\(result.key.kind.displayName))"
  }

  func call() throws -> VaultUnlock.Result {
    let connection = try common.connect()
    if keyFile != nil { return try unlock(connection, params) }
    if passphraseStdin {
      return try unlock(connection, VaultUnlock.Params(passphrase: PassphraseInput.fromStandardInput()))
    }
    let kinds = Set(try connection.call(VaultStatus.self).keys.map(\.kind))
    if kinds.contains(.keyFile) || kinds.contains(.credential) {
      do {
        return try unlock(connection, VaultUnlock.Params())
      } catch let error as AgentError where error.kind == .wrongKey && kinds.contains(.passphrase) {
        // Neither key file nor credential unlocks the vault; a passphrase may.
      }
    }
    return try PassphraseInput.attempts {
      try unlock(connection, VaultUnlock.Params(passphrase: PassphraseInput.present(fromStandardInput: false)))
    }
  }

  private func unlock(_ connection: AgentConnection, _ params: VaultUnlock.Params) throws -> VaultUnlock.Result {
    try connection.call(VaultUnlock.self, params, timeout: KeyCommand.requestTimeout)
  }
}

/// `lock`: locks the vault until `unlock`, also across restarts.
struct LockCommand: CallCommand {
  typealias Method = VaultLock
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock the vault. No tokens are issued or refreshed until it is unlocked.",
    discussion: "The vault stays locked when the agent restarts. Refreshes in progress are finished first, within 3 s."
  ).examples("ritualctl lock")

  @OptionGroup var common: CommonOptions

  func text(_ result: VaultLock.Result, _ style: Style) -> Words { "the vault is locked" }

  func end(_ result: VaultLock.Result, _ output: Output) -> ExitStatus {
    // The JSON document has a member for the warning.
    if let warning = result.warning, !output.json { output.warning("\(warning, limit: 1000)") }
    // The vault is locked, even if the agent stops meanwhile and does not answer.
    if result.opensByFile, let keys = try? common.connect().call(VaultStatus.self).keys {
      output.note(Self.advice(keys))
    }
    return .done
  }

  /// How to require the passphrase: with one, the other keys are removed.
  private static func advice(_ keys: [VaultKey]) -> Words {
    let others = keys.filter { $0.kind != .passphrase }
    let commands: [Words] =
      others.count == keys.count
      ? ["ritualctl vault add-key --passphrase"] : others.map { "ritualctl vault remove-key \($0.id)" }
    return "any program of the user can unlock it with the key file or credential; to require a passphrase:\n  "
      + commands.joined(separator: "\n  ")
  }
}

/// Reads passphrases from the terminal without echo, or from standard input; never from an
/// argument.
enum PassphraseInput {
  /// The maximum length in bytes, as in the vault.
  static let limit = 1024

  /// Reads a line of standard input.
  static func fromStandardInput() throws -> SecretText {
    SecretText(try Streams.readSecret("passphrase", limit: limit))
  }

  /// Asks for a passphrase that unlocks the vault, or reads it from standard input.
  static func present(_ question: Words = "Vault passphrase: ", fromStandardInput isRead: Bool) throws -> SecretText {
    try isRead ? fromStandardInput() : SecretText(answer(question, terminal()))
  }

  /// Calls `body`, which asks for a passphrase on the terminal, again after a wrong one.
  static func attempts<Result>(_ count: Int = maxAttempts, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as AgentError where error.kind == .wrongKey && count > 1 {
      try terminal().show("wrong passphrase, try again")
      return try attempts(count - 1, body)
    }
  }

  /// As many as login(1) and sudo(8) allow.
  static let maxAttempts = 3

  /// Asks twice for a new passphrase, because a typing error would lock the user out.
  static func new() throws -> SecretText {
    let terminal = try terminal()
    let passphrase = try answer("New passphrase: ", terminal)
    guard try terminal.askSecretly("Confirm passphrase: ") == passphrase else {
      throw Failure(.failed, "the passphrases do not match")
    }
    return SecretText(passphrase)
  }

  private static func terminal() throws -> ControllingTerminal {
    if let terminal = ControllingTerminal.open() { return terminal }
    throw Failure(
      .usage, "there is no terminal to prompt for the passphrase", hint: "use --passphrase-stdin < FILE")
  }

  private static func answer(_ question: Words, _ terminal: ControllingTerminal) throws -> String {
    let passphrase = try terminal.askSecretly(question)
    guard !passphrase.isEmpty else { throw Failure(.cancelled, "cancelled") }
    guard passphrase.utf8.count <= limit else { throw Failure(.usage, "a passphrase can have at most \(limit) bytes") }
    return passphrase
  }
}
