/// What a vault says of itself.
extension Vault {
  /// Whether records are out of reach for want of a key: locked, missing or closed.
  public var isLocked: Bool { condition.door != .open }

  /// What can be said at any time; waits neither for the disk nor for a call that does.
  public var condition: VaultCondition { state.view.condition }

  /// Compares the two copies of one file that was not compared since the vault was opened, and makes a copy that is missing or
  /// damaged again from the other one. Of a locked vault only the header's copies are compared. Between two calls others get
  /// their turn.
  ///
  /// - Returns: false if nothing is left to compare.
  public func compareNextCopies() -> Bool {
    state.withLock { state in
      switch state {
      case .open(var vault):
        state = .closed
        defer { state = .open(vault) }
        return vault.compareNext()
      case .locked(var vault):
        let found = vault.restoreHeader(in: storage)
        state = .locked(vault)
        return found
      case .missing, .closed: return false
      }
    }
  }

  /// Compares the two copies of the agent's own key file, and makes one again from the other, if that one opens the vault.
  /// Nothing happens where the vault is not open, or has no slot for a key file.
  ///
  /// - Throws: the system's.
  public func compareKeyFile(_ path: String) throws(VaultError) {
    guard condition.keys.contains(where: { $0.kind == .keyFile }), let prover = try? openProver() else { return }
    let found = try KeyFile.restore(path, prover)
    try whileOpen { (vault) throws(VaultError) in if !vault.wasMigrated { vault.restored += found } }
  }

  /// Looks at every file in the vault's folder, the header too, and says of each how it is; changes nothing, and sets
  /// nothing aside. Between two files other calls get their turn.
  ///
  /// - Throws: `.locked`, and the system's where the folder cannot be listed.
  public func verify() throws(VaultError) -> [FileFinding] {
    var findings = try whileOpen { (vault) throws(VaultError) in vault.missing(among: try storage.list()) }
    for file in try storage.list() {
      let finding = try whileOpen { (vault) throws(VaultError) in try vault.finding(for: file) }
      if let finding { findings.append(finding) }
    }
    return findings.sorted { $0.file < $1.file }
  }
}
