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
    let seal: AuditSeal
    do {
      seal = try AuditSeal(vault.load(AuditSeal.record))
    } catch let error as VaultError where error.code == .notFound {
      let isFirst = try folder.names().compactMap(AuditSeal.File.number).isEmpty
      let detail = isFirst ? nil : "the vault has no record of the earlier files: they cannot be verified"
      return (try AuditWriter(newIn: path, folder, vault, now: now, detail: detail), [])
    } catch let error where (error as? VaultError)?.code == .damaged || !(error is VaultError) {
      let detail = "the seal of the earlier files was damaged: they cannot be verified"
      return (try AuditWriter(newIn: path, folder, vault, now: now, detail: detail), [])
    }
    return try follow(seal, folder)
  }

  /// Continues from the sealed position, including entries written after the seal.
  private func follow(_ sealed: AuditSeal, _ folder: PrivateDirectory) throws -> (AuditWriter, [AuditFacts]) {
    try removeForgotten(folder, sealed)
    var seal = sealed
    var torn = 0
    var size = try followFile(&seal, folder, torn: &torn)
    while size != nil, let next = try followNextFile(&seal, folder, torn: &torn) { size = next }
    var facts = seal.ledger.closeAll()
    if !sealed.isClosed { facts.append(interrupted(after: seal.chain.sequence, torn)) }
    if !sealed.isClosed {
      seal.interruptions = (seal.interruptions + [seal.chain.sequence]).suffix(AuditSeal.maxInterruptions)
    }
    seal.isClosed = false
    var writer = AuditWriter(path: path, folder: folder, vault: vault, seal: seal, size: size ?? 0)
    if size == nil { try writer.beginFile(now: now, detail: "the previous file was modified") }
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

  /// Follows the last file from its sealed entry to its end and truncates an incomplete last line.
  ///
  /// - Returns: The file's size; nil if the file does not fit the seal.
  private func followFile(_ seal: inout AuditSeal, _ folder: PrivateDirectory, torn: inout Int) throws -> Int? {
    guard let file = seal.files.last, let bytes = try? folder.read(file.name, upTo: AuditFileCheck.readLimit) else {
      return nil
    }
    let (lines, tail) = AuditLine.split(bytes)
    let parsed = lines.map { AuditLine($0) }
    guard let start = parsed.firstIndex(where: { $0?.sequence == seal.chain.sequence && $0?.mac == seal.chain.mac })
    else { return nil }
    for line in parsed[(start + 1)...] {
      guard let line, try seal.chain.follow(line) else { return nil }
    }
    if tail > 0 { try folder.cut(file.name, to: bytes.count - tail) }
    torn += tail
    return bytes.count - tail
  }

  /// Follows a file that was started but not sealed before the crash.
  private func followNextFile(_ seal: inout AuditSeal, _ folder: PrivateDirectory, torn: inout Int) throws -> Int? {
    guard let number = seal.files.last?.number,
      let bytes = try? folder.read(AuditSeal.File.name(number + 1), upTo: AuditFileCheck.readLimit)
    else { return nil }
    let (lines, tail) = AuditLine.split(bytes)
    // A file without a complete line carries no information.
    if lines.isEmpty { try folder.remove(AuditSeal.File.name(number + 1)) }
    guard let first = lines.first.flatMap({ AuditLine($0) }), let begun = first.entry?.facts.at else { return nil }
    var next = seal
    next.endLastFile(now)
    next.files.append(
      AuditSeal.File(
        number: number + 1, first: first.sequence, previous: next.chain.mac, begun: begun))
    for line in lines {
      guard let line = AuditLine(line), try next.chain.follow(line) else { return nil }
    }
    if tail > 0 { try folder.cut(AuditSeal.File.name(number + 1), to: bytes.count - tail) }
    torn += tail
    seal = next
    return bytes.count - tail
  }

  private func interrupted(after sequence: UInt64, _ torn: Int) -> AuditFacts {
    var facts = AuditFacts(.interrupted, at: now)
    facts.detail =
      "the agent was not shut down properly after entry \(sequence)"
      + (torn > 0 ? "; \(torn) \(torn == 1 ? "byte" : "bytes") of an incomplete entry removed" : "")
    return facts
  }
}
