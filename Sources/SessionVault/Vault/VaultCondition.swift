/// The condition of a vault, available at any time, also while the vault is locked.
public struct VaultCondition: Sendable, Equatable {
  /// The lock state: whether records can be used.
  public enum LockState: Sendable, Equatable {
    /// No vault exists yet: `create(with:)` creates one.
    case missing
    /// No key is in memory: `unlock(with:)` opens the vault.
    case locked
    /// Records can be read and written.
    case open
    /// `close()` was called.
    case closed
  }

  /// The lock state: whether records can be used.
  public let lockState: LockState
  /// True if the following values were authenticated with the master key since the vault was
  /// attached. Otherwise anyone who can write to the directory could have forged them: use them
  /// only for display and for choosing which key to request.
  public let isAuthenticated: Bool
  /// The header's version: 1 or 2 until an old vault is unlocked for the first time; 0 if there is
  /// no header.
  public let headerVersion: UInt32
  /// The number of the header, which rises with every change of keys; 0 if there is no header.
  public let generation: UInt64
  /// The key slots, in the order in which they were added.
  public let keys: [KeySlotInfo]
  /// Whether the vault belongs to this machine.
  public let machine: VaultMachine
  /// True if a rekey is incomplete: some records are not sealed under the new master key yet. The
  /// next `unlock` or `rekey` continues it. Always false while the vault is locked.
  public let isRekeying: Bool

  init(
    _ lockState: LockState, _ view: HeaderView?, isAuthenticated: Bool = false, machine: MachineID,
    isRekeying: Bool = false
  ) {
    self.lockState = lockState
    self.isAuthenticated = isAuthenticated
    headerVersion = view?.version ?? 0
    generation = view?.generation ?? 0
    keys = view?.slots.map(KeySlotInfo.init) ?? []
    self.machine =
      view.flatMap { view in view.machine.map { VaultMachine($0, here: MachineTag(machine, vaultID: view.vaultID)) } }
      ?? .unknown
    self.isRekeying = isRekeying
  }
}

/// A record's file that could not be used. A damaged file is never deleted.
public struct DamagedRecord: Sendable, Equatable {
  /// The name of the file in the vault's directory, not the name of the record, which is sealed.
  public let file: String
  /// A description of what is wrong with the file.
  public let reason: String
  /// The new name of the file; nil if it was left in place (newer format, or temporarily
  /// unreadable).
  public let setAsideAs: String?
}

/// The result of `Vault.verify` for one file.
public struct FileFinding: Sendable, Equatable {
  /// The state of a file.
  public enum State: Sendable, Equatable {
    /// The file opens and contains what this vault wrote.
    case ok
    /// The file does not open, or was replaced by another copy; the value is a description.
    case damaged(String)
    /// The file has this version, which is newer than the program.
    case newer(UInt32)
    /// The system could not read the file; the value is a description.
    case unreadable(String)
    /// The file was found damaged earlier and renamed.
    case setAside
    /// A copy of a record or of the header is missing.
    case missing
    /// The file does not belong to a vault.
    case foreign
  }

  /// The file's name in the vault's directory; it reveals nothing about the record's name.
  public let file: String
  /// The state that was found.
  public let state: State
}

/// The condition of the vault and its checks.
extension Vault {
  /// True if records cannot be accessed: the vault is locked, missing or closed.
  public var isLocked: Bool { condition.lockState != .open }

  /// The condition of the vault. Does not wait for the disk or for other calls.
  public var condition: VaultCondition { state.view.condition }

  /// Compares the two copies of one file that was not compared since the vault was opened, and
  /// restores a missing or damaged copy from the other one. In a locked vault only the header's
  /// copies are compared. Between two calls other callers can run.
  ///
  /// - Returns: False if nothing is left to compare.
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

  /// Compares the two copies of the agent's own key file, and restores one copy from the other if
  /// that one opens the vault. Does nothing unless the vault is open and has a slot for a key file.
  ///
  /// - Throws: System errors.
  public func compareKeyFile(_ path: String) throws(VaultError) {
    guard condition.keys.contains(where: { $0.kind == .keyFile }), let prover = try? openProver() else { return }
    let found = try KeyFile.restore(path, prover)
    try whileOpen { (vault) throws(VaultError) in if !vault.wasMigrated { vault.restored += found } }
  }

  /// Checks every file in the vault's directory, including the header, and returns a finding for
  /// each. Changes nothing and sets nothing aside. Between two files other calls can run.
  ///
  /// - Throws: `.locked`, and system errors if the directory cannot be listed.
  public func verify() throws(VaultError) -> [FileFinding] {
    var findings = try whileOpen { (vault) throws(VaultError) in vault.missing(among: try storage.list()) }
    for file in try storage.list() {
      let finding = try whileOpen { (vault) throws(VaultError) in try vault.finding(for: file) }
      if let finding { findings.append(finding) }
    }
    return findings.sorted { $0.file < $1.file }
  }
}
