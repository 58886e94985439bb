import Synchronization
import SystemSupport

/// Key slots can be added, removed and replaced without resealing a record. Every change requires
/// an open vault and a key that is verified against its slots in the same call. All calls block,
/// for several derivations if passphrases are involved: allow one caller at a time.
extension Vault {
  /// Adds a key slot. `.keyFile` with `createIfMissing` creates the file, after `present` has been
  /// verified.
  ///
  /// - Throws: `.wrongKey` for `present`, `.keyKnown` if the new key already opens the vault,
  ///   `.keyLimit`, `.invalidKey`, `.locked`, `.changedMeanwhile`, and system errors. After an
  ///   error the slots are unchanged.
  @discardableResult
  public func addKey(_ new: KeySource, present: [KeySource]) throws(VaultError) -> KeySlotInfo {
    let (prover, proof) = try prove(present)
    let key = try newKey(new, prover)
    return try changingKeys(prover) { (vault) throws(VaultError) in KeySlotInfo(try vault.addKey(key, proof)) }
  }

  /// Removes a slot; `present` may be its own key. An older copy of the vault still opens with that
  /// key and reveals the master key; `rekey` protects against that.
  ///
  /// - Throws: `.noSuchKey`, `.keyLimit` for the last slot, `.wrongKey` for `present`, `.locked`,
  ///   `.changedMeanwhile`, and system errors.
  public func removeKey(_ id: String, present: [KeySource]) throws(VaultError) {
    let (prover, _) = try prove(present)
    try changingKeys(prover) { (vault) throws(VaultError) in
      try vault.removeKey(Hexadecimal.bytes(of: id.lowercased().utf8) ?? [])
    }
  }

  /// Replaces the key of a slot with a new key of the same kind, such as a changed passphrase, in a
  /// single write: neither both keys nor none are ever valid. The slot gets a new id.
  ///
  /// - Throws: The errors of `addKey` and `removeKey`.
  @discardableResult
  public func replaceKey(_ id: String, with new: KeySource, present: [KeySource]) throws(VaultError) -> KeySlotInfo {
    let (prover, proof) = try prove(present)
    let key = try newKey(new, prover)
    return try changingKeys(prover) { (vault) throws(VaultError) in
      KeySlotInfo(try vault.replaceKey(Hexadecimal.bytes(of: id.lowercased().utf8) ?? [], by: key, proof))
    }
  }

  /// Creates a new master key and reseals every record under it; between two records other calls
  /// can run. `present` must contain the key of every slot (key file and credential by path, each
  /// passphrase), because only that key can wrap the new master key: no slot is dropped or left
  /// behind. All slots keep their ids and keys. After an interruption at any point, the vault opens
  /// completely with the same keys, and the next `unlock` or `rekey` finishes the rest. Files that
  /// were set aside as damaged stay under the old master key, which is then lost.
  ///
  /// - Throws: `.keysNeeded` with the slots whose keys are missing, `.formatTooNew` or `.io` if a
  ///   record cannot be read (nothing was changed then), `.wrongKey`, `.locked`,
  ///   `.changedMeanwhile`, and system errors.
  public func rekey(present: [KeySource]) throws(VaultError) {
    try finishRekey()
    let prover = try openProver()
    let proofs = try prover.all(of: present)
    if proofs.isEmpty { _ = try prover.first(of: present) }
    let missing = prover.slots.filter { slot in !proofs.contains { $0.slot.id == slot.id } }
    guard missing.isEmpty else { throw OpenVault.keysNeeded(missing) }
    try changingKeys(prover) { (vault) throws(VaultError) in try vault.beginRekey(proofs) }
    try finishRekey()
  }

  /// Writes this machine's tag into the header, so that the vault belongs to this machine. If this
  /// machine has no id, the machine becomes `unknown`.
  ///
  /// - Throws: `.locked`, and system errors; the header is unchanged then.
  public func adopt() throws(VaultError) {
    try whileOpen { (vault) throws(VaultError) in try vault.adopt(machine) }
  }

  /// Continues an unfinished rekey, record by record. Does nothing if there is none.
  func finishRekey() throws(VaultError) {
    while try whileOpen({ (vault) throws(VaultError) in try vault.continueRekey() }) {}
  }

  /// Verifies the present keys against the slots. Must not be called under the vault's lock.
  private func prove(_ present: [KeySource]) throws(VaultError) -> (KeyProver, KeyProof) {
    let prover = try openProver()
    return (prover, try prover.first(of: present))
  }

  /// Returns the wrapping key of the new slot; throws if the key already opens a slot. Must not be
  /// called under the vault's lock.
  private func newKey(_ new: KeySource, _ prover: KeyProver) throws(VaultError) -> WrappingKey {
    let brought = try new.existingOrNew()
    if let known = try prover.proof(of: brought) {
      throw VaultError(.keyKnown, "this \(known.slot.kind) already unlocks the vault (\(known.slot.id.hexadecimal))")
    }
    return try brought.newWrappingKey(by: prover.derivation)
  }

  /// Changes the slots, unless another caller changed them since the proof was made.
  private func changingKeys<Result: Sendable>(
    _ prover: KeyProver, _ change: (inout OpenVault) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try whileOpen { (vault) throws(VaultError) in
      guard vault.headerFile.header.slots == prover.slots else { throw Self.changed }
      return try change(&vault)
    }
  }
}
