import SystemSupport

/// Changes of key slots. Each change writes one new header.
extension OpenVault {
  /// Adds a slot that wraps the proof's master key under `key`.
  mutating func addKey(_ key: WrappingKey, _ proof: KeyProof) throws(VaultError) -> KeySlot {
    let slots = headerFile.header.slots
    guard slots.count < VaultFormat.maxSlots,
      key.kind != .passphrase || slots.count(where: { $0.kind == .passphrase }) < VaultFormat.maxPassphraseSlots
    else {
      throw VaultError(
        .keyLimit,
        "a vault can have at most \(VaultFormat.maxSlots) keys, including "
          + "\(VaultFormat.maxPassphraseSlots) passphrases: remove one first"
      )
    }
    let slot = KeySlot.wrapping(proof.master, with: key, vaultID: headerFile.header.vaultID)
    try headerFile.commit(to: storage) { $0.slots.append(slot) }
    return slot
  }

  mutating func removeKey(_ id: [UInt8]) throws(VaultError) {
    let position = try position(of: id)
    // A slot of an unknown kind does not count: this program cannot open it.
    let others = headerFile.header.slots.filter { $0.id != id && KeySlotKind.opened.contains($0.kind) }
    guard !others.isEmpty else {
      throw VaultError(.keyLimit, "this is the vault's last key: add another one first")
    }
    try headerFile.commit(to: storage) { $0.slots.remove(at: position) }
  }

  /// Replaces a key in a single header write, so that neither both keys nor none are ever valid.
  mutating func replaceKey(_ id: [UInt8], by key: WrappingKey, _ proof: KeyProof) throws(VaultError) -> KeySlot {
    let position = try position(of: id)
    guard key.kind == headerFile.header.slots[position].kind else {
      throw VaultError(
        .invalidKey,
        "a \(headerFile.header.slots[position].kind) cannot be replaced by a \(key.kind): "
          + "add the new key, then remove the old one")
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

/// A rekey, in steps that each leave a vault that opens completely: first a header with the new
/// master key in every slot and the old one sealed inside, then each record resealed under the new
/// key, finally a header without the old key.
extension OpenVault {
  var isRekeying: Bool { headerFile.header.previousMaster != nil }

  /// Runs the first step. `proofs` must cover every slot.
  mutating func beginRekey(_ proofs: [KeyProof]) throws(VaultError) {
    try index()
    try requireAllReadable()
    let header = headerFile.header
    let master = try SecretBytes.random(count: Sodium.keyLength)
    let next = try RecordSealer(vaultID: header.vaultID, master: master)
    let slots = try header.slots.map { (slot) throws(VaultError) in
      guard let proof = proofs.first(where: { $0.slot.id == slot.id }) else { throw Self.keysNeeded([slot]) }
      return KeySlot.wrapping(master, with: proof.key, vaultID: header.vaultID, id: slot.id)
    }
    guard let old = proofs.first?.master else { throw Self.keysNeeded(header.slots) }
    try headerFile.commit(to: storage, master: master) {
      $0.slots = slots
      $0.previousMaster = old
    }
    previous = sealer
    sealer = next
    var moved: [String: Entry] = [:]
    for (file, var entry) in entries {
      entry.oldFile = file
      entry.isResealed = false
      moved[next.file(for: entry.name)] = entry
    }
    entries = moved
  }

  /// Reseals one more record, or runs the last step. Returns false if nothing is left to do. After
  /// an error the vault stays usable, and the call can be repeated.
  mutating func continueRekey() throws(VaultError) -> Bool {
    guard isRekeying else { return false }
    if let (file, entry) = entries.first(where: { $0.value.oldFile != nil }) {
      try entry.isResealed ? removeOldFile(of: file) : reseal(entry)
      return true
    }
    try requireAllReadable()
    try headerFile.commit(to: storage) { $0.previousMaster = nil }
    previous = nil
    return false
  }

  private mutating func reseal(_ entry: Entry) throws(VaultError) {
    var content: [UInt8]
    do {
      content = try load(entry.name)
    } catch {
      switch error.code {
      // The file was set aside and reported.
      case .damaged: return
      // Another program removed the file.
      case .notFound: entries[sealer.file(for: entry.name)] = nil
      default: throw error
      }
      return
    }
    defer { Sodium.wipe(&content) }
    try save(content, as: entry.name)
    try removeOldFile(of: sealer.file(for: entry.name))
  }

  /// Throws if a record cannot be opened now: it could never be opened once its master key is gone.
  private func requireAllReadable() throws(VaultError) {
    if let file = newer.keys.min() { throw tooNew(file) }
    if let file = unread.min() {
      throw VaultError(
        .io, "\(storage.place)/\(file) cannot be read and would be lost with the old master key: move it away first")
    }
  }

  static func keysNeeded(_ slots: [KeySlot]) -> VaultError {
    let words = slots.map { "\($0.kind) \($0.id.hexadecimal)" }.joined(separator: ", ")
    return VaultError(
      .keysNeeded, "a new master key requires every key of the vault; add these, or remove them: \(words)")
  }
}
