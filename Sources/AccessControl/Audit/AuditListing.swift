import AgentProtocol
import SessionVault

/// Lists the last entries of the agent's own files, newest last. Lines that do not fit the chain
/// are omitted and counted.
struct AuditListing {
  let anchor: AuditAnchor
  /// Nil while the vault is locked; the entries are then listed unchecked.
  let key: ChainKey?
  /// Current counts of series whose last entry is not yet written.
  let counted: [AuditFacts]
  let limit: Int

  /// Maximum size of the listed lines, in bytes: three quarters of the longest response, leaving room
  /// for current counts, which are longer than those of the line, and for unknown names.
  private static let maxBytes = Wire.answerLimit / 4 * 3

  func run(_ folder: PrivateDirectory) throws -> AuditList.Result {
    let unknown = anchor.unknown(of: try folder.names())
    var result = AuditList.Result(
      entries: [], more: false, isChecked: key != nil,
      unknownFiles: unknown.prefix(AuditAnchor.maxNames).map { ForeignText.shown($0) }, unknownCount: unknown.count)
    let latest = Dictionary(counted.map { ($0.handOut, $0) }) { $1 }
    var bytes = 0
    var seen: Set<UInt64> = []
    reading: for index in anchor.files.indices.reversed() {
      let found = try check(index, folder)
      result.leftOut += found.leftOut
      for line in found.lines.reversed() {
        guard var entry = line.entry else { continue }
        if let number = entry.facts.handOut {
          // A series is listed once, at its last entry, with its present count.
          guard seen.insert(number).inserted else { continue }
          entry.facts = latest[number] ?? entry.facts
        }
        guard result.entries.count < limit, bytes < Self.maxBytes else {
          result.more = true
          break reading
        }
        result.entries.append(entry)
        bytes += line.body.count + 2
      }
    }
    result.entries.reverse()
    return result
  }

  private func check(_ index: Int, _ folder: PrivateDirectory) throws -> AuditFileCheck.Outcome {
    let read = Result { () throws(VaultError) in
      try folder.read(anchor.files[index].name, upTo: AuditFileCheck.readLimit)
    }
    if case .failure(let error) = read, [.notFound, .unsafe, .tooLarge].contains(error.code) { return .init() }
    return AuditFileCheck(anchor, file: index, key).run(try read.get())
  }
}
