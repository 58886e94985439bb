import AgentClient
import AgentProtocol

/// What the commands that change keys have in common: they present a key that opens the vault.
enum KeyCommand {
  /// A passphrase takes about half a second, with some in a queue and slow machines in mind.
  static let patience = Duration.seconds(180)

  /// The key file or the credential where one of them opens the vault, else a passphrase.
  static func present(_ keys: [VaultKey], passphrase: () throws -> SecretText) throws -> PresentKeys {
    let kinds = Set(keys.map(\.kind))
    if kinds.contains(.keyFile) { return PresentKeys(keyFile: true) }
    if kinds.contains(.credential) { return PresentKeys(credential: true) }
    return PresentKeys(passphrases: [try passphrase()])
  }

  /// Every key.
  static func presentAll(_ keys: [VaultKey], passphrase: (VaultKey) throws -> SecretText) throws -> PresentKeys {
    let kinds = Set(keys.map(\.kind))
    let passphrases = try keys.filter { $0.kind == .passphrase }.map(passphrase)
    return PresentKeys(
      keyFile: kinds.contains(.keyFile) ? true : nil, credential: kinds.contains(.credential) ? true : nil,
      passphrases: passphrases.isEmpty ? nil : passphrases)
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
