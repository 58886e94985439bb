/// What opens a vault.
public enum KeySource: Sendable {
  /// A file with 32 random bytes, 0600, the user's own. `createIfMissing` makes it, but only together with a new vault: a vault
  /// that is there already was sealed with a key that a new file would not hold.
  case keyFile(path: String, createIfMissing: Bool)

  /// The key for a vault that is there; `.keyMissing` if the file is not.
  func existing() throws(VaultError) -> SecretBytes {
    switch self {
    case .keyFile(let path, _):
      guard let key = try KeyFile.read(path) else {
        throw VaultError(
          .keyMissing, "\(path) is missing, and the vault opens with nothing else: restore it from a backup")
      }
      return key
    }
  }

  /// The key for a new vault.
  func existingOrNew() throws(VaultError) -> SecretBytes {
    switch self {
    case .keyFile(let path, let createIfMissing):
      if let key = try KeyFile.read(path) { return key }
      guard createIfMissing else {
        throw VaultError(.keyMissing, "\(path) is missing: restore it from a backup, or let one be made")
      }
      return try KeyFile.create(path)
    }
  }
}
