/// One way to the master key: the master key, wrapped. Any one slot opens the vault.
struct KeySlot: Equatable {
  /// What opens the slot; open, since a later program may add kinds, which this one keeps and passes over.
  struct Kind: RawRepresentable, Hashable {
    let rawValue: UInt8

    static let keyFile = Kind(rawValue: 1)
  }

  let kind: Kind
  /// Random; names the slot.
  let id: [UInt8]
  /// For a key file: nonce, wrapped master key, tag.
  let payload: [UInt8]

  /// Wraps `master` under the key of a key file. A nonce is used once; only test vectors give id and nonce.
  static func wrapping(
    _ master: SecretBytes, under key: SecretBytes, vaultID: [UInt8],
    id: [UInt8] = Sodium.random(VaultFormat.identifierLength), nonce: [UInt8] = Sodium.random(Sodium.nonceLength)
  ) throws(VaultError) -> KeySlot {
    let wrapKey = try Sodium.subkey(.keyFileWrap, of: key)
    let context = context(.keyFile, id: id, vaultID: vaultID)
    var payload = nonce + [UInt8](repeating: 0, count: master.count + Sodium.tagLength)
    payload.withUnsafeMutableBytes { all in
      let sealed = UnsafeMutableRawBufferPointer(rebasing: all[nonce.count...])
      master.withBytes { sealed.copyMemory(from: $0) }
      Sodium.seal(sealed, nonce: nonce, context: context, key: wrapKey)
    }
    return KeySlot(kind: .keyFile, id: id, payload: payload)
  }

  /// The master key, or nil if `key` is not the one that this slot was made with.
  func unwrap(with key: SecretBytes, vaultID: [UInt8]) throws(VaultError) -> SecretBytes? {
    let length = Sodium.nonceLength + Sodium.keyLength + Sodium.tagLength
    guard kind == .keyFile, payload.count == length else { return nil }
    let wrapKey = try Sodium.subkey(.keyFileWrap, of: key)
    let context = Self.context(kind, id: id, vaultID: vaultID)
    let nonce = Array(payload.prefix(Sodium.nonceLength))
    var fits = false
    let master = try SecretBytes(count: Sodium.keyLength) { plain in
      fits = payload.withUnsafeBytes { all in
        Sodium.open(
          UnsafeRawBufferPointer(rebasing: all[nonce.count...]), into: plain, nonce: nonce, context: context,
          key: wrapKey)
      }
    }
    return fits ? master : nil
  }

  private static func context(_ kind: Kind, id: [UInt8], vaultID: [UInt8]) -> [UInt8] {
    var context = VaultFormat.headerMagic
    context.append(littleEndian: VaultFormat.version)
    return context + vaultID + [kind.rawValue] + id
  }
}
