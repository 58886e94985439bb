import AgentProtocol
import SessionVault

/// Holds one file against what the vault knows of it. Pure: of any bytes, however broken.
///
/// The key of an entry belongs to its place, and its MAC is over the MAC before it: an entry that was changed does not fit,
/// and one that was moved tells so by its number. Behind one that is missing the next one cannot be held against
/// anything; those after it can.
struct AuditFileCheck {
  /// A file with one entry too many is still read.
  static let readLimit = AuditWriter.fileLimit + 2 * AuditLine.longest
  /// Findings of one file that are told.
  static let mostFindings = 20
  /// Entries that may have come since the seal was read, or that were removed before them.
  private static let slack: UInt64 = 10_000

  let file: AuditSeal.File
  /// The last entry that is sealed, of the whole log.
  let sealed: UInt64
  /// The key of the file's first entry.
  let key: ChainKey

  struct Outcome: Sendable {
    var fitting = 0
    var unsealed = 0
    var findings: [AuditVerify.Finding] = []
  }

  func run(_ bytes: [UInt8]) throws -> Outcome {
    let (lines, torn) = AuditLine.split(bytes)
    var places = Places(lines: lines, range: range(lines.count))
    if places.allElsewhere { return Outcome(findings: [finding("exchanged", nil)]) }
    var outcome = try walk(&places)
    outcome.findings += places.reordered.map { finding("reordered", $0) }
    outcome.findings += places.repeated.map { finding("repeated", $0) }
    // In the last file it is an entry that is being written.
    if places.strangers > 0 || (torn > 0 && file.last != nil) { outcome.findings.append(finding("edited", nil)) }
    outcome.findings = Array(outcome.findings.prefix(Self.mostFindings))
    return outcome
  }

  /// The entries that can be in this file.
  private func range(_ lines: Int) -> ClosedRange<UInt64> {
    let last = file.last ?? max(sealed, file.first + UInt64(lines)) + Self.slack
    return file.first...max(file.first, last)
  }

  private func walk(_ places: inout Places) throws -> Outcome {
    var outcome = Outcome()
    var (key, previous) = (self.key, Optional(file.previous))
    var missing: ClosedRange<UInt64>?
    let end = file.last ?? max(sealed, places.greatest, file.first)
    for sequence in file.first...end {
      if let line = places.line(sequence) {
        if let gap = missing { outcome.findings.append(finding("removed", gap)) }
        missing = nil
        if let fits = line.parsed.map({ fits($0, key, previous) }) {
          if fits == false { outcome.findings.append(finding("edited", sequence...sequence)) }
          if fits == true { outcome.fitting += 1 }
          if fits == true, sequence > sealed { outcome.unsealed += 1 }
        } else {
          outcome.findings.append(finding("edited", sequence...sequence))
        }
        previous = line.parsed?.mac
      } else {
        missing = (missing?.lowerBound ?? sequence)...sequence
        previous = nil
      }
      key = try key.next()
    }
    if let gap = missing { outcome.findings.append(finding("cut", gap)) }
    return outcome
  }

  /// Nil where nothing is there to hold it against.
  private func fits(_ line: AuditLine, _ key: ChainKey, _ previous: [UInt8]?) -> Bool? {
    previous.map { key.mac($0 + line.body) == line.mac }
  }

  private func finding(_ kind: String, _ entries: ClosedRange<UInt64>?) -> AuditVerify.Finding {
    AuditVerify.Finding(kind: kind, file: file.name, first: entries?.lowerBound, last: entries?.upperBound)
  }
}

/// The lines of a file by the place that they say is theirs.
private struct Places {
  struct Line { let parsed: AuditLine? }

  private var lines: [UInt64: Line] = [:]
  private(set) var reordered: [ClosedRange<UInt64>] = []
  private(set) var repeated: [ClosedRange<UInt64>] = []
  /// Lines whose place is not in this file.
  private(set) var strangers = 0
  private(set) var greatest: UInt64 = 0
  private var unreadable = 0

  init(lines: [ArraySlice<UInt8>], range: ClosedRange<UInt64>) {
    let parsed = lines.map { AuditLine($0) }
    let known = Set(parsed.compactMap { $0?.sequence })
    var before = range.lowerBound - 1
    for line in parsed {
      // A line that cannot be read has the place that is free behind the one before it.
      let sequence = line?.sequence ?? before + 1
      if line == nil { unreadable += 1 }
      guard range.contains(sequence), line != nil || !known.contains(sequence) else {
        strangers += 1
        continue
      }
      guard self.lines[sequence] == nil else {
        repeated.append(sequence...sequence)
        continue
      }
      if sequence < greatest { reordered.append(sequence...sequence) }
      self.lines[sequence] = Line(parsed: line)
      greatest = max(greatest, sequence)
      before = sequence
    }
  }

  /// Nothing in it belongs here: the content of another file, or something else altogether.
  var allElsewhere: Bool { lines.isEmpty && strangers > 0 || !lines.isEmpty && lines.count == unreadable }

  func line(_ sequence: UInt64) -> Line? { lines[sequence] }
}
