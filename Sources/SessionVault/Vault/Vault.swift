import Synchronization

/// The sealed store: named records, each in a file of its own, sealed with XChaCha20-Poly1305 under keys that any one
/// key slot opens.
///
/// Every call blocks while the disk works: call from a thread pool, not from an event loop. Calls from several threads
/// take turns, except that nobody waits for a passphrase to be derived or a key to be read: that happens outside of the
/// vault's lock. A record that is damaged, or written by a newer program, is noted in `damaged` and never stops the
/// others.
public final class Vault: Sendable {
  enum State: Sendable {
    case missing
    case locked(LockedVault)
    case open(OpenVault)
    case closed
  }

  let storage: any VaultStorage
  let machine: MachineID
  let derivation: PassphraseDerivation
  let state: VaultState
  /// How often `interruptKeyWork` was called.
  private let interruptions = Mutex<UInt64>(0)

  init(_ storage: any VaultStorage, _ machine: MachineID, _ derivation: PassphraseDerivation, _ start: State) {
    self.storage = storage
    self.machine = machine
    self.derivation = derivation
    state = VaultState(start, machine)
  }

  deinit { close() }

  /// Whether every key of the vault is locked into RAM; false means that the system may swap them out: RLIMIT_MEMLOCK
  /// (`LimitMEMLOCK=` in the unit) is too low. True where there are no keys in memory.
  public var memoryLocked: Bool {
    state.view.memoryLocked
  }

  /// Seals `bytes` (at most 1 MiB) as the record `name` (1 to 255 bytes); durable when it returns. On an error the old
  /// or the new record is there, whole. `.locked` while the vault is not open, as of every call here.
  public func save(_ bytes: [UInt8], as name: String) throws(VaultError) {
    try whileOpen { (vault) throws(VaultError) in try vault.save(bytes, as: name) }
  }

  /// The record `name`; `.notFound`, or `.damaged` if its file was damaged and it was not saved since.
  public func load(_ name: String) throws(VaultError) -> [UInt8] {
    try whileOpen { (vault) throws(VaultError) in try vault.load(name) }
  }

  /// Removes the record, durably; no error if there is none.
  public func delete(_ name: String) throws(VaultError) {
    try whileOpen { (vault) throws(VaultError) in try vault.delete(name) }
  }

  /// Removes every record, durably. What was set aside, or is of a newer format, stays.
  public func deleteAll() throws(VaultError) {
    try whileOpen { (vault) throws(VaultError) in try vault.deleteAll() }
  }

  /// Reads, lets `change` change, and writes, with nobody in between; nil stands for no record, before and after.
  /// `change` runs once, under the vault's lock: it must not call the vault. What it throws comes out, and nothing is
  /// written then.
  public func update(_ name: String, _ change: (inout [UInt8]?) throws -> Void) throws {
    try state.withLock { state in
      var vault = try state.takeOpen()
      defer { state = .open(vault) }
      try vault.update(name, change)
    }
  }

  /// The names of all records that open, sorted; none while the vault is not open.
  public func names() -> [String] { state.withLock { if case .open(let vault) = $0 { vault.names } else { [] } } }

  /// What was found damaged, or of a newer format, since the vault was attached; also while it is locked.
  public var damaged: [DamagedRecord] {
    state.view.damaged
  }

  /// The copies that were found wrong since the vault was attached, in that order; also while it is locked.
  public var restored: [RestoredCopy] {
    state.withLock { state in
      switch state {
      case .open(let vault): vault.restored
      case .locked(let vault): vault.restored
      case .missing, .closed: []
      }
    }
  }

  /// Wipes the keys and lets another process have the vault; every later call is `.locked`.
  public func close() {
    let wasHeld = state.withLock { state in
      if case .closed = state { return false }
      state = .closed
      return true
    }
    if wasHeld { storage.release() }
  }

  /// Ends calls that try or add keys before their next derivation: they throw `.locked`. For whoever is about to `lock`,
  /// since such a call holds keys and passphrases for as long as it derives. A derivation that runs is not cut off.
  public func interruptKeyWork() { interruptions.withLock { $0 += 1 } }

  /// The derivation, refused from the next `interruptKeyWork` on.
  func interruptibleDerivation() -> PassphraseDerivation {
    let begun = interruptions.withLock { $0 }
    return derivation.unless { [weak self] in self?.interruptions.withLock { $0 } != begun }
  }

