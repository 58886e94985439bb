/// A key as somebody brought it, read but not tried yet.
enum BroughtKey {
  case keyFile(SecretBytes)
  case passphrase(Passphrase)
  /// The credential's hash.
  case credential(SecretBytes)
  /// One that was made before, for one slot.
  case proven(ProvenKey)

  var kind: KeySlotKind {
    switch self {
    case .keyFile: .keyFile
    case .passphrase: .passphrase
    case .credential: .credential
    case .proven(let key): key.kind
    }
  }

  /// What would open `slot`; nil if the slot is of another kind. Blocks while a passphrase is derived.
  func wrappingKey(for slot: KeySlot, by derivation: PassphraseDerivation) throws(VaultError) -> WrappingKey? {
    guard slot.kind == kind else { return nil }
    switch self {
    case .keyFile(let key): return try WrappingKey(keyFile: key)
    case .credential(let hash): return try WrappingKey(credential: hash)
    case .passphrase(let passphrase):
      guard let parameters = PassphraseParameters(slot.parameters) else { return nil }
      return try WrappingKey(passphrase, parameters, by: derivation)
    case .proven(let proven):
      guard slot.id == proven.slotID else { return nil }
      return WrappingKey(kind: slot.kind, parameters: slot.parameters, key: proven.key)
    }
  }

  /// What wraps a new slot. Blocks while a passphrase's cost is measured and it is derived.
  func newWrappingKey(by derivation: PassphraseDerivation) throws(VaultError) -> WrappingKey {
    switch self {
    case .keyFile(let key): return try WrappingKey(keyFile: key)
    case .credential(let hash): return try WrappingKey(credential: hash)
    case .passphrase(let passphrase):
      return try WrappingKey(passphrase, PassphraseParameters(cost: derivation.newCost()), by: derivation)
    case .proven:
      throw VaultError(
        .invalidKey, "a key that was made for one slot is no key for another: bring what it was made from")
    }
  }
}

extension WrappingKey {
  init(keyFile key: SecretBytes) throws(VaultError) {
    self.init(kind: .keyFile, parameters: [], key: try Sodium.subkey(.keyFileWrap, of: key))
  }

  init(credential hash: SecretBytes) throws(VaultError) {
    self.init(kind: .credential, parameters: [], key: try Sodium.subkey(.credentialWrap, of: hash))
  }

  init(
    _ passphrase: Passphrase, _ parameters: PassphraseParameters, by derivation: PassphraseDerivation
  ) throws(VaultError) {
    let key = try Sodium.subkey(.passphraseWrap, of: derivation.key(passphrase, parameters))
    self.init(kind: .passphrase, parameters: parameters.bytes, key: key)
  }
}
