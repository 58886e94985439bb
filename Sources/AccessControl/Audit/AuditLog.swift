import AgentConfiguration
package import AgentProtocol
package import Logging
package import SessionEngine
package import SessionVault
import Synchronization
package import SystemSupport

/// The audit log on the disk (LK-3, PR-3): what waits in `Records` is written at most once a second, chained, and sealed in
/// the vault. Nobody waits for it: with a full disk or a locked vault the entries wait, and tokens and sign-ins go on.
///
/// Files and seal are written on the vault's thread, in turn with the records; lists and checks are read on another.
package final class AuditLog: Sendable {
  private struct State {
    var writer: AuditWriter?
    /// The files as of the last lock: a locked vault's log is listed from it.
    var layout: AuditLayout?
    /// The vault is open: the chain's key can be had.
    var isOpen = false
    /// Hand-outs that could not be taken into the ledger yet.
    var waiting: [(HandOutTable.Key, HandOutTable.Noted, Caller?)] = []
    /// Whether the seal is behind.
    var isChanged = false
  }

  /// An entry of a list in JSON, about, in bytes.
  package static let entrySize = 400

  /// Hand-outs that wait for the disk: some hundred kilobytes.
  private static let mostWaiting = 4096
  /// A file is ended after a week at most, since files are removed whole.
  private static let longestSpan = 7
  /// Files that a start reads whole, 2 MiB: the one that is written to, and the one before it, which is the damaged one
  /// where the chain goes on in a new file. All of them could be a gigabyte.
  private static let checkedAtStart = 2

  let records: Records
  private let path: String
  private let vault: Vault
  private let store: SessionStore
  private let clock: any AgentClock
  private let logger: Logger
  private let keepDays: @Sendable () -> Int
  /// Held while the disk works: only the vault's thread and the reader take it, and `vaultIsOpen` at a start, before them.
  private let state = Mutex(State())
  private let complaint = Mutex<String?>(nil)
  /// The names in the directory that are not the agent's, as of the last look.
  private let unknown = Mutex<[String]>([])
  /// The files of which the last check of the newest ones found something, and what.
  private let damaged = Mutex<[String]>([])
  /// Whether that check was made since the vault was opened.
  private let isChecked = Mutex(false)
  private let reader = WorkThread("audit-reader")

  /// - Parameters:
  ///   - path: the log's directory.
  ///   - vault: what the log is sealed in.
  ///   - store: its thread writes the files.
  ///   - keepDays: what the configuration says now.
  package init(
    _ path: String, vault: Vault, store: SessionStore, records: Records, clock: any AgentClock, logger: Logger,
    keepDays: @escaping @Sendable () -> Int
  ) {
    (self.path, self.vault, self.store, self.records) = (path, vault, store, records)
    (self.clock, self.logger, self.keepDays) = (clock, logger, keepDays)
  }

  // MARK: - The vault's door

  /// The vault is open at a start: the flusher goes on with the chain as soon as the agent serves, and the start does not
  /// wait for the disk.
  package func vaultIsOpen() {
    state.withLock { $0.isOpen = true }
    isChecked.withLock { $0 = false }
    records.audit.changed.signal()
  }

  /// The vault is open: the chain goes on, and what waited is written.
  package func vaultOpened() async {
    await onDisk { $0.isOpen = true }
    isChecked.withLock { $0 = false }
    await flush()
  }

  /// The vault is about to be locked, or the agent ends: everything is written and sealed, and the chain's key let go of.
  package func vaultCloses() async {
    // Twice: what came while the callers of the first were looked up.
    for _ in 0..<2 { await takeHandOuts() }
    await onDisk { [self] state in
      guard state.isOpen else { return }
      write(&state, closing: true)
      state.layout = state.writer.map { AuditLayout($0.seal) } ?? state.layout
      (state.isOpen, state.writer) = (false, nil)
    }
  }

  /// Ends the threads; after `vaultCloses`.
  package func close() async { await reader.end() }

  // MARK: - Writing

  /// Writes what waits.
  ///
  /// - Returns: whether nothing is left that could be written.
  @discardableResult
  func flush() async -> Bool {
    await takeHandOuts()
    await onDisk { [self] state in if state.isOpen { write(&state, closing: false) } }
    return complaint.withLock { $0 == nil }
  }

  private func takeHandOuts() async {
    let (handOuts, lost) = await records.handOuts.take()
    guard !handOuts.isEmpty || lost > 0 else { return }
    await onDisk { [records] state in
      let room = Self.mostWaiting - state.waiting.count
      state.waiting += handOuts.prefix(room)
      let surplus = lost + UInt64(max(0, handOuts.count - room))
      if surplus > 0 { records.record(.lost(surplus)) }
    }
  }

  private func onDisk(_ body: @escaping @Sendable (inout sending State) -> Void) async {
    // The thread ends with the vault; then there is nothing to write with.
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

  /// Keeps what is wrong, and logs it once.
  private func note(_ words: String?) {
    let before = complaint.withLock { complaint in
      defer { complaint = words }
      return complaint
    }
    guard before != words else { return }
    if let words {
      logger.error("the audit log cannot be written; its entries wait", metadata: ["detail": "\(words)"])
    } else {
      logger.notice("the audit log is written again")
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
    // A century is as good as for ever, and no product of it overflows.
    let (now, days) = (clock.wall, Int64(min(max(1, keepDays()), 36_525)))
    let before = writer.seal.ledger
    var facts = state.waiting.flatMap { writer.seal.ledger.take($0.0, $0.1, $0.2) }
    facts += closing ? writer.seal.ledger.closeAll() : writer.seal.ledger.closeIdle(now: now)
    state.waiting = []
    for facts in facts { records.record(facts) }
    if before != writer.seal.ledger { state.isChanged = true }
    var written = 0
    defer { records.audit.written(written) }
    let span = min(Int64(Self.longestSpan), days) * 86_400
    let waiting = records.audit.waiting
    if !waiting.isEmpty { state.isChanged = true }
    try writer.write(waiting, now: now, span: span, written: &written)
    try writer.removeFiles(endedBefore: Timestamp(unixSeconds: now.unixSeconds - days * 86_400))
    guard state.isChanged || closing else { return }
    writer.seal.isClosed = closing
    try writer.save()
    state.isChanged = false
  }

  /// What is wrong, for the status.
  package var complaints: [String] {
    let files = [("unknown files", unknown.withLock { $0 }), ("damaged files", damaged.withLock { $0 })]
    return complaint.withLock { $0.map { ["the audit log cannot be written; its entries wait: \($0)"] } ?? [] }
      + files.filter { !$0.1.isEmpty }.map { what, names in
        "the audit log's directory has \(what): \(AuditLayout.shown(names)): ritualctl audit --verify"
      }
  }

  /// The complaints, after a look at the directory and the newest files. Waits for the disk.
  package func freshComplaints() async -> [String] {
    await checkNewest()
    if let layout = state.withLock({ $0.writer == nil ? $0.layout : nil }) {
      try? await read { [self] in try look(PrivateFolder(path), layout) }
    }
    return complaints
  }

  /// With an open vault on its thread alone: elsewhere a file that is begun meanwhile would be an unknown one.
  private func look(_ folder: PrivateFolder, _ layout: AuditLayout) throws {
    let names = layout.unknown(of: try folder.names())
    tell(names, unknown, "the audit log's directory has unknown files")
  }

  /// Once after the vault was opened: the start does not wait for it.
  func checkNewestOnce() async {
    let isDone = isChecked.withLock { isChecked in
      defer { isChecked = true }
      return isChecked
    }
    if !isDone { await checkNewest() }
  }

  /// Holds the newest files against the chain; nothing while the vault is locked.
  private func checkNewest() async {
    guard let findings = try? await verify(newest: Self.checkedAtStart).findings else { return }
    let found = Dictionary(grouping: findings.filter { $0.kind != AuditCheck.unknownFile }, by: \.file)
    let names = found.map { file, findings in
      "\(file) (\(Set(findings.map(\.kind)).sorted().joined(separator: ", ")))"
    }
    tell(names.sorted(), damaged, "the audit log has files that are not as the agent wrote them")
  }

  /// Keeps the names of files, and logs those that are new.
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

  /// The last entries of the agent's own files. While the vault is locked they cannot be held against the chain.
  ///
  /// - Throws: `vaultLocked` where the vault has not been open since the start: then no file is known to be the agent's.
  package func list(_ limit: Int) async throws(AgentError) -> AuditList.Result {
    await flush()
    let (known, counted, isLooking) = state.withLock { state in
      (
        state.writer.map { AuditLayout($0.seal) } ?? state.layout, state.writer?.seal.ledger.open.map(\.facts) ?? [],
        state.writer == nil
      )
    }
    let layout: AuditLayout
    if let known { layout = known } else { layout = AuditLayout(try await sealed()) }
    return try await read { [self, vault] in
      let folder = try PrivateFolder(path)
      if isLooking { try look(folder, layout) }
      return try AuditListing(layout: layout, counted: counted, limit: limit) { try AuditCheck.key(of: $0, vault) }
        .run(folder)
    }
  }

  /// Holds the log against the chain.
  ///
  /// - Throws: `vaultLocked`; `vaultUnavailable` where files cannot be read.
  package func verify(newest: Int = .max) async throws(AgentError) -> AuditVerify.Result {
    await flush()
    var (seal, again) = (try await sealed(), true)
    while true {
      let begun = state.withLock { $0.writer?.seal.files.map(\.number) ?? [] }
      let result = try await read { [path, seal, vault] in
        try AuditCheck(seal: seal, begun: begun, folder: PrivateFolder(path), vault: vault, newest: newest).run()
      }
      let now = try await sealed()
      // Files that were ended or removed meanwhile are no finding.
      guard again, now.files.map(\.number) != seal.files.map(\.number) else { return result }
      (seal, again) = (now, false)
    }
  }

  private func sealed() async throws(AgentError) -> AuditSeal {
    let found = Mutex<AuditSeal?>(nil)
    do {
      try await store.onDiskThread { [vault] in
        let seal = try AuditSeal(vault.load(AuditSeal.record))
        found.withLock { $0 = seal }
      }
    } catch {
      throw AgentError.from(vault: error)
    }
    guard let seal = found.withLock({ $0 }) else { throw AgentError(.vaultUnavailable) }
    return seal
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

extension AuditFacts {
  static func lost(_ count: UInt64) -> AuditFacts {
    var facts = AuditFacts(.entriesLost)
    facts.count = count
    return facts
  }
}
