import SystemSupport

/// The key that opened one slot, made from what was brought: for whoever has to open the vault again without asking for it.
/// It opens that slot alone, over a `rekey` too, until the slot is removed or its key replaced. As secret as what it was made from.
public struct ProvenKey: Sendable {
  /// How many bytes it has outside of the program: kind, the slot's id, key.
  public static let length = 1 + VaultFormat.identifierLength + Sodium.keyLength

  let kind: KeySlotKind
  let slotID: [UInt8]
  let key: SecretBytes

  init(_ proof: KeyProof) {
    kind = proof.slot.kind
    slotID = proof.slot.id
    key = proof.key.key
  }

  /// What `write` wrote.
  ///
  /// - Throws: `.invalidKey` where it has another length; `.io` where there is no guarded memory.
  public init(_ bytes: UnsafeRawBufferPointer) throws(VaultError) {
    guard bytes.count == Self.length else {
      throw VaultError(.invalidKey, "a key that was kept has \(Self.length) bytes: unlock the vault again")
    }
    kind = KeySlotKind(rawValue: bytes[0])
    slotID = Array(bytes[1..<(1 + VaultFormat.identifierLength)])
    key = try SecretBytes(count: Sodium.keyLength) {
      $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[(1 + VaultFormat.identifierLength)...]))
    }
  }

  /// The slot that it opens, as `KeySlotInfo.id` names it.
  public var slot: String { slotID.hexadecimal }

  /// Writes `length` bytes. Who owns that memory answers for it.
  public func write(to memory: UnsafeMutableRawBufferPointer) {
    precondition(memory.count >= Self.length, "a kept key needs \(Self.length) bytes")
    memory[0] = kind.rawValue
    memory[1...].copyBytes(from: slotID)
    let rest = UnsafeMutableRawBufferPointer(rebasing: memory[(1 + slotID.count)...])
    key.withBytes { rest.copyMemory(from: $0) }
  }
}
