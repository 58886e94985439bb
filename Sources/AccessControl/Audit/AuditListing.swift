import AgentProtocol
import SessionVault
import SystemSupport

/// Lists the last entries of the agent's own files, newest last. Lines that do not fit the chain
/// are omitted and counted.
struct AuditListing {
  let layout: AuditLayout
  /// Current counts of series whose last entry is not yet written.
  let counted: [AuditFacts]
  let limit: Int
  /// Returns the key of a file's first entry; nil if the vault has lost it.
  ///
  /// - Throws: `.locked` while the vault is locked; the entries are then listed unchecked.
  let key: (AuditSeal.File) throws -> ChainKey?

  /// Maximum size of the listed lines, in bytes: three quarters of the longest response, leaving room
  /// for current counts, which are longer than those of the line, and for unknown names.
  private static let maxBytes = Wire.answerLimit / 4 * 3

  /// Identifies one series of issued tokens, or of requests that has several entries. The number alone
  /// is not unique: a new chain counts from 1 again.
  private struct HandOut: Hashable {
    let number: UInt64?
    let pid: Int32?
    let account, token, way: String?

    init?(_ facts: AuditFacts) {
      guard facts.event == .tokenIssued || facts.event == .egressUsed && facts.handOut != nil else { return nil }
      (number, pid, account) = (facts.handOut, facts.pid, facts.account)
      (token, way) = (facts.token, facts.way)
    }
  }

  func run(_ folder: PrivateDirectory) throws -> AuditList.Result {
    let unknown = layout.unknown(of: try folder.names())
    var result = AuditList.Result(
      entries: [], more: false, unknownFiles: unknown.prefix(AuditLayout.maxNames).map { ForeignText.shown($0) },
      unknownCount: unknown.count)
    var latest: [HandOut: AuditFacts] = [:]
    for facts in counted { if let handOut = HandOut(facts) { latest[handOut] = facts } }
    var bytes = 0
    var seen: Set<HandOut> = []
    reading: for index in layout.files.indices.reversed() {
      let found = try entries(at: index, folder, &result.isChecked)
      result.leftOut += found.leftOut
      for line in found.lines.reversed() {
        guard var entry = line.entry else { continue }
        if let handOut = HandOut(entry.facts) {
          if let facts = latest[handOut] { entry.facts = facts } else { latest[handOut] = entry.facts }
          // A series is listed once, at its last entry.
          guard seen.insert(handOut).inserted else { continue }
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

  private func entries(
    at index: Int, _ folder: PrivateDirectory, _ isChecked: inout Bool
  ) throws -> AuditFileEntries.Outcome {
    let file = layout.files[index]
    let read = Result { () throws(VaultError) in try folder.read(file.name, upTo: AuditFileCheck.readLimit) }
    if case .failure(let error) = read, [.notFound, .unsafe, .tooLarge].contains(error.code) { return .init() }
    let bytes = try read.get()
    let end = file.last ?? layout.sequence
    let found = Result { try key(file) }
    if case .failure(let error as VaultError) = found, error.code == .locked {
      isChecked = false
      return try AuditFileEntries(file: file, end: end, key: nil).run(bytes)
    }
    guard let key = try found.get() else { return .init(leftOut: AuditLine.split(bytes).lines.count) }
    return try AuditFileEntries(file: file, end: end, key: key).run(bytes)
  }
}
