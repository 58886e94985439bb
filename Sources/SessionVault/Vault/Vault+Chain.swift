extension Vault {
  /// The first key of a new chain with the random name `id`: keyed BLAKE2b-256 of it under a key that is the master key's
  /// for chains alone. After a rekey another one: who wants to follow the chain from its start seals this one.
  ///
  /// - Throws: `.locked` while the vault is not open.
  public func firstChainKey(_ id: [UInt8]) throws(VaultError) -> ChainKey {
    try whileOpen { (vault) throws(VaultError) in try vault.sealer.firstChainKey(id) }
  }
}
