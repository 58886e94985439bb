/// What can be said of a vault at any time, also while it is locked.
public struct VaultCondition: Sendable, Equatable {
  /// Whether records can be used.
  public enum Door: Sendable, Equatable {
    /// There is no vault yet: `make(with:)` makes one.
    case missing
    /// No key is in memory: `unlock(with:)`.
    case locked
    /// Records can be read and written.
    case open
    /// `close()` was called.
    case closed
  }

  /// Whether records can be used.
  public let door: Door
  /// Whether what follows was held against the master key since the vault was attached. If not, anybody who can write
  /// to the folder could have made it up: good for showing, and for choosing which key to ask for, and for nothing
  /// else.
  public let isAuthenticated: Bool
  /// The header's version: 1 until an old vault is opened for the first time; 0 if there is none.
  public let headerVersion: UInt32
  /// The number of the header, which rises with every change of keys; 0 if there is none.
  public let generation: UInt64
  /// The key slots, in the order in which they were added.
  public let keys: [KeySlotInfo]
  /// Whether the vault is at home here.
  public let machine: VaultMachine
  /// Whether a new master key was made and not every record has it yet: it goes on at the next `unlock` or `rekey`.
  /// Always false while locked.
  public let isRekeying: Bool

  init(_ door: Door, _ view: HeaderView?, isAuthenticated: Bool, machine: MachineID, isRekeying: Bool = false) {
    self.door = door
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

/// A record's file that could not be used. Nothing is ever deleted for being damaged.
public struct DamagedRecord: Sendable, Equatable {
  /// The name of the file in the vault's folder (not the record's name: that is sealed).
  public let file: String
  /// What is wrong with it, in words.
  public let reason: String
  /// The name that the file has now; nil if it was left where it is (a newer format, or it could not be read just now).
  public let setAsideAs: String?
}

/// What `Vault.verify` found of one file.
public struct FileFinding: Sendable, Equatable {
  /// What there is to say of a file.
  public enum State: Sendable, Equatable {
    /// It opens, and is what this vault wrote.
    case ok
    /// It does not open, or somebody put another copy in its place; in words.
    case damaged(String)
    /// It has this version, newer than the program.
    case newer(UInt32)
    /// The system did not let it be read; in words.
    case unreadable(String)
    /// It was found damaged some time ago and renamed.
    case setAside
    /// It is a record of this vault's that is not there.
    case missing
    /// It is no file of a vault.
    case foreign
  }

  /// The file's name in the vault's folder: tells nothing of the record's.
  public let file: String
  /// What was found.
  public let state: State
}

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
