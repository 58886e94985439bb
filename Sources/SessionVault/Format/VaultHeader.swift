/// The vault's header: its identity, the slots that hold the wrapped master key, and a part sealed under the master key
/// whose context is all that stands before it, so that nothing there can be changed, added or dropped without the
/// master key.
struct VaultHeader {
  let vaultID: [UInt8]
  /// Rises with every new header, from 1.
  var generation: UInt64
  /// The machine that the vault was made on, or adopted by.
  var machine: MachineTag
  var slots: [KeySlot]
  /// While a rekey is under way: the master key that records not resealed yet are sealed under.
  var previousMaster: SecretBytes?

  /// The header's bytes. A nonce is used once; only test vectors give one, and an older version. The previous master key stands in no buffer
  /// but the one in which it becomes ciphertext.
  func sealed(
    under headerKey: SecretBytes, version: UInt32 = VaultFormat.headerVersion,
    nonce: [UInt8] = Sodium.random(Sodium.nonceLength)
  ) -> [UInt8] {
    let context = openPart(version)
    var sealed = [UInt8](repeating: 0, count: SealedHeader.plainLength + Sodium.tagLength)
    sealed.withUnsafeMutableBytes { buffer in
      previousMaster?.withBytes { master in
        buffer[0] = 1
        UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).copyMemory(from: master)
      }
      Sodium.seal(buffer, nonce: nonce, context: context, key: headerKey)
    }
    let bytes = context + nonce + sealed
    return bytes + Sodium.hash(bytes)
  }

  private func openPart(_ version: UInt32) -> [UInt8] {
    var bytes = VaultFormat.headerMagic
    bytes.append(littleEndian: version)
    bytes += vaultID
    bytes.append(littleEndian: generation)
    bytes += machine.bytes
    bytes.append(littleEndian: UInt16(slots.count))
    for slot in slots {
      bytes.append(slot.kind.rawValue)
      bytes += slot.id
      bytes.append(littleEndian: UInt16(slot.payload.count))
      bytes += slot.payload
    }
    return bytes
  }
}
