/// What a vault says of itself.
extension Vault {
  /// Whether records are out of reach for want of a key: locked, missing or closed.
  public var isLocked: Bool { condition.door != .open }

  /// What can be said at any time; waits neither for the disk nor for a call that does.
  public var condition: VaultCondition { state.view.condition }

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
