/// One way to the master key: the master key, wrapped. Any one slot opens the vault.
struct KeySlot: Equatable {
  typealias Kind = KeySlotKind

  /// Nonce, wrapped master key, tag: what every kind ends with.
  static let wrappedLength = Sodium.nonceLength + Sodium.keyLength + Sodium.tagLength

  let kind: KeySlotKind
  /// Random; names the slot.
  let id: [UInt8]
  /// The kind's parameters, then nonce, wrapped master key, tag.
  let payload: [UInt8]

  /// What the kind needs to make its key again: nothing, or a passphrase's cost and salt.
  var parameters: [UInt8] { Array(payload.dropLast(Self.wrappedLength)) }

  /// Wraps `master`. A nonce is used once; only test vectors give id and nonce, and a new master key keeps a slot's id.
  static func wrapping(
    _ master: SecretBytes, with key: WrappingKey, vaultID: [UInt8],
    id: [UInt8] = Sodium.random(VaultFormat.identifierLength), nonce: [UInt8] = Sodium.random(Sodium.nonceLength)
  ) -> KeySlot {
    let context = context(key.kind, id: id, vaultID: vaultID, parameters: key.parameters)
    let start = key.parameters.count + nonce.count
    var payload = key.parameters + nonce + [UInt8](repeating: 0, count: master.count + Sodium.tagLength)
    payload.withUnsafeMutableBytes { all in
      let sealed = UnsafeMutableRawBufferPointer(rebasing: all[start...])
      master.withBytes { sealed.copyMemory(from: $0) }
      Sodium.seal(sealed, nonce: nonce, context: context, key: key.key)
    }
    return KeySlot(kind: key.kind, id: id, payload: payload)
  }

  /// The master key, or nil if `key` is not the one that this slot was made with.
  func unwrap(with key: WrappingKey, vaultID: [UInt8]) throws(VaultError) -> SecretBytes? {
    let start = key.parameters.count
    guard kind == key.kind, payload.count == start + Self.wrappedLength, payload.starts(with: key.parameters)
    else { return nil }
    let context = Self.context(kind, id: id, vaultID: vaultID, parameters: key.parameters)
    let nonce = Array(payload[start..<(start + Sodium.nonceLength)])
    var fits = false
    let master = try SecretBytes(count: Sodium.keyLength) { plain in
      fits = payload.withUnsafeBytes { all in
        Sodium.open(
          UnsafeRawBufferPointer(rebasing: all[(start + Sodium.nonceLength)...]), into: plain, nonce: nonce,
          context: context, key: key.key)
      }
    }
    return fits ? master : nil
  }

  private static func context(
    _ kind: KeySlotKind, id: [UInt8], vaultID: [UInt8], parameters: [UInt8]
  ) -> [UInt8] {
    var context = VaultFormat.headerMagic
    context.append(littleEndian: VaultFormat.slotVersion)
    return context + vaultID + [kind.rawValue] + id + parameters
  }
}
