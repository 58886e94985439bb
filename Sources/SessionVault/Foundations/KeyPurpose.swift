/// Each key has one purpose; crypto_kdf's context and number tell them apart.
struct KeyPurpose {
  let context: [UInt8]
  let number: UInt64

  private static let vault = Array("RitVault".utf8)

  /// From the master key: seals and authenticates the header.
  static let header = KeyPurpose(context: vault, number: 1)
  /// From the master key: hashes record names to file names.
  static let fileNames = KeyPurpose(context: vault, number: 2)
  /// From the master key: seals records.
  static let records = KeyPurpose(context: vault, number: 3)
  /// From the master key: makes the first keys of chains.
  static let chains = KeyPurpose(context: vault, number: 4)
  /// From the key file's key: wraps the master key.
  static let keyFileWrap = KeyPurpose(context: Array("RitKeyFl".utf8), number: 1)
  /// From what Argon2id makes of a passphrase: wraps the master key.
  static let passphraseWrap = KeyPurpose(context: Array("RitPassw".utf8), number: 1)
  /// From the hash of a credential: wraps the master key.
  static let credentialWrap = KeyPurpose(context: Array("RitCredn".utf8), number: 1)
}
