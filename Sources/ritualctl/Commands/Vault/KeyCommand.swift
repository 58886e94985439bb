import AgentClient
import AgentProtocol
import ArgumentParser

/// Functions for commands that change keys and must present a key that unlocks the vault.
enum KeyCommand {
  /// The timeout of a request with a passphrase. A passphrase takes about half a second; this
  /// allows for queued requests and slow machines.
  static let requestTimeout = Duration.seconds(180)
  /// The note after a key was removed or replaced.
  static let olderCopies: Words =
    "the removed key still unlocks older copies of the vault; to protect later copies:\n  ritualctl vault rekey"

  /// The keys to present: the named key files, else the agent's own key file or the credential if
  /// the vault has such a key; nil if it has only passphrases.
  private static func present(_ keys: [VaultKey], _ files: PresentKeyFiles) -> PresentKeys? {
    if !files.presentKeyFile.isEmpty { return PresentKeys(keyFiles: files.presentKeyFile) }
    let kinds = Set(keys.map(\.kind))
    if kinds.contains(.keyFile) { return PresentKeys(keyFile: true) }
    return kinds.contains(.credential) ? PresentKeys(credential: true) : nil
  }

  /// Returns the result of `call` with those keys. If the agent's key file or credential does not
  /// unlock the vault, retries with a passphrase, as an unlock does.
  static func presenting<Result>(
    _ keys: [VaultKey], _ files: PresentKeyFiles, fromStandardInput isRead: Bool,
    _ call: (PresentKeys) throws -> Result
  ) throws -> Result {
    if let first = present(keys, files) {
      do {
        return try call(first)
      } catch let error as AgentError where error.kind == .wrongKey {
        guard files.presentKeyFile.isEmpty, keys.contains(where: { $0.kind == .passphrase }) else { throw error }
      }
    }
    return try PassphraseInput.attempts(isRead ? 1 : PassphraseInput.maxAttempts) {
      try call(PresentKeys(passphrases: [PassphraseInput.present(fromStandardInput: isRead)]))
    }
  }

  /// Presents every key of the vault.
  static func presentAll(
    _ keys: [VaultKey], _ files: PresentKeyFiles, passphrase: (VaultKey) throws -> SecretText
  ) throws -> PresentKeys {
    let kinds = Set(keys.map(\.kind))
    let passphrases = try keys.filter { $0.kind == .passphrase }.map(passphrase)
    return PresentKeys(
      keyFile: kinds.contains(.keyFile) ? true : nil,
      keyFiles: files.presentKeyFile.isEmpty ? nil : files.presentKeyFile,
      credential: kinds.contains(.credential) ? true : nil,
      passphrases: passphrases.isEmpty ? nil : passphrases)
  }
}

/// Key files other than the agent's own, whose paths the agent does not know.
struct PresentKeyFiles: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Key file that unlocks the vault, other than the agent's own; may be repeated.", valueName: "file"),
    completion: .file())
  var presentKeyFile: [String] = []

  func validate() throws {
    guard presentKeyFile.allSatisfy({ $0.hasPrefix("/") }) else {
      throw ValidationError("--present-key-file must be an absolute path")
    }
  }
}

extension [VaultKey] {
  /// The only key whose id starts with `prefix`, which needs at least 4 digits.
  func chosen(by prefix: String) throws -> VaultKey {
    let found = filter { prefix.count >= 4 && $0.id.hasPrefix(prefix.lowercased()) }
    guard found.count == 1 else {
      let shown = Words(prefix, limit: 40)
      let words: Words = found.isEmpty ? "the vault has no key \(shown)" : "more than one key starts with \(shown)"
      throw Failure(.usage, words, hint: "ritualctl vault status")
    }
    return found[0]
  }
}

extension VaultKeyKind {
  /// The display name.
  var displayName: Words {
    switch self {
    case .keyFile: "key file"
    case .passphrase: "passphrase"
    case .credential: "systemd credential"
    default: Words(rawValue)
    }
  }
}
