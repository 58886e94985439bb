import AgentProtocol
import SessionVault

/// Checks one file against the anchor. Pure. Accepts any bytes.
///
/// The MAC of an entry covers the MAC of the previous entry. A modified entry fails its MAC, and a
/// moved entry is found by its sequence number. After a missing entry the next entry cannot be
/// checked, but later entries can. The MAC of the last entry is known, so that the end of a file is
/// not exchanged for another one that was written with the same key.
struct AuditFileCheck {
  /// Allows a file to exceed its limit by one entry.
  static let readLimit = AuditWriter.fileLimit + 2 * AuditLine.maxLength
  /// Maximum number of findings reported for one file.
  private static let maxFindings = 20
  /// Maximum number of lines tried for one sequence number, so that a file full of copies costs no
  /// more than another file.
  private static let maxClaims = 4

  private let file: AuditFile
  /// The last entry, as far as it is known, and its MAC.
  private let end: (sequence: UInt64, mac: String)
  /// True if entries may follow.
  private let isCurrent: Bool
  private let key: ChainKey?

  /// - Parameter key: nil while the vault is locked; then only sequence numbers are checked.
  init(_ anchor: AuditAnchor, file index: Int, _ key: ChainKey?) {
    (file, end, self.key) = (anchor.files[index], anchor.end(ofFile: index), key)
    isCurrent = index == anchor.files.count - 1
  }

  struct Outcome {
    /// The entries that fit, in ascending order.
    var lines: [AuditLine] = []
    /// The number of lines that do not fit the chain or cannot be parsed.
    var leftOut = 0
    /// The number of bytes of an incomplete last line.
    var torn = 0
    /// The number of entries after `end`.
    var unsealed = 0
    var findings: [AuditVerify.Finding] = []
  }

  func run(_ bytes: [UInt8]) -> Outcome {
    let (rows, torn) = AuditLine.split(bytes)
    // At most as many entries follow `end` as the file has lines.
    let highest = end.sequence + (isCurrent ? UInt64(rows.count) : 0)
    let lines = rows.compactMap { AuditLine($0) }.filter { $0.sequence >= file.first && $0.sequence <= highest }
    var outcome = Outcome(torn: torn)
    if lines.isEmpty && !rows.isEmpty {
      outcome.findings = [finding("exchanged", nil)]
    } else {
      let hasStrangers = lines.count < rows.count
      let hasGap = walk(lines, hasStrangers, &outcome)
      checkOrder(lines, &outcome)
      // An incomplete line at the end of the last file is an entry being written.
      if (hasStrangers && !hasGap) || (torn > 0 && !isCurrent) { outcome.findings.append(finding("edited", nil)) }
      outcome.findings = Array(outcome.findings.prefix(Self.maxFindings))
    }
    outcome.leftOut = rows.count - outcome.lines.count
    return outcome
  }

  private func checkOrder(_ lines: [AuditLine], _ outcome: inout Outcome) {
    var (seen, greatest) = (Set<UInt64>(), UInt64(0))
    for sequence in lines.map(\.sequence) {
      if !seen.insert(sequence).inserted {
        outcome.findings.append(finding("repeated", sequence...sequence))
      } else if sequence < greatest {
        outcome.findings.append(finding("reordered", sequence...sequence))
      }
      greatest = max(greatest, sequence)
    }
  }

  /// - Parameter hasStrangers: True if the file has lines that are no entries of it: they may have
  ///   replaced the entries that are missing.
  /// - Returns: True if entries are missing.
  private func walk(_ lines: [AuditLine], _ hasStrangers: Bool, _ outcome: inout Outcome) -> Bool {
    let claims = Dictionary(grouping: lines, by: \.sequence)
    let last = max(end.sequence, claims.keys.max() ?? 0)
    var previous = [file.previous]
    var (missing, hasGap): (ClosedRange<UInt64>?, Bool) = (nil, false)
    for sequence in file.first..<max(file.first, last + 1) {
      guard let claimed = claims[sequence]?.prefix(Self.maxClaims) else {
        (missing, hasGap) = ((missing?.lowerBound ?? sequence)...sequence, true)
        previous = []
        continue
      }
      if let missing { outcome.findings.append(finding(hasStrangers ? "edited" : "removed", missing)) }
      missing = nil
      if let line = claimed.first(where: { fits($0, previous) }) {
        outcome.lines.append(line)
        if sequence > end.sequence { outcome.unsealed += 1 }
        previous = [line.mac]
      } else {
        // Without a previous entry, an entry cannot be checked.
        if !previous.isEmpty { outcome.findings.append(finding("edited", sequence...sequence)) }
        // The next entry is checked against the MAC found in the file.
        previous = claimed.map(\.mac)
      }
    }
    if let missing { outcome.findings.append(finding(hasStrangers ? "edited" : "cut", missing)) }
    return hasGap
  }

