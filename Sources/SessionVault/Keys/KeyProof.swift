/// A slot, the key that opened it, and the master key inside.
struct KeyProof {
  let slot: KeySlot
  let key: WrappingKey
  let master: SecretBytes
}

/// Tries keys on slots. Blocks while files are read and passphrases are derived, so it must not be
/// used under the vault's lock.
struct KeyProver {
  let slots: [KeySlot]
  let vaultID: [UInt8]
  let derivation: PassphraseDerivation
  let place: String

  /// Returns the proof of the first source that opens a slot. A source that is missing or cannot be
  /// read does not stop the others. If none opens a slot, throws the first error other than
  /// `.keyMissing`, else `.wrongKey` if a key was tried, else `.keyMissing`.
  func first(of sources: [KeySource]) throws(VaultError) -> KeyProof {
    var failure: VaultError?
    var tried: [KeySlotKind] = []
    for source in sources {
      do {
        let found = try trying(source) { (brought) throws(VaultError) -> KeyProof? in
          tried.append(brought.kind)
          return try proof(of: brought)
        }
        if let found { return found }
      } catch {
        if failure == nil || failure?.code == .keyMissing { failure = error }
      }
    }
    if let failure, failure.code != .keyMissing || tried.isEmpty { throw failure }
    throw wrongKey(tried)
  }

  /// Returns proofs for all slots that the sources open. Missing sources are skipped: the caller
  /// sees which slots have no proof.
  func all(of sources: [KeySource]) throws(VaultError) -> [KeyProof] {
    var proofs: [KeyProof] = []
    for source in sources {
      let found: [KeyProof]
      do {
        found = try trying(source) { (brought) throws(VaultError) in try allProofs(of: brought) } ?? []
      } catch {
        if error.code == .keyMissing { continue }
        throw error
      }
      proofs += found.filter { proof in !proofs.contains { $0.slot.id == proof.slot.id } }
    }
    return proofs
  }

  /// Returns the result of `body` for the first copy of a source with a non-nil result. A second
  /// copy is not used if the first copy is unsafe.
  private func trying<Result>(
    _ source: KeySource, _ body: (CandidateKey) throws(VaultError) -> Result?
  ) throws(VaultError) -> Result? {
    var (failure, isKeyThere): (VaultError?, Bool) = (nil, false)
    for copy in source.copies {
      do {
        let brought = try copy.existing()
        isKeyThere = true
        if let result = try body(brought) { return result }
      } catch {
        guard error.code != .unsafe else { throw error }
        let tellsMore = failure.map { $0.code == .keyMissing && error.code != .keyMissing } ?? true
        if tellsMore { failure = error }
      }
    }
    if let failure, !isKeyThere || failure.code != .keyMissing { throw failure }
    return nil
  }

  /// Returns proofs for all slots that the key opens; nil if there are none.
  private func allProofs(of brought: CandidateKey) throws(VaultError) -> [KeyProof]? {
    var found: [KeyProof] = []
    for slot in slots { if let proof = try proof(of: brought, for: slot) { found.append(proof) } }
    return found.isEmpty ? nil : found
  }

  /// Returns the proof for the first slot that the key opens.
  func proof(of brought: CandidateKey) throws(VaultError) -> KeyProof? {
    for slot in slots {
      if let proof = try proof(of: brought, for: slot) { return proof }
    }
    return nil
  }

  private func proof(of brought: CandidateKey, for slot: KeySlot) throws(VaultError) -> KeyProof? {
    guard let key = try brought.wrappingKey(for: slot, by: derivation),
      let master = try slot.unwrap(with: key, vaultID: vaultID)
    else { return nil }
    return KeyProof(slot: slot, key: key, master: master)
  }

  private func wrongKey(_ tried: [KeySlotKind]) -> VaultError {
    let kinds = Set(slots.map(\.kind))
    guard let kind = tried.first(where: kinds.contains) else {
      let words = kinds.map(\.description).sorted().joined(separator: ", ")
      return VaultError(.wrongKey, "the given key does not unlock \(place), whose keys are: \(words)")
    }
    switch kind {
    case .passphrase: return VaultError(.wrongKey, "wrong passphrase: try again")
    default: return VaultError(.wrongKey, "this \(kind) does not belong to the vault \(place): restore the right one")
    }
  }
}
