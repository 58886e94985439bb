/// What opens a vault.
public enum KeySource: Sendable {
  /// A file with 32 random bytes, 0600, the user's own. `createIfMissing` makes it, but only together with a new vault
  /// or a new key slot: a vault that is there already was sealed with a key that a new file would not hold. `isDoubled`
  /// stands for two copies of it (VA-9): both are tried, since no check sum tells which one has a changed digit.
  case keyFile(path: String, createIfMissing: Bool, isDoubled: Bool = false)
  /// A passphrase: every attempt costs a derivation for each passphrase slot.
  case passphrase(Passphrase)
  /// A file with 32 to 4,096 random bytes from systemd: `$CREDENTIALS_DIRECTORY/ritual-agent.vault-key`.
  case credential(path: String)
  /// A key that has opened one of the vault's slots before: `Vault.unlockProving`.
  case proven(ProvenKey)

  /// The kind of slot that it opens.
  public var kind: KeySlotKind {
    switch self {
    case .keyFile: .keyFile
    case .passphrase: .passphrase
    case .credential: .credential
    case .proven(let key): key.kind
    }
  }

  /// The sources to try, the first copy of a doubled key file before the second.
  var copies: [KeySource] {
    guard case .keyFile(let path, _, true) = self else { return [self] }
    return DoubledFile.copies(of: path).map { .keyFile(path: $0, createIfMissing: false) }
  }

  /// The key for a vault that is there; `.keyMissing` if the file is not.
  func existing() throws(VaultError) -> BroughtKey {
    switch self {
    case .keyFile(let path, _, _):
      guard let key = try KeyFile.read(path) else {
        throw VaultError(
          .keyMissing, "\(path) is missing: restore it from a backup, or unlock the vault with another of its keys")
      }
      return .keyFile(key)
    case .passphrase(let passphrase): return .passphrase(passphrase)
    case .credential(let path):
      guard let key = try Credential.read(path) else {
        throw VaultError(
          .keyMissing,
          "\(path) is missing: start the agent as the unit that has the credential, or unlock with another key")
      }
      return .credential(key)
    case .proven(let key): return .proven(key)
    }
  }

  /// The key for a new vault or slot.
  func existingOrNew() throws(VaultError) -> BroughtKey {
    guard case .keyFile(let path, let createIfMissing, let isDoubled) = self else { return try existing() }
    if let key = try KeyFile.read(path, isDoubled: isDoubled) { return .keyFile(key) }
    guard createIfMissing else {
      throw VaultError(.keyMissing, "\(path) is missing: restore it from a backup, or let one be made")
    }
    return .keyFile(try KeyFile.create(path, isDoubled: isDoubled))
  }
}
