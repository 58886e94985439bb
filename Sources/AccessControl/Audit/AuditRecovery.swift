import AgentProtocol
import SessionVault
import SystemSupport

/// Finds the end of the log after a stop or a crash, so that the chain continues. Data that does
/// not fit is left for the check, and the chain continues in a new file: the log never prevents a
/// start.
struct AuditRecovery {
  let path: String
  let vault: Vault
  let now: Timestamp

  /// Returns the writer, and entries that describe what was found.
  func open() throws -> (AuditWriter, [AuditFacts]) {
    let folder = try PrivateDirectory(path)
    let seal: Result<AuditSeal, VaultError>
    do { seal = .success(try AuditSeal.load(from: vault)) } catch { seal = .failure(error) }
    switch seal {
    case .success(let seal): return try follow(seal, folder)
    case .failure(let error) where error.code == .notFound:
      let isFirst = try folder.names().compactMap(AuditSeal.File.number).isEmpty
      let detail = isFirst ? nil : "the vault has no record of the earlier files: they cannot be verified"
      return (try AuditWriter(newIn: path, folder, vault, now: now, detail: detail), [])
    case .failure(let error) where error.code == .damaged:
      let detail = "the seal of the earlier files was damaged: they cannot be verified"
      return (try AuditWriter(newIn: path, folder, vault, now: now, detail: detail), [])
    case .failure(let error): throw error
    }
  }

  /// Continues from the sealed position, including entries written after the seal.
  private func follow(_ sealed: AuditSeal, _ folder: PrivateDirectory) throws -> (AuditWriter, [AuditFacts]) {
    try removeForgotten(folder, sealed)
    var seal = sealed
    let end = try followLastFile(&seal, folder)
    var facts = seal.ledger.closeAll()
    if !sealed.isClosed {
      facts.append(interrupted(after: seal.chain.sequence, end.torn))
      seal.interruptions = (seal.interruptions + [seal.chain.sequence]).suffix(AuditSeal.maxInterruptions)
    }
    seal.isClosed = false
    var writer = AuditWriter(path: path, folder: folder, vault: vault, seal: seal, size: end.size)
    if end.needsFile { try writer.beginFile(now: now, detail: end.fault) }
    return (writer, facts)
  }

  /// Removes expired files that a crash left behind, after the seal had already dropped them.
  private func removeForgotten(_ folder: PrivateDirectory, _ seal: AuditSeal) throws {
    // A chain that still has its first entry has lost no file. Earlier files belong to another
    // chain and stay.
    guard let first = seal.files.first, first.first > 1 else { return }
    for record in vault.names() {
      // A file's key is deleted after the file, so a number without a key is not the agent's file
      // and is reported instead.
      guard let number = AuditSeal.File.numberOfKeyRecord(record), number < first.number else { continue }
      try folder.remove(AuditSeal.File.name(number))
      try vault.delete(record)
    }
  }

  /// Where the log ends.
  private struct End {
    /// The size of the last file, in bytes.
    var size = 0
    /// The bytes of an incomplete last entry, which were removed.
    var torn = 0
    /// Whether the chain continues in a new file.
    var needsFile = false
    /// Why, if something is wrong with the last file.
    var fault: String?

    static let modified = End(needsFile: true, fault: "the previous file was modified")
  }

  /// Follows the last file from its sealed entry to its end, and truncates an incomplete last line.
  private func followLastFile(_ seal: inout AuditSeal, _ folder: PrivateDirectory) throws -> End {
    guard let file = seal.files.last else { return End(needsFile: true) }
    // The file was sealed before it was created, so a crash may have left it without an entry.
    let isStarted = seal.chain.sequence >= file.first
    let bytes = try? folder.read(file.name, upTo: AuditFileCheck.readLimit)
    let (lines, tail) = AuditLine.split(bytes ?? [])
    if !isStarted, lines.isEmpty { return try forget(file, &seal, folder, torn: tail) }
    let parsed = lines.map { AuditLine($0) }
    let sealed = parsed.firstIndex { $0?.sequence == seal.chain.sequence && $0?.mac == seal.chain.mac }
    guard let start = isStarted ? sealed.map({ $0 + 1 }) : 0 else { return .modified }
    for line in parsed[start...] {
      guard let line, try seal.chain.follow(line) else { return .modified }
    }
    let size = (bytes?.count ?? 0) - tail
    if tail > 0 { try folder.cut(file.name, to: size) }
    return End(size: size, torn: tail)
  }

  /// Removes a file without a complete entry, which carries no information.
  private func forget(
    _ file: AuditSeal.File, _ seal: inout AuditSeal, _ folder: PrivateDirectory, torn: Int
  ) throws -> End {
    seal.files.removeLast()
    try folder.remove(file.name)
    return End(torn: torn, needsFile: true)
  }

  private func interrupted(after sequence: UInt64, _ torn: Int) -> AuditFacts {
    var facts = AuditFacts(.interrupted, at: now)
    facts.detail =
      "the agent was not shut down properly after entry \(sequence)"
      + (torn > 0 ? "; \(torn) \(torn == 1 ? "byte" : "bytes") of an incomplete entry removed" : "")
    return facts
  }
}
