import AgentClient
import AgentProtocol
import ArgumentParser

/// What the commands that change keys have in common: they present a key that opens the vault.
enum KeyCommand {
  /// A passphrase takes about half a second, with some in a queue and slow machines in mind.
  static let patience = Duration.seconds(180)

  /// The key files that were named, else the agent's own or the credential where one of them opens the vault, else a
  /// passphrase.
  private static func present(
    _ keys: [VaultKey], _ files: PresentKeyFiles, passphrase: () throws -> SecretText
  ) throws -> PresentKeys {
    if !files.presentKeyFile.isEmpty { return PresentKeys(keyFiles: files.presentKeyFile) }
    let kinds = Set(keys.map(\.kind))
    if kinds.contains(.keyFile) { return PresentKeys(keyFile: true) }
    if kinds.contains(.credential) { return PresentKeys(credential: true) }
    return PresentKeys(passphrases: [try passphrase()])
  }

  /// What `call` returns with that; with a passphrase where the files that should open the vault are not there, as at an
  /// unlock.
  static func presenting<Result>(
    _ keys: [VaultKey], _ files: PresentKeyFiles, passphrase: () throws -> SecretText,
    _ call: (PresentKeys) throws -> Result
  ) throws -> Result {
    let first = try present(keys, files, passphrase: passphrase)
    do {
      return try call(first)
    } catch let error as AgentError where error.kind == .wrongKey {
      let mayHelp = files.presentKeyFile.isEmpty && first.passphrases == nil && keys.contains { $0.kind == .passphrase }
      guard mayHelp else { throw error }
      return try call(PresentKeys(passphrases: [try passphrase()]))
    }
  }

  /// Every key.
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

/// Key files in other places than the agent's own, which it cannot know of.
struct PresentKeyFiles: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A key file that opens the vault and lies elsewhere than the agent's own; may be repeated.", valueName: "file"))
  var presentKeyFile: [String] = []

  func validate() throws {
    guard presentKeyFile.allSatisfy({ $0.hasPrefix("/") }) else {
      throw ValidationError("the path of a key file begins with /")
    }
  }
}

extension [VaultKey] {
  /// The one key whose id begins with `prefix`, of at least 4 digits.
  func chosen(by prefix: String) throws -> VaultKey {
    let found = filter { prefix.count >= 4 && $0.id.hasPrefix(prefix.lowercased()) }
    guard found.count == 1 else {
      let none = "the vault has no key \(ForeignText.shown(prefix, limit: 40))"
      throw Failure(.usage, found.isEmpty ? none : "more than one key begins so", hint: "ritualctl vault status")
    }
    return found[0]
  }
}

extension VaultKeyKind {
  /// As a person reads it.
  var words: String {
    switch self {
    case .keyFile: "key file"
    case .passphrase: "passphrase"
    case .credential: "systemd credential"
    default: ForeignText.shown(rawValue)
    }
  }
}
