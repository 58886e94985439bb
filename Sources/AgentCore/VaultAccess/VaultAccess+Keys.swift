import AccessControl
import AgentProtocol
import Logging
import SessionEngine
import SessionVault
import Synchronization

/// Each request must present a key, even if the vault is open.
extension VaultAccess {
  func unlock(by params: VaultUnlock.Params) async throws(AgentError) -> KeySlotInfo {
    switch (params.passphrase, params.keyFile) {
    case (let passphrase?, nil): return try await unlock(.passphrase(try passphrase.guarded()))
    case (nil, let path?): return try await unlock(try keyFile(path, try attached.get().places))
    case (nil, nil): return try await unlock(nil)
    case (.some, .some): throw AgentError(.invalidParams, "Give either a passphrase or a key file, not both.")
    }
  }

  func addKey(_ params: VaultAddKey.Params) async throws(AgentError) -> VaultAddKey.Result {
    let attached = try attached.get()
    let new = try newKey(params, attached.places)
    let present = try sources(params.present, attached.places)
    let keeps = params.kind != .passphrase || params.keepKeyFile == true
    let records = records
    let result = try await keyWork.run {
      if let id = params.replaces {
        let result = try attached.vault.replacing(id, by: new, present)
        records.record(.keyAdded, detail: result.key.kind.rawValue)
        for key in result.removed { records.record(.keyRemoved, detail: key.kind.rawValue) }
        return result
      }
      // Each change is recorded when it is done, because the next one may fail.
      let key = VaultKey(try attached.vault.addKey(new, present: present))
      records.record(.keyAdded, detail: key.kind.rawValue)
      let slots = keeps ? [] : attached.vault.condition.keys.filter { $0.kind == .keyFile }
      for slot in slots {
        try attached.vault.removeKey(slot.id, present: present)
        records.record(.keyRemoved, detail: VaultKey(slot).kind.rawValue)
      }
      return VaultAddKey.Result(key: key, removed: slots.map { VaultKey($0) })
    }
    keysChanged(attached)
    logger.notice("a key was added to the vault", metadata: ["key": "\(params.kind.rawValue)"])
    return result
  }

  func removeKey(_ params: VaultRemoveKey.Params) async throws(AgentError) {
    let attached = try attached.get()
    let present = try sources(params.present, attached.places)
    try await keyWork.run { try attached.vault.removeKey(params.id, present: present) }
    keysChanged(attached)
    records.record(.keyRemoved)
    logger.notice("a key was removed from the vault")
  }

  func rekey(_ params: VaultRekey.Params) async throws(AgentError) -> VaultRekey.Result {
    let attached = try attached.get()
    let present = try sources(params.present, attached.places)
    let generation = try await keyWork.run {
      try attached.vault.rekey(present: present)
      return attached.vault.condition.generation
    }
    records.record(.rekeyed)
    logger.notice("the vault has a new master key")
    return VaultRekey.Result(generation: generation)
  }

  private func newKey(_ params: VaultAddKey.Params, _ places: VaultPaths) throws(AgentError) -> KeySource {
    guard params.path == nil || params.kind == .keyFile, params.passphrase == nil || params.kind == .passphrase else {
      throw AgentError(.invalidParams, "A passphrase key takes a passphrase; a key file takes a path.")
    }
    switch params.kind {
    case .passphrase:
      guard let passphrase = params.passphrase else { throw AgentError(.invalidParams, "The passphrase is missing.") }
      return .passphrase(try passphrase.guarded())
    case .keyFile:
      let path = params.path ?? places.keyFile
      return try keyFile(path, places, createIfMissing: true)
    case .credential: return try credential(places)
    default: throw AgentError(.invalidParams, "The key kind must be passphrase, keyFile or credential.")
    }
  }

  private func credential(_ places: VaultPaths) throws(AgentError) -> KeySource {
    if let path = places.credential { return .credential(path: path) }
    throw VaultPaths.noCredential
  }

