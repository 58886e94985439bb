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
  /// Maximum number of entries of the last file that are unknown to the anchor: entries written after
  /// the anchor was read, and missing entries before them.
  private static let slack: UInt64 = 10_000

  let file: AuditFile
  /// The last entry, as far as it is known, and its MAC.
  let end: (sequence: UInt64, mac: String)
  /// True if entries may follow.
  let isCurrent: Bool
  /// Nil while the vault is locked; then only sequence numbers are checked.
  let key: ChainKey?

  struct Outcome {
    /// The entries that fit, in ascending order.
    var lines: [AuditLine] = []
    /// The number of lines that do not fit the chain or cannot be parsed.
    var leftOut = 0
    /// The number of entries after `end`.
    var unsealed = 0
    var findings: [AuditVerify.Finding] = []
  }

  func run(_ bytes: [UInt8]) -> Outcome {
    let (lines, torn) = AuditLine.split(bytes)
    let last = isCurrent ? max(end.sequence, file.first + UInt64(lines.count)) + Self.slack : end.sequence
    let places = AuditPlaces(lines, file.first...max(file.first, last))
    var outcome = Outcome()
    if places.allElsewhere {
      outcome.findings = [finding("exchanged", nil)]
    } else {
      walk(places, &outcome)
      outcome.findings += places.reordered.map { finding("reordered", $0...$0) }
      outcome.findings += places.repeated.map { finding("repeated", $0...$0) }
      // An incomplete line at the end of the last file is an entry being written.
      if places.foreignLineCount > 0 || (torn > 0 && !isCurrent) { outcome.findings.append(finding("edited", nil)) }
      outcome.findings = Array(outcome.findings.prefix(Self.maxFindings))
    }
    outcome.leftOut = lines.count - outcome.lines.count
    return outcome
  }

  private func walk(_ places: AuditPlaces, _ outcome: inout Outcome) {
    var previous = [file.previous]
    var missing: ClosedRange<UInt64>?
    let last = isCurrent ? max(end.sequence, places.greatest) : end.sequence
    guard file.first <= last else { return }
    for sequence in file.first...last {
      let claims = places.lines[sequence] ?? []
      if claims.isEmpty, !places.unreadable.contains(sequence) {
        missing = (missing?.lowerBound ?? sequence)...sequence
        previous = []
        continue
      }
      if let gap = missing { outcome.findings.append(finding("removed", gap)) }
      missing = nil
      if let line = claims.first(where: { fits($0, previous) }) {
        outcome.lines.append(line)
        if sequence > end.sequence { outcome.unsealed += 1 }
        previous = [line.mac]
      } else {
        // Without a previous entry, an entry cannot be checked.
        if claims.isEmpty || !previous.isEmpty { outcome.findings.append(finding("edited", sequence...sequence)) }
        // The next entry is checked against the MAC found in the file.
        previous = claims.map(\.mac)
      }
    }
    if let gap = missing { outcome.findings.append(finding("cut", gap)) }
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

/// The lines of a file by the sequence number that they claim.
private struct AuditPlaces {
  /// Maximum number of lines tried for one sequence number, so that a file full of copies costs no
  /// more than another file.
  private static let maxClaims = 4

  private(set) var lines: [UInt64: [AuditLine]] = [:]
  /// The places of lines that cannot be parsed: after the previous line, unless another line claims
  /// that number.
  private(set) var unreadable: Set<UInt64> = []
  private(set) var reordered: [UInt64] = []
  private(set) var repeated: [UInt64] = []
  /// Lines whose sequence number is outside the file's range, and unparsable lines whose place is
  /// taken.
  private(set) var foreignLineCount = 0
  private(set) var greatest: UInt64 = 0

  init(_ all: [ArraySlice<UInt8>], _ range: ClosedRange<UInt64>) {
    let parsed = all.map { AuditLine($0) }
    let known = Set(parsed.compactMap { $0?.sequence })
    var before = range.lowerBound - 1
    for line in parsed {
      let sequence = line?.sequence ?? before + 1
      guard range.contains(sequence), line != nil || !known.contains(sequence) else {
        foreignLineCount += 1
        continue
      }
      if lines[sequence] != nil {
        repeated.append(sequence)
      } else {
        if sequence < greatest { reordered.append(sequence) }
        (greatest, before) = (max(greatest, sequence), sequence)
      }
      guard let line else {
        unreadable.insert(sequence)
        continue
      }
      if lines[sequence, default: []].count < Self.maxClaims { lines[sequence, default: []].append(line) }
    }
  }

  /// True if no line belongs to this file, as when its content was exchanged.
  var allElsewhere: Bool { lines.isEmpty && (foreignLineCount > 0 || !unreadable.isEmpty) }
}

/// Checks the whole log against the anchor. Blocks on file reads.
struct AuditCheck {
  let anchor: AuditAnchor
  let key: ChainKey
  let folder: PrivateDirectory
  /// The number of newest files that are read. Older files are only checked for existence.
  var newest = Int.max

  /// The finding kind for a file that the agent did not create.
  static let unknownFile = "unknownFile"

  /// Maximum number of findings reported for the log.
  private static let maxFindings = 200

  func run() throws -> AuditVerify.Result {
    let names = try folder.names()
    var (fitting, unsealed, findings) = (0, 0, [AuditVerify.Finding]())
    for (index, file) in anchor.files.enumerated() {
      if anchor.files.count - index > newest {
        if !names.contains(file.name) { findings.append(finding("missingFile", index)) }
        continue
      }
      let outcome = try check(index)
      fitting += outcome.lines.count
      unsealed += outcome.unsealed
      findings += outcome.findings
    }
    findings += anchor.unknown(of: names).map { .init(kind: Self.unknownFile, file: ForeignText.shown($0)) }
    return AuditVerify.Result(
      first: anchor.files.first?.first ?? 1, sealed: anchor.sequence, fitting: fitting, unsealed: unsealed,
      interruptions: anchor.interruptions, findings: Array(findings.prefix(Self.maxFindings)), limits: limits)
  }

  private func check(_ index: Int) throws -> AuditFileCheck.Outcome {
    let bytes: [UInt8]
    do {
      bytes = try folder.read(anchor.files[index].name, upTo: AuditFileCheck.readLimit)
    } catch let error where error.code == .notFound {
      return .init(findings: [finding("missingFile", index)])
    } catch let error where [.tooLarge, .unsafe].contains(error.code) {
      return .init(findings: [finding("exchanged", index)])
    }
    return AuditFileCheck(anchor, file: index, key).run(bytes)
  }

  private func finding(_ kind: String, _ index: Int) -> AuditVerify.Finding {
    let (file, isCurrent) = (anchor.files[index], index == anchor.files.count - 1)
    return .init(
      kind: kind, file: file.name, first: file.first, last: isCurrent ? nil : anchor.end(ofFile: index).sequence)
  }

  private var limits: [String] {
    let count = anchor.interruptions.count
    let cuts =
      count == 0 ? "no interruption since the log started" : "\(count) interruption\(count == 1 ? "" : "s") so far"
    return [
      "entries of the last second before the agent was killed may be missing (\(cuts))",
      "entries after the last one in the vault's record can be removed undetected until the record is saved, one "
        + "second later",
      "anyone with a vault key can forge a consistent log",
      "a log and a vault restored together from the same older copy match each other",
      "only requests to the agent are recorded",
    ]
  }
}

extension AuditFileCheck {
  init(_ anchor: AuditAnchor, file index: Int, _ key: ChainKey?) {
    self.init(
      file: anchor.files[index], end: anchor.end(ofFile: index), isCurrent: index == anchor.files.count - 1, key: key)
  }
}
