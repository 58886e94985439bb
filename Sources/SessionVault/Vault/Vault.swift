import Synchronization

/// The sealed store: named records, each in its own file, sealed with XChaCha20-Poly1305 under keys
/// that any single key slot unlocks.
///
/// Every call blocks on the disk: call from a thread pool, not from an event loop. Thread-safe:
/// calls are serialized by the vault's lock, except that passphrases are derived and keys are read
/// outside the lock. A record that is damaged, or written by a newer program, is listed in
/// `damaged` and does not affect other records.
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
  /// The number of calls of `interruptKeyWork`.
  private let interruptions = Mutex<UInt64>(0)

  init(_ storage: any VaultStorage, _ machine: MachineID, _ derivation: PassphraseDerivation, _ start: State) {
    self.storage = storage
    self.machine = machine
    self.derivation = derivation
    state = VaultState(start, machine)
  }

  deinit { close() }

  /// True if every key of the vault is locked into RAM, or if no keys are in memory, or none could be
  /// swapped out because there is no swap.
  public var memoryLocked: Bool { memoryLockError == nil }

  /// Why keys may be swapped out: the errno of mlock(2). Nil if `memoryLocked`.
  public var memoryLockError: Int32? {
    state.view.memoryLockError.flatMap { Sodium.hasSwap ? $0 : nil }
  }

  /// Seals `bytes` (at most 1 MiB) as the record `name` (1 to 255 bytes); durable on return. After
  /// an error the old or the new record is intact. Throws `.locked` while the vault is not open,
  /// like every call here.
  public func save(_ bytes: [UInt8], as name: String) throws(VaultError) {
    try whileOpen { (vault) throws(VaultError) in try vault.save(bytes, as: name) }
  }

  /// Returns the record `name`. Throws `.notFound`, or `.damaged` if its file was damaged and the
  /// record was not saved since.
  public func load(_ name: String) throws(VaultError) -> [UInt8] {
    try whileOpen { (vault) throws(VaultError) in try vault.load(name) }
  }

  /// Returns what `decode` makes of the record `name`, whose content is wiped then. A record that
  /// `decode` refuses is treated as a file of which the seal does not fit, or of a newer format: it
  /// is listed in `damaged`, and set aside or left unchanged. `decode` may not call the vault.
  public func load<Value: Sendable>(
    _ name: String, as decode: ([UInt8]) throws(FormatFault) -> Value
  ) throws(VaultError) -> Value {
    try whileOpen { (vault) throws(VaultError) in try vault.load(name, as: decode) }
  }

  /// Removes the record, durably. No error if it does not exist.
  public func delete(_ name: String) throws(VaultError) {
    try whileOpen { (vault) throws(VaultError) in try vault.delete(name) }
  }

  /// Reads, changes and writes a record atomically with respect to other calls; nil stands for no
  /// record, before and after. `change` runs once, under the vault's lock: it must not call the
  /// vault. Errors of `change` are rethrown, and nothing is written.
  public func update(_ name: String, _ change: (inout [UInt8]?) throws -> Void) throws {
    try state.withLock { state in
      var vault = try state.takeOpen()
      defer { state = .open(vault) }
      try vault.update(name, change)
    }
  }

  /// Returns the sorted names of all records that open; empty while the vault is not open.
  public func names() -> [String] {
    (try? whileOpen { (vault) throws(VaultError) in vault.names }) ?? []
  }

  /// Calls `body` with the name and the content of each record for which `isWanted` returns true. The
  /// content is wiped when `body` returns; neither closure may call the vault. A record that cannot be
  /// opened, or that `body` refuses, is listed in `damaged`, and set aside unless its format is newer.
  ///
  /// After `unlock(readsRecords: false)` the first call opens each record's file, once for this and
  /// all other purposes, except the files of the records `later`, which are left to the next call.
  ///
  /// - Throws: `.locked`, and `.unsafe` or a system error if a file was refused; `body` was called
  ///   with all other records then.
  public func readRecords(
    _ isWanted: (_ name: String) -> Bool, later: [String] = [],
    _ body: (_ name: String, _ content: [UInt8]) throws(FormatFault) -> Void
  ) throws(VaultError) {
    try whileOpen { (vault) throws(VaultError) in try vault.readRecords(isWanted, later: later, body) }
  }

  /// The files found damaged, unreadable or of a newer format since the vault was attached; also
  /// available while the vault is locked.
  public var damaged: [DamagedRecord] {
    state.view.damaged
  }

  /// The copies found faulty since the vault was attached, in that order; also available while the
  /// vault is locked.
  public var restored: [RestoredCopy] {
    state.withLock { state in
      switch state {
      case .open(let vault): vault.restored
      case .locked(let vault): vault.restored
      case .missing, .closed: []
      }
    }
  }

  /// Wipes the keys and releases the storage for other processes. Every later call throws
  /// `.locked`.
  public func close() {
    let wasHeld = state.withLock { state in
      if case .closed = state { return false }
      state = .closed
      return true
    }
    if wasHeld { storage.release() }
  }

  /// Makes calls that try or add keys throw `.locked` before their next derivation. Call it before
  /// `lock`, because such calls hold keys and passphrases until they return. A running derivation
  /// is not interrupted.
  public func interruptKeyWork() { interruptions.withLock { $0 += 1 } }

  /// Returns a derivation that fails after the next `interruptKeyWork`.
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
  /// Moves the open vault out of the state, so that it is mutated in place and never copied. The
  /// caller puts it back before releasing the lock.
  mutating func takeOpen() throws(VaultError) -> OpenVault {
    guard case .open(let vault) = self else { throw notOpen }
    self = .closed
    return vault
  }

  var notOpen: VaultError {
    switch self {
    case .missing: VaultError(.wrongState, "no vault yet: the agent creates it at its first start")
    case .locked, .open: VaultError(.locked, "the vault is locked: run `ritualctl unlock`")
    case .closed: VaultError(.locked, "the vault is closed: start the agent")
    }
  }
}