  /// The source for the key file at `path`. Only the agent's own key file has two copies.
  func keyFile(
    _ path: String, _ places: VaultPaths, createIfMissing: Bool = false
  ) throws(AgentError) -> KeySource {
    guard path.hasPrefix("/") else { throw AgentError(.invalidParams, "The path of a key file must be absolute.") }
    if path == places.keyFile { return places.key(createIfMissing: createIfMissing) }
    return .keyFile(path: path, createIfMissing: createIfMissing)
  }

  /// Maximum number of presented keys: as many as a vault has slots. Each key may cost a derivation
  /// for each slot.
  private static let maxPresentKeys = 16

  private func sources(_ present: PresentKeys, _ places: VaultPaths) throws(AgentError) -> [KeySource] {
    var sources: [KeySource] = []
    if present.keyFile == true { sources.append(places.key(createIfMissing: false)) }
    for path in present.keyFiles ?? [] { sources.append(try keyFile(path, places)) }
    if present.credential == true { sources.append(try credential(places)) }
    for passphrase in present.passphrases ?? [] { sources.append(.passphrase(try passphrase.guarded())) }
    guard sources.count <= Self.maxPresentKeys else {
      throw AgentError(.tooMany, "A request can present at most \(Self.maxPresentKeys) keys.")
    }
    guard !sources.isEmpty else {
      throw AgentError(.invalidParams, "This requires a key that unlocks the vault.")
    }
    return sources
  }
}

extension Vault {
  /// Replaces a key. Blocks.
  fileprivate func replacing(
    _ id: String, by new: KeySource, _ present: [KeySource]
  ) throws(VaultError) -> VaultAddKey.Result {
    let old = condition.keys.first { $0.id == id }
    let key = try replaceKey(id, with: new, present: present)
    return VaultAddKey.Result(key: VaultKey(key), removed: old.map { [VaultKey($0)] } ?? [])
  }
}

extension SecretText {
  /// The passphrase, copied into guarded memory.
  func guarded() throws(AgentError) -> Passphrase {
    do {
      return try bytes.withUnsafeBytes { bytes in try Passphrase(bytes) }
    } catch {
      throw AgentError.from(vault: error)
    }
  }
}

/// Runs work with keys. Each item may derive passphrases, which takes half a second and 256 MiB.
/// One item runs at a time, on a separate thread, and a few more wait.
final class KeyWork: Sendable {
  /// Maximum length of the queue: enough for a person and some scripts. A program that tries many
  /// passphrases is refused.
  static let maxWaiting = 4

  let generation: LockGeneration
  private let thread: WorkThread
  /// Number of items that run or wait.
  private let pieces = Mutex(0)

  init(_ generation: LockGeneration = LockGeneration(), thread: WorkThread = WorkThread("keys")) {
    self.generation = generation
    self.thread = thread
  }

  /// Runs `body` in `generation`, by default the current one.
  ///
  /// - Throws: `tooMany` when the queue is full, `vaultLocked` if a lock was requested before
  ///   `body` began, else the error of `body`, as an `AgentError`.
  func run<Result: Sendable>(
    in generation: UInt64? = nil, _ body: @escaping @Sendable () throws -> Result
  ) async throws(AgentError) -> Result {
    let number = if let generation { generation } else { try self.generation.begin() }
    try enter()
    defer { pieces.withLock { $0 -= 1 } }
    do {
      return try await thread.run { [self] in
        guard self.generation.isCurrent(number) else { throw LockGeneration.lockedMeanwhile }
        return try body()
      }
    } catch let error as AgentError {
      throw error
    } catch {
      throw AgentError.from(vault: error)
    }
  }

  private func enter() throws(AgentError) {
    try pieces.withLock { (pieces) throws(AgentError) in
      guard pieces <= Self.maxWaiting else {
        throw AgentError(.tooMany, "Too many keys are being tried at once. Please try again.")
      }
      pieces += 1
    }
  }

  /// Returns when the running item, which holds a key or a passphrase, is done and the waiting
  /// items have been refused.
  func finishRunning() async { await thread.completeBegun() }

  /// Waits for the running item, and ends the thread.
  func close() async { await thread.end() }
}
