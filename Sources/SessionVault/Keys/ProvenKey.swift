import SystemSupport

/// A key as given by the caller, read but not tried yet.
enum CandidateKey {
  case keyFile(SecretBytes)
  case passphrase(Passphrase)
  /// The credential's hash.
  case credential(SecretBytes)
  /// A key derived earlier, for one slot.
  case proven(ProvenKey)

  var kind: KeySlotKind {
    switch self {
    case .keyFile: .keyFile
    case .passphrase: .passphrase
    case .credential: .credential
    case .proven(let key): key.kind
    }
  }

  /// Returns the key that would open `slot`; nil if the slot is of another kind. Blocks while a
  /// passphrase is derived.
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

  /// Returns the key that wraps a new slot. Blocks while the cost of a passphrase is measured and
  /// the passphrase is derived.
  func newWrappingKey(by derivation: PassphraseDerivation) throws(VaultError) -> WrappingKey {
    switch self {
    case .keyFile(let key): return try WrappingKey(keyFile: key)
    case .credential(let hash): return try WrappingKey(credential: hash)
    case .passphrase(let passphrase):
      return try WrappingKey(passphrase, PassphraseParameters(cost: derivation.newCost()), by: derivation)
    case .proven:
      throw VaultError(
        .invalidKey, "a key derived for one slot cannot open another: give the passphrase, key file or credential")
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

/// The derived key that opened one slot, for opening the vault again without requesting the
/// original key. It opens only that slot, also after a `rekey`, until the slot is removed or its
/// key replaced. As secret as the original key.
public struct ProvenKey: Sendable {
  /// The serialized length in bytes: kind, slot id, key.
  public static let length = 1 + VaultFormat.identifierLength + Sodium.keyLength

  let kind: KeySlotKind
  let slotID: [UInt8]
  let key: SecretBytes

  init(_ proof: KeyProof) {
    kind = proof.slot.kind
    slotID = proof.slot.id
    key = proof.key.key
  }

  /// Restores a key from the bytes that `write` wrote.
  ///
  /// - Throws: `.invalidKey` for any other length; `.io` if no guarded memory is available.
  public init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
    guard bytes.count == Self.length else {
      throw VaultError(.invalidKey, "a stored key must have \(Self.length) bytes: unlock the vault again")
    }
    kind = KeySlotKind(rawValue: bytes[0])
    slotID = Array(bytes[1..<(1 + VaultFormat.identifierLength)])
    key = try SecretBytes(count: Sodium.keyLength) {
      $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(1 + VaultFormat.identifierLength)...]))
    }
  }

  /// The id of the slot that the key opens, as in `KeySlotInfo.id`.
  public var slot: String { slotID.hexadecimal }

  /// Writes `length` bytes. The caller is responsible for protecting and wiping that memory.
  public func write(to memory: UnsafeMutableRawBufferPointer) {
    precondition(memory.count >= Self.length, "a stored key needs \(Self.length) bytes")
    memory[0] = kind.rawValue
    memory[1...].copyBytes(from: slotID)
    let rest = UnsafeMutableRawBufferPointer(rebasing: memory[(1 + slotID.count)...])
    key.withBytes { rest.copyMemory(from: $0) }
  }
}
