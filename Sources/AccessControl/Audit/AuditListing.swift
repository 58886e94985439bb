import AgentProtocol
import SessionVault
import SystemSupport

/// The last entries out of the agent's own files, newest last. A line that does not fit the chain is left out and counted.
struct AuditListing {
  let layout: AuditLayout
  /// What is counted now, of hand-outs whose last entry is not written.
  let counted: [AuditFacts]
  let limit: Int
  /// The key of a file's first entry; nil where the vault has lost it.
  ///
  /// - Throws: `.locked` while the vault is locked; then the entries are listed unchecked.
  let key: (AuditSeal.File) throws -> ChainKey?

  /// A third under the bound of a line of the protocol, for what JSON adds.
  private static let mostBytes = 8 << 20

  /// One hand-out, also where a chain that was begun anew counts from 1 again.
  private struct HandOut: Hashable {
    let number: UInt64?
    let pid: Int32?
    let account, token, way: String?

    init?(_ facts: AuditFacts) {
      guard facts.event == .handOut else { return nil }
      (number, pid, account) = (facts.handOut, facts.pid, facts.account)
      (token, way) = (facts.token, facts.way)
    }
  }

  func run(_ folder: PrivateFolder) throws -> AuditList.Result {
    let unknown = layout.unknown(of: try folder.names())
    var result = AuditList.Result(
      entries: [], more: false, unknownFiles: unknown.prefix(AuditLayout.mostNames).map { ForeignText.shown($0) },
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
          // Shown once, where it was last written.
          guard seen.insert(handOut).inserted else { continue }
        }
        guard result.entries.count < limit, bytes < Self.mostBytes else {
          result.more = true
          break reading
        }
        result.entries.append(entry)
        bytes += line.body.count + 2 * AuditLine.longest / 100
      }
    }
    result.entries.reverse()
    return result
  }

  private func entries(
    at index: Int, _ folder: PrivateFolder, _ isChecked: inout Bool
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