  private func fits(_ line: AuditLine, _ previous: [String]) -> Bool {
    guard let key else { return true }
    return (line.sequence != end.sequence || line.mac == end.mac)
      && previous.contains { AuditLine.mac(of: line.body, after: $0, key) == line.mac }
  }

  private func finding(_ kind: String, _ entries: ClosedRange<UInt64>?) -> AuditVerify.Finding {
    AuditVerify.Finding(kind: kind, file: file.name, first: entries?.lowerBound, last: entries?.upperBound)
  }
}

/// Lists and verifies the agent's own files, those that the anchor names. Blocks on file reads.
struct AuditReader {
  /// The finding kind for a file that the agent did not create.
  static let unknownFile = "unknownFile"
  /// Maximum number of findings reported for the log.
  private static let maxFindings = 200
  /// Maximum size of the listed lines, in bytes: three quarters of the longest response, leaving room
  /// for current counts, which are longer than those of the line, and for unknown names.
  private static let maxBytes = Wire.answerLimit / 4 * 3

  let anchor: AuditAnchor
  /// Nil while the vault is locked; the entries are then listed unchecked.
  let key: ChainKey?
  let folder: PrivateDirectory

  /// Checks the log.
  ///
  /// - Parameter newest: The number of newest files that are read. Older files are only checked for
  ///   existence.
  func verify(newest: Int) throws -> AuditVerify.Result {
    let names = try folder.names()
    var (fitting, unsealed, findings) = (0, 0, [AuditVerify.Finding]())
    for (index, file) in anchor.files.enumerated() {
      if anchor.files.count - index > newest, names.contains(file.name) { continue }
      let outcome = try check(index)
      fitting += outcome.lines.count
      unsealed += outcome.unsealed
      findings += outcome.findings
    }
    findings += anchor.unknown(of: names).map { .init(kind: Self.unknownFile, file: ForeignText.shown($0)) }
    return AuditVerify.Result(
      first: anchor.files.first?.first ?? 1, sealed: anchor.sequence, fitting: fitting, unsealed: unsealed,
      interruptions: anchor.interruptions, findings: Array(findings.prefix(Self.maxFindings)), limits: Self.limits)
  }

  /// Lists the last `limit` entries, newest last. Lines that do not fit the chain are omitted and counted.
  ///
  /// - Parameter counted: The open counts.
  func list(_ limit: Int, counted: [AuditFacts]) throws -> AuditList.Result {
    let unknown = anchor.unknown(of: try folder.names())
    var result = AuditList.Result(
      entries: [], more: false, isChecked: key != nil,
      unknownFiles: unknown.prefix(AuditAnchor.maxNames).map { ForeignText.shown($0) }, unknownCount: unknown.count)
    let latest = Dictionary(counted.map { ($0.handOut, $0) }) { $1 }
    var bytes = 0
    var seen: Set<UInt64> = []
    reading: for index in anchor.files.indices.reversed() {
      let found = try check(index)
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
    // A count grows after its entry was written.
    result.entries.sort { ($0.facts.at, $0.sequence) < ($1.facts.at, $1.sequence) }
    return result
  }

  private func check(_ index: Int) throws -> AuditFileCheck.Outcome {
    let file = anchor.files[index]
    func found(_ kind: String) -> AuditFileCheck.Outcome {
      let last = index == anchor.files.count - 1 ? nil : anchor.end(ofFile: index).sequence
      return .init(findings: [.init(kind: kind, file: file.name, first: file.first, last: last)])
    }
    do {
      return AuditFileCheck(anchor, file: index, key)
        .run(try folder.read(file.name, upTo: AuditFileCheck.readLimit))
    } catch let error where error.code == .notFound {
      return found("missingFile")
    } catch let error where [.tooLarge, .unsafe].contains(error.code) {
      return found("exchanged")
    }
  }

  private static let limits = [
    "entries of the last second before the agent was killed may be missing",
    "entries after the last one in the vault's record can be removed undetected until the record is saved, one "
      + "second later",
    "anyone with a vault key can forge a consistent log",
    "a log and a vault restored together from the same older copy match each other",
    "only requests to the agent are recorded",
  ]
}
