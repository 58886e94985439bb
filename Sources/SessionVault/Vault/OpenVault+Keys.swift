/// Changes of the key slots, each one new header.
extension OpenVault {
  /// Adds a slot that wraps the proof's master key under `key`.
  mutating func addKey(_ key: WrappingKey, _ proof: KeyProof) throws(VaultError) -> KeySlot {
    let slots = headerFile.header.slots
    guard slots.count < VaultFormat.mostSlots,
      key.kind != .passphrase || slots.count(where: { $0.kind == .passphrase }) < VaultFormat.mostPassphrases
    else {
      throw VaultError(
        .keyLimit,
        "a vault has at most \(VaultFormat.mostSlots) keys, \(VaultFormat.mostPassphrases) of them passphrases: remove one first"
      )
    }
    let slot = KeySlot.wrapping(proof.master, with: key, vaultID: headerFile.header.vaultID)
    try headerFile.commit(to: storage) { $0.slots.append(slot) }
    return slot
  }

  mutating func removeKey(_ id: [UInt8]) throws(VaultError) {
    let position = try position(of: id)
    // A slot of a kind that is not known here may be no way in at all.
    let others = headerFile.header.slots.filter { $0.id != id && KeySlotKind.opened.contains($0.kind) }
    guard !others.isEmpty else {
      throw VaultError(.keyLimit, "this is the vault's last key: add another one first")
    }
    try headerFile.commit(to: storage) { $0.slots.remove(at: position) }
  }

  /// A new key in the place of an old one, in one header: there is no moment with both or none.
  mutating func replaceKey(_ id: [UInt8], by key: WrappingKey, _ proof: KeyProof) throws(VaultError) -> KeySlot {
    let position = try position(of: id)
    guard key.kind == headerFile.header.slots[position].kind else {
      throw VaultError(
        .invalidKey,
        "a \(headerFile.header.slots[position].kind) is changed for another one: add the \(key.kind), then remove it")
    }
    let slot = KeySlot.wrapping(proof.master, with: key, vaultID: headerFile.header.vaultID)
    try headerFile.commit(to: storage) { $0.slots[position] = slot }
    return slot
  }

  mutating func adopt(_ machine: MachineID) throws(VaultError) {
    let tag = MachineTag(machine, vaultID: headerFile.header.vaultID)
    try headerFile.commit(to: storage) { $0.machine = tag }
  }

  private func position(of id: [UInt8]) throws(VaultError) -> Int {
    guard let position = headerFile.header.slots.firstIndex(where: { $0.id == id }) else {
      throw VaultError(.noSuchKey, "the vault has no such key: `ritualctl vault status` lists them")
    }
    return position
  }
}

extension KeySlotKind {
  /// The kinds that this program can open.
  static let opened: Set<KeySlotKind> = [.keyFile, .passphrase, .credential]
}