  func whileOpen<Result: Sendable>(
    _ body: (inout OpenVault) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try state.withLock { (state) throws(VaultError) in
      var vault = try state.takeOpen()
      defer { state = .open(vault) }
      return try body(&vault)
    }
  }
}

extension Vault.State {
  /// Takes the open vault out, so that it is changed in its place and never copied; the caller puts it back before it
  /// lets go of the lock.
  mutating func takeOpen() throws(VaultError) -> OpenVault {
    guard case .open(let vault) = self else { throw notOpen }
    self = .closed
    return vault
  }

  var notOpen: VaultError {
    switch self {
    case .missing: VaultError(.wrongState, "there is no vault yet: the agent makes it at its first start")
    case .locked, .open: VaultError(.locked, "the vault is locked: run `ritualctl unlock`")
    case .closed: VaultError(.locked, "the vault is closed: start the agent")
    }
  }
}

/// The state of a vault behind its lock, which is held while the disk works, and what can be said of it without waiting for the
/// lock. Safe from any thread.
final class VaultState: Sendable {
  /// What was true when the lock was last released.
  struct View: Sendable {
    let condition: VaultCondition
    let damaged: [DamagedRecord]
    let memoryLocked: Bool
  }

  /// Changes whenever the view may have changed.
  private struct Stamp: Equatable {
    var door = VaultCondition.Door.closed
    var generation: UInt64 = 0
    var version: UInt32 = 0
    var isRekeying = false
    var isAuthenticated = false
    var damaged = 0
  }

  private let state: Mutex<Vault.State>
  private let latest: Mutex<(stamp: Stamp, view: View)>
  private let machine: MachineID

  init(_ state: Vault.State, _ machine: MachineID) {
    self.machine = machine
    latest = Mutex((Self.stamp(state), Self.view(state, machine)))
    self.state = Mutex(state)
  }

  /// Never waits for the disk.
  var view: View { latest.withLock { $0.view } }

  func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Vault.State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { (state) throws(Failure) in
      defer { note(state) }
      return try body(&state)
    }
  }

  private func note(_ state: Vault.State) {
    let stamp = Self.stamp(state)
    guard latest.withLock({ $0.stamp != stamp }) else { return }
    let view = Self.view(state, machine)
    latest.withLock { $0 = (stamp, view) }
  }

  private static func stamp(_ state: Vault.State) -> Stamp {
    switch state {
    case .missing: Stamp(door: .missing)
    case .closed: Stamp()
    case .locked(let vault):
      Stamp(
        door: .locked, generation: vault.view.generation, version: vault.view.version,
        isAuthenticated: vault.isAuthenticated, damaged: vault.memory?.damaged.count ?? 0)
    case .open(let vault):
      Stamp(
        door: .open, generation: vault.headerFile.header.generation, version: vault.headerFile.version,
        isRekeying: vault.isRekeying, isAuthenticated: true, damaged: vault.damaged.count)
    }
  }

  private static func view(_ state: Vault.State, _ machine: MachineID) -> View {
    switch state {
    case .missing: View(.missing, nil, machine)
    case .closed: View(.closed, nil, machine)
    case .locked(let vault):
      View(
        condition: VaultCondition(
          .locked, vault.view, isAuthenticated: vault.isAuthenticated, machine: machine),
        damaged: vault.memory?.damaged ?? [], memoryLocked: true)
    case .open(let vault):
      View(
        condition: VaultCondition(
          .open, HeaderView(vault.headerFile), isAuthenticated: true, machine: machine, isRekeying: vault.isRekeying),
        damaged: vault.damaged, memoryLocked: vault.memoryLocked)
    }
  }
}

extension VaultState.View {
  fileprivate init(_ door: VaultCondition.Door, _ view: HeaderView?, _ machine: MachineID) {
    self.init(
      condition: VaultCondition(door, view, isAuthenticated: false, machine: machine), damaged: [], memoryLocked: true)
  }
}

extension Vault {
  /// The first key of a new chain with the random name `id`: keyed BLAKE2b-256 of it under a key that is the master key's
  /// for chains alone. After a rekey another one: who wants to follow the chain from its start seals this one.
  ///
  /// - Throws: `.locked` while the vault is not open.
  public func firstChainKey(_ id: [UInt8]) throws(VaultError) -> ChainKey {
    try whileOpen { (vault) throws(VaultError) in try vault.sealer.firstChainKey(id) }
  }
}
