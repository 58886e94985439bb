import Synchronization
import SystemSupport

/// Key slots: added, removed and changed without resealing a record. Every change needs a key of the vault in the call,
/// held against its slots: that it is open is not enough. It has to be open besides. All of these block, for some
/// derivations where passphrases are involved: one caller at a time.
extension Vault {
  /// Adds a way to open the vault. `.keyFile` with `createIfMissing` makes the file, once `present` has been found
  /// right.
  ///
  /// - Throws: `.wrongKey` for `present`, `.keyKnown` where the new key opens the vault already, `.keyLimit`,
  ///   `.invalidKey`, `.locked`, `.changedMeanwhile`, and the system's: then the slots are as they were.
  @discardableResult
  public func addKey(_ new: KeySource, present: [KeySource]) throws(VaultError) -> KeySlotInfo {
    let (prover, proof) = try prove(present)
    let key = try newKey(new, prover)
    return try changingKeys(prover) { (vault) throws(VaultError) in KeySlotInfo(try vault.addKey(key, proof)) }
  }

  /// Removes a slot; `present` may be its own key. An older copy of the vault still opens with that key, and gives the
  /// master key: `rekey` helps against that.
  ///
  /// - Throws: `.noSuchKey`, `.keyLimit` for the last slot, `.wrongKey` for `present`, `.locked`, `.changedMeanwhile`,
  ///   and the system's.
  public func removeKey(_ id: String, present: [KeySource]) throws(VaultError) {
    let (prover, _) = try prove(present)
    try changingKeys(prover) { (vault) throws(VaultError) in
      try vault.removeKey(Hexadecimal.bytes(of: id.lowercased().utf8) ?? [])
    }
  }

  /// Puts a new key of the same kind in the place of a slot's, as in a change of passphrase: one write, no moment with
  /// both or none. The slot gets a new id.
  ///
  /// - Throws: as `addKey` and `removeKey`.
  @discardableResult
  public func replaceKey(_ id: String, with new: KeySource, present: [KeySource]) throws(VaultError) -> KeySlotInfo {
    let (prover, proof) = try prove(present)
    let key = try newKey(new, prover)
    return try changingKeys(prover) { (vault) throws(VaultError) in
      KeySlotInfo(try vault.replaceKey(Hexadecimal.bytes(of: id.lowercased().utf8) ?? [], by: key, proof))
    }
  }

  /// Makes a new master key and reseals every record under it; between two records other calls get their turn. Every
  /// slot's key has to be in `present` (key file and credential by their paths, each passphrase), since only it can
  /// wrap the new master key: a slot is neither dropped nor left behind. All slots keep their ids and keys. Cut off at
  /// any point, the vault opens whole with the same keys, and the rest is done at the next `unlock` or `rekey`. Files
  /// that were set aside as damaged stay under the old master key, which is gone then.
  ///
  /// - Throws: `.keysNeeded` with the slots whose keys are missing, `.formatTooNew` or `.io` where a record cannot be
  ///   read (nothing was changed then), `.wrongKey`, `.locked`, `.changedMeanwhile`, and the system's.
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

  /// Writes this machine's id into the header: from then on the vault is at home here. Where this machine has none,
  /// `unknown` is written.
  ///
  /// - Throws: `.locked`, and the system's: then the header is as it was.
  public func adopt() throws(VaultError) {
    try whileOpen { (vault) throws(VaultError) in try vault.adopt(machine) }
  }

  /// Goes on with a rekey that was begun, record by record. Nothing to do is no error.
  func finishRekey() throws(VaultError) {
    while try whileOpen({ (vault) throws(VaultError) in try vault.continueRekey() }) {}
  }

  /// Holds the present key against the slots. Not under the vault's lock.
  private func prove(_ present: [KeySource]) throws(VaultError) -> (KeyProver, KeyProof) {
    let prover = try openProver()
    return (prover, try prover.first(of: present))
  }

  /// The new slot's key, unless it opens a slot already. Not under the vault's lock.
  private func newKey(_ new: KeySource, _ prover: KeyProver) throws(VaultError) -> WrappingKey {
    let brought = try new.existingOrNew()
    if let known = try prover.proof(of: brought) {
      throw VaultError(.keyKnown, "this \(known.slot.kind) opens the vault already (\(known.slot.id.hexadecimal))")
    }
    return try brought.newWrappingKey(by: prover.derivation)
  }

  /// Changes the slots, unless somebody else did since the proof was made.
  private func changingKeys<Result: Sendable>(
    _ prover: KeyProver, _ change: (inout OpenVault) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try whileOpen { (vault) throws(VaultError) in
      guard vault.headerFile.header.slots == prover.slots else { throw Self.changed }
      return try change(&vault)
    }
  }
}
