import AgentConfiguration
package import AgentProtocol
package import Logging
import ServiceLifecycle
package import SessionEngine
package import SessionVault
import Synchronization
package import SystemSupport

/// The audit log on disk. Pending entries of `Records` are written at most once a
/// second, chained, and anchored in the vault. No caller waits for the log: with a full disk or a
/// locked vault the entries stay pending, and tokens and sign-ins continue.
///
/// Files and anchor are written on the vault's thread, in order with its records. Lists and checks
/// are read on a separate thread.
package final class AuditLog: Sendable {
  private struct State {
    var writer: AuditWriter?
    /// The anchor as of the last lock, from which a locked vault's log is listed.
    var anchor: AuditAnchor?
    /// True while the vault is unlocked and the chain's key is available.
    var isOpen = false
  }

  /// Maximum age of a file, in days, before the next file starts. Files are removed whole.
  private static let maxFileDays = 7
  /// Number of newest files that are checked after an unlock, 2 MiB: the current file, and the one before
  /// it, which is the damaged one if the chain continued in a new file. All files could be 1 GiB.
  private static let checkedFiles = 2

  let records: Records
  private let path: String
  private let vault: Vault
  private let store: SessionStore
  private let clock: any AgentClock
  private let logger: Logger
  private let keepDays: @Sendable () -> Int
  /// Held during disk I/O by the vault's thread. Other users hold it briefly, but may wait for the
  /// disk.
  private let state = Mutex(State())
  private let failure = Mutex<String?>(nil)
  /// The findings of the last check of the files.
  private let damage = Mutex<[String]>([])
  private let reader = WorkThread("audit-reader")

  /// - Parameters:
  ///   - path: The log directory.
  ///   - vault: Holds the chain's key and the anchor.
  ///   - store: Provides the thread that writes the files.
  ///   - keepDays: Returns the currently configured retention, in days.
  package init(
    _ path: String, vault: Vault, store: SessionStore, records: Records, clock: any AgentClock, logger: Logger,
    keepDays: @escaping @Sendable () -> Int
  ) {
    (self.path, self.vault, self.store, self.records) = (path, vault, store, records)
    (self.clock, self.logger, self.keepDays) = (clock, logger, keepDays)
  }

  // MARK: - Vault state

  /// Marks the vault as unlocked. The flusher continues the chain and writes the pending entries; no
  /// start and no unlock waits for the disk.
  package func vaultOpened() {
    state.withLock { $0.isOpen = true }
    records.audit.changed.signal()
  }

  /// Writes everything, and drops the chain's key. Called before the vault is locked and at shutdown.
  package func vaultCloses() async {
    // The second call takes a token whose caller was being looked up during the first one.
    for _ in 0..<2 { await flush() }
    await onDisk { [self] state in
      guard state.isOpen else { return }
      write(&state, closing: true)
      state.anchor = state.writer?.anchor ?? state.anchor
      (state.isOpen, state.writer) = (false, nil)
    }
  }

  /// Ends the reader thread. Call after `vaultCloses`.
  package func close() async { await reader.end() }

  // MARK: - Writing

  /// Writes pending entries.
  ///
  /// - Returns: False if the last write failed.
  @discardableResult
  func flush() async -> Bool {
    await onDisk { [self] state in if state.isOpen { write(&state, closing: false) } }
    return failure.withLock { $0 == nil }
  }

  private func onDisk(_ body: @escaping @Sendable (inout sending State) -> Void) async {
    // Fails only after the thread ended with the vault; nothing can be written then.
    try? await store.onDiskThread { [self] in state.withLock { body(&$0) } }
  }

  private func write(_ state: inout State, closing: Bool) {
    do {
      var writer = try state.writer ?? open()
      defer { state.writer = writer }
      try writePending(&writer, closing: closing)
      note(nil)
    } catch {
      note((error as? VaultError)?.message ?? "\(type(of: error))")
    }
  }

  private func open() throws -> AuditWriter {
    let (writer, facts) = try AuditWriter.open(path, vault, now: clock.wall)
    // Entries that could not be written before a lock are newer than what the anchor has.
    let waiting = Set(records.audit.pending().entries.compactMap(\.handOut))
    for facts in facts where facts.handOut.map({ !waiting.contains($0) }) ?? true { records.audit.record(facts) }
    let reader = AuditReader(anchor: writer.anchor, key: writer.key, folder: writer.folder)
    note(try reader.verify(newest: Self.checkedFiles).findings)
    return writer
  }

  private func writePending(_ writer: inout AuditWriter, closing: Bool) throws {
    // Caps the retention at a century, so that no product overflows.
    let (now, days) = (clock.wall, Int64(min(max(1, keepDays()), 36_525)))
    let (entries, counts) = records.audit.pending(closing: closing)
    var written = 0
    defer { records.audit.written(written) }
    try writer.write(entries, now: now, span: min(Int64(Self.maxFileDays), days) * 86_400, written: &written)
    writer.anchor.counts = counts
    writer.anchor.isClosed = closing
    try writer.save()
    try writer.removeFiles(endedBefore: Timestamp(unixSeconds: now.unixSeconds - days * 86_400))
    try writer.save()
  }

  // MARK: - Problems

  /// Stores the current error and logs it if it changed.
  private func note(_ words: String?) {
    guard words != failure.exchange(words) else { return }
    if let words {
      logger.error("the audit log cannot be written; entries are queued", metadata: ["detail": "\(words)"])
    } else {
      logger.notice("the audit log can be written again")
    }
  }

  /// Stores what a check found, and logs what is new.
  private func note(_ findings: [AuditVerify.Finding]) {
    let found = Dictionary(grouping: findings) { $0.kind == AuditReader.unknownFile ? "unknown" : "damaged" }
    let words = found.sorted { $0.key < $1.key }.map { what, findings in
      let names = Set(findings.map { what == "unknown" ? $0.file : "\($0.file) (\($0.kind))" }).sorted()
      let rest = names.count - AuditAnchor.maxNames
      return
        "the audit log's directory has \(what) files: \(names.prefix(AuditAnchor.maxNames).joined(separator: ", "))"
        + (rest > 0 ? " and \(rest) more" : "") + ": ritualctl audit --verify"
    }
    let before = damage.exchange(words)
    for word in words where !before.contains(word) {
      logger.error("\(word)", metadata: JournalEvent.auditDamaged.with())
    }
  }

  /// Current problems, for the status: a failed write, and what the last check found.
  package var complaints: [String] {
    failure.withLock { $0.map { ["the audit log cannot be written; entries are queued: \($0)"] } ?? [] }
      + damage.withLock { $0 }
  }

  /// Returns the problems after checking the newest files, unless the vault is locked. Waits for the disk.
  package func freshComplaints() async -> [String] {
    _ = try? await verify(newest: Self.checkedFiles)
    return complaints
  }

  // MARK: - Reading

  /// Returns the last entries of the agent's own files. While the vault is locked, entries are not
  /// checked against the chain.
  ///
  /// - Throws: `vaultLocked` if the vault has not been unlocked since the start, because the
  ///   agent's own files are then unknown.
  package func list(_ limit: Int) async throws(AgentError) -> AuditList.Result {
    await flush()
    let (anchor, key) = try await known()
    let counted = records.audit.open
    return try await read { [path] in
      try AuditReader(anchor: anchor, key: key, folder: PrivateDirectory(path)).list(limit, counted: counted)
    }
  }

  /// Verifies the log against the chain.
  ///
  /// - Throws: `vaultLocked`; `vaultUnavailable` if files cannot be read.
  package func verify(newest: Int = .max) async throws(AgentError) -> AuditVerify.Result {
    await flush()
    var isRetry = false
    while true {
      let (anchor, key) = try await known()
      guard let key else { throw AgentError(.vaultLocked) }
      let result = try await read { [path] in
        try AuditReader(anchor: anchor, key: key, folder: PrivateDirectory(path)).verify(newest: newest)
      }
      // Retries once if files were begun or removed meanwhile: those are not findings.
      if !isRetry, try await known().anchor.files != anchor.files {
        isRetry = true
        continue
      }
      note(result.findings)
      return result
    }
  }

  /// The anchor, and the chain's key while the vault is unlocked. Read on the vault's thread, which holds
  /// the lock of the state during writes: no other thread waits for the disk.
  ///
  /// - Throws: `vaultLocked` if the vault has not been unlocked since the start.
  private func known() async throws(AgentError) -> (anchor: AuditAnchor, key: ChainKey?) {
    do {
      return try await store.onDiskThread { [self] in
        try state.withLock { state in
          if let writer = state.writer { return (writer.anchor, writer.key) }
          if !state.isOpen, let anchor = state.anchor { return (anchor, nil) }
          return (try vault.load(AuditAnchor.record, as: AuditAnchor.decoded), try AuditWriter.key(of: vault))
        }
      }
    } catch {
      throw AgentError.from(vault: error)
    }
  }

  private func read<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws(AgentError) -> Value {
    do {
      return try await reader.run(body)
    } catch is CancellationError {
      throw AgentError(.notReady)
    } catch {
      throw AgentError.from(vault: error)
    }
  }
}

/// Writes the pending entries: at once after a change, then at most once a second.
extension AuditLog: Service {
  /// Maximum time between flushes, so that idle counts are written and old files removed.
  private static let longest = Duration.seconds(60)
  /// Delay before the next attempt after a failed write.
  private static let retry = Duration.seconds(5)

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        await clock.sleep(until: clock.now.advanced(by: Self.longest), or: records.audit.changed)
        if Task.isCancelled { return }
        try? await clock.sleep(for: await flush() ? .seconds(1) : Self.retry)
      }
    }
  }
}

extension Mutex where Value: Sendable {
  /// Replaces the value, and returns the one before.
  fileprivate func exchange(_ value: Value) -> Value {
    withLock { current in
      defer { current = value }
      return current
    }
  }
}
