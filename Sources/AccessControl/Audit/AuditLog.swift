import AgentConfiguration
package import AgentProtocol
package import Logging
package import SessionEngine
package import SessionVault
import Synchronization
package import SystemSupport

/// The audit log on disk (LK-3, PR-3). Pending entries of `Records` are written at most once a
/// second, chained, and sealed in the vault. No caller waits for the log: with a full disk or a
/// locked vault the entries stay pending, and tokens and sign-ins continue.
///
/// Files and seal are written on the vault's thread, in order with its records. Lists and checks
/// are read on a separate thread.
package final class AuditLog: Sendable {
  private struct State {
    var writer: AuditWriter?
    /// The files as of the last lock, from which a locked vault's log is listed.
    var layout: AuditLayout?
    /// True while the vault is unlocked and the chain's key is available.
    var isOpen = false
    /// Issued tokens that are not yet in the ledger.
    var waiting: [(HandOutTable.Noted, Caller?)] = []
    /// Requests sent with a token that are not yet in the ledger.
    var requests: [(EgressUse, Caller?)] = []
    /// True if the seal is out of date.
    var isChanged = false
  }

  /// Maximum number of items in `State.waiting` and `State.requests`, some hundred kilobytes each.
  private static let maxPending = 4096
  /// Maximum age of a file, in days, before the next file starts. Files are removed whole.
  private static let maxFileDays = 7
  /// Number of newest files that a start reads, 2 MiB: the current file, and the one before it,
  /// which is the damaged one if the chain continued in a new file. All files could be 1 GiB.
  private static let checkedAtStart = 2

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
  private let complaint = Mutex<String?>(nil)
  /// The unknown names in the log directory, as of the last check.
  private let unknown = Mutex<[String]>([])
  /// The files in which the last check of the newest files found something, with the findings.
  private let damaged = Mutex<[String]>([])
  /// True if that check has run since the vault was unlocked.
  private let isChecked = Mutex(false)
  private let reader = WorkThread("audit-reader")

  /// - Parameters:
  ///   - path: The log directory.
  ///   - vault: Seals the log.
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

  /// Marks the vault as unlocked at a start. The flusher continues the chain once the agent serves;
  /// the start does not wait for the disk.
  package func vaultIsOpen() {
    state.withLock { $0.isOpen = true }
    isChecked.withLock { $0 = false }
    records.audit.changed.signal()
  }

  /// Continues the chain and writes pending entries after an unlock.
  package func vaultOpened() async {
    await onDisk { $0.isOpen = true }
    isChecked.withLock { $0 = false }
    await flush()
  }

  /// Writes and seals everything, and drops the chain's key. Called before the vault is locked and
  /// at shutdown.
  package func vaultCloses() async {
    // The second call takes tokens issued during the first call's lookups.
    for _ in 0..<2 { await takeHandOuts() }
    await onDisk { [self] state in
      guard state.isOpen else { return }
      write(&state, closing: true)
      state.layout = state.writer.map { AuditLayout($0.seal) } ?? state.layout
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
    await takeHandOuts()
    await onDisk { [self] state in if state.isOpen { write(&state, closing: false) } }
    return complaint.withLock { $0 == nil }
  }

  private func takeHandOuts() async {
    let taken = await records.handOuts.take()
    guard !taken.handOuts.isEmpty || !taken.requests.isEmpty || taken.lost > 0 else { return }
    await onDisk { [records] state in
      let room = (Self.maxPending - state.waiting.count, Self.maxPending - state.requests.count)
      state.waiting += taken.handOuts.prefix(room.0)
      state.requests += taken.requests.prefix(room.1)
      let surplus =
        taken.lost + UInt64(max(0, taken.handOuts.count - room.0) + max(0, taken.requests.count - room.1))
      if surplus > 0 { records.record(.lost(surplus)) }
    }
  }

  private func onDisk(_ body: @escaping @Sendable (inout sending State) -> Void) async {
    // Fails only after the thread ended with the vault; nothing can be written then.
    try? await store.onDiskThread { [self] in state.withLock { body(&$0) } }
  }

  private func write(_ state: inout State, closing: Bool) {
    do {
      try open(&state)
      try writeWaiting(&state, closing: closing)
      try state.writer.map { try look($0.folder, AuditLayout($0.seal)) }
      note(nil)
    } catch {
      note((error as? VaultError)?.message ?? "\(type(of: error))")
    }
  }

  /// Stores the current error and logs it if it changed.
  private func note(_ words: String?) {
    let before = complaint.withLock { complaint in
      defer { complaint = words }
      return complaint
    }
    guard before != words else { return }
    if let words {
      logger.error("the audit log cannot be written; entries are queued", metadata: ["detail": "\(words)"])
    } else {
      logger.notice("the audit log can be written again")
    }
  }

  private func open(_ state: inout State) throws {
    guard state.writer == nil else { return }
    let (writer, facts) = try AuditRecovery(path: path, vault: vault, now: clock.wall).open()
    state.writer = writer
    state.isChanged = true
    for facts in facts { records.record(facts) }
  }

  private func writeWaiting(_ state: inout State, closing: Bool) throws {
    guard var writer = state.writer else { return }
    defer { state.writer = writer }
    // Caps the retention at a century, so that no product overflows.
    let (now, days) = (clock.wall, Int64(min(max(1, keepDays()), 36_525)))
    let before = writer.seal.ledger
    var facts = state.waiting.flatMap { writer.seal.ledger.take($0.0, $0.1) }
    facts += state.requests.flatMap { writer.seal.ledger.take($0.0, $0.1) }
    facts += closing ? writer.seal.ledger.closeAll() : writer.seal.ledger.closeIdle(now: now)
    (state.waiting, state.requests) = ([], [])
    for facts in facts { records.record(facts) }
    if before != writer.seal.ledger { state.isChanged = true }
    var written = 0
    defer { records.audit.written(written) }
    let span = min(Int64(Self.maxFileDays), days) * 86_400
    let waiting = records.audit.waiting
    if !waiting.isEmpty { state.isChanged = true }
    try writer.write(waiting, now: now, span: span, written: &written)
    try writer.removeFiles(endedBefore: Timestamp(unixSeconds: now.unixSeconds - days * 86_400))
    guard state.isChanged || closing else { return }
    writer.seal.isClosed = closing
    try writer.save()
    state.isChanged = false
  }

  /// Current problems, for the status.
  package var complaints: [String] {
    let files = [("unknown files", unknown.withLock { $0 }), ("damaged files", damaged.withLock { $0 })]
    return complaint.withLock { $0.map { ["the audit log cannot be written; entries are queued: \($0)"] } ?? [] }
      + files.filter { !$0.1.isEmpty }.map { what, names in
        "the audit log's directory has \(what): \(AuditLayout.shown(names)): ritualctl audit --verify"
      }
  }

  /// Returns the problems after checking the directory and the newest files. Waits for the disk.
  package func freshComplaints() async -> [String] {
    await checkNewest()
    if let layout = try? await inspect({ $0.writer == nil ? $0.layout : nil }) {
      try? await read { [self] in try look(PrivateDirectory(path), layout) }
    }
    return complaints
  }

  /// While the vault is unlocked, call on the vault's thread only: on another thread, a file
  /// started meanwhile would appear unknown.
  private func look(_ folder: PrivateDirectory, _ layout: AuditLayout) throws {
    let names = layout.unknown(of: try folder.names())
    tell(names, unknown, "the audit log's directory has unknown files")
  }

  /// Checks the newest files once after each unlock. The start does not wait for this check.
  func checkNewestOnce() async {
    let isDone = isChecked.withLock { isChecked in
      defer { isChecked = true }
      return isChecked
    }
    if !isDone { await checkNewest() }
  }

  /// Checks the newest files against the chain. Does nothing while the vault is locked.
  private func checkNewest() async {
    guard let findings = try? await verify(newest: Self.checkedAtStart).findings else { return }
    let found = Dictionary(grouping: findings.filter { $0.kind != AuditCheck.unknownFile }, by: \.file)
    let names = found.map { file, findings in
      "\(file) (\(Set(findings.map(\.kind)).sorted().joined(separator: ", ")))"
    }
    tell(names.sorted(), damaged, "the audit log has files that were modified")
  }

  /// Stores the file names and logs the new ones.
  private func tell(_ names: [String], _ known: borrowing Mutex<[String]>, _ words: String) {
    let before = known.withLock { known in
      defer { known = names }
      return Set(known)
    }
    let new = names.filter { !before.contains($0) }
    guard !new.isEmpty else { return }
    logger.error("\(words)", metadata: JournalEvent.auditDamaged.with(["file": "\(AuditLayout.shown(new))"]))
  }

  // MARK: - Reading

  /// Returns the last entries of the agent's own files. While the vault is locked, entries are not
  /// checked against the chain.
  ///
  /// - Throws: `vaultLocked` if the vault has not been unlocked since the start, because the
  ///   agent's own files are then unknown.
  package func list(_ limit: Int) async throws(AgentError) -> AuditList.Result {
    await flush()
    let (known, counted, isLooking) = try await inspect { state in
      (
        state.writer.map { AuditLayout($0.seal) } ?? state.layout, state.writer?.seal.ledger.open.map(\.facts) ?? [],
        state.writer == nil
      )
    }
    let layout: AuditLayout
    if let known { layout = known } else { layout = AuditLayout(try await sealed()) }
    return try await read { [self, vault] in
      let folder = try PrivateDirectory(path)
      if isLooking { try look(folder, layout) }
      return try AuditListing(layout: layout, counted: counted, limit: limit) { try AuditCheck.key(of: $0, vault) }
        .run(folder)
    }
  }

  /// Verifies the log against the chain.
  ///
  /// - Throws: `vaultLocked`; `vaultUnavailable` if files cannot be read.
  package func verify(newest: Int = .max) async throws(AgentError) -> AuditVerify.Result {
    await flush()
    var (seal, again) = (try await sealed(), true)
    while true {
      let begun = try await inspect { $0.writer?.seal.files.map(\.number) ?? [] }
      let result = try await read { [path, seal, vault] in
        try AuditCheck(seal: seal, begun: begun, folder: PrivateDirectory(path), vault: vault, newest: newest).run()
      }
      let now = try await sealed()
      // Retries once if files were ended or removed meanwhile: those are not findings.
      guard again, now.files.map(\.number) != seal.files.map(\.number) else { return result }
      (seal, again) = (now, false)
    }
  }

  private func sealed() async throws(AgentError) -> AuditSeal {
    do {
      return try await store.onDiskThread { [vault] in try AuditSeal.load(from: vault) }
    } catch {
      throw AgentError.from(vault: error)
    }
  }

  /// Reads the state on the vault's thread, which holds its lock during writes: no other thread
  /// waits for the disk.
  private func inspect<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing State) -> Value
  ) async throws(AgentError) -> Value {
    do {
      return try await store.onDiskThread { [self] in state.withLock { body($0) } }
    } catch {
      throw AgentError(.notReady)
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
