/// A slot that somebody has the key of, and what the key opened.
struct KeyProof {
  let slot: KeySlot
  let key: WrappingKey
  let master: SecretBytes
}

/// Tries keys on slots. Blocks while files are read and passphrases derived: never under the vault's lock.
struct KeyProver {
  let slots: [KeySlot]
  let vaultID: [UInt8]
  let derivation: PassphraseDerivation
  /// For messages.
  let place: String

  /// The first source that opens a slot, and that slot. A source that is missing or cannot be read does not stop the
  /// others; if none opens, the error is that of the first such source, else `.wrongKey`, else `.keyMissing`.
  func first(of sources: [KeySource]) throws(VaultError) -> KeyProof {
    var failure: VaultError?
    var tried: [KeySlotKind] = []
    for source in sources {
      do {
        let brought = try source.existing()
        tried.append(brought.kind)
        if let proof = try proof(of: brought) { return proof }
      } catch {
        if failure == nil || failure?.code == .keyMissing { failure = error }
      }
    }
    if let failure, failure.code != .keyMissing || tried.isEmpty { throw failure }
    throw wrongKey(tried)
  }

  /// All slots that the sources open. What is missing is passed over: the caller sees which slots are left.
  func all(of sources: [KeySource]) throws(VaultError) -> [KeyProof] {
    var proofs: [KeyProof] = []
    for source in sources {
      let brought: BroughtKey
      do {
        brought = try source.existing()
      } catch {
        if error.code == .keyMissing { continue }
        throw error
      }
      for slot in slots where !proofs.contains(where: { $0.slot.id == slot.id }) {
        if let proof = try proof(of: brought, for: slot) { proofs.append(proof) }
      }
    }
    return proofs
  }

  /// The first slot that the key opens.
  func proof(of brought: BroughtKey) throws(VaultError) -> KeyProof? {
    for slot in slots {
      if let proof = try proof(of: brought, for: slot) { return proof }
    }
    return nil
  }

  private func proof(of brought: BroughtKey, for slot: KeySlot) throws(VaultError) -> KeyProof? {
    guard let key = try brought.wrappingKey(for: slot, by: derivation),
      let master = try slot.unwrap(with: key, vaultID: vaultID)
    else { return nil }
    return KeyProof(slot: slot, key: key, master: master)
  }

  private func wrongKey(_ tried: [KeySlotKind]) -> VaultError {
    let kinds = Set(slots.map(\.kind))
    guard let kind = tried.first(where: kinds.contains) else {
      let words = kinds.map(\.description).sorted().joined(separator: ", ")
      return VaultError(.wrongKey, "\(place) does not open by what was given, but by: \(words)")
    }
    switch kind {
    case .passphrase: return VaultError(.wrongKey, "the passphrase is wrong: type it again")
    default: return VaultError(.wrongKey, "this \(kind) belongs to another vault than \(place): restore the right one")
    }
  }
}
