import Synchronization

/// The sealed store: named records, each in a file of its own, sealed with XChaCha20-Poly1305 under keys that any one key slot opens.
///
/// Every call blocks while the disk works: call from a thread pool, not from an event loop. Calls from several threads take turns.
/// A record that is damaged, or written by a newer program, is noted in `damaged` and never stops the others.
public final class Vault: Sendable {
  private let storage: any VaultStorage
  private let state: Mutex<OpenVault?>

  /// Whether every key of the vault is locked into RAM; false means that the system may swap them out: RLIMIT_MEMLOCK
  /// (`LimitMEMLOCK=` in the unit) is too low.
  public let memoryLocked: Bool

  /// Opens the vault in `storage`, or makes a new one where there is none. A header that is gone while records are there is `.damaged`,
  /// a key file that is gone is `.keyMissing`: neither is replaced. Other errors: `.wrongKey`, `.formatTooNew`, `.inUse`, `.unsafe`
  /// and those of the system.
  public static func open(storage: any VaultStorage, key: KeySource) throws(VaultError) -> Vault {
    try Sodium.start()
    try storage.acquire()
    do {
      return Vault(storage, try VaultOpening.open(storage, key))
    } catch {
      storage.release()
      throw error
    }
  }

  private init(_ storage: any VaultStorage, _ opened: OpenVault) {
    self.storage = storage
    memoryLocked = opened.isLocked
    state = Mutex(opened)
  }

  deinit { close() }

  /// Seals `bytes` (at most 1 MiB) as the record `name` (1 to 255 bytes); durable when it returns. On an error the old or the new record
  /// is there, whole.
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

  /// Reads, lets `change` change, and writes, with nobody in between; nil stands for no record, before and after. `change` runs once, under the vault's
  /// lock: it must not call the vault. What it throws comes out, and nothing is written then.
  public func update(_ name: String, _ change: (inout [UInt8]?) throws -> Void) throws {
    try state.withLock { state in
      guard state != nil else { throw Self.closed }
      try state?.update(name, change)
    }
  }

  /// The names of all records that open, sorted; none once the vault is closed.
  public func names() -> [String] { state.withLock { $0?.names ?? [] } }

  /// What was found damaged, or of a newer format, since the vault was opened.
  public var damaged: [DamagedRecord] { state.withLock { $0?.damaged ?? [] } }

  /// Wipes the keys and lets another process have the vault; every later call is `.locked`.
  public func close() {
    let wasOpen = state.withLock { state in
      defer { state = nil }
      return state != nil
    }
    if wasOpen { storage.release() }
  }

  private static let closed = VaultError(.locked, "the vault is locked: run `ritualctl unlock`")

  private func whileOpen<Result: Sendable>(
    _ body: (inout OpenVault) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try state.withLock { (state) throws(VaultError) in
      guard state != nil else { throw Self.closed }
      return try body(&state!)
    }
  }
}