/// The state of a vault, behind a lock that is held during disk operations, and a snapshot that can
/// be read without waiting for that lock. Thread-safe.
final class VaultState: Sendable {
  /// A snapshot taken when the lock was last released.
  struct Snapshot: Sendable {
    let condition: VaultCondition
    var damaged: [DamagedRecord] = []
    var memoryLockError: Int32?
  }

  private let state: Mutex<Vault.State>
  private let latest: Mutex<Snapshot>
  private let machine: MachineID

  init(_ state: Vault.State, _ machine: MachineID) {
    self.machine = machine
    latest = Mutex(Self.view(state, machine))
    self.state = Mutex(state)
  }

  /// The latest snapshot. Never waits for the disk.
  var view: Snapshot { latest.withLock { $0 } }

  func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Vault.State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { (state) throws(Failure) in
      defer {
        let view = Self.view(state, machine)
        latest.withLock { $0 = view }
      }
      return try body(&state)
    }
  }

  private static func view(_ state: Vault.State, _ machine: MachineID) -> Snapshot {
    switch state {
    case .missing: Snapshot(condition: VaultCondition(.missing, nil, machine: machine))
    case .closed: Snapshot(condition: VaultCondition(.closed, nil, machine: machine))
    case .locked(let vault):
      Snapshot(
        condition: VaultCondition(.locked, vault.view, isAuthenticated: vault.isAuthenticated, machine: machine),
        damaged: vault.recordSnapshot?.damaged ?? [])
    case .open(let vault):
      Snapshot(
        condition: VaultCondition(
          .open, HeaderView(vault.headerFile), isAuthenticated: true, machine: machine, isRekeying: vault.isRekeying),
        damaged: vault.damaged, memoryLockError: vault.memoryLockError)
    }
  }
}
