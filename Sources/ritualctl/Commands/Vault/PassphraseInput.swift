import AgentProtocol
import Glibc

/// Passphrases from the terminal, without echo, or from standard input; never from an argument.
enum PassphraseInput {
  /// Bytes, as the vault has it.
  static let limit = 1024

  /// A line of standard input.
  static func fromStandardInput() throws -> SecretText {
    SecretText(try Streams.readSecret("passphrase", limit: limit))
  }

  /// One that opens the vault.
  static func present(_ question: String = "Passphrase of the vault: ") throws -> SecretText {
    SecretText(try answer(question, try terminal()))
  }

  /// One that is to open it: asked for twice, since a typing error would lock its owner out.
  static func new() throws -> SecretText {
    let terminal = try terminal()
    let passphrase = try answer("New passphrase: ", terminal)
    guard try terminal.askSecretly("The same again: ") == passphrase else {
      throw Failure(.failed, "the two passphrases differ")
    }
    return SecretText(passphrase)
  }

  private static func terminal() throws -> ControllingTerminal {
    if let terminal = ControllingTerminal.open() { return terminal }
    throw Failure(
      .usage, "there is no terminal to ask for the passphrase on", hint: "use --passphrase-stdin, with < FILE")
  }

  private static func answer(_ question: String, _ terminal: ControllingTerminal) throws -> String {
    let passphrase = try terminal.askSecretly(question)
    guard !passphrase.isEmpty else { throw Failure(.cancelled, "cancelled") }
    guard passphrase.utf8.count <= limit else { throw Failure(.usage, "a passphrase has at most \(limit) bytes") }
    return passphrase
  }
}
